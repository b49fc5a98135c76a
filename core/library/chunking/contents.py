"""Tables of contents and indexes: they name everything and state nothing, so they are left out."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from core.library.lines import Line

_LEADERS = ".…·_\ufffd"
_LEADER = re.compile(rf"(?:[{_LEADERS}]\s*+){{4}}")
_LONG_LEADER = 8
_TITLE = re.compile(
    r"(?:\W*(?:inhalt|inhaltsverzeichnis|inhaltsübersicht|gliederung|(?:table of )?contents|index|"
    r"stichwortverzeichnis|stichwortregister|sachregister|(?:arrangement of|list of) "
    r"(?:sections|articles|rules|clauses|chapters)))\W*",
    re.IGNORECASE,
)
_LAST_NUMBER = re.compile(r"(\d{1,4})(?:\s?[-–]\s?\d{1,4})?\W*$")
_ONLY_NUMBER = re.compile(r"(?:Seite|S\.|page|p\.)?\s*\d{1,4}(?:\s?[-–]\s?\d{1,4})?", re.IGNORECASE)
_PAGES = r"\d{1,4}(?:\s?[–-]\s?\d{1,4})?(?:\s?ff?\.)?"
_INDEX_ENTRY = re.compile(
    rf"\D{{3,80}}?,?\s{_PAGES}(?:,\s?{_PAGES})*,?|\D{{2,60}}?\s(?:siehe|see|→)\s.*|[A-ZÄÖÜ]"
)
_SENTENCE_END = re.compile(r"[.!?][\"“”»)]?$")

_MIN_ENTRIES = 5
_SHARE_OF_LINES = 0.35
_INCREASING = 0.75
_WRAPPED_LINES = 4
_WIDE_GAP = 1.8
_MIN_INDEX_LINES = 15


def without_contents(lines: Sequence[Line], pages: int) -> list[Line]:
    """`lines` without those of tables of contents and indexes; `pages` is the number of pages."""
    kept: list[Line] = []
    listing = False
    for _, group in groupby(lines, key=lambda line: line.page):
        page = list(group)
        first, last = _listing(page, pages, listing)
        listing = last - first > len(page) / 2
        kept += page[:first] + page[last:]
    return kept


def _listing(page: Sequence[Line], pages: int, goes_on: bool) -> tuple[int, int]:
    """The range of the page's lines occupied by a table of contents or an index; empty if there is none.

    `goes_on`: the previous page was one.
    """
    titles = [i for i, line in enumerate(page[:8]) if _TITLE.fullmatch(line.text)]
    entries = list(_entries(page, pages, bool(titles) or goes_on))
    enough = _MIN_ENTRIES if not (titles or goes_on) else 3
    if len(entries) >= enough and _increasing([number for _, number in entries]):
        first, last = _extent(page, [i for i, _ in entries], titles)
        if len(entries) >= _SHARE_OF_LINES * (last - first) * (0.6 if titles or goes_on else 1):
            return first, last
    if titles and _mere_titles(page):
        return 0, len(page)
    if _is_index(page):
        return 0, len(page)
    return 0, 0


def _entries(page: Sequence[Line], pages: int, expected: bool) -> Iterator[tuple[int, int]]:
    """Lines that end with a page number set apart from the text, and that number. If a table of contents is
    `expected`, a leader suffices; elsewhere it is a blank to fill in."""
    last = 0
    for i, line in enumerate(page):
        text = line.text
        number = _LAST_NUMBER.search(text)
        if number is None and expected and _ends_in_leader(text):
            yield i, last
        if number is None or int(number[1]) > 1.3 * pages + 20:
            continue
        beside = i > 0 and abs(page[i - 1].y0 - line.y0) < line.size
        apart = len(line.words) > 1 and _gap_before_last(line) > _WIDE_GAP * line.size
        if _LEADER.search(text) or apart or (beside and _ONLY_NUMBER.fullmatch(text)):
            last = int(number[1])
            yield i, last


def _ends_in_leader(text: str) -> bool:
    """Whether the text ends with a leader of at least `_LONG_LEADER` characters, with or without white
    space."""
    at, signs = len(text), 0
    while at and signs < _LONG_LEADER and (text[at - 1] in _LEADERS or text[at - 1].isspace()):
        at -= 1
        signs += text[at] in _LEADERS
    return signs == _LONG_LEADER


def _gap_before_last(line: Line) -> float:
    """The widest space before one of the last four words, in points."""
    tail = line.words[-5:]
    return max(right.box.x0 - left.box.x1 for left, right in pairwise(tail))


def _increasing(numbers: Sequence[int]) -> bool:
    steps = list(pairwise(numbers))
    return sum(a <= b for a, b in steps) >= _INCREASING * len(steps)


def _extent(page: Sequence[Line], entries: Sequence[int], titles: Sequence[int]) -> tuple[int, int]:
    """From the title or the first entry (its title may take more lines) to the last entry."""
    first = titles[0] if titles else entries[0]
    while (
        first > 0 and entries[0] - first < _WRAPPED_LINES and not _SENTENCE_END.search(page[first - 1].text)
    ):
        first -= 1
    return first, entries[-1] + 1


def _mere_titles(page: Sequence[Line]) -> bool:
    """Whether a page under the title "Contents" holds no sentences."""
    ended = sum(bool(_SENTENCE_END.search(line.text)) for line in page)
    return len(page) >= _MIN_ENTRIES and ended <= 0.15 * len(page)


def _is_index(page: Sequence[Line]) -> bool:
    entries = [line.text for line in page if _INDEX_ENTRY.fullmatch(line.text)]
    initials = [text[0].casefold() for text in entries]
    return (
        len(entries) >= _MIN_INDEX_LINES
        and len(entries) >= 0.6 * len(page)
        and sum(a <= b for a, b in pairwise(initials)) >= _INCREASING * (len(initials) - 1)
    )
