"""The letters of a page one by one, as they are set: where, and in which font. Runs in the worker."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pymupdf
from pymupdf import mupdf

FLAGS = pymupdf.TEXTFLAGS_WORDS | pymupdf.TEXT_IGNORE_ACTUALTEXT
_MARGIN = 6.0
_ASKEW = 0.05

Box = tuple[float, float, float, float]


class Letter(NamedTuple):
    """A character as its glyph stands on the page; `font` is the name of its font, `turn` the degrees
    clockwise that set it upright (0, 90, 180, 270), None where it is askew; `origin` is where it begins."""

    text: str
    box: Box
    font: str
    turn: int | None = 0
    origin: tuple[float, float] = (0.0, 0.0)

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its box."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


def letters_near(page: Any, boxes: Sequence[Box]) -> list[Letter]:
    """The letters in and around `boxes`, as the glyphs say, not what /ActualText says of them."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    around = mupdf.FzRect(min(x0) - _MARGIN, min(y0) - _MARGIN, max(x1) + _MARGIN, max(y1) + _MARGIN)
    options = mupdf.FzStextOptions()
    options.flags = FLAGS
    text_page = mupdf.FzStextPage(around)
    device = mupdf.fz_new_stext_device(text_page, options)
    mupdf.fz_run_page_contents(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return [
        Letter(character["c"], character["bbox"], span["font"], _turn(*line["dir"]), character["origin"])
        for block in pymupdf.TextPage(text_page).extractRAWDICT()["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for character in span["chars"]
    ]


def _turn(x: float, y: float) -> int | None:
    """Of a line that runs along (x, y), y downwards."""
    turns = {(1, 0): 0, (0, -1): 90, (-1, 0): 180, (0, 1): 270}
    straight = abs(x - round(x)) < _ASKEW and abs(y - round(y)) < _ASKEW
    return turns.get((round(x), round(y))) if straight else None


def inside(box: Box, middle: tuple[float, float]) -> bool:
    """Whether a point lies in a box."""
    return box[0] <= middle[0] <= box[2] and box[1] <= middle[1] <= box[3]
