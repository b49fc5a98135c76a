"""Page furniture: running headers and footers, page numbers, margin line numbers.

Furniture repeats; text does not. A line at the top or bottom of the page whose text, digits masked, comes
back on many pages, or on neighbouring pages at the same height, is furniture. It stays on the page, so every
word can still be quoted, but is in no passage.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise, product

from core.domain.pages import Page, PageReading, Region, RegionKind, Word
from core.evidence.skeleton import BULLETS, CROSSES, DASHES, TICKS, is_private
from core.library.chunking.text import Line, page_lines, upright, upright_size

# List signs at the start of lines, and symbol-font glyphs: on the page, but not part of the text.
#
# A list sign is recognised by its position: first in its line and followed by text. A sign alone in a table
# cell is the cell's content; ticks are meaningful beside crosses; a dash opens an item only if the lines
# around it are set as items.


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
        cells = _words_in_tables(page, regions.get(page.number, ()))
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


def _words_in_tables(page: Page, regions: Iterable[Region]) -> set[int]:
    tables = (region for region in regions if region.kind is RegionKind.TABLE)
    return {page.words[i].start for table in tables for row in table.rows for i in row}


def _opening(page: Page, line: Line, lines: Sequence[Line], cells: Collection[int]) -> list[Word]:
    """The possible list signs before the text of `line`, or the whole line if it has only signs."""
    signs = []
    for word, after in pairwise([*line.words, None]):
        if word is None or not _may_be(word):
            break
        if after is not None and word.start in cells and not _in_one_cell(page, word, after):
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


BAND = 0.09
"""Share of the page's height at top and bottom where furniture is expected."""

