"""Figures of a page: which pictures and drawings a caption names, through the contained worker."""

from pathlib import Path
from typing import Any

import pytest

from adapters.pymupdf.figures import CAPTION, figures
from adapters.pymupdf.reading import read_page
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import Box, Page, PageReading, Region, RegionKind
from core.domain.passages import Picture
from core.library.chunking.text import upright
from tests.support.growth import MOST, growth
from tests.support.pdfs import pymupdf, saved

CAPTION_TEXT = "Abb. 3: Mieten in den Gemeinden des Landes"
PROSE = "Wir wollen, dass alle Menschen im Land eine gute Wohnung finden und auch bezahlen können."


class Sheet:
    """A page to draw on as it is looked at, whatever its rotation."""

    def __init__(self, document: Any, rotation: int = 0) -> None:
        upright_size = (400, 500)
        width, height = upright_size if rotation in (0, 180) else upright_size[::-1]
        self.page = document.new_page(width=width, height=height)
        self.page.set_rotation(rotation)

    def write(self, x: float, y: float, text: str, size: float = 9) -> None:
        place = pymupdf.Point(x, y) * self.page.derotation_matrix
        self.page.insert_text(place, text, fontsize=size, rotate=self.page.rotation)

    def prose(self, y: float, lines: int = 3) -> None:
        for number in range(lines):
            self.write(40, y + 12 * number, PROSE[:75])

    def fill(self, *box: float) -> None:
        area = pymupdf.Rect(box) * self.page.derotation_matrix
        self.page.draw_rect(area, color=None, fill=(0.2, 0.4, 0.6))

    def bars(self, left: float = 60, top: float = 100, width: float = 200, *, named: bool = True) -> None:
        """Five bars of 80 points at most over their names."""
        step = width / 5
        for number in range(5):
            x = left + step * number
            self.fill(x, top + 80 - 16 * (number + 1), x + step * 0.6, top + 80)
            if named:
                self.write(x, top + 90, str(2016 + number), 7)

    def image(self, *box: float) -> None:
        pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 8, 8))
        pixmap.set_rect(pixmap.irect, (200, 90, 40))
        self.page.insert_image(pymupdf.Rect(box) * self.page.derotation_matrix, pixmap=pixmap)


@pytest.fixture
def read(toolkit: PyMuPdfToolkit, tmp_path: Path) -> Any:
    async def reading(document: Any) -> PageReading:
        return (await toolkit.read(saved(document, tmp_path / "page.pdf"))).pages[0]

    return reading


def captions(reading: PageReading) -> list[str]:
    return [" ".join(reading.page.words[i].text for i in item.caption) for item in reading.regions]


def inside(page: Page, region: Region) -> set[str]:
    box = region.box
    return {
        word.text
        for word in page.words
        if box.x0 <= (word.box.x0 + word.box.x1) / 2 <= box.x1
        and box.y0 <= (word.box.y0 + word.box.y1) / 2 <= box.y1
    }


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("below", [True, False])
async def test_a_chart_with_its_labels_and_caption(read: Any, rotation: int, *, below: bool) -> None:
    document = pymupdf.open()
    sheet = Sheet(document, rotation)
    sheet.prose(40)
    sheet.bars(top=110)
    sheet.write(60, 215 if below else 98, CAPTION_TEXT)
    sheet.prose(260)
    found = await read(document)
    assert captions(found) == [CAPTION_TEXT]
    (region,) = found.regions
    assert region.kind is RegionKind.FIGURE
    assert inside(found.page, region) == {"2016", "2017", "2018", "2019", "2020"}
    x0, y0, x1, y1 = upright(region.box, found.page)
    assert (x0, y0) == pytest.approx((60, 110), abs=3)
    assert (x1, y1) == pytest.approx((244, 205), abs=6)


async def test_a_page_inside_its_crop_box(read: Any) -> None:
    document = pymupdf.open()
    sheet = Sheet(document)
    sheet.bars(top=110)
    sheet.write(60, 215, CAPTION_TEXT)
    sheet.page.set_cropbox(pymupdf.Rect(30, 20, 380, 480))
    (region,) = (await read(document)).regions
    assert (region.box.x0, region.box.y0) == pytest.approx((30, 90), abs=3)


async def test_pictures_count_as_drawings_do(read: Any) -> None:
    document = pymupdf.open()
    sheet = Sheet(document)
    sheet.image(60, 100, 260, 220)
    sheet.write(60, 235, "Figure 2. The harbour at low tide")
    sheet.write(60, 246, "in the winter of the flood")
    found = await read(document)
    assert captions(found) == ["Figure 2. The harbour at low tide in the winter of the flood"]
    assert upright(found.regions[0].box, found.page) == pytest.approx((60, 100, 260, 220), abs=1)


async def test_figures_over_and_beside_each_other_keep_their_captions(read: Any) -> None:
    document = pymupdf.open()
    sheet = Sheet(document)
    for x, y, name in ((40, 60, "A"), (220, 60, "B"), (40, 220, "C")):
        sheet.bars(x, y, 120, named=False)
        sheet.write(x, y + 92, f"Abb. {name}: Mieten")
    found = await read(document)
    corners = {
        caption: (round(region.box.x0), round(region.box.y1))
        for caption, region in zip(captions(found), found.regions, strict=True)
    }
    assert corners == {
        "Abb. A: Mieten": (40, 140),
        "Abb. B: Mieten": (220, 140),
        "Abb. C: Mieten": (40, 300),
    }


