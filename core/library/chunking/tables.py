"""Tables: their rows are taken out of the running text and become separate passages in the same place.

A row is one piece and is not cut if it fits; the column names are in the heading of every passage of the
table, even if it continues on the next page.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, compress, groupby, pairwise

from core.domain.pages import Box, Page, Region, RegionKind, Word
from core.domain.passages import PassageKind, Picture
from core.evidence.text import Vocabulary
from core.library.chunking.attribution import Speakers, is_in_our_name, is_named_other, is_party
from core.library.chunking.layout import Paragraph, ParagraphRole
from core.library.chunking.packing import Packed, PackedSentence, pack_units, pieces_of
from core.library.chunking.prose import SEPARATOR, heading_of, shortened
from core.library.chunking.text import Line, bare, flow, page_lines, upright
from core.library.chunking.voices import (
    names_answers,
    names_claims,
    names_notes,
    names_theses,
    names_us,
    rejects,
)
from core.library.references import SectionReference, format_reference

# Whose words the cells of a table are: others' claims next to the document's answers, a thesis next to its
# "no".


_PAIR = 2
"""Number of cells in a row that begins with a label: "Myth", "Fact"."""
_SPEAKER_WORDS = 6
_GAP = 0.4
"""Distance between two words of a line where a cell ends, in letter heights."""


def others_in(
    header: Sequence[Word], rows: Sequence[Paragraph], speakers: Speakers
) -> list[tuple[tuple[int, int], ...]]:
    """The ranges of each row's text that are somebody else's words, judging by the column names, whose words
    are in `header`, or by the rows' labels."""
    names = [_text(header[start:end]) for start, end in _cells(header)]
    cut = [_cells(row.flow.words) for row in rows]
    said = [
        [_text(row.flow.words[start:end]) for start, end in cells]
        for row, cells in zip(rows, cut, strict=True)
    ]
    heads = [texts[0] if len(texts) == _PAIR else "" for texts in said]
    named = _of_parties([texts[0] if texts else "" for texts in said], speakers)
    found = []
    for number, (row, cells, texts) in enumerate(zip(rows, cut, said, strict=True)):
        theirs = _theirs(names, texts, speakers)
        paired = names_claims(heads[number]) and any(map(names_answers, heads[number + 1 : number + 2]))
        if paired or named[number]:
            theirs = [True] * len(texts)
        ends = [*row.flow.starts[1:], len(row.text) + 1]
        ranges = [(row.flow.starts[start], ends[end - 1] - 1) for start, end in cells]
        found.append(tuple(each for each, is_theirs in zip(ranges, theirs, strict=True) if is_theirs))
    return found


def _theirs(names: Sequence[str], texts: Sequence[str], speakers: Speakers) -> list[bool]:
    """Which cells are others' words, judging by their column names and contents; none if their numbers
    differ."""
    if len(texts) != len(names):
        return [False] * len(texts)
    answered = any(map(names_answers, names))
    others = _of_others(names, speakers)
    rejected = any(
        rejects(text) and not (names_theses(name) or theirs)
        for name, text, theirs in zip(names, texts, others, strict=True)
    )
    return [
        theirs
        or (answered and names_claims(name))
        or (rejected and names_theses(name))
        or any(speakers.is_answered_by(name, other) for other in names)
        or (is_named_other(name) and any(map(names_us, names)))
        for name, theirs in zip(names, others, strict=True)
    ]


def _of_others(names: Sequence[str], speakers: Speakers) -> list[bool]:
    """Which columns are other parties', if one is named after the document's own or "us"; the first one may
    say what a row is about, and others may contain comments."""
    near = [speakers.nearness(name) for name in names]
    if not (own := max(near)):
        ours = any(map(is_in_our_name, names))
        return [ours and is_party(name) and not is_in_our_name(name) for name in names]
    return [
        value < own and not names_notes(name) and (at > 0 or is_party(name))
        for at, (name, value) in enumerate(zip(names, near, strict=True))
    ]


def _of_parties(heads: Sequence[str], speakers: Speakers) -> list[bool]:
    """Which rows are other parties', if one begins with the document's own name and another with a
    party's."""
    near = [speakers.nearness(head) if len(head.split()) <= _SPEAKER_WORDS else 0.0 for head in heads]
    own = max(near, default=0.0)
    others = [bool(head) and value < own for head, value in zip(heads, near, strict=True)]
    return [each and any(map(is_party, compress(heads, others))) for each in others]


