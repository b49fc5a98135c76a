"""What nobody sees on a page is not marked as checked; unusual print that can be read is."""

from pathlib import Path

import pytest

from adapters.ocr import Tesseract
from adapters.pymupdf import toolkit as pymupdf_toolkit
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import Doubt, PageReading, TextSource, Word
from tests.support import deceptive
from tests.support.pdfs import find, marks, saved
from tests.support.scans import needs_tesseract


async def proven(kit: PyMuPdfToolkit, path: Path, item: PageReading, words: list[Word]) -> set[Doubt | None]:
    """What is said of `words` in three ways: before an answer, on the page, and on its picture."""
    scan = item.page.text_source is TextSource.OCR
    said = {await kit.doubt(path, 1, [word.box for word in words], scan=scan)}
    for raster in (False, True):
        made = await kit.highlighted_page(
            path, 1, marks(words), expected=[word.text for word in words], raster=raster
        )
        assert made.marked is made.checked
        said.add(made.doubt if made.checked else made.doubt or Doubt.NO_INK)
    return said


def words_of(item: PageReading, text: str) -> list[Word]:
    """The words of `text` on the page, none if it is not there."""
    return find(item.page, text) if text in " ".join(item.page.text.split()) else []


@pytest.mark.parametrize("name", deceptive.TECHNIQUES)
async def test_what_nobody_sees_is_not_quoted(toolkit: PyMuPdfToolkit, tmp_path: Path, name: str) -> None:
    path = saved(deceptive.built(deceptive.TECHNIQUES[name]), tmp_path / "a.pdf")
    item = (await toolkit.read(path)).pages[0]
    if words := words_of(item, deceptive.HIDDEN):
        assert None not in await proven(toolkit, path, item, words)


@pytest.mark.parametrize("name", deceptive.LIES)
async def test_what_the_page_shows_otherwise_is_not_quoted(
    toolkit: PyMuPdfToolkit, tmp_path: Path, name: str
) -> None:
    path = saved(deceptive.built(deceptive.LIES[name]), tmp_path / "a.pdf")
    item = (await toolkit.read(path)).pages[0]
    said = Doubt.COMPARE if name == "Type 3 of other letters" else Doubt.OTHER_LETTERS
    for lie in (deceptive.HIDDEN, deceptive.LINE.format(deceptive.FALSE), deceptive.SHORTENED):
        if words := words_of(item, lie):
            assert await proven(toolkit, path, item, words) == {said}


@pytest.mark.parametrize("name", deceptive.CONTROLS)
async def test_what_can_be_read_is_quoted(toolkit: PyMuPdfToolkit, tmp_path: Path, name: str) -> None:
    path = saved(deceptive.built(deceptive.CONTROLS[name]), tmp_path / "a.pdf")
    item = (await toolkit.read(path)).pages[0]
    for text in (deceptive.SHOWN, deceptive.LEGIBLE):
        assert await proven(toolkit, path, item, words_of(item, text)) == {None}
    assert item.hidden_characters == 0


async def swaps_noticed(toolkit: PyMuPdfToolkit, folder: Path, kind: str) -> list[bool]:
    """Of words with one swapped letter or digit and then of honest ones, which are refused in all ways."""
    found = []
    for honest in (False, True):
        for shown, said in deceptive.swaps(4, seed=3):
            text = shown if honest else said
            path = saved(deceptive.built(deceptive.SWAPS[kind](shown, text)), folder / f"{shown}{text}.pdf")
            item = (await toolkit.read(path)).pages[0]
            said_of = await proven(toolkit, path, item, words_of(item, deceptive.LINE.format(text)))
            assert len(said_of) == 1
            found.append(None not in said_of)
    return found


@pytest.mark.parametrize("kind", ["embedded font with names", "embedded font with a map"])
async def test_fonts_that_contradict_the_text_are_not_quoted(
    toolkit: PyMuPdfToolkit, tmp_path: Path, kind: str
) -> None:
    assert await swaps_noticed(toolkit, tmp_path, kind) == [True] * 4 + [False] * 4


@needs_tesseract
async def test_outlines_that_lie_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pymupdf_toolkit, "TIMEOUT_S", 60.0)
    kit = PyMuPdfToolkit(workers=1, recogniser=Tesseract(["deu", "eng"]))
    path = saved(deceptive.built(deceptive.lying_type3), tmp_path / "a.pdf")
    try:
        item = (await kit.read(path)).pages[0]
        said = await proven(kit, path, item, words_of(item, deceptive.HIDDEN))
    finally:
        await kit.close()
    assert said == {Doubt.OTHER_LETTERS}


@needs_tesseract
@pytest.mark.parametrize("kind", ["embedded font without names", "Type 3 font"])
async def test_single_letters_are_read_where_fonts_say_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    monkeypatch.setattr(pymupdf_toolkit, "TIMEOUT_S", 60.0)  # a busy machine reads more slowly
    kit = PyMuPdfToolkit(workers=1, recogniser=Tesseract(["deu", "eng"]))
    try:
        noticed = await swaps_noticed(kit, tmp_path, kind)
    finally:
        await kit.close()
    assert noticed == [True] * 4 + [False] * 4