@pytest.mark.parametrize(
    "caption",
    ["Die Mieten in den Gemeinden", "Abb. 3 zeigt die Mieten", "Foto: Jane Doe", "siehe Abb. 3: Mieten"],
)
async def test_without_a_caption_it_is_no_figure(read: Any, caption: str) -> None:
    document = pymupdf.open()
    sheet = Sheet(document)
    sheet.bars()
    sheet.write(60, 205, caption)
    assert (await read(document)).regions == ()


async def test_what_is_painted_behind_text_is_no_figure(read: Any) -> None:
    document = pymupdf.open()
    sheet = Sheet(document)
    sheet.image(0, 0, 400, 500)  # the page's background
    sheet.image(30, 60, 370, 180)  # a panel
    sheet.prose(80, lines=6)
    sheet.image(40, 10, 120, 40)  # a logo in the running header
    sheet.fill(40, 250, 360, 251)  # a rule
    sheet.fill(60, 300, 70, 310)  # an icon
    sheet.write(40, 200, "Abb. 3: Mieten")
    sheet.write(40, 264, "Abb. 4: Löhne")
    sheet.write(40, 325, "Abb. 5: Preise")
    assert (await read(document)).regions == ()


async def test_text_between_parts_caption_and_drawing(read: Any) -> None:
    document = pymupdf.open()
    sheet = Sheet(document)
    sheet.bars(top=60)
    sheet.prose(172, lines=1)
    sheet.write(60, 190, CAPTION_TEXT)
    assert (await read(document)).regions == ()


def test_words_of_a_table_are_no_figures() -> None:
    document = pymupdf.open()
    sheet = Sheet(document)
    sheet.bars()
    sheet.write(60, 205, CAPTION_TEXT)
    page = read_page(document, 1).page
    assert len(figures(document[0], 0, page.text, page.words)) == 1
    for taken in ({0}, {len(page.words) - 1}):
        assert figures(document[0], 0, page.text, page.words, taken) == []


def test_many_painted_things_take_their_time_and_no_more() -> None:
    def painted(number: int) -> None:
        document = pymupdf.open()
        sheet = Sheet(document)
        shapes = "".join(
            f"{30 + i % 340} {60 + i % 401} {20 + i % 200} {20 + i % 37} re f\n" for i in range(number)
        )
        sheet.write(60, 480, CAPTION_TEXT)
        (xref,) = sheet.page.get_contents()
        document.update_stream(xref, document.xref_stream(xref) + shapes.encode())
        read = read_page(document, 1).page
        assert len(figures(document[0], 0, read.text, read.words)) <= 1
        assert read.text == CAPTION_TEXT

    assert growth(painted, 1_000) < MOST


@pytest.mark.parametrize(
    "line",
    [
        "Abb. 3: Mieten",
        "Abbildung 12 – Mieten",
        "Abbildung 2.1: Mieten",
        "Fig. 4. Rents",
        "FIGURE IV: RENTS",
        "Figure 3 Rents in towns",
        "Grafik: Mieten",
        "Schaubild 1",
        "Karte 2: Gemeinden",
        "Map A. The coast",
        "Diagramm 5 | Mieten",
    ],
)
def test_lines_that_begin_a_caption(line: str) -> None:
    assert CAPTION.match(line)


@pytest.mark.parametrize(
    "line",
    [
        "Abb. 3 zeigt die Mieten",
        "Figure 3 shows the rents",
        "Bild von den Mieten",
        "Karten 2: nichts",
        "Bildung 3: Schulen",
        "Charta 1: Rechte",
        "Tabelle 2: Mieten",
        "Figure 2.5 million people",
    ],
)
def test_lines_that_do_not(line: str) -> None:
    assert not CAPTION.match(line)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
async def test_the_picture_shows_the_figure_upright(
    toolkit: PyMuPdfToolkit, tmp_path: Path, rotation: int
) -> None:
    document = pymupdf.open()
    sheet = Sheet(document, rotation)
    sheet.bars(top=110)
    sheet.write(60, 215, CAPTION_TEXT)
    path = saved(document, tmp_path / "page.pdf")
    (region,) = (await toolkit.read(path)).pages[0].regions
    made = pymupdf.Pixmap(await toolkit.cutout(path, Picture(1, region.box)))
    assert 1.6 < made.width / made.height < 2.4  # 184 to 95 points and a little around
    middle = made.height // 2
    dark = [made.pixel(x, middle)[0] < 128 for x in range(made.width)]
    assert not any(dark[: made.width // 3])  # the low bars stand on the left
    assert any(dark[made.width // 2 :])


async def test_a_large_part_becomes_no_larger_picture(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page(width=3000, height=2000)
    path = saved(document, tmp_path / "poster.pdf")
    page = (await toolkit.read(path)).pages[0].page
    made = pymupdf.Pixmap(await toolkit.cutout(path, Picture(1, Box(-100, -50, page.width + 9, 1e6))))
    assert max(made.width, made.height) <= 1600
    assert (made.width, made.height) == pytest.approx((1600, 1067), abs=2)
