"""List signs at the start of lines, and symbol-font glyphs: on the page, but not part of the text.

A list sign is recognised by its position: first in its line and followed by text. A sign alone in a table
cell is the cell's content; ticks are meaningful beside crosses; a dash opens an item only if the lines around
it are set as items.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from core.domain.pages import Page, Region, RegionKind, Word
from core.evidence.signs import BULLETS, CROSSES, DASHES, TICKS, is_private
from core.library.lines import Line, page_lines, upright

_LETTERS = frozenset("nolqñüØ")
"""Lone letters that a symbol font shows as squares, circles and arrows."""
_LETTER_TIMES = 3
_DASH_TIMES = 2
_MINUS = "−"
_LONGEST = 3
_IN_CELL = 1.5
_SAME_EDGE_PT = 2.5
_GAP = 1.35
_WIDER = 1.6
_WIDE = 0.6
_ENDS = ".:;!?…)”“\"'’"


def bullets(pages: Sequence[Page], regions: Mapping[int, Sequence[Region]]) -> list[set[int]]:
    """The starts of words that are list signs or mere glyphs, page by page, ignoring furniture."""
    starts: list[set[int]] = [set() for _ in pages]
    openings: list[tuple[int, Word]] = []
    signs = BULLETS if _crossed(pages) else BULLETS | TICKS
    for index, page in enumerate(pages):
        candidates = {word.start for word in page.words if word.is_text and _may_be(word)}
        if not candidates:
            continue
        starts[index] |= {word.start for word in page.words if is_private(word.text)}
        lines = page_lines(page)
        cells = _table_words(page, regions.get(page.number, ()))
        for at, line in enumerate(lines):
            if line.words[0].start not in candidates:
                continue
            for word in _opening(page, line, lines, cells):
                if set(word.text) <= signs:
                    starts[index].add(word.start)
                elif word.text in _LETTERS or _opens_item(line, lines[at - 1 : at], lines[at + 1 : at + 2]):
                    openings.append((index, word))
    for index, word in _often(openings):
        starts[index].add(word.start)
    return starts


def _may_be(word: Word) -> bool:
    text = word.text
    if text.isascii():
        return len(text) == 1 and (text in DASHES or text in _LETTERS)
    return len(text) <= _LONGEST and all(
        c in BULLETS or c in TICKS or c in DASHES or c in _LETTERS or is_private(c) for c in text
    )


def _crossed(pages: Iterable[Page]) -> bool:
    """Whether ticks distinguish yes from no: there are crosses, or both empty and ticked boxes."""
    seen = {c for page in pages if not page.text.isascii() for c in TICKS | CROSSES if c in page.text}
    return bool(seen & CROSSES) or ("☐" in seen and len(seen) > 1)


def _table_words(page: Page, regions: Iterable[Region]) -> set[int]:
    tables = (region for region in regions if region.kind is RegionKind.TABLE)
    return {page.words[i].start for table in tables for row in table.rows for i in row}


def _opening(page: Page, line: Line, lines: Sequence[Line], cells: Collection[int]) -> list[Word]:
    """The possible list signs before the text of `line`, or the whole line if it has only signs."""
    signs = []
    for word, behind in pairwise([*line.words, None]):
        if word is None or not _may_be(word):
            break
        if behind is not None and word.start in cells and not _in_one_cell(page, word, behind):
            break
        signs.append(word)
    if len(signs) < len(line.words):
        return signs
    return [] if signs[0].start in cells or _stands_behind(line, lines) else signs


def _in_one_cell(page: Page, sign: Word, word: Word) -> bool:
    left, right = upright(sign.box, page), upright(word.box, page)
    return (sign.block, sign.line) == (word.block, word.line) and right[0] - left[2] < _IN_CELL * (
        left[3] - left[1]
    )


def _stands_behind(sign: Line, lines: Sequence[Line]) -> bool:
    """Whether there is text to the left of a line of mere signs, which makes it a table cell."""
    middle = (sign.y0 + sign.y1) / 2
    return any(line.x1 <= sign.x0 and line.y0 < middle < line.y1 for line in lines)


def _opens_item(line: Line, above: Sequence[Line], below: Sequence[Line]) -> bool:
    """Whether a line that begins with a dash is set as an item: the preceding text has ended or is an item
    too, the surrounding lines are aligned with the item's first word, or that word is set apart from the
    dash."""
    if len(line.words) < 2 or (line.words[0].text == _MINUS and line.words[1].text[:1].isdigit()):
        return False
    if not above or line.y0 - above[0].y1 > _GAP * line.size or above[0].y0 > line.y0:
        return True
    before = above[0]
    if before.text[-1] in _ENDS or (before.words[0].text == line.words[0].text and before.x0 == line.x0):
        return True
    left = line.words[1].box.x0
    hangs = any(abs(other.x0 - left) < _SAME_EDGE_PT for other in (*above, *below))
    return hangs or _stands_apart(line)


def _stands_apart(line: Line) -> bool:
    """Whether the space after the first word is much wider than the line's others."""
    first, *others = [right.box.x0 - left.box.x1 for left, right in pairwise(line.words)]
    return first > (_WIDER * max(others) if len(others) > 1 else _WIDE * line.size)


def _often(openings: Sequence[tuple[int, Word]]) -> list[tuple[int, Word]]:
    """The signs that open several items in the document."""
    times = Counter(word.text for _, word in openings)
    return [
        (index, word)
        for index, word in openings
        if times[word.text] >= (_LETTER_TIMES if word.text in _LETTERS else _DASH_TIMES)
    ]
