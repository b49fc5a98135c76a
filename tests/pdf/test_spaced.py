"""What the gaps on a page say of words: spaced letters are words, rows of letters are none."""

from pathlib import Path
from typing import Any

import pytest

from adapters.pymupdf.ink import held, is_odd
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from tests.support import deceptive
from tests.support.pdfs import find, saved


def _set(*lines: str) -> Any:
    document, page = deceptive.base()
    content = deceptive.Content(document, page)
    for number, line in enumerate(lines):
        content.add(f"BT /helv 11 Tf 1 0 0 1 40 {380 - 20 * number} Tm {line} ET")
    return document


async def _text(toolkit: PyMuPdfToolkit, path: Path, *lines: str) -> list[str]:
    text = (await toolkit.read(saved(_set(*lines), path))).pages[0].page.text
    return [line for line in text.splitlines() if line][1:]


@pytest.mark.parametrize("gap", [2, 3, 5])
async def test_spaced_letters_are_words(toolkit: PyMuPdfToolkit, tmp_path: Path, gap: float) -> None:
    lines = await _text(
        toolkit,
        tmp_path / "a.pdf",
        f"(Dogs may ) Tj {gap} Tc (never) Tj 0 Tc ( swim here.) Tj",
        f"{gap} Tc (The fee is 25 euros.) Tj",
    )
    assert lines == ["Dogs may never swim here.", "The fee is 25 euros."]


@pytest.mark.parametrize("word", ["not", "den", "est", "hin", "der"])
async def test_neighbours_in_the_alphabet_make_words(
    toolkit: PyMuPdfToolkit, tmp_path: Path, word: str
) -> None:
    lines = await _text(toolkit, tmp_path / "a.pdf", f"(Is ) Tj 4 Tc ({word}) Tj 0 Tc ( it.) Tj")
    assert lines == [f"Is {word} it."]


async def test_rows_of_letters_are_none(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    rows = ["a b c d e f", "1 2 3 4 5", "x + y = z", "X O X X", "i o u", "a b d", "d e f"]
    assert await _text(toolkit, tmp_path / "a.pdf", *(f"({row}) Tj" for row in rows)) == rows


async def test_what_stands_before_a_watermark_is_seen(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document, page = deceptive.base()
    page.insert_text((60, 330), "DRAFT", fontsize=90, color=(0.82, 0.82, 0.82))
    for line in range(8):
        page.insert_text((40, 250 + 14 * line), deceptive.LEGIBLE, fontsize=11)
    path = saved(document, tmp_path / "a.pdf")
    page_read = (await toolkit.read(path)).pages[0].page
    words = page_read.words
    assert len(words) > 80
    for start in range(0, len(words), 9):
        boxes = [w.box for w in words[start : start + 9] if page_read.text[w.start : w.end] != "DRAFT"]
        assert await toolkit.doubt(path, 1, boxes, scan=False) is None


@pytest.mark.parametrize("covered", [deceptive.HIDDEN, deceptive.LEGIBLE])
async def test_two_texts_in_one_place_are_not(toolkit: PyMuPdfToolkit, tmp_path: Path, covered: str) -> None:
    document, page = deceptive.base()
    for text in (covered, "Nobody can read what stands here any more."):
        page.insert_text((40, 250), text, fontsize=11)
    path = saved(document, tmp_path / "a.pdf")
    page_read = (await toolkit.read(path)).pages[0].page
    if covered in " ".join(page_read.text.split()):
        boxes = [word.box for word in find(page_read, covered)]
        assert await toolkit.doubt(path, 1, boxes, scan=False) is not None


def test_boxes_that_no_letter_has_are_cut() -> None:
    assert is_odd({"ascender": 3.1, "descender": -2.4})
    assert is_odd({"ascender": 0.2, "descender": 0.0})
    assert not is_odd({"ascender": 1.07, "descender": -0.3})
    assert held((10, 0, 20, 80), (10, 50), 10, (1.0, 0.0)) == (10, 41, 20, 52.5)
    assert held((10, 0, 90, 10), (50, 10), 10, (0.0, -1.0)) == (41, 0, 52.5, 10)
