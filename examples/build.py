"""Typesets the example library: `python -m examples.build [FOLDER]`.

The same sources give the same bytes. Every PDF lands in one folder with its registry beside it,
ready for `fundstelle ingest --manifest FOLDER/library.toml`.
"""

import shutil
import sys
from pathlib import Path

import pymupdf

from examples.design import DESIGNS, Design
from examples.markup import Text, parse
from examples.paint import Painter
from examples.sheets import Sheet, flow

HERE = Path(__file__).parent
MANIFEST = "library.toml"
QUESTIONS = "questions.jsonl"
FRENCH = "questions.fr.jsonl"
DEMO = "demo.toml"
_DATE = "D:20250301090000Z"


def build(folder: Path) -> Path:
    """Write all PDFs, the registry, the question set and the demo's questions into `folder`.

    Returns the path of the registry. Takes a few seconds. Raises OSError where `folder` cannot be
    written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted((HERE / "texts").glob("*.md")):
        (folder / f"{source.stem}.pdf").write_bytes(typeset(source))
    for name in (MANIFEST, QUESTIONS, FRENCH, DEMO):
        shutil.copyfile(HERE / name, folder / name)
    return folder / MANIFEST


def typeset(source: Path) -> bytes:
    """The PDF of one text."""
    text = parse(source)
    design = DESIGNS[text.front["design"]]
    with pymupdf.open() as pdf:
        _paint(pdf, text, design)
        pdf.set_metadata(_metadata(text.front))
        pdf.set_page_labels(_labels(text.front, design))
        pdf.subset_fonts()
        content: bytes = pdf.tobytes(garbage=4, deflate=True, no_new_id=True, use_objstms=1)
        return content


def _paint(pdf: pymupdf.Document, text: Text, design: Design) -> None:
    sheets = flow(text, design)
    painter = Painter(pdf, design, text.front)
    labels = [str(_first(text.front) + number) for number in range(len(sheets))]
    if design.programme:
        painter.cover()
        painter.contents(_chapters(sheets, labels))
    chapter = 0
    for sheet, label in zip(sheets, labels, strict=True):
        chapter += sheet.opens
        painter.sheet(sheet, label, chapter)


def _chapters(sheets: list[Sheet], labels: list[str]) -> list[tuple[str, str]]:
    return [(title, label) for sheet, label in zip(sheets, labels, strict=True) for title in sheet.starts]


def _first(front: dict[str, str]) -> int:
    return int(front.get("first_page", "1"))


def _labels(front: dict[str, str], design: Design) -> list[dict[str, object]]:
    """Cover and contents are i and ii; the text begins with its printed first page."""
    start = 2 if design.programme else 0
    body: dict[str, object] = {"startpage": start, "style": "D", "firstpagenum": _first(front)}
    front_pages: dict[str, object] = {"startpage": 0, "style": "r"}
    return [front_pages, body] if design.programme else [body]


def _metadata(front: dict[str, str]) -> dict[str, str]:
    author = front.get("party") or front["gazette"]
    return {"title": front["running"], "author": author, "creationDate": _DATE, "modDate": _DATE}


if __name__ == "__main__":
    print(build(Path(sys.argv[1] if len(sys.argv) > 1 else "build/examples")))