def _text(words: Sequence[Word]) -> str:
    return " ".join(filter(None, map(bare, words)))


def _cells(words: Sequence[Word]) -> list[tuple[int, int]]:
    """The first word of each cell and the one after its last: words come cell by cell, and the next cell
    begins further right in its line, or above it."""
    if not words:
        return []
    begins = (at for at, (left, right) in enumerate(pairwise(words), 1) if _is_next(left, right))
    return [*pairwise([0, *begins, len(words)])]


def _is_next(left: Word, right: Word) -> bool:
    height = left.box.y1 - left.box.y0
    step = right.box.y0 - left.box.y0
    return step < -height / 2 or (step < height / 2 and right.box.x0 - left.box.x1 > _GAP * height)


_HEADER_CHARACTERS = 300
_SAME_EDGE = 8.0  # points
_MIN_KEPT = 0.5
_NAME_WORDS = 12
_STOP = re.compile(r"[.!?;,…][\"'”“»«’)\]]*$")

Place = tuple[int, int]
"""A page number and the character on that page where something begins."""


@dataclass(frozen=True, slots=True, eq=False)
class TableParagraphs:
    """A table's caption and rows as paragraphs; the first `opening` of them (caption, column names) mean
    nothing by themselves. `caption` and `header` are for the headings, "" if there is none."""

    page: Page
    region: Region
    rows: tuple[Paragraph, ...]
    opening: int
    caption: str
    header: str
    names: tuple[Word, ...]

    def mark_others(self, speakers: Speakers) -> None:
        """Mark somebody else's words in its rows."""
        rows = self.rows[self.opening :]
        for row, others in zip(rows, others_in(self.names, rows, speakers), strict=True):
            row.others = others

    @property
    def place(self) -> Place:
        """Where it begins."""
        return self.page.number, min(_place(row)[1] for row in self.rows)


def split_tables(
    lines: Sequence[Line],
    pages: Sequence[Page],
    regions: Mapping[int, Sequence[Region]],
    vocabulary: Vocabulary,
    speakers: Speakers | None,
) -> tuple[list[Line], list[TableParagraphs]]:
    """The running text, and the tables, with others' words marked if there are `speakers`. Text missing from
    `lines` is left out of them; a table of which most is missing (a table of contents, another script) is
    dropped."""
    by_number = {page.number: page for page in pages}
    text: list[Line] = []
    tables: list[TableParagraphs] = []
    last: TableParagraphs | None = None  # the table at the end of the previous page, if any
    for number, group in groupby(lines, key=lambda line: line.page):
        here = list(group)
        found = _tables(by_number[number], regions.get(number, ()), here, vocabulary)
        if found:
            here = _without(by_number[number], here, found)
            if last is not None and _goes_on(last, found[0], here):
                found[0] = _continued(last, found[0])
        if speakers is not None:
            for table in found:
                table.mark_others(speakers)
        tables += found
        text += here
        last = found[-1] if found and not any(_start(line) > found[-1].place for line in here) else None
    return text, tables


def _tables(
    page: Page, regions: Sequence[Region], lines: Sequence[Line], vocabulary: Vocabulary
) -> list[TableParagraphs]:
    kept = {id(word) for line in lines for word in line.words}
    made = [_table(page, region, kept, vocabulary) for region in regions if region.kind is RegionKind.TABLE]
    return sorted((table for table in made if table is not None), key=lambda table: table.place)


def _table(page: Page, region: Region, kept: set[int], vocabulary: Vocabulary) -> TableParagraphs | None:
    parts = [[page.words[i] for i in part] for part in (region.caption, *region.rows)]
    body = [word for part in parts for word in part if word.is_text]
    if sum(id(word) in kept for word in body) <= _MIN_KEPT * len(body):
        return None
    made = [_paragraph(page, [word for word in part if id(word) in kept], vocabulary) for part in parts]
    rows = tuple(paragraph for paragraph in made if paragraph is not None)
    if not rows:  # soft hyphens and the like
        return None
    named = [page.words[i] for row in region.rows[: region.header_rows] for i in row]
    return TableParagraphs(
        page=page,
        region=region,
        rows=rows,
        opening=sum(paragraph is not None for paragraph in made[: 1 + region.header_rows]),
        caption=shortened(made[0].text) if made[0] else "",
        header=" ".join(filter(None, map(bare, named)))[:_HEADER_CHARACTERS],
        names=tuple(named),
    )


