"""Two pages on one sheet: each on its side with its marks, and nothing else of their documents."""

from pathlib import Path

import pytest

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import SheetSide
from tests.support.pdfs import decoded_objects, find, marks, pymupdf, saved, written, yellow_rows

OLD, NEW = "Wir bauen 4.000 Wohnungen.\nUnd Brücken.", "Wir bauen 6.000 Wohnungen.\nUnd Brücken."
SECRET = "Diese Zeile steht auf einer anderen Seite."


async def side(
    toolkit: PyMuPdfToolkit, folder: Path, text: str, caption: str, *, raster: bool = False
) -> SheetSide:
    path = saved(written(text, SECRET), folder / f"{caption.strip('<>')}.pdf")
    page = (await toolkit.read(path)).pages[0].page
    words = find(page, text.split("\n")[0])
    made = await toolkit.highlighted_page(
        path, 1, marks(words), expected=[word.text for word in words], raster=raster
    )
    assert made.marked
    return SheetSide(caption=caption, pdf=made.pdf)


@pytest.mark.parametrize("raster", [False, True])
async def test_both_are_there_and_marked(toolkit: PyMuPdfToolkit, tmp_path: Path, raster: bool) -> None:
    sides = [
        await side(toolkit, tmp_path, OLD, "<Fassung Ж 1>", raster=raster),
        await side(toolkit, tmp_path, NEW, "Fassung 2", raster=raster),
    ]
    pdf = await toolkit.sheet(sides)
    document = pymupdf.open(stream=pdf)
    assert document.page_count == 1
    page = document[0]
    middle = page.rect.width / 2
    left = page.get_text(clip=(0, 0, middle, page.rect.height))
    right = page.get_text(clip=(middle, 0, page.rect.width, page.rect.height))
    assert "<Fassung Ж 1>" in left
    assert "Fassung 2" in right
    assert ("4.000" in left, "6.000" in right) == (not raster, not raster)
    assert "6.000" not in left
    png = await toolkit.preview(pdf)
    _, columns = yellow_rows(png)
    width = pymupdf.Pixmap(png).width
    assert min(columns) < width / 2 < max(columns)
    assert SECRET.encode() not in decoded_objects(pdf)


async def test_a_place_may_stay_empty(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    sides = [SheetSide(caption="nichts", pdf=None), await side(toolkit, tmp_path, NEW, "Fassung 2")]
    png = await toolkit.preview(await toolkit.sheet(sides))
    _, columns = yellow_rows(png)
    assert min(columns) > pymupdf.Pixmap(png).width / 2


async def test_what_cannot_be_seen_does_not_come_along(toolkit: PyMuPdfToolkit) -> None:
    """A one-page PDF is made by a process that has read a hostile file; the sheet is checked once more."""
    document = written(OLD)
    document.set_metadata({"title": "Geheimer Titel"})
    document[0].insert_link(
        {"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(0, 0, 90, 90), "uri": "https://example.org/spur"}
    )
    document[0].add_text_annot((50, 50), "geheime Notiz")
    hidden = SheetSide(caption="Fassung 1", pdf=document.tobytes())
    pdf = await toolkit.sheet([hidden, SheetSide(caption="", pdf=None)])
    found = decoded_objects(pdf)
    for text in ("Geheimer Titel", "example.org", "geheime Notiz"):
        assert text.encode() not in found
