"""Text outside the running text: footnotes, marginal notes and other scripts."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from core.library.chunking.layout import Metrics
from core.library.lines import Line

_SMALL = 0.93
_MARK = re.compile(r"(?:\d{1,3}|[*†‡]{1,3})(?=\D|$)")
_LOWER_PART = 0.35
_NARROW = 0.3
_FEW = 0.25
_MIN_WIDE_LINES = 3
_FOREIGN = re.compile(r"[\u0530-\u1cff\u2e80-\ua63f\ua800-\ufaff\U00020000-\U0003ffff]")
"""Unicode blocks from Armenian to the CJK extensions, except Latin, Greek and Cyrillic."""


def split_footnotes(
    lines: Sequence[Line], usual: Metrics, heights: Mapping[int, float]
) -> tuple[list[Line], list[Line]]:
    """Text and footnotes, separated. `heights` are the pages' heights by number, in points.

    A footnote is a run of small lines, opened by a mark, with nothing large below.
    """
    text: list[Line] = []
    notes: list[Line] = []
    for number, group in groupby(lines, key=lambda line: line.page):
        page = list(group)
        taken = _footnotes(page, usual, heights[number])
        text += [line for i, line in enumerate(page) if i not in taken]
        notes += [page[i] for i in sorted(taken)]
    return text, notes


def _footnotes(page: Sequence[Line], usual: Metrics, height: float) -> set[int]:
    small = [line.size <= _SMALL * usual.size for line in page]
    if all(small):
        return set()
    taken: set[int] = set()
    for is_small, group in groupby(range(len(page)), key=small.__getitem__):
        run = list(group)
        marked = next((k for k, i in enumerate(run) if _MARK.match(page[i].text)), None)
        if is_small and marked is not None and page[run[marked]].y0 > _LOWER_PART * height:
            run = run[marked:]
            if not _text_below(page, run, small):
                taken.update(run)
    return taken


def _text_below(page: Sequence[Line], run: Sequence[int], small: Sequence[bool]) -> bool:
    """Whether there is type of the usual size below the run in the same column."""
    left = min(page[i].x0 for i in run)
    right = max(page[i].x1 for i in run)
    bottom = max(page[i].y1 for i in run)
    return any(
        not small[i] and line.y0 >= bottom - 1 and line.x0 < right and line.x1 > left
        for i, line in enumerate(page)
    )


def split_margin(lines: Sequence[Line], widths: Mapping[int, float]) -> tuple[list[Line], list[Line]]:
    """Text and marginal notes, separated: notes are narrow columns beside the text of a page. `widths` are
    the pages' widths by number, in points."""
    text: list[Line] = []
    margin: list[Line] = []
    for number, group in groupby(lines, key=lambda line: line.page):
        page = list(group)
        left, right = _column(page, widths[number])
        for line in page:
            (margin if _is_beside(line, left, right) else text).append(line)
    return text, margin


def _column(page: Sequence[Line], width: float) -> tuple[float, float]:
    """Left and right edge of a page's text if there are narrow notes beside it; else of the whole page."""
    wide = [line for line in page if line.x1 - line.x0 > 0.5 * width]
    if len(wide) < _MIN_WIDE_LINES:
        return float("-inf"), float("inf")
    left, right = min(line.x0 for line in wide), max(line.x1 for line in wide)
    outside = [line for line in page if _is_beside(line, left, right)]
    narrow = all(line.x1 - line.x0 < _NARROW * width for line in outside)
    few = sum(len(line.words) for line in outside) < _FEW * sum(len(line.words) for line in page)
    return (left, right) if narrow and few else (float("-inf"), float("inf"))


def _is_beside(line: Line, left: float, right: float) -> bool:
    return line.x0 >= right - 1 or line.x1 <= left + 1


def in_readable_script(line: Line) -> bool:
    """Whether most letters of the line are Latin, Greek or Cyrillic (or there are none)."""
    text = line.text
    if text.isascii():
        return True
    foreign = len(_FOREIGN.findall(text))
    return foreign == 0 or 2 * foreign <= sum(map(str.isalpha, text))
