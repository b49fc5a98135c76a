"""Parts of pages as pictures: scans that lie askew, and strips around what is marked."""

from collections.abc import Sequence

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.pymupdf.highlight import Marks, raster_page
from adapters.pymupdf.pictures import LEAST, LIMIT, around, skew, strip
from tests.support.scans import LEFT, RIGHT, printed

LINE = "Der Mindestlohn steigt zum ersten Januar auf siebzehn Taler je Stunde und gilt für alle."
PAGE = pymupdf.Rect(0, 0, 595, 842)


def grey(pdf: bytes, degrees: float) -> tuple[bytes, int, int]:
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        matrix = pymupdf.Matrix(75 / 72, 75 / 72).prerotate(degrees)
        pixmap = document[0].get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, alpha=False)
    return bytes(pixmap.samples), pixmap.width, pixmap.height


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("degrees", [-4.5, -3, -1, 0, 0.6, 2, 5])
def test_the_angle_of_lines_is_found(columns: int, degrees: float) -> None:
    page = printed(*columns * [4 * f"{LEFT} {RIGHT} "])
    assert skew(*grey(page, degrees)) == pytest.approx(degrees, abs=0.2)


def test_an_empty_page_is_level() -> None:
    assert skew(*grey(printed(""), 3)) == 0.0


@given(st.integers(0, 90), st.integers(0, 40), st.data())
def test_any_picture_has_an_angle_within_the_limits(width: int, height: int, data: st.DataObject) -> None:
    samples = data.draw(st.binary(min_size=width * height, max_size=width * height))
    angle = skew(samples, width, height)
    assert angle == 0.0 or LEAST <= abs(angle) < LIMIT


def marked(rotation: int = 0, *, raster: bool = False) -> pymupdf.Document:
    """A page of lines, in the twentieth of which two words are highlighted."""
    document = pymupdf.open()
    page = document.new_page()
    for number in range(40):
        page.insert_text((60, 100 + 16 * number), LINE, fontsize=10)
    page.set_rotation(rotation)
    box = page.search_for("siebzehn Taler")[20]
    if raster:
        return pymupdf.open(stream=raster_page(page, Marks([tuple(box)])))
    page.add_highlight_annot(box.quad)
    return pymupdf.open(stream=document.tobytes())


def test_no_line_is_cut_above_or_below() -> None:
    """Lines of touching blocks: none is dark at an edge of the picture, wherever the edges fall."""
    for first in range(100, 116):
        document = pymupdf.open()
        page = document.new_page()
        for number in range(30):
            page.insert_text((60, first + 16 * number), "MMMMMgj " * 6, fontsize=10)
        page.add_highlight_annot(page.search_for("MMMMM")[60].quad)
        made = pymupdf.Pixmap(strip(pymupdf.open(stream=document.tobytes()), 600))
        dark = {y for x in range(made.width) for y in range(made.height) if max(made.pixel(x, y)) < 120}
        assert dark
        assert not dark & {0, 1, made.height - 2, made.height - 1}


@pytest.mark.parametrize("raster", [False, True])
@pytest.mark.parametrize("pixels", [320, 1000])
def test_a_strip_shows_what_is_marked(pixels: int, raster: bool) -> None:
    made = pymupdf.Pixmap(strip(marked(raster=raster), pixels))
    assert (made.width, made.height) == (pixels, round(0.4 * pixels))
    yellow = [
        (x, y)
        for x in range(0, made.width, 4)
        for y in range(0, made.height, 4)
        if (pixel := made.pixel(x, y))[0] > 200 and pixel[2] < 120
    ]
    assert yellow
    middle = sum(y for _, y in yellow) / len(yellow) / made.height
    assert 0.3 < middle < 0.7


def test_a_turned_page_is_shown_upright() -> None:
    made = pymupdf.Pixmap(strip(marked(rotation=90), 300))
    assert (made.width, made.height) == (300, 120)


@pytest.mark.parametrize("pixels", [300, 1000])
def test_running_text_is_large_enough_for_a_phone(pixels: int) -> None:
    """Ten points are at least ten pixels."""
    clip = around([pymupdf.Rect(60, 400, 500, 412)], PAGE, widest=pixels)
    assert pixels / clip.width >= 1.0


def test_a_wide_line_is_shown_whole_where_that_is_legible() -> None:
    """The words around the key words as well, to both ends."""
    clip = around([pymupdf.Rect(300, 400, 340, 412)], PAGE, [pymupdf.Rect(60, 400, 535, 412)], widest=1000)
    assert (clip.x0, clip.x1) == (pytest.approx(52), pytest.approx(543))


@pytest.mark.parametrize("rotation", [0, 180])
@pytest.mark.parametrize("pixels", [300, 1000])
def test_no_word_is_cut_at_an_edge(pixels: int, rotation: int) -> None:
    """A line of touching blocks, one word each: none is dark at an edge of the picture."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((60, 400), "MMMMM " * 8, fontsize=10)
    page.set_rotation(rotation)
    page.add_highlight_annot(page.search_for("MMMMM")[3].quad)
    made = pymupdf.Pixmap(strip(pymupdf.open(stream=document.tobytes()), pixels))
    dark = {x for x in range(made.width) for y in range(made.height) if max(made.pixel(x, y)) < 120}
    assert dark
    assert not dark & {0, 1, made.width - 2, made.width - 1}


@pytest.mark.parametrize("raster", [False, True])
@pytest.mark.parametrize("size", [9, 10, 12])
def test_letters_of_the_key_words_are_high_enough_at_300_pixels(size: int, raster: bool) -> None:
    """Measured in the picture itself: small letters are five pixels high where the page has ten points."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((60, 400), "xxxxxxxxxxxx", fontsize=size)
    box = page.search_for("xxxxxxxxxxxx")[0]
    if raster:
        document = pymupdf.open(stream=raster_page(page, Marks([tuple(box)])))
    else:
        page.add_highlight_annot(box.quad)
    made = pymupdf.Pixmap(strip(pymupdf.open(stream=document.tobytes()), 300))
    dark = [y for y in range(made.height) if any(max(made.pixel(x, y)[:2]) < 140 for x in range(made.width))]
    assert len(dark) == dark[-1] - dark[0] + 1, "one line"
    assert len(dark) >= size // 2


BOXES = st.lists(
    st.builds(
        lambda x, y, w, h: pymupdf.Rect(x, y, x + w, y + h),
        st.floats(0, 590),
        st.floats(0, 840),
        st.floats(1, 500),
        st.floats(1, 30),
    ),
    max_size=5,
)


@given(BOXES)
def test_a_strip_lies_on_its_page_and_shows_where_the_marks_begin(boxes: Sequence[pymupdf.Rect]) -> None:
    clip = around(list(boxes), PAGE, widest=300)
    assert PAGE.contains(clip)
    assert clip.width <= 300.01
    assert clip.height == pytest.approx(0.4 * clip.width, abs=0.01)
    if boxes and PAGE.contains(boxes[0]):
        assert clip.intersects(boxes[0])
