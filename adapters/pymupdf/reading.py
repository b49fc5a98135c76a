"""A page of an open PDF as words with places. Runs in the worker.

Words come from PyMuPDF's structured text in its own order (sorting breaks two-column passages), without
annotations and form fields, in coordinates of the unrotated crop box.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, pairwise
from math import inf
from operator import itemgetter
from statistics import median
from typing import Any, NamedTuple

from pymupdf import mupdf

from adapters.pymupdf import characters, content, hidden, struck
from adapters.pymupdf.characters import WordDraft, compose, in_place, typed_on
from adapters.pymupdf.content import PageContent, extract
from adapters.pymupdf.figures import figures
from adapters.pymupdf.rectangles import PageRotation, Rect, upright
from adapters.pymupdf.tables import PageTable, tables
from core.domain.pages import (
    QUOTATION_INK,
    Box,
    Page,
    PageReading,
    PageTrouble,
    Region,
    RegionKind,
    TextSource,
    Word,
)

# Words set in spaced letters ("n i c h t") are words. Pure; runs in the worker.
#
# What a file says of spaces is a claim: emphasis by spacing looks there like words of one letter. On the
# page the gaps tell: those within a word are alike and smaller than those between words.


_TOGETHER = frozenset({"ch", "ck", "sch", "st", "tz", "ss", "ff", "fi", "fl", "ft", "ph", "qu", "ll"})
"""Letters that German printers do not space, and ligatures."""
_VOWELS = frozenset("aeiouyäöüàâéèêëîïôûùæøå")
_LONGEST = 5  # characters of a piece with its punctuation
_FEWEST, _FEWEST_CAPITALS = 3, 4
"""Minimum letters of a word that is recognised as spaced by itself."""
_WIDEST = 0.75
"""Gap within a word, in heights of a line; columns of a table are further apart."""
_SLACK, _HEIGHTS = 1.5, 0.08
"""A gap between words is so much wider than those within, and by so many heights of a line."""
_ALIKE = 0.25
_LETTERS_NEAR = 3
"""Distance in lines to one with spaced words within which short ones count too."""
_EDGES = ".,;:!?()[]„“”\"'»«-–"


class _Run(NamedTuple):
    """Single letters in a row: from which to which word of the page, the gap within words (in heights of the
    line), where words begin and end, and the number of the line."""

    start: int
    end: int
    gap: float
    cuts: tuple[int, ...]
    line: int


def joined(drafts: Sequence[WordDraft]) -> list[WordDraft]:
    """The words of a page, spaced ones as one word each."""
    if sum(len(draft.text) == 1 for draft in drafts) < _FEWEST:
        return list(drafts)
    runs = list(_runs(drafts))
    certain = [run for run in runs if _is_sure(drafts, run)]
    taken = [
        run
        for run in runs
        if run in certain or (_is_line(drafts, run) and any(_is_like(run, other) for other in certain))
    ]
    found: list[WordDraft] = []
    at = 0
    for run in taken:
        found += drafts[at : run.start]
        found += (_one_word(drafts[start:end]) for start, end in pairwise(run.cuts))
        at = run.end
    return [*found, *drafts[at:]]


def _runs(drafts: Sequence[WordDraft]) -> Iterator[_Run]:
    """The places of two or more single letters in a row of one line."""
    start, line = 0, 0
    for at in range(1, len(drafts) + 1):
        goes_on = at < len(drafts) and drafts[at].place == drafts[at - 1].place
        if goes_on and _is_piece(drafts[at]) and _is_piece(drafts[at - 1]) and _gap(drafts, at) > 0:
            continue
        if at - start > 1:
            yield from _run(drafts, start, at, line)
        start, line = at, line + (not goes_on)


def _run(drafts: Sequence[WordDraft], start: int, end: int, line: int) -> Iterator[_Run]:
    gaps = [_gap(drafts, at) for at in range(start + 1, end)]
    gap = median(sorted(gaps)[: (len(gaps) + 1) // 2])
    height = drafts[start].box[3] - drafts[start].box[1]
    widest = _SLACK * gap + _HEIGHTS * height
    singles = sum(len(_bare(draft)) == 1 for draft in drafts[start:end])
    if gap <= _WIDEST * height and 2 * singles > end - start:
        cuts = [at for at, each in enumerate(gaps, start + 1) if each > widest]
        yield _Run(start, end, gap / height, (start, *cuts, end), line)


def _is_piece(draft: WordDraft) -> bool:
    if len(draft.text) > _LONGEST:
        return False
    bare = _bare(draft)
    return all(map(_is_written, bare)) and (len(bare) < 2 or bare.lower() in _TOGETHER)


def _is_written(character: str) -> bool:
    return character.isdigit() or character.lower() != character.upper()


def _bare(draft: WordDraft) -> str:
    return draft.text.strip(_EDGES)


def _gap(drafts: Sequence[WordDraft], at: int) -> float:
    return drafts[at].box[0] - drafts[at - 1].box[2]


def _is_sure(drafts: Sequence[WordDraft], run: _Run) -> bool:
    """Whether most of the letters make words, and no rows of letters: "a b c", "X O X", "1 2 3"."""
    words = ["".join(map(_bare, drafts[start:end])) for start, end in pairwise(run.cuts)]
    likely = sum(len(word) for word in words if _is_likely(word))
    return 2 * likely > sum(map(len, words))


def _is_likely(word: str) -> bool:
    letters = word.lower()
    fewest = _FEWEST_CAPITALS if word.isupper() else _FEWEST
    steps = [ord(b) - ord(a) for a, b in pairwise(letters)]
    return (
        len(word) >= fewest
        and word.isalpha()
        and (word.isupper() or word[1:].islower())
        and not _VOWELS.isdisjoint(letters)
        and not _VOWELS.issuperset(letters)
        and len(set(letters)) >= _FEWEST
        and 2 * steps.count(1) < len(steps) + (letters[0] != "a")  # "not", "den"; "a b d" is of a list
    )


def _is_line(drafts: Sequence[WordDraft], run: _Run) -> bool:
    """Whether a run is all of its line, and no row of letters or numbers in their order."""
    ends = [at for at in (run.start - 1, run.end) if 0 <= at < len(drafts)]
    text = "".join(map(_bare, drafts[run.start : run.end]))
    ordered = [ord(b) - ord(a) for a, b in pairwise(text.lower())].count(1)
    return 2 * ordered < len(text) and all(drafts[at].place != drafts[run.start].place for at in ends)


def _is_like(run: _Run, other: _Run) -> bool:
    return abs(run.line - other.line) <= _LETTERS_NEAR and abs(run.gap - other.gap) <= _ALIKE * other.gap


def _one_word(parts: Sequence[WordDraft]) -> WordDraft:
    """Pieces as one word."""
    x0, y0, x1, y1 = zip(*(part.box for part in parts), strict=True)
    text = "".join(part.text for part in parts)
    return parts[0]._replace(
        text=text, box=(min(x0), min(y0), max(x1), max(y1)), note_chars=parts[-1].note_chars
    )


# The large first letter of a paragraph belongs to its word. Pure; runs in the worker.
#
# Files set it as a text of its own, before, behind or amid the lines beside it. It is found by its size,
# and its word by where that stands: right of it, on the first of the lines that it reaches over.


MIN_SIZE = 1.6
"""Minimum height of an initial, in line heights."""
_NEAR = 0.8
"""Maximum distance between the initial and its word, in line heights."""
_CLOSE = 0.22
"""The same where the letter may be a word of its own ("A", "I") and the rest is one as well."""
_BELOW = 0.2
_LONE = frozenset("AIOÀYÖ")
_OPENING = "„“\"»«‚‘'("


class _Pair(NamedTuple):
    """Indices of an initial and of the word it stands before, and whether that is the rest of its own."""

    initial: int
    word: int
    is_rest: bool


def with_initials(drafts: Sequence[WordDraft]) -> list[WordDraft]:
    """The words of a page, each initial in its place and with the rest of its word."""
    large = [at for at, draft in enumerate(drafts) if _may_be_initial(drafts, at)]
    pairs = [pair for at in large if (pair := _pair(drafts, at))]
    if not pairs:
        return list(drafts)
    initials = {pair.initial for pair in pairs}
    before = {pair.word: pair for pair in pairs}
    found: list[WordDraft] = []
    for at, draft in enumerate(drafts):
        if at in before:
            initial = drafts[before[at].initial]
            found += [_one(initial, draft)] if before[at].is_rest else [_alone(initial, draft), draft]
        elif at not in initials:
            found.append(draft)
    return found


def _may_be_initial(drafts: Sequence[WordDraft], at: int) -> bool:
    """Whether a word is one capital that no other word of its size stands beside."""
    draft = drafts[at]
    letter = draft.text.strip(_OPENING)
    if len(letter) != 1 or not letter.isupper() or not draft.text.endswith(letter):
        return False
    beside = (each for each in drafts[max(at - 1, 0) : at + 2] if each is not draft)
    return all(MIN_SIZE * _height(each) <= _height(draft) or not _level(each, draft) for each in beside)


def _pair(drafts: Sequence[WordDraft], at: int) -> _Pair | None:
    """The initial with the word to its right on the first line that it reaches over."""
    initial = drafts[at]
    _, y0, x1, y1 = initial.box
    best: tuple[float, float, int] | None = None
    for other, draft in enumerate(drafts):
        height = _height(draft)
        middle = (draft.box[1] + draft.box[3]) / 2
        if other == at or MIN_SIZE * height > y1 - y0 or not y0 - height / 2 <= middle <= y1:
            continue
        gap = draft.box[0] - x1
        if -height / 2 <= gap <= _NEAR * height and _begins_line(initial, drafts, other):
            found = (draft.box[1], gap, other)
            best = min(best, found) if best else found
    if best is None:
        return None
    word = drafts[best[2]]
    if not word.text[:1].isalpha() or not (word.text[0].islower() or word.text.isupper()):
        return None
    may_be_word = initial.text[-1] in _LONE and len(word.text.strip(".,;:")) > 2
    return _Pair(at, best[2], not may_be_word or best[1] <= _CLOSE * _height(word))


def _begins_line(initial: WordDraft, drafts: Sequence[WordDraft], at: int) -> bool:
    """Whether nothing but the initial stands before a word; the line above may reach down to the initial."""
    word, before = drafts[at], drafts[at - 1] if at else None
    return before in (None, initial) or before.place != word.place or not _left(before, word)


def _left(one: WordDraft, other: WordDraft) -> bool:
    return one.box[2] <= other.box[0] + 1 and _level(one, other)


def _level(one: WordDraft, other: WordDraft) -> bool:
    """Whether they are side by side."""
    return min(one.box[3], other.box[3]) > max(one.box[1], other.box[1])


def _height(draft: WordDraft) -> float:
    return draft.box[3] - draft.box[1]


def _alone(initial: WordDraft, word: WordDraft) -> WordDraft:
    """The initial as a separate word; capitals do not extend below their line, where other lines are."""
    x0, y0, x1, y1 = initial.box
    return initial._replace(box=(x0, y0, x1, y1 - _BELOW * (y1 - y0)), place=word.place)


def _one(initial: WordDraft, word: WordDraft) -> WordDraft:
    """The word with its initial, with the height of its line, since other lines are below."""
    x0, y0, x1, y1 = word.box
    return word._replace(text=initial.text + word.text, box=(min(initial.box[0], x0), y0, x1, y1))


# Columns whose lines a file draws row by row are read one after the other. Pure; runs in the worker.
#
# A file's order is a claim; the gap that runs down between two columns is a fact. Lines beside each other
# are columns where words begin at one place to the right of a gap in at least three rows, nothing stands
# across it, and both sides go on from line to line as sentences do; a table does not.


MIN_ROWS = 3
_GAP = 0.45
"""Minimum gap between columns, in line heights; justified words are hardly further apart."""
_WIDER = 1.5  # than any gap between words to its left
_SAME_EDGE = 1.5  # points
_SHARED = 0.6  # fraction of their heights, words of a row
_LEADING = 2.2  # in line heights
MIN_WORDS = 3.0
"""Mean words of a line in each column."""
MIN_GOING_ON = 0.3
"""Share of the lines that begin in the middle of a sentence; German nouns have capitals."""
_ENDS = (".", "!", "?", ":", ";", "…")

Row = list[int]


def in_columns(drafts: Sequence[WordDraft]) -> list[WordDraft]:
    """The words of a page, column after column."""
    found = list(drafts)
    for _ in range(3):  # a page has few columns
        starts = _starts(found)
        stacks = [rows for rows in _stacks(found) if len(rows) >= MIN_ROWS] if starts else ()
        if not any(_part(found, rows, edge) for rows in stacks for edge in starts):
            break
    return found


def _starts(drafts: Sequence[WordDraft]) -> list[float]:
    """Where words begin to the right of a gap again and again."""
    edges: dict[int, float] = {}
    counts: Counter[int] = Counter()
    before: Sequence[WordDraft] = ()
    right = inf
    for draft in drafts:
        x0, y0, x1, y1 = draft.box
        if x0 - right > _GAP * (y1 - y0) and _is_level(before[0], draft):
            place = round(x0 / _SAME_EDGE)
            counts[place] += 1
            edges.setdefault(place, x0)
        before, right = [draft], x1
    return [
        edge
        for place, edge in sorted(edges.items())
        if counts[place] + max(counts[place - 1], counts[place + 1]) >= MIN_ROWS
    ]


def _is_level(one: WordDraft, other: WordDraft) -> bool:
    shared = min(one.box[3], other.box[3]) - max(one.box[1], other.box[1])
    return shared > _SHARED * min(one.box[3] - one.box[1], other.box[3] - other.box[1])


def _stacks(drafts: Sequence[WordDraft]) -> Iterator[list[Row]]:
    """Rows of words that the file has one below the other."""
    rows: list[Row] = []
    for at, draft in enumerate(drafts):
        if rows and _is_level(drafts[rows[-1][0]], draft):
            rows[-1].append(at)
            continue
        height = draft.box[3] - draft.box[1]
        if rows and not 0 < draft.box[1] - drafts[rows[-1][0]].box[1] < _LEADING * height:
            yield rows
            rows = []
        rows.append([at])
    yield rows


def _part(drafts: list[WordDraft], rows: Sequence[Row], edge: float) -> bool:
    """Put the words left and right of an edge in order, column after column; returns whether there are
    any."""
    run: list[tuple[Row, Row]] = []
    for row in [*rows, []]:
        sides = _sides(drafts, row, edge) if row else None
        if sides:
            run.append(sides)
            continue
        if _are_columns(drafts, run):
            _reorder(drafts, run)
            return True
        run = []
    return False


def _sides(drafts: Sequence[WordDraft], row: Row, edge: float) -> tuple[Row, Row] | None:
    """The words of a row left and right of an edge; None where one stands across or right before it."""
    left = [at for at in row if drafts[at].box[0] < edge - _SAME_EDGE]
    right = [at for at in row if at not in left]
    x0 = min((drafts[at].box[0] for at in right), default=edge)
    height = drafts[row[0]].box[3] - drafts[row[0]].box[1]
    ends = max((drafts[at].box[2] for at in left), default=0.0)
    if ends > edge - _GAP * height or (left and abs(x0 - edge) > 2 * _SAME_EDGE):
        return None
    sides = tuple(sorted(side, key=lambda at: drafts[at].box[0]) for side in (left, right))
    within = [drafts[b].box[0] - drafts[a].box[2] for a, b in pairwise(sides[0])]
    if left and right and x0 - ends < _WIDER * max(within, default=0.0):
        return None
    return sides[0], sides[1]


def _are_columns(drafts: Sequence[WordDraft], run: Sequence[tuple[Row, Row]]) -> bool:
    both = sum(bool(left and right) for left, right in run)
    if both < MIN_ROWS or 2 * both < len(run):
        return False
    columns = [[[drafts[at].text for at in row] for row in side if row] for side in zip(*run, strict=True)]
    lines = sum(map(len, columns)) - len(columns)
    return (
        all(sum(map(len, column)) >= MIN_WORDS * len(column) for column in columns)
        and all(map(_going_on, columns))
        and sum(map(_going_on, columns)) >= MIN_GOING_ON * lines
    )


def _going_on(lines: Sequence[Sequence[str]]) -> int:
    """How many of the lines begin in the middle of a sentence."""
    return sum(not before[-1].endswith(_ENDS) and after[0][0].islower() for before, after in pairwise(lines))


def _reorder(drafts: list[WordDraft], run: Sequence[tuple[Row, Row]]) -> None:
    first = min(at for sides in run for row in sides for at in row)
    block = 1 + max(draft.place[0] for draft in drafts)
    made = [
        drafts[at]._replace(place=(block + side, line))
        for side in (0, 1)
        for line, sides in enumerate(run)
        for at in sides[side]
    ]
    drafts[first : first + len(made)] = made


FAILURES = (RuntimeError, ValueError, LookupError, TypeError, AttributeError, mupdf.FzErrorBase)
"""Exceptions raised by PyMuPDF for broken files."""

COINCIDENT = 2.0
"""Points between the corners of a word and its duplicate."""


def read_page(document: Any, number: int, everything: Any = None) -> PageReading:
    """Read 1-based page `number`. `everything` is the same file with all layers switched on, if it has
    layers. Raises one of `FAILURES` for a broken page."""
    page = document[number - 1]
    rotation, label = page.rotation % 360, _label(page)
    with upright(page):
        shown = everything[number - 1] if everything else page
        return _read_upright(page, shown, rotation, label, typed_on(document, number))


def _read_upright(
    page: Any, everything: Any, rotation: int, label: str | None, typed: Sequence[Rect]
) -> PageReading:
    texts = extract(page, everything)
    drafts, unseen, is_scan = _visible_words(page, texts)
    drafts = with_initials(joined(in_place(drafts, typed)))
    text, words, found = regions(page, rotation, texts, in_columns(struck.marked(page, texts, drafts)))
    source = TextSource.OCR if is_scan else TextSource.NATIVE
    return PageReading(
        page=Page(
            number=page.number + 1,
            label=label,
            width=page.rect.width,
            height=page.rect.height,
            rotation=rotation,
            text=text,
            words=words,
            text_source=source,
        ),
        trouble=content.trouble(text, words, hidden.image_share(page, texts.panels), source),
        hidden_characters=texts.dropped + unseen,
        regions=found,
    )


def broken_page(number: int) -> PageReading:
    """The placeholder for a page that cannot be read."""
    page = Page(number=number, label=None, width=0.0, height=0.0, rotation=0, text="", words=())
    return PageReading(page=page, trouble=PageTrouble.NO_TEXT, hidden_characters=0)


def _label(page: Any) -> str | None:
    try:
        text = page.get_label() or ""
    except FAILURES:  # a damaged number tree
        return None
    return "".join(c for c in text if c.isprintable()).strip()[:64] or None


def _visible_words(page: Any, texts: PageContent) -> tuple[list[WordDraft], int, bool]:
    """The words that can be seen, each once; the number of hidden characters; whether it is a scan."""
    placed = [(place, span) for place, spans in texts.spans.items() for span in spans]
    unseen, is_scan = hidden.hidden_spans(page, [span for _, span in placed], texts.panels)
    hidden_ids = {id(placed[i][1]) for i in unseen}
    drafts: list[WordDraft] = []
    for place, words in groupby(texts.words, key=itemgetter(5, 6)):
        spans = texts.spans.get(place, [])
        marks = characters.marks(spans, hidden_ids)
        drafts += characters.drafts(list(words), spans, marks, place)
    count = sum(len("".join(placed[i][1]["text"].split())) for i in unseen)
    if not is_scan:
        placed_words = [draft[:2] for draft in drafts]
        covered = hidden.covered(page, placed_words, texts.covers, texts.overlays, texts.overwritten)
        count += sum(len(drafts[i].text) for i in covered)
        drafts = [draft for i, draft in enumerate(drafts) if i not in covered]
    set_off = {place for place, spans in texts.spans.items() if all(map(_is_set_off, spans))}
    marked = (draft._replace(set_off=True) if draft.place in set_off else draft for draft in drafts)
    return list(_once(marked)), count, is_scan


def _is_set_off(span: dict[str, Any]) -> bool:
    return bool(span["color"] == QUOTATION_INK)


def _once(drafts: Iterable[WordDraft]) -> Iterator[WordDraft]:
    """Leave out words printed again at the place of the same word (doubled text layers, fake bold)."""
    seen: dict[tuple[str, int], list[tuple[float, float]]] = {}
    step = 2 * COINCIDENT
    for draft in drafts:
        text, (x, y, *_), *_ = draft
        rows = {int((y - COINCIDENT) / step), int((y + COINCIDENT) / step)}
        near = (corner for row in rows for corner in seen.get((text, row), ()))
        if not any(abs(x - a) < COINCIDENT and abs(y - b) < COINCIDENT for a, b in near):
            seen.setdefault((text, int(y / step)), []).append((x, y))
            yield draft


def regions(
    page: Any, rotation: int, texts: PageContent, drafts: Sequence[WordDraft]
) -> tuple[str, tuple[Word, ...], tuple[Region, ...]]:
    """Text and words of a page, and what stands on it apart from running text, from top to bottom; no word is
    in two regions. `page` is not turned, which it was by `rotation` degrees.

    The words of a table come row after row and cell after cell, whatever the order of the file, so that a row
    can be quoted as it is read; all other words keep their order.
    """
    turn = PageRotation(rotation, page.rect.width, page.rect.height)
    text, words = compose(drafts)
    found = tables(turn, texts, words)
    order = _by_rows(len(words), found)
    if order is not None:
        text, words = compose(_placed(drafts, order, found))
        found = _renumbered(found, order)
    made = [_region(table) for table in found]
    made += figures(page, rotation, text, words, words_of(made))
    return text, words, tuple(sorted(made, key=lambda region: region.box.y0))


def words_of(regions: Sequence[Region]) -> set[int]:
    """Indices of the words that belong to `regions`."""
    rows = {word for region in regions for row in region.rows for word in row}
    return rows | {word for region in regions for word in region.caption}


def _region(table: PageTable) -> Region:
    rows = zip(table.groups, table.rows, strict=True)
    return Region(
        kind=RegionKind.TABLE,
        box=Box(*table.box),
        rows=tuple((*group, *chain.from_iterable(row)) for group, row in rows),
        header_rows=table.header_rows,
        caption=tuple(table.caption),
    )


def _by_rows(count: int, found: Sequence[PageTable]) -> list[int] | None:
    """The indices of all words with the tables' in order, each table where its first word is; None where they
    are already."""
    starts = {min(table.words): table.words for table in found}
    inside = {word for table in found for word in table.words}
    order: list[int] = []
    for i in range(count):
        order += starts.get(i, [] if i in inside else [i])
    return None if order == list(range(count)) else order


def _placed(drafts: Sequence[WordDraft], order: Sequence[int], found: Sequence[PageTable]) -> list[WordDraft]:
    """Drafts in order. A cell becomes a block of its own, or parts of two would count as one line."""
    block = 1 + max(draft.place[0] for draft in drafts)
    places = {}
    for number, cell in enumerate(cell for table in found for row in table.rows for cell in row):
        lines = {place: line for line, place in enumerate(dict.fromkeys(drafts[word].place for word in cell))}
        places.update({word: (block + number, lines[drafts[word].place]) for word in cell})
    return [drafts[i]._replace(place=places.get(i, drafts[i].place)) for i in order]


def _renumbered(found: Sequence[PageTable], order: Sequence[int]) -> list[PageTable]:
    now = {word: i for i, word in enumerate(order)}
    return [
        table._replace(
            rows=[[[now[word] for word in cell] for cell in row] for row in table.rows],
            caption=[now[word] for word in table.caption],
            groups=[[now[word] for word in group] for group in table.groups],
        )
        for table in found
    ]
