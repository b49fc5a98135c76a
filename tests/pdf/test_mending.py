"""Arrays with operators in them, as an old printer driver writes them."""

from pathlib import Path

import pytest

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from tests.support.pdfs import pymupdf, saved

BROKEN = (
    b"BT /helv 12 Tf 1 0 0 1 50 700 Tm [(Der) 0.0 Tc\n-300.0 (Satz) 0.0 Tc\n-300.0 "
    b"(ist) .5 Tw -300 (ganz.) ] TJ ET"
)


def broken(path: Path) -> Path:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((50, 50), "Davor")
    xref = page.get_contents()[0]
    document.update_stream(xref, document.xref_stream(xref) + b"\n" + BROKEN)
    return saved(document, path)


async def test_the_words_of_a_broken_array_are_read(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    reading = await toolkit.read(broken(tmp_path / "a.pdf"))
    assert [word.text for word in reading.pages[0].page.words] == ["Davor", "Der", "Satz", "ist", "ganz."]


@pytest.mark.parametrize("raster", [False, True])
async def test_they_are_drawn_and_marked(toolkit: PyMuPdfToolkit, tmp_path: Path, raster: bool) -> None:
    path = broken(tmp_path / "a.pdf")
    page = (await toolkit.read(path)).pages[0].page
    words = [word for word in page.words if word.text in ("Satz", "ist")]
    made = await toolkit.highlighted_page(
        path, 1, [word.box for word in words], expected=[word.text for word in words], raster=raster
    )
    assert made.checked
    shown = pymupdf.open(stream=made.pdf)[0]
    if not raster:
        assert "ganz." in shown.get_text()


async def test_an_operator_behind_the_array_stays(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((50, 50), "x")
    xref = page.get_contents()[0]
    sound = b"BT /helv 12 Tf 1 0 0 1 50 700 Tm [(Weite) ] TJ .5 Tc [(Worte) ] TJ ET"
    document.update_stream(xref, document.xref_stream(xref) + b"\n" + sound)
    reading = await toolkit.read(saved(document, tmp_path / "a.pdf"))
    last = reading.pages[0].page.words[-1]
    assert last.box.x1 - last.box.x0 > 33.5  # 32 without the spacing
