"""Words stand where a reader sees them: initials at their words, columns one after the other."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from tests.support.pdfs import find, pymupdf, saved

LEFT = (
    "The museum opens at nine and",
    "closes at five. Children under",
    "ten pay nothing, and groups of",
    "more than twenty people get",
    "a guide for free.",
)
RIGHT = (
    "Dogs are not allowed in the",
    "park from May on, because the",
    "ducks are breeding there and",
    "want their peace. Whoever",
    "comes anyway pays a fine.",
)


async def _text(toolkit: PyMuPdfToolkit, path: Path, texts: Sequence[tuple[float, float, str, float]]) -> str:
    document = pymupdf.open()
    page = document.new_page(width=700, height=400)
    for x, y, text, size in texts:
        page.insert_text((x, y), text, fontsize=size, fontname="tiro")
    reading = await toolkit.read(saved(document, path))
    return " ".join(reading.pages[0].page.text.split())


def _rows(gap: float, *columns: Sequence[str]) -> list[tuple[float, float, str, float]]:
    widths = [max(pymupdf.get_text_length(text, "tiro", 11) for text in column) + gap for column in columns]
    return [
        (40 + sum(widths[:side]), 60 + 14 * row, text, 11)
        for row, texts in enumerate(zip(*columns, strict=True))
        for side, text in enumerate(texts)
    ]


@pytest.mark.parametrize("gap", [8, 20, 60])
async def test_columns_are_read_one_after_the_other(
    toolkit: PyMuPdfToolkit, tmp_path: Path, gap: float
) -> None:
    text = await _text(toolkit, tmp_path / "a.pdf", _rows(gap, LEFT, RIGHT))
    assert text == " ".join((*LEFT, *RIGHT))


async def test_rows_of_a_list_are_read_as_rows(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    names = ("A grave for one person", "A grave under a tree", "A grave in the meadow", "A grave for ashes")
    prices = (
        "400 euros in the year",
        "300 euros in the year",
        "150 euros in the year",
        "90 euros in the year",
    )
    text = await _text(toolkit, tmp_path / "a.pdf", _rows(30, names, prices))
    assert text == " ".join(f"{name} {price}" for name, price in zip(names, prices, strict=True))


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize(
    ("letter", "rest", "gap", "whole"),
    [
        ("N", "obody may enter without a card.", 2, "Nobody may"),
        ("N", "OBODY may enter without a card.", 2, "NOBODY may"),
        ("I", "n this house nobody may smoke.", 3, "In this"),
        ("A", "person may enter with a card.", 5, "A person"),
        ("A", "nybody may enter with a card.", 1, "Anybody may"),
    ],
)
async def test_initials_belong_to_their_words(
    toolkit: PyMuPdfToolkit, tmp_path: Path, letter: str, rest: str, gap: float, whole: str, last: bool
) -> None:
    start = 40 + pymupdf.get_text_length(letter, "tiro", 36) + gap
    initial = [(40.0, 128.0, letter, 36.0)]
    lines = (rest, "The clerk keeps a list of", "all cards that were lost.")
    body = [(start, 100.0 + 14 * row, line, 11.0) for row, line in enumerate(lines)]
    under = [(40.0, 142.0, "It is published every year.", 11.0)]
    path = tmp_path / "a.pdf"
    text = await _text(toolkit, path, [*body, *under, *initial] if last else [*initial, *body, *under])
    assert text.startswith(whole)
    page = (await toolkit.read(path)).pages[0].page
    boxes = [word.box for word in find(page, whole)]
    assert await toolkit.doubt(path, 1, boxes, scan=False) is None


async def test_the_line_above_an_initial_is_not_its_own(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    above = "Bring it to the clerk on Monday."
    texts = [
        (40.0, 88.0, above, 11.0),
        *(
            (66.0, 100.0 + 14 * row, text, 11.0)
            for row, text in enumerate(("obody may enter", "without it."))
        ),
        (40.0, 122.0, "N", 34.0),
    ]
    assert await _text(toolkit, tmp_path / "a.pdf", texts) == f"{above} Nobody may enter without it."
