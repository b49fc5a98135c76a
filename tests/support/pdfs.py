"""PDF files made for tests, with PyMuPDF in the test process."""

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.domain.pages import Box, Page, Word

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # SWIG's types have no __module__
    import pymupdf

WIDTH, HEIGHT = 400, 500
DATA = Path(os.environ.get("FUNDSTELLE_TEST_DATA", Path(__file__).parents[2] / "../shared/data"))


def written(*texts: str) -> Any:
    """A document with one page per text; empty lines part blocks."""
    document = pymupdf.open()
    for text in texts:
        page = document.new_page(width=WIDTH, height=HEIGHT)
        y = 60
        for block in text.split("\n\n"):
            for line in block.split("\n"):
                page.insert_text((40, y), line, fontsize=10)
                y += 12
            y += 18
    return document


def saved(document: Any, path: Path, **options: Any) -> Path:
    """Save and close."""
    document.save(path, **options)
    document.close()
    return path


def marks(words: Sequence[Word]) -> list[Box]:
    """One box per line of `words`."""
    lines: dict[tuple[int, int], list[Box]] = {}
    for word in words:
        lines.setdefault((word.block, word.line), []).append(word.box)
    return [
        Box(
            min(b.x0 for b in line), min(b.y0 for b in line), max(b.x1 for b in line), max(b.y1 for b in line)
        )
        for line in lines.values()
    ]


def find(page: Page, phrase: str) -> list[Word]:
    """The words of `phrase` on a page, one after the other."""
    wanted = phrase.split()
    texts = [word.text for word in page.words]
    for at in range(len(texts)):
        if texts[at : at + len(wanted)] == wanted:
            return list(page.words[at : at + len(wanted)])
    raise AssertionError(f"{phrase!r} is not on the page: {page.text!r}")


def decoded_objects(pdf: bytes) -> bytes:
    """Everything a PDF holds, object by object, streams inflated, pictures as they are."""
    document = pymupdf.open(stream=pdf)
    parts = [pdf]
    for xref in range(1, document.xref_length()):
        parts.append(document.xref_object(xref).encode("utf-8", "replace"))
        if document.xref_is_stream(xref):
            parts += [document.xref_stream_raw(xref) or b"", document.xref_stream(xref) or b""]
    parts.append(document[0].get_text().encode())
    return b"\n".join(parts)


def yellow_rows(png: bytes) -> tuple[set[int], set[int]]:
    """Rows and columns of a picture that hold highlight colour."""
    pixmap = pymupdf.Pixmap(png)
    data, n = pixmap.samples, pixmap.n
    rows, columns = set(), set()
    for y in range(0, pixmap.height, 2):
        for x in range(0, pixmap.width, 2):
            at = y * pixmap.stride + x * n
            red, green, blue = data[at], data[at + 1], data[at + 2]
            if red > 200 and green > 150 and blue < 120:
                rows.add(y)
                columns.add(x)
    return rows, columns


def picture(width: int = 64, height: int = 64, colour: tuple[int, int, int] = (200, 180, 160)) -> bytes:
    """A JPEG of one colour with a little texture."""
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, width, height), False)
    pixmap.set_rect(pixmap.irect, colour)
    for i in range(0, min(width, height), 4):
        pixmap.set_pixel(i, i, (90, 90, 90))
    return bytes(pixmap.tobytes("jpeg"))
