"""What every PdfToolkit must do: the one in memory and the real one."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import Box, Page, PageTrouble, SheetSide
from core.domain.passages import Picture
from core.domain.rich_text import Table
from core.errors import Refused
from core.ports.pdf import PdfToolkit
from tests.support.fake_pdf import FakePdfToolkit, text_reading
from tests.support.pdfs import find, marks, saved, written

TEXTS = (
    "Wohnen ist ein Grundrecht.\nWir begrenzen die Mieten.\n\nDas gilt auch auf dem Land.",
    "Zweite Seite mit einem anderen Satz.",
    "",
)
Ready = tuple[PdfToolkit, Path]


@pytest.fixture(scope="module")
def real() -> Iterator[PyMuPdfToolkit]:
    kit = PyMuPdfToolkit(workers=1)
    yield kit
    asyncio.run(kit.close())


@pytest.fixture(params=["fake", "real"])
def ready(request: pytest.FixtureRequest, tmp_path: Path) -> Ready:
    path = tmp_path / "programme.pdf"
    makers: dict[str, Callable[[], PdfToolkit]] = {
        "fake": lambda: FakePdfToolkit({path.name: text_reading(*TEXTS)}),
        "real": lambda: request.getfixturevalue("real"),
    }
    saved(written(*TEXTS), path)
    return makers[request.param](), path


def rebuilt(page: Page) -> str:
    """The page's text from its words alone."""
    parts, before = [], None
    for word in page.words:
        place = word.block, word.line
        if before is not None:
            parts.append(" " if before == place else "\n" if before[0] == place[0] else "\n\n")
        parts.append(word.text)
        before = place
    return "".join(parts)


async def test_text_is_the_words_in_order(ready: Ready) -> None:
    kit, path = ready
    reading = await kit.read(path)
    assert reading.total_pages == len(reading.pages) == len(TEXTS)
    for number, item in enumerate(reading.pages, 1):
        page = item.page
        assert page.number == number
        assert page.text == rebuilt(page) == TEXTS[number - 1]
        assert all(page.text[word.start : word.end] == word.text for word in page.words)
        assert all(0 <= w.box.x0 < w.box.x1 <= page.width for w in page.words)
        assert all(0 <= w.box.y0 < w.box.y1 <= page.height for w in page.words)
    assert [item.trouble for item in reading.pages] == [None, None, PageTrouble.NO_TEXT]


async def test_only_the_first_pages_are_read_where_asked(ready: Ready) -> None:
    kit, path = ready
    seen: list[tuple[int, int]] = []
    reading = await kit.read(path, max_pages=2, progress=lambda done, total: seen.append((done, total)))
    assert [item.page.number for item in reading.pages] == [1, 2]
    assert reading.total_pages == 3
    assert seen[-1] == (2, 2)


async def test_what_is_no_pdf_is_refused(ready: Ready, tmp_path: Path) -> None:
    kit, _ = ready
    other = tmp_path / "letter.pdf"
    other.write_text("Dear sir or madam")
    for call in (kit.read(other), kit.highlighted_page(other, 1, [], expected=[])):
        with pytest.raises(Refused) as refused:
            await call
        assert refused.value.key == "pdf.not_a_pdf"
        assert refused.value.detail


async def test_a_quote_is_marked_and_checked(ready: Ready) -> None:
    kit, path = ready
    page = (await kit.read(path)).pages[0].page
    words = find(page, "Wir begrenzen die Mieten.")
    for raster in (False, True):
        made = await kit.highlighted_page(
            path, 1, marks(words), expected=[word.text for word in words], raster=raster
        )
        assert made.marked
        assert made.checked
        assert made.rasterised is raster
        assert made.pdf.startswith(b"%PDF-")
        assert (await kit.preview(made.pdf)).startswith(b"\x89PNG\r\n\x1a\n")
        assert (await kit.strip(made.pdf, pixels=1000)).startswith(b"\xff\xd8\xff")


@pytest.mark.parametrize("expected", [["Wir", "erhöhen", "die", "Mieten."], ["Wir", "begrenzen"], []])
async def test_other_words_come_unmarked(ready: Ready, expected: list[str]) -> None:
    kit, path = ready
    page = (await kit.read(path)).pages[0].page
    made = await kit.highlighted_page(
        path, 1, marks(find(page, "Wir begrenzen die Mieten.")), expected=expected
    )
    assert not made.marked
    assert not made.checked


async def test_pages_beside_each_other_are_one_sheet(ready: Ready) -> None:
    kit, path = ready
    page = (await kit.highlighted_page(path, 1, [], expected=[])).pdf
    sides = [SheetSide(caption="Fassung 1", pdf=page), SheetSide(caption="Fassung 2", pdf=None)]
    made = await kit.sheet(sides)
    assert made.startswith(b"%PDF-")
    assert (await kit.preview(made)).startswith(b"\x89PNG\r\n\x1a\n")


async def test_a_part_of_a_page_is_a_picture(ready: Ready) -> None:
    kit, path = ready
    page = (await kit.read(path)).pages[0].page
    box = page.words[0].box
    assert (await kit.cutout(path, Picture(1, box))).startswith(b"\x89PNG\r\n\x1a\n")
    for number, part, key in (
        (4, box, "pdf.no_such_page"),
        (1, Box(page.width + 5, 0, page.width + 50, 50), "pdf.broken"),
    ):
        with pytest.raises(Refused) as refused:
            await kit.cutout(path, Picture(number, part))
        assert refused.value.key == key


async def test_a_page_that_is_not_there_is_refused(ready: Ready) -> None:
    kit, path = ready
    for number in (0, 4):
        with pytest.raises(Refused) as refused:
            await kit.highlighted_page(path, number, [], expected=[])
        assert refused.value.key == "pdf.no_such_page"


async def test_a_preview_of_no_pdf_is_refused(ready: Ready) -> None:
    kit, _ = ready
    with pytest.raises(Refused) as refused:
        await kit.preview(b"<html>")
    assert refused.value.key == "pdf.not_a_pdf"


async def test_a_table_is_a_pdf_that_can_be_shown(ready: Ready) -> None:
    kit, _ = ready
    table = Table(title="Wohnen", columns=("Partei", "Zitate"), rows=(("A", "„Eins“\n„Zwei“"), ("B", "")))
    made = await kit.table(table)
    assert made.startswith(b"%PDF-")
    assert (await kit.preview(made)).startswith(b"\x89PNG\r\n\x1a\n")
