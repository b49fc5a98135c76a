"""No text costs more than its length, wherever it comes in."""

import pytest

from adapters.cutting.cutter import ProcessCutter
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.documents import DocumentFields
from core.errors import Refused
from tests.support.hostile import ENTRIES, HEADS, UNITS, cpu_seconds, texts
from tests.support.hostile_pdfs import PDFS, page

SHORT, LONG = 1_000, 30_000
PATIENCE = 3.0
"""CPU seconds that a few thousand characters never take; what multiplies with every character takes hours."""
TELLING = 0.1
GROWTH = 2.3 * 1.5
"""Twice the text takes twice the time; on a busy machine a measurement may be half as much again."""


@pytest.mark.parametrize("place", ENTRIES)
def test_a_few_thousand_characters_take_no_time(place: str) -> None:
    entry = ENTRIES[place]
    for name, text in texts(min(SHORT, entry.most)):
        assert cpu_seconds(entry.work, text, limit=PATIENCE) < PATIENCE, name


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("place", ENTRIES)
def test_twice_the_text_takes_twice_the_time(place: str) -> None:
    entry = ENTRIES[place]
    size = min(LONG, entry.most // 4)
    for given in zip(texts(size), texts(2 * size), texts(4 * size), strict=True):
        seconds = [cpu_seconds(entry.work, text, limit=60) for _, text in given]
        if seconds[2] > TELLING:
            seconds = [cpu_seconds(entry.work, text, limit=60, tries=3) for _, text in given]
            assert seconds[2] < 60, given[0][0]
            assert seconds[2] <= GROWTH**2 * max(seconds[0], TELLING / 10), (given[0][0], seconds)


def test_the_texts_are_as_long_as_they_say() -> None:
    made = dict(texts(SHORT))
    assert len(made) > 2 * len(UNITS) + len(HEADS)
    assert all(SHORT - 40 <= len(text) <= SHORT + 20 for text in made.values())
    assert len(made) * len(ENTRIES) >= 500


async def tried(content: bytes, tmp_path, toolkit: PyMuPdfToolkit, cutter: ProcessCutter) -> str:
    """Read and cut; why it was refused."""
    path = tmp_path / "hostile.pdf"
    path.write_bytes(content)
    try:
        reading = await toolkit.read(path)
        fields = DocumentFields(title="Titel", language="de")
        await cutter.cut(reading.pages, fields, lambda given: [len(text) // 4 for text in given])
    except Refused as error:
        return error.key
    return ""


async def test_a_line_of_dots_is_cut(toolkit: PyMuPdfToolkit, tmp_path) -> None:
    cutter = ProcessCutter()
    content = PDFS["a line of dots"](2)
    assert len(content) < 2_000
    assert await tried(content, tmp_path, toolkit, cutter) == ""
    await cutter.close()


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", PDFS)
async def test_a_hostile_pdf_is_cut_or_refused(name: str, toolkit: PyMuPdfToolkit, tmp_path) -> None:
    cutter = ProcessCutter()
    for times in (1, 2):
        content = PDFS[name](times)
        assert len(content) < 120_000
        assert await tried(content, tmp_path, toolkit, cutter) in ("", *REFUSALS)
    assert await tried(page(b"BT /F1 9 Tf 9 9 Td (Text) Tj ET"), tmp_path, toolkit, cutter) == "", (
        "it goes on"
    )
    await cutter.close()


REFUSALS = {"pdf.broken", "pdf.empty", "pdf.too_large", "pdf.too_slow", "text.too_slow", "text.too_large"}