def _paragraph(page: Page, words: Sequence[Word], vocabulary: Vocabulary) -> Paragraph | None:
    """The words in the page's order as one paragraph; None if there are none."""
    lines = []
    for _, group in groupby(words, key=lambda word: (word.block, word.line)):
        held = list(group)
        x0, y0, x1, y1 = upright(held[0].box, page)
        lines.append(Line(page.number, held, x0, y0, x1, y1, y1 - y0, held[0].block))
    made = Paragraph(lines, ParagraphRole.ROW, flow(lines, vocabulary))
    return made if made.text else None


def _without(page: Page, lines: Sequence[Line], tables: Sequence[TableParagraphs]) -> list[Line]:
    """The lines of a page without the words of its tables."""
    taken = {id(word) for table in tables for row in table.rows for word in row.flow.words}
    kept = {id(word) for line in lines for word in line.words} - taken
    return page_lines(page, [word for word in page.words if id(word) in kept])


def _goes_on(above: TableParagraphs, table: TableParagraphs, lines: Sequence[Line]) -> bool:
    """Whether the first table of a page continues the one at the end of the previous page: nothing precedes
    it, its edges are the same, and it has no different column names."""
    if above.page.number + 1 != table.page.number or any(_start(line) < table.place for line in lines):
        return False
    mine, other = upright(table.region.box, table.page), upright(above.region.box, above.page)
    aligned = abs(mine[0] - other[0]) <= _SAME_EDGE and abs(mine[2] - other[2]) <= _SAME_EDGE
    return aligned and table.header in ("", above.header)


def _continued(above: TableParagraphs, table: TableParagraphs) -> TableParagraphs:
    return replace(table, caption=table.caption or above.caption, header=above.header, names=above.names)


class Insets:
    """Inserts passages between others, each after all that begin before it."""

    def __init__(self, packed: Sequence[Packed]) -> None:
        self._packed = packed
        self._begins = list(accumulate(map(_begin_of, packed), max))
        running = (at if item.kind is None else -1 for at, item in enumerate(packed))
        self._running = list(accumulate(running, max))
        self._put: dict[int, list[Packed]] = defaultdict(list)

    def before(self, place: Place) -> Packed | None:
        """The section or running text before `place`."""
        at = bisect_right(self._begins, place)
        return self._packed[self._running[at - 1]] if at and self._running[at - 1] >= 0 else None

    def put(self, place: Place, item: Packed) -> None:
        """Insert a passage at a place; places must come in order."""
        self._put[bisect_right(self._begins, place)].append(item)

    def made(self) -> list[Packed]:
        """All passages in order."""
        made = list(self._put[0])
        for at, item in enumerate(self._packed, 1):
            made += (item, *self._put.get(at, ()))
        return made


def with_tables(
    packed: Sequence[Packed], tables: Iterable[TableParagraphs], title: str, language: str
) -> list[Packed]:
    """`packed` with the passages of the tables, each after the text that begins before it, whose section it
    takes."""
    insets = Insets(packed)
    for table in tables:
        before = insets.before(table.place)
        heading = _heading(before, table, title, language)
        section = before.section if before else None
        for group in _groups(table, language):
            insets.put(table.place, Packed(group, heading, section, PassageKind.TABLE))
    return insets.made()


def _groups(table: TableParagraphs, language: str) -> list[tuple[PackedSentence, ...]]:
    """The rows grouped by passage; the table's opening goes with its first row."""
    pieces = [piece for row in table.rows for piece in pieces_of(row, language)]
    first = pieces[: table.opening + 1]
    return pack_units([first, *([piece] for piece in pieces[table.opening + 1 :])])


def _heading(before: Packed | None, table: TableParagraphs, title: str, language: str) -> str:
    """The heading of a table: the document's title, section or headings, caption, column names."""
    heading = _heading_above(before, table.place, title, language)
    return _with_names(heading, (table.caption, table.header))


