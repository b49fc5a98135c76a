"""Awkward files: every one is read or refused in words, and every page read can be handed out."""

from pathlib import Path

import pytest

from adapters.pymupdf.protocol import KEYS
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from benchmarks.robustness import ingested
from core.domain.pages import Box, DocumentReading, Page, PageReading
from core.errors import Refused
from tests.support.pdfs import DATA, decoded_objects, marks, pymupdf

FOLDER = DATA / "robustness"
FILES = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".pdf", ".fuzz"))
SAMPLE = FILES[::24]
WORDS = 40

pytestmark = pytest.mark.skipif(not FILES, reason="no test data")


async def read_or_refuse(toolkit: PyMuPdfToolkit, path: Path) -> DocumentReading | None:
    try:
        return await toolkit.read(path)
    except Refused as error:
        refused = error
    assert refused.key in KEYS
    assert refused.detail
    return None


async def hand_out(toolkit: PyMuPdfToolkit, path: Path, item: PageReading, *, raster: bool) -> None:
    page = item.page
    words = page.words[:WORDS]
    made = await toolkit.highlighted_page(
        path, page.number, marks(words), expected=[word.text for word in words], raster=raster
    )
    assert pymupdf.open(stream=made.pdf).page_count == 1
    assert b"/JavaScript" not in decoded_objects(made.pdf)
    assert (await toolkit.preview(made.pdf)).startswith(b"\x89PNG")
    if len(words) >= 5 and not covers_others(page, marks(words)):
        assert made.marked


def covers_others(page: Page, boxes: list[Box]) -> bool:
    """Whether the boxes hold the middle of a later word: vertical lines overlap, and no mark is proven."""
    return any(
        box.x0 <= (word.box.x0 + word.box.x1) / 2 <= box.x1
        and box.y0 <= (word.box.y0 + word.box.y1) / 2 <= box.y1
        for word in page.words[WORDS:]
        for box in boxes
    )


async def try_file(toolkit: PyMuPdfToolkit, path: Path) -> None:
    reading = await read_or_refuse(toolkit, path)
    for item in reading.pages[:2] if reading else ():
        if item.page.width:
            await hand_out(toolkit, path, item, raster=False)


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.name)
async def test_a_sample(toolkit: PyMuPdfToolkit, path: Path) -> None:
    await try_file(toolkit, path)


@pytest.mark.slow
@pytest.mark.timeout(3600)
async def test_all_files(toolkit: PyMuPdfToolkit) -> None:
    failed = []
    for path in FILES:
        try:
            await try_file(toolkit, path)
        except Exception as error:
            failed.append((path.name, repr(error)[:200]))
    assert failed == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("ocr", ["auto", "off"])
def test_one_ingest_of_all_files(tmp_path: Path, ocr: str) -> None:
    """As `benchmarks.robustness` does it: every file has a status, and none ends the run."""
    run = ingested(FOLDER, tmp_path, ocr=ocr, limit=3000)
    assert (run.crashes, run.hangs, run.without_status) == (0, 0, 0), run.log[-2000:]
    assert len(run.files) >= len(FILES)
    assert {each["status"] for each in run.documents} > {"indexed", "refused"}