_DEEP_BAND = 0.15
_SHARE_OF_PAGES = 0.2
_MIN_PAGES = 3
_NEIGHBOURS = 6
_SAME_HEIGHT_PT = 3.0
_TAB_LETTERS = 4
_SAME_WIDTH_PT = 1.5
_UPRIGHT = 2.0
_SAMPLE = 7
_SMALL = 0.9
_APART = 0.8
_HEADER_WORDS = 14
_FOOTNOTE = re.compile(r"\d{1,3}\s?[^\W\d]|[*†‡(]")
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?:page|seite|s\.|p\.|blatt)?[|\-–—\[/]*#(?:(?:of|von|/)#)?[|\-–—\]/]*")
_POINTER = re.compile(r"(?:[!?→⇒➔➜➤►▶▷☞☛⚠❗‼]|[-=–—]+>)+")
_MARGIN_SHARE = 0.02
"""Share of a page's words that may be above and below a sign in the margin."""
_MAX_NUMBERS = 4
_LONGEST_NUMBER = 12
"""Maximum digits of a number: nothing that repeats has more, and Python parses at most 4,300."""
_Signature = tuple[str, tuple[tuple[str, int], ...]]
_ROMAN_LINE = re.compile(r"[\s|\-–—\[\]]*[ivxlc]{1,7}[\s|\-–—\[\]]*", re.IGNORECASE)
_NUMBERED_HEADING = re.compile(
    r"\w{0,6}?(?:article|artikel|art\.?|§+|section|sec\.?|rule|chapter|kapitel|part|teil|schedule|form|annex|anlage)"
    r"#\w?\.?"
)


def mark_furniture(
    pages: Sequence[Page], regions: Mapping[int, Sequence[Region]] | None = None
) -> tuple[Page, ...]:
    """The pages with `Word.furniture` and `Word.bullet` set; words already marked stay so. Numbers in the
    tables of `regions` (by page) are not taken for line numbers. Pure, linear in the words."""
    tables = [_table_words(page, (regions or {}).get(page.number, ())) for page in pages]
    marked = line_numbers(pages, tables)
    _mark_side_tabs(pages, marked)
    for page, starts in zip(pages, marked, strict=True):
        starts |= _margin_signs(page)
    for starts, in_tables in zip(marked, tables, strict=True):
        starts -= in_tables
    _mark_repeated_lines(pages, marked)
    _mark_small_lines_apart(pages, marked)
    made = [with_asides(page, starts, set()) for page, starts in zip(pages, marked, strict=True)]
    signs = bullets(made, regions or {})
    return tuple(with_asides(page, set(), starts) for page, starts in zip(made, signs, strict=True))


def _table_words(page: Page, regions: Iterable[Region]) -> set[int]:
    return {page.words[i].start for region in regions for row in region.rows for i in row}


def marked(readings: Sequence[PageReading]) -> tuple[Page, ...]:
    """The pages of a file as it was read, with `Word.furniture` and `Word.bullet` set."""
    regions = {item.page.number: item.regions for item in readings}
    return mark_furniture([item.page for item in readings], regions)


def with_asides(page: Page, furniture: Set[int], signs: Set[int], reported: Set[int] = frozenset()) -> Page:
    """`page` with the words that begin at the characters `furniture`, `signs` and `reported` marked as
    furniture, list signs and others' words."""
    changed = {
        word.start: replace(
            word,
            furniture=word.furniture or word.start in furniture,
            bullet=word.bullet or word.start in signs,
            reported=word.reported or word.start in reported,
        )
        for word in page.words
        if word.start in furniture or word.start in signs or word.start in reported
    }
    if not changed:
        return page
    return replace(page, words=tuple(changed.get(word.start, word) for word in page.words))


# Running headers, footers and page numbers


@dataclass(slots=True, eq=False)
class _BandLine:
    """A line near the top or bottom of page `index` (0-based); `deep`: outside the usual band."""

    index: int
    line: Line
    y: float
    deep: bool


def _mark_repeated_lines(pages: Sequence[Page], marked: list[set[int]]) -> None:
    by_signature: dict[_Signature, list[_BandLine]] = defaultdict(list)
    for index, page in enumerate(pages):
        for found in _band_lines(index, page, marked[index]):
            for signature in _signatures(found.line.text, page.number):
                by_signature[signature].append(found)
    enough = max(_MIN_PAGES, _SHARE_OF_PAGES * len(pages))
    for alike in by_signature.values():
        heights = _heights(alike)
        often = len(heights) >= enough
        for found in alike:
            if _is_furniture(found, heights, often):
                marked[found.index].update(word.start for word in found.line.words)


def _heights(alike: Iterable[_BandLine]) -> dict[int, list[float]]:
    """The heights of lines on each page, by page index, in ascending order."""
    heights: dict[int, list[float]] = defaultdict(list)
    for line in alike:
        heights[line.index].append(line.y)
    return {index: sorted(found) for index, found in heights.items()}


def _is_furniture(found: _BandLine, heights: Mapping[int, Sequence[float]], often: bool) -> bool:
    """Whether a line is furniture: in the usual band one reason is enough; further in both are needed, many
    pages and the same height."""
    if found.deep:
        return often and _repeats_nearby(found, heights)
    return often or _repeats_nearby(found, heights)


def _band_lines(index: int, page: Page, line_numbers: set[int]) -> Iterator[_BandLine]:
    """The lines of the top and bottom bands."""
    height = upright_size(page)[1]
    if height <= 0:
        return
    words = _band_words(page, 2 * _DEEP_BAND * height, 2 * (1 - _DEEP_BAND) * height)
    if line_numbers:
        words = [word for word in words if word.start not in line_numbers]
    for line in page_lines(page, words):
        y = (line.y0 + line.y1) / 2
        yield _BandLine(index, line, y, BAND * height < y < (1 - BAND) * height)


def _band_words(page: Page, top: float, bottom: float) -> list[Word]:
    """Words outside the middle of the page; limits are twice the height, as sums of two edges."""
    if page.rotation == 0:
        return [word for word in page.words if not top < word.box.y0 + word.box.y1 < bottom]
    boxes = [(word, upright(word.box, page)) for word in page.words]
    return [word for word, box in boxes if not top < box[1] + box[3] < bottom]


def _signatures(text: str, number: int) -> Iterator[_Signature]:
    """What must match for a line to count as repeated: its text and, for each number, either the number
    itself or its distance from the page number. "Article 12" is not "Article 13"; page numbers match each
    other."""
    masked = _DIGITS.sub("#", text.casefold()).replace(" ", "")
    if _ROMAN_LINE.fullmatch(text) or _PAGE_NUMBER.fullmatch(masked):
        yield "#", ()
        return
    numbers = [int(digits[-_LONGEST_NUMBER:]) for digits in _DIGITS.findall(text)]
    if len(numbers) > _MAX_NUMBERS:
        yield masked, ()
        return
    if _NUMBERED_HEADING.fullmatch(masked):
        yield masked, tuple(("same", value) for value in numbers)
        return
    options = [(("same", value), ("page", value - number)) for value in numbers]
    yield from ((masked, chosen) for chosen in product(*options) if masked)


def _repeats_nearby(found: _BandLine, heights: Mapping[int, Sequence[float]]) -> bool:
    """Whether the line is at the same height on neighbouring pages: a chapter's header."""
    neighbours = range(found.index - _NEIGHBOURS, found.index + _NEIGHBOURS + 1)
    return sum(_has_near(heights.get(index, ()), found.y) for index in neighbours) >= _MIN_PAGES


def _has_near(heights: Sequence[float], y: float) -> bool:
    at = bisect_left(heights, y - _SAME_HEIGHT_PT)
    return at < len(heights) and heights[at] <= y + _SAME_HEIGHT_PT


def _mark_small_lines_apart(pages: Sequence[Page], marked: list[set[int]]) -> None:
    """Mark a header found on one page only: small type at the edge, clearly separate from the text."""
    heights = Counter(
        round(word.box.y1 - word.box.y0)
        for page in pages
        for word in page.words[::_SAMPLE]
        if page.rotation == 0
    )
    if len(pages) < _MIN_PAGES or not heights:
        return
    body = heights.most_common(1)[0][0]
    for index, page in enumerate(pages):
        lines = [found.line for found in _band_lines(index, page, marked[index])]
        if not lines:
            continue
        for line, inner in ((lines[0], lines[1:2]), (lines[-1], lines[-2:-1])):
            if _is_apart(line, inner, body, page):
                marked[index].update(word.start for word in line.words)


def _is_apart(line: Line, inner: Sequence[Line], body: float, page: Page) -> bool:
    """Whether the outermost line of a page is small, far from the next one, and not a footnote."""
    height = upright_size(page)[1]
    in_band = line.y1 < BAND * height or line.y0 > (1 - BAND) * height
    small = line.size <= _SMALL * body and len(line.words) <= _HEADER_WORDS
    near = any(max(other.y0 - line.y1, line.y0 - other.y1) < _APART * body for other in inner)
    return in_band and small and not near and not _FOOTNOTE.match(line.text)


def _margin_signs(page: Page) -> set[int]:
    """Signs beside the text that point to it ("!", "->"), with hardly any words above or below them."""
    signs = [
        word for word in page.words if _POINTER.fullmatch(word.text) and not BULLETS.issuperset(word.text)
    ]
    if not signs:
        return set()
    sides = [upright(word.box, page)[::2] for word in page.words if any(map(str.isalnum, word.text))]
    found = set()
    for word in signs:
        x0, _, x1, _ = upright(word.box, page)
        if sum(left < x1 and x0 < right for left, right in sides) <= _MARGIN_SHARE * len(sides):
            found.add(word.start)
    return found


def _mark_side_tabs(pages: Sequence[Page], marked: list[set[int]]) -> None:
    """Mark words set vertically along the margin ("Chapter 3" on the outer edge) on several pages."""
    places: dict[str, list[tuple[int, Word]]] = defaultdict(list)
    for index, page in enumerate(pages):
        for word in page.words:
            if len(word.text) >= _TAB_LETTERS and _stands_upright(word, page):
                places[word.text].append((index, word))
    for found in places.values():
        if len({index for index, _ in found}) >= _MIN_PAGES:
            for index, word in found:
                marked[index].add(word.start)
    for page, starts in zip(pages, marked, strict=True):
        _mark_rest_of_tabs(page.words, starts)


def _mark_rest_of_tabs(words: Sequence[Word], marked: set[int]) -> None:
    """Mark short words of a tab ("an", "guter") whose boxes are too square to show their direction: next to a
    marked word in the text, and in its column."""
    tabs = [n for n, word in enumerate(words) if word.start in marked and len(word.text) >= _TAB_LETTERS]
    for at in tabs:
        for step in (-1, 1):
            near = at + step
            while 0 <= near < len(words) and _in_column(words[near], words[near - step]):
                marked.add(words[near].start)
                near += step


def _in_column(word: Word, tab: Word) -> bool:
    """Whether `word` is as wide as a word of a tab and directly above or below it."""
    one, other = word.box, tab.box
    gap = max(one.y0 - other.y1, other.y0 - one.y1)
    same = abs(one.x0 - other.x0) < _SAME_WIDTH_PT and abs(one.x1 - other.x1) < _SAME_WIDTH_PT
    return same and gap < other.x1 - other.x0


def _stands_upright(word: Word, page: Page) -> bool:
    width, height = word.box.x1 - word.box.x0, word.box.y1 - word.box.y0
    if page.rotation in {90, 270}:
        width, height = height, width
    return height > _UPRIGHT * width


# Line numbers printed in the margin or between columns.
#
# They are distinguished from other numbers by position: consecutive, or every second, fifth or tenth, one
# below the other in a strip with hardly anything else in it, each level with a line of running text, and with
# as many lines between two numbers as their difference.

_STEPS = (1, 2, 5, 10)
_MOST_DIGITS = 5
_LEAST = {1: 6, 2: 4, 5: 3, 10: 3}
"""Minimum numbers on a page for its column to count, by step."""
_ALONE = 2
_OTHERS = 0.2
_FITTING = 0.75
_RUNNING = 0.2
_NEAR_PT = 90.0
_SAME_COLUMN_PT = 6.0
_PAGES = 0.5
_MOST_COLUMNS = 8
"""Maximum columns of a page that are considered, longest first."""


@dataclass(frozen=True, slots=True)
class _Number:
    word: Word
    box: tuple[float, float, float, float]

    @property
    def value(self) -> int:
        return int(self.word.text)


@dataclass(frozen=True, slots=True)
class _Column:
    """Numbers one below the other, increasing by `step`. `x0` and `x1` are the strip's edges."""

    x0: float
    x1: float
    step: int
    numbers: tuple[_Number, ...]


def line_numbers(pages: Sequence[Page], left_out: Sequence[Set[int]]) -> list[set[int]]:
    """The starts of the words that are line numbers, page by page. `left_out` are the starts of words that
    cannot be, such as those of tables."""
    columns = [_columns(page, _numbers(page, starts)) for page, starts in zip(pages, left_out, strict=True)]
    known = _known(pages, columns)
    return [
        {
            number.word.start
            for column in own
            if any(_alike(column, other) for other in known)
            for number in column.numbers
        }
        for own in columns
    ]


def _known(pages: Sequence[Page], columns: Sequence[Sequence[_Column]]) -> list[_Column]:
    """The columns that are certainly line numbers: of running text, or beside the lines of most pages. One
    per position."""
    beside = [
        (page.number, column, lines)
        for page, own in zip(pages, columns, strict=True)
        for column in own
        if (lines := _numbered_lines(page, column))
    ]
    with_text = sum(1 for page in pages if page.words)
    if len({number for number, _, _ in beside}) >= max(2, _PAGES * with_text):
        return _places([column for _, column, _ in beside])
    running = [column for _, column, lines in beside if _run_on(lines)]
    enough = len(running) > 1 or any(len(c.numbers) >= _ALONE * _LEAST[c.step] for c in running)
    return _places(running) if enough else []


def _places(columns: Sequence[_Column]) -> list[_Column]:
    kept: list[_Column] = []
    for column in columns:
        if not any(_alike(column, other) for other in kept):
            kept.append(column)
    return kept


def _numbers(page: Page, left_out: Set[int]) -> list[_Number]:
    return [
        _Number(word, upright(word.box, page))
        for word in page.words
        if word.text.isdecimal() and len(word.text) <= _MOST_DIGITS and word.start not in left_out
    ]


def _alike(one: _Column, other: _Column) -> bool:
    """Whether two pages' columns are in the same position; left and right pages have their own."""
    same = abs(one.x0 - other.x0) <= _SAME_COLUMN_PT or abs(one.x1 - other.x1) <= _SAME_COLUMN_PT
    return same and one.step == other.step


def _columns(page: Page, numbers: Sequence[_Number]) -> list[_Column]:
    """Columns of numbers in strips of the page with hardly any other word."""
    found = []
    chains = [_longest_chain(strip) for strip in _strips(numbers)]
    for chain, step in sorted(chains, key=lambda found: -len(found[0]))[:_MOST_COLUMNS]:
        if len(chain) < 2:
            continue
        x0, x1 = min(n.box[0] for n in chain), max(n.box[2] for n in chain)
        column = _Column(x0, x1, step, tuple(chain))
        if _stands_alone(page, column):
            found.append(column)
    return found


def _strips(numbers: Sequence[_Number]) -> list[list[_Number]]:
    """Groups of numbers that overlap horizontally, from left to right."""
    strips: list[list[_Number]] = []
    right = 0.0
    for number in sorted(numbers, key=lambda n: n.box[0]):
        if strips and number.box[0] < right and number.box[0] - strips[-1][0].box[0] < _SAME_COLUMN_PT * 4:
            strips[-1].append(number)
            right = max(right, number.box[2])
        else:
            strips.append([number])
            right = number.box[2]
    return strips


def _longest_chain(strip: Sequence[_Number]) -> tuple[list[_Number], int]:
    """The longest chain of numbers from top to bottom that increase by one of the steps, and that step."""
    ordered = sorted(strip, key=lambda n: n.box[1])
    best: list[_Number] = []
    best_step = 1
    for step in _STEPS:
        ends: dict[int, tuple[int, int]] = {}  # value -> length of the chain ending with it, its index
        before: list[int] = []
        longest = (0, -1)
        for at, number in enumerate(ordered):
            length, previous = ends.get(number.value - step, (0, -1))
            before.append(previous)
            if length + 1 >= ends.get(number.value, (0, 0))[0]:
                ends[number.value] = length + 1, at
            longest = max(longest, (length + 1, at))
        if longest[0] > len(best):
            best, best_step, at = [], step, longest[1]
            while at >= 0:
                best.append(ordered[at])
                at = before[at]
            best.reverse()
    return best, best_step


def _stands_alone(page: Page, column: _Column) -> bool:
    """Whether hardly any other words reach into the column's strip between its first and last number."""
    own = {number.word.start for number in column.numbers}
    top, bottom = column.numbers[0].box[1], column.numbers[-1].box[3]
    others = 0
    for word in page.words:
        if word.start in own:
            continue
        x0, y0, x1, y1 = upright(word.box, page)
        others += x0 < column.x1 and x1 > column.x0 and y1 > top and y0 < bottom
    return others <= _OTHERS * len(own)


def _numbered_lines(page: Page, column: _Column) -> list[Line]:
    """The lines that the column counts; none if it does not: if a number is not level with a line, or the
    number of lines between two numbers does not match their difference."""
    if len(column.numbers) < _LEAST[column.step]:
        return []
    beside = sorted(_lines_beside(page, column), key=_middle)
    middles = [_middle(line) for line in beside]
    spans = [(number.box[1] - 1, number.box[3] + 1) for number in column.numbers]
    first = [bisect_left(middles, top) for top, _ in spans]
    level = [bisect_right(middles, bottom) - at == 1 for (_, bottom), at in zip(spans, first, strict=True)]
    pairs = [below - above == column.step for above, below in pairwise(first)]
    if sum(level) < _FITTING * len(level) or sum(pairs) < _FITTING * len(pairs):
        return []
    return beside[first[0] : first[-1] + 1]


def _middle(line: Line) -> float:
    return (line.y0 + line.y1) / 2


def _run_on(lines: Sequence[Line]) -> bool:
    """Whether sentences continue from line to line, unlike in lists and tables."""
    return sum(line.text[:1].islower() for line in lines) >= _RUNNING * len(lines)


def _lines_beside(page: Page, column: _Column) -> list[Line]:
    """The lines of the text to the right of the column, else to its left."""
    own = {number.word.start for number in column.numbers}
    lines = page_lines(page, [word for word in page.words if word.start not in own])
    right = [line for line in lines if -1 <= line.x0 - column.x1 < _NEAR_PT]
    if len(right) >= len(column.numbers):
        return right
    left = [line for line in lines if line.x1 <= column.x0 + 1]
    nearest = max((line.x1 for line in left), default=0.0) - _NEAR_PT
    edge = min((line.x0 for line in left if line.x1 > nearest), default=0.0)
    return [line for line in left if line.x1 > edge]
