"""By how much a scan lies askew."""

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.pymupdf.pictures import LEAST, LIMIT, skew
from tests.support.scans import LEFT, RIGHT, printed


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
