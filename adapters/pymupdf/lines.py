"""A picture of cited lines alone, for text recognition. Runs in the worker."""

from collections.abc import Iterator, Sequence
from typing import Any

import pymupdf

from adapters.pymupdf.errors import PdfError
from adapters.pymupdf.letters import Box

DPI = 200
"""Of letters of the usual size; small ones are enlarged, large ones made smaller."""
_HEIGHT = 36.0  # pixels a line gets
_SCALES = 0.5, 12.0
_MARGIN = 16  # pixels around a line
_SPACE = 12.0  # lines' heights between two words of one line
_WIDTH = 4000  # pixels


def lines_of(
    document: Any, number: int, words: Sequence[Box], wanted: Sequence[int]
) -> tuple[bytes, list[int]]:
    """PNG in grey of the lines of `words` in which those with the indices `wanted` stand, one under another;
    the indices of all words in it, in reading order. Raises PdfError: no_such_page."""
    if not 1 <= number <= document.page_count:
        raise PdfError("pdf.no_such_page", f"page {number} of {document.page_count}")
    page = document[number - 1]
    rotation = page.rotation
    if rotation:
        page.set_rotation(0)
    try:
        held = [line for line in grouped(words) if not set(wanted).isdisjoint(line)]
        return _stacked([_strip(page, [words[i] for i in line]) for line in held]), [
            i for line in held for i in line
        ]
    finally:
        if rotation:
            page.set_rotation(rotation)


def grouped(words: Sequence[Box]) -> Iterator[list[int]]:
    """The indices of the words of each line."""
    line: list[int] = []
    for i, box in enumerate(words):
        if line and not _goes_on(words[line[-1]], box):
            yield line
            line = []
        line.append(i)
    if line:
        yield line


def _goes_on(before: Box, box: Box) -> bool:
    """Whether a word stands beside the one before it."""
    height = min(before[3] - before[1], box[3] - box[1])
    shared = min(before[3], box[3]) - max(before[1], box[1])
    return 2 * shared > height and -height < box[0] - before[2] < _SPACE * height


def _strip(page: Any, words: Sequence[Box]) -> Any:
    x0, y0, x1, y1 = zip(*words, strict=True)
    box = pymupdf.Rect(min(x0), min(y0), max(x1), max(y1))
    scale = min(max(_HEIGHT / max(box.height, 1.0), _SCALES[0]), _SCALES[1], _WIDTH / max(box.width, 1.0))
    matrix = pymupdf.Matrix(scale, scale)
    return page.get_pixmap(matrix=matrix, clip=box, colorspace=pymupdf.csGRAY, alpha=False, annots=False)


def _stacked(strips: Sequence[Any]) -> bytes:
    width = max((strip.width for strip in strips), default=1) + 2 * _MARGIN
    height = sum(strip.height + _MARGIN for strip in strips) + _MARGIN
    whole = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, width, height), False)
    whole.clear_with(255)
    y = _MARGIN
    for strip in strips:
        strip.set_origin(_MARGIN, y)
        whole.copy(strip, strip.irect)
        y += strip.height + _MARGIN
    return bytes(whole.tobytes("png"))
