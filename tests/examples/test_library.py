"""The example library: every gold quote stands on its page, and the awkward features are there."""

import json
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from examples.build import DEMO, FRENCH, MANIFEST, QUESTIONS, build
from examples.design import DESIGNS
from examples.markup import parse

TEXTS = Path(__file__).parents[2] / "examples" / "texts"
FEATURES = {"number", "position", "cross_page", "table", "comparison", "edition", "unanswerable"}
FEATURES |= {"absent_party", "absent_jurisdiction", "figure"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    assert build(folder) == folder / MANIFEST
    return folder


@pytest.fixture(scope="module")
def bodies(library: Path) -> dict[str, list[str]]:
    """Skeletons of each page's text column, by file."""
    return {file.name: list(_bodies(file)) for file in library.glob("*.pdf")}


def _bodies(file: Path) -> Iterator[str]:
    design = DESIGNS[parse(TEXTS / f"{file.stem}.md").front["design"]]
    left, top, right, bottom = design.margins
    with pymupdf.open(file) as pdf:
        for page in pdf:
            edge = page.rect
            area = (left - 4, top * 0.6, edge.width - right + 4, edge.height - bottom * 0.7)
            yield _skeleton(page.get_text(clip=None if page.rotation else area))


def _skeleton(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def _questions(folder: Path, name: str = QUESTIONS) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]


def _stands_on(quote: str, pages: list[str], number: int) -> bool:
    """On the page, or running over to or from a neighbour with no more than footnotes between."""
    wanted = _skeleton(quote)
    if wanted in pages[number - 1]:
        return True
    pairs = [
        pair for pair in ((number - 1, number), (number, number + 1)) if 0 < pair[0] < pair[1] <= len(pages)
    ]
    cuts = range(12, len(wanted) - 12)
    return any(
        wanted[:cut] in pages[first - 1] and pages[second - 1].startswith(wanted[cut:])
        for first, second in pairs
        for cut in cuts
    )


def test_gold_quotes_stand_on_the_pages_named(library: Path, bodies: dict[str, list[str]]) -> None:
    rows = [*_questions(library), *_questions(library, FRENCH)]
    gold = [(row["id"], spot) for row in rows for spot in row["gold"]]
    wrong = [
        (name, spot["file"], spot["page"])
        for name, spot in gold
        if not _stands_on(spot["quote"], bodies[spot["file"]], spot["page"])
    ]
    assert len(gold) > 30
    assert wrong == []


def test_a_gold_quote_on_a_wrong_page_is_noticed(bodies: dict[str, list[str]]) -> None:
    assert not _stands_on("Planning offices must decide within 60 days.", bodies["lighthouse-2025.pdf"], 7)


def test_the_question_set_is_complete(library: Path) -> None:
    rows = _questions(library)
    assert len(rows) >= 24
    assert len({row["id"] for row in rows}) == len(rows)
    assert {row["language"] for row in rows} == {"de", "en"}
    assert {row["kind"] for row in rows} >= FEATURES
    assert all(row["answerable"] == bool(row["gold"]) for row in rows)
    assert {row["gold_mode"] for row in rows} == {"any", "all"}


def test_the_registry_names_every_document_and_more_parties(library: Path) -> None:
    registry = tomllib.loads((library / MANIFEST).read_text(encoding="utf-8"))
    documents = registry["document"]
    assert {row["file"] for row in documents} == {file.name for file in library.glob("*.pdf")}
    named = {row["party"] for row in documents if "party" in row}
    assert len(named) == 3
    assert all(sum(row.get("party") == party for row in documents) == 2 for party in named)
    silent = {row["name"] for row in registry["party"] if "members" not in row} - named
    assert silent == {"Freie Drachenflieger"}


def test_the_demo_asks_what_it_promises(library: Path) -> None:
    questions = tomllib.loads((library / DEMO).read_text(encoding="utf-8"))["question"]
    assert len(questions) >= 6
    assert {row.get("jurisdiction") for row in questions} == {None, "xv-ho", "xv-se"}


def test_the_same_sources_give_the_same_bytes(library: Path, tmp_path: Path) -> None:
    build(tmp_path)
    again = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert again == {file.name: file.read_bytes() for file in library.iterdir()}


def test_awkward_features_are_there(library: Path) -> None:
    with pymupdf.open(library / "ufer-2025.pdf") as pdf:
        text = pdf[2].get_text()
        blocks = [block for block in pdf[2].get_text("blocks") if len(block[4]) > 80]
    assert re.search(r"\w-\n\w", text), "hyphens at line ends"
    assert {block[0] > 290 for block in blocks} == {True, False}, "two columns"
    with pymupdf.open(library / "lighthouse-2025.pdf") as pdf:
        assert {"ﬁ", "ﬂ"} <= set(pdf[3].get_text(flags=pymupdf.TEXT_PRESERVE_LIGATURES)), "ligatures"
        assert pdf[5].find_tables().tables, "a table"
        assert [pdf[0].get_label(), pdf[2].get_label()] == ["i", "1"], "printed page labels"
    with pymupdf.open(library / "windmueller-2021.pdf") as pdf:
        margin = [word[4] for word in pdf[2].get_text("words") if word[2] < 68]
    assert margin == [str(number) for number in range(1, len(margin) + 1)], "margin line numbers"
    with pymupdf.open(library / "hochau-rules-2023.pdf") as pdf:
        assert pdf[3].rotation == 90
        assert "SCHEDULE OF FEES" in pdf[3].get_text()


def test_footnote_marks_are_superscript(library: Path) -> None:
    with pymupdf.open(library / "windmueller-2025.pdf") as pdf:
        lines = [line for block in pdf[2].get_text("dict")["blocks"] for line in block.get("lines", [])]
    marked = [line for line in lines if "14,20 Taler." in "".join(span["text"] for span in line["spans"])]
    small = [span for line in marked for span in line["spans"] if span["text"].strip() == "1"]
    assert small
    assert all(span["size"] < 8 for span in small)