def _heading_above(before: Packed | None, place: Place, title: str, language: str) -> str:
    """The heading for the text at `place` after `before`: the document's title, section or headings."""
    heading = before.heading if before else heading_of(title, [])
    return _with_names(heading, _names(before, place, language))


def _with_names(heading: str, names: Iterable[str]) -> str:
    for name in names:
        if name and name not in heading:
            heading = f"{heading}{SEPARATOR}{name}" if heading else name
    return heading


def _names(before: Packed | None, place: Place, language: str) -> list[str]:
    """The section and the last heading before `place`, which may be missing from the heading of `before`."""
    if before is None:
        return []
    names = []
    if before.section is not None:
        reference = format_reference(SectionReference(id=before.section.id), language)
        names.append(f"{reference} {before.section.title}".strip())
    above = [piece.paragraph for piece in before.pieces if _place(piece.paragraph) < place]
    headings = [item for item in above if item.role is ParagraphRole.HEADING]
    named = [*headings[-1:], *(item for item in above[-1:] if _names_what_follows(item))]
    names += [each.text for each in named if not before.section or before.section.title not in each.text]
    return list(map(shortened, names))


def _names_what_follows(paragraph: Paragraph) -> bool:
    """Whether a paragraph right above a table is short and no sentence: "Valid until 31.12.2025"."""
    text = paragraph.text
    return len(text.split()) <= _NAME_WORDS and not _STOP.search(text)


def _begin_of(item: Packed) -> Place:
    """Where a passage begins."""
    return _place(item.pieces[0].paragraph)


def _place(paragraph: Paragraph) -> Place:
    return paragraph.flow.pages[0], paragraph.flow.words[0].start


def _start(line: Line) -> Place:
    return line.page, line.words[0].start


# Figures: their captions become separate passages, and the labels inside them are taken out of the running
# text.

Regions = Mapping[int, Sequence[Region]]
"""Tables and figures by page number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure of `page` and the words of its caption, at least one."""

    page: Page
    box: Box
    caption: tuple[Word, ...]

    @property
    def place(self) -> tuple[int, int]:
        """Page and character where the caption begins."""
        return self.page.number, self.caption[0].start


def figures_of(pages: Sequence[Page], regions: Regions) -> list[Figure]:
    """The figures of `pages` whose captions are not page furniture, in document order."""
    found = []
    for page in pages:
        for region in regions.get(page.number, ()):
            words = tuple(page.words[i] for i in sorted(region.caption) if page.words[i].is_text)
            if region.kind is RegionKind.FIGURE and words:
                found.append(Figure(page=page, box=region.box, caption=words))
    return sorted(found, key=lambda figure: figure.place)


def running_words(page: Page, figures: Sequence[Figure]) -> Sequence[Word]:
    """The words of a page without the captions and labels of `figures`."""
    page_figures = [figure for figure in figures if figure.page is page]
    if not page_figures:
        return page.words
    captions = {word.start for figure in page_figures for word in figure.caption}
    return [
        word
        for word in page.words
        if word.start not in captions and not any(_holds(figure.box, word.box) for figure in page_figures)
    ]


def _holds(box: Box, inner: Box) -> bool:
    """Whether the middle of `inner` is in `box`."""
    x, y = (inner.x0 + inner.x1) / 2, (inner.y0 + inner.y1) / 2
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


def with_figures(
    packed: Sequence[Packed], figures: Sequence[Figure], vocabulary: Vocabulary, title: str, language: str
) -> list[Packed]:
    """`packed` with the captions as separate passages, each after the text that begins before it, whose
    section it takes."""
    insets = Insets(packed)
    for figure in figures:
        caption = _figure_paragraph(figure, vocabulary)
        if not caption.text:
            continue
        before = insets.before(figure.place)
        inset = Packed(
            tuple(pieces_of(caption, language)),
            _heading_above(before, figure.place, title, language),
            before.section if before else None,
            PassageKind.FIGURE,
            Picture(figure.page.number, figure.box),
        )
        insets.put(figure.place, inset)
    return insets.made()


def _figure_paragraph(figure: Figure, vocabulary: Vocabulary) -> Paragraph:
    made = Paragraph(page_lines(figure.page, figure.caption))
    made.flow = flow(made.lines, vocabulary)
    return made
