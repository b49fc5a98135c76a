"""Paragraphs, headings and list items, recognised by the position and type size of their lines; and text
outside the running text: footnotes, marginal notes and other scripts."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby, pairwise

from core.evidence.text import Vocabulary, is_led_row
from core.library.chunking.text import Flow, Line, flow
from core.library.references import roman_value

_SIZE_CHANGE = 1.12
_GAP = 1.35
_HEADING_SIZE = 1.12
_MAX_HEADING_WORDS = 14
_MAX_LARGE_HEADING_WORDS = 24
_MARGIN_QUANTILE = 0.85

BULLET = re.compile(r"(?:[•▪●■►▶➔➢✓✔◦‣⁃*»→·–—-]|··|[\uf000-\uf0ff])(?:\s|$)|[nñlqouv]\s(?=[A-ZÄÖÜ„])")
"""A list sign at the start of a line; private-use characters also count, as do lone letters that a symbol
font shows as squares and arrows."""
ENUMERATOR = re.compile(
    r"\((?P<inner>\d{1,3}|[a-zA-Z]{1,2}|[ivxlIVXL]{1,6})\)|\(?(?P<plain>\d{1,3}|(?P<same>[a-zA-Z])(?P=same)?|[ivxl]{1,6})[.)](?=\s|$|\()"
)
"""A number or letter that opens an item: `(1)`, `(a)`, `12.`, `b)`, `iv.`."""
_FINISHED = re.compile(r"[.!?:;…][\"'“”»«)’\]]*$")
_FULL_STOP = re.compile(r"[.!?…][\"'“”»«)’\]]*$")
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.(?:\d{1,2}\.?)?|[A-Z]\.)\s+\S")
_MONTH = re.compile(
    r"\d{1,2}\.\s(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Jahrhundert|Legislatur|Wahlperiode)"
)
ROW = re.compile(r"(?:[^;:]{1,80}; )?[^;:]{1,80}: [^;]{1,200}; [^;:]{1,80}: ")
"""The cells of a row, each behind the name of its column."""
_PROVISO = re.compile(r"(?:Provided|PROVIDED)\b|Explanation\b|EXPLANATION\b|Note\s?[:.-]")


_CLOSED_CLASS = """
    der die das den dem des ein eine einen einem einer eines und oder sowie in im an am auf aus bei mit nach
    von vom vor für zu zum zur durch über unter als wie dass ob wenn weil sich nicht
    the a an of and or to on at by for with from that which as be is are shall may not any such
"""
_NEVER_LAST = frozenset(_CLOSED_CLASS.split())
"""A line ending with one of these continues."""
_JOINING = frozenset(["und", "oder", "sowie", "beziehungsweise", "bzw.", "and", "or", "et", "ou"])
"""How the penultimate item of a list ends."""
_ROMAN = re.compile(r"[ivxl]+|[IVXL]+")
_LONGEST_ITEM = 60
"""Maximum lines of an item including its own items."""


class ParagraphRole(Enum):
    """The role of a paragraph."""

    TEXT = "text"
    HEADING = "heading"
    ITEM = "item"
    ROW = "row"


@dataclass(slots=True, eq=False)
class Paragraph:
    """Lines that belong together. `depth` ranks headings: the smaller, the higher. `others` are the (start,
    end) ranges of the text that are somebody else's words; `sentences` those of its sentences, if already
    split."""

    lines: list[Line]
    role: ParagraphRole = ParagraphRole.TEXT
    flow: Flow = field(default_factory=Flow)
    depth: float = 0.0
    others: tuple[tuple[int, int], ...] = ()
    sentences: list[tuple[int, int]] | None = None

    @property
    def text(self) -> str:
        """The running text."""
        return self.flow.text

    @property
    def listed(self) -> bool:
        """Whether it begins with a list sign, which is not part of the text."""
        return self.lines[0].words[0].bullet or bool(BULLET.match(self.lines[0].text))

    @property
    def set_off(self) -> bool:
        """Whether the source file sets it off as a quotation."""
        return self.lines[0].words[0].set_off

    @property
    def size(self) -> float:
        """Type height in points."""
        return self.lines[0].size


@dataclass(frozen=True, slots=True)
class Metrics:
    """A document's usual type size and line pitch, in points."""

    size: float
    pitch: float


def metrics(lines: Sequence[Line]) -> Metrics:
    """The most frequent type size (by words) and line distance."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size * 2) / 2] += len(line.words)
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    pitches: Counter[float] = Counter()
    for above, line in pairwise(lines):
        step = line.y0 - above.y0
        if above.page == line.page and 0.7 * size < step < 3 * size and abs(line.size - size) < 0.6:
            pitches[round(step * 2) / 2] += 1
    return Metrics(size or 10.0, pitches.most_common(1)[0][0] if pitches else 1.2 * size)


def margins(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """Left and right edge of each line's column. A column is whatever is read downwards."""
    edges: list[tuple[float, float]] = []
    column: list[Line] = []
    for line in lines:
        if column and (line.page != column[-1].page or line.y0 < column[-1].y0 - line.size):
            edges += [_edges(column)] * len(column)
            column = []
        column.append(line)
    return edges + [_edges(column)] * len(column) if column else edges


def _edges(column: Sequence[Line]) -> tuple[float, float]:
    lefts = sorted(line.x0 for line in column)
    rights = sorted(line.x1 for line in column)
    last = len(column) - 1
    return lefts[int((1 - _MARGIN_QUANTILE) * last)], rights[round(_MARGIN_QUANTILE * last)]


def paragraphs(
    lines: Sequence[Line], usual: Metrics, vocabulary: Vocabulary, forced: frozenset[int] = frozenset()
) -> list[Paragraph]:
    """The paragraphs of `lines`, headings recognised. `forced` holds the `id()` of lines that must begin a
    paragraph (section boundaries)."""
    edges = margins(lines)
    made: list[Paragraph] = []
    for i, line in enumerate(lines):
        starts = i == 0 or id(line) in forced or _starts_paragraph(lines[i - 1], line, edges[i - 1], usual)
        starts = starts or _is_next_item(lines, i) or _parts_rows(made[-1], line)
        if starts:
            made.append(Paragraph([line]))
        else:
            made[-1].lines.append(line)
    for paragraph in made:
        paragraph.flow = flow(paragraph.lines, vocabulary)
        if is_led_row(paragraph.text):
            paragraph.role = ParagraphRole.ROW
        elif paragraph.listed or opens_item(paragraph.text):
            paragraph.role = ParagraphRole.ITEM
    made = [paragraph for paragraph in made if paragraph.text]
    _mark_headings(made, usual)
    return _join_headings(made, usual, vocabulary, forced)


def opens_item(text: str) -> bool:
    """Whether the text begins with a list sign or an enumerator."""
    return bool(BULLET.match(text) or ENUMERATOR.match(text)) and not _MONTH.match(text)


def _starts_paragraph(above: Line, line: Line, edges: tuple[float, float], usual: Metrics) -> bool:
    if above.words[0].set_off is not line.words[0].set_off:
        return True
    if max(above.size, line.size) > _SIZE_CHANGE * min(above.size, line.size):
        return not _reads_on(above, line)
    text = line.text
    if line.words[0].bullet or BULLET.match(text) or _PROVISO.match(text):
        return True
    finished = is_finished(above)
    if not finished and above.words[-1].text.casefold() in _NEVER_LAST:
        return False
    below = above.page == line.page and line.y0 > above.y0
    if not below:
        begins = not text[0].islower() or bool(ENUMERATOR.match(text))
        return (finished or _stands_short(above, line, edges)) and begins
    if ENUMERATOR.match(text) and not _MONTH.match(text) and not closes_bracket(above.text, text):
        return True
    if line.y0 - above.y0 > _GAP * usual.pitch * max(1.0, line.size / usual.size):
        return finished or not text[0].islower()
    if finished:
        return _had_room(above, line, edges) or line.x0 - above.x0 > 0.8 * line.size
    return _stands_short(above, line, edges) and not text[0].islower()


def closes_bracket(above: str, text: str) -> bool:
    """Whether an apparent item number closes a bracket: "(Satz" above, "1) gilt" here."""
    return above.rfind("(") > above.rfind(")") and text.find(")") < (text.find("(") % len(text))


def _is_next_item(lines: Sequence[Line], at: int) -> bool:
    """Whether a line opens the item after one ending in "und" or "oder": its number is the next one in a
    running list."""
    if lines[at - 1].words[-1].text.casefold() not in _JOINING:
        return False
    number = _counted(lines[at].text)
    before = lines[max(0, at - _LONGEST_ITEM) : at]
    return number is not None and any(_is_behind(_counted(line.text), number) for line in before)


def _parts_rows(above: Paragraph, line: Line) -> bool:
    """Whether a line is in another block than the one above it, and either is the row of a spreadsheet; or it
    is below a row whose amount stands behind a line of dots."""
    first = above.lines[0]
    if is_led_row(above.lines[-1].text):
        return not line.text[0].islower()
    return line.block != first.block and any(ROW.match(each.text) for each in (first, line))


def _counted(text: str) -> tuple[str, str] | None:
    """The number or letter that opens an item, and the brackets around it."""
    found = ENUMERATOR.match(text)
    if found is None or _MONTH.match(text):
        return None
    value = found["inner"] or found["plain"]
    return found[0].replace(value, "", 1), value


def _is_behind(one: tuple[str, str] | None, other: tuple[str, str]) -> bool:
    """Whether `other` follows `one` in a list."""
    if one is None or one[0] != other[0]:
        return False
    before, after = one[1], other[1]
    if before.isdigit() and after.isdigit():
        return int(before) + 1 == int(after)
    if before.isdigit() or after.isdigit():
        return False
    if len(before) == len(after) and len(set(before + after)) == 2 and ord(before[0]) + 1 == ord(after[0]):
        return True
    romans = _ROMAN.fullmatch(before + after) and before.isupper() == after.isupper()
    return bool(romans) and roman_value(before) + 1 == roman_value(after)


def _reads_on(above: Line, line: Line) -> bool:
    """Whether a sentence continues although the type changes slightly: a lower-case start."""
    small_change = max(above.size, line.size) < 1.3 * min(above.size, line.size)
    return small_change and line.text[0].islower() and not is_finished(above)


def is_finished(line: Line) -> bool:
    """Whether the line ends like a sentence, an item or a lead-in, ignoring footnote marks."""
    last = line.words[-1]
    text = last.text[: len(last.text) - last.note_chars]
    if not text and len(line.words) > 1:
        text = line.words[-2].text
    return bool(_FINISHED.search(text))


def _had_room(above: Line, line: Line, edges: tuple[float, float]) -> bool:
    """Whether the next word would have fitted into the line above, so that its end is intentional."""
    first = line.words[0].box
    width = max(first.x1 - first.x0, line.size)
    return edges[1] - above.x1 > width + 0.6 * line.size


def _stands_short(above: Line, line: Line, edges: tuple[float, float]) -> bool:
    """Whether the line above ends well short of the right edge."""
    return _had_room(above, line, edges) and edges[1] - above.x1 > 0.3 * (edges[1] - edges[0])


def _mark_headings(made: list[Paragraph], usual: Metrics) -> None:
    for i, paragraph in enumerate(made):
        following = made[i + 1] if i + 1 < len(made) else None
        previous = made[i - 1] if i else None
        is_row = paragraph.role is ParagraphRole.ROW
        if not is_row and _is_heading(paragraph, previous, following, usual):
            paragraph.role = ParagraphRole.HEADING
            paragraph.depth = _depth(paragraph)


def _is_heading(
    paragraph: Paragraph, previous: Paragraph | None, following: Paragraph | None, usual: Metrics
) -> bool:
    text = paragraph.text
    words = len(paragraph.flow.words)
    letters = sum(map(str.isalpha, text))
    if letters < 3 or letters < len(text) / 2 or following is None or paragraph.listed:
        return False
    if paragraph.size >= _HEADING_SIZE * usual.size:
        return words <= _MAX_LARGE_HEADING_WORDS and text[-1] not in ",;" and not text[0].islower()
    if words > _MAX_HEADING_WORDS or text[-1] in ".,;:!?-–" or text[0].islower() or len(paragraph.lines) > 2:
        return False
    if paragraph.size < 0.95 * usual.size or following.text[0].islower():
        return False
    if (
        previous is not None
        and not _FULL_STOP.search(previous.text)
        and previous.role is not ParagraphRole.HEADING
    ):
        return bool(_NUMBERED.match(text)) and paragraph.role is not ParagraphRole.ITEM
    if ENUMERATOR.match(text):
        return bool(_NUMBERED.match(text)) and not ENUMERATOR.match(following.text)
    return len(following.flow.words) >= _MAX_HEADING_WORDS or following.listed


def _depth(paragraph: Paragraph) -> float:
    """Rank of a heading: large type first, then capitals, then the number's depth."""
    text = paragraph.text
    number = _NUMBERED.match(text)
    level = number[0].rstrip(". \t").count(".") if number else 0
    return -round(paragraph.size * 2) / 2 - 0.2 * text.isupper() + 0.02 * level + 0.1 * (number is None)


def _join_headings(
    made: list[Paragraph], usual: Metrics, vocabulary: Vocabulary, forced: frozenset[int]
) -> list[Paragraph]:
    """The paragraphs, with the lines of one heading joined."""
    groups: list[list[Paragraph]] = []
    for paragraph in made:
        above = groups[-1][-1] if groups else None
        if above is not None and _same_heading(above, paragraph, usual) and not _is_forced(paragraph, forced):
            groups[-1].append(paragraph)
        else:
            groups.append([paragraph])
    for first, *rest in groups:
        if rest:
            first.lines += [line for paragraph in rest for line in paragraph.lines]
            first.flow = flow(first.lines, vocabulary)
    return [group[0] for group in groups]


def _is_forced(paragraph: Paragraph, forced: frozenset[int]) -> bool:
    return id(paragraph.lines[0]) in forced


def _same_heading(above: Paragraph, paragraph: Paragraph, usual: Metrics) -> bool:
    if above.role is not ParagraphRole.HEADING or paragraph.role is not ParagraphRole.HEADING:
        return False
    last, first = above.lines[-1], paragraph.lines[0]
    step = first.y0 - last.y0
    near = last.page == first.page and 0 < step < _GAP * usual.pitch * max(1.0, first.size / usual.size)
    alike = (
        abs(last.size - first.size) < 0.08 * first.size and above.text.isupper() == paragraph.text.isupper()
    )
    return near and alike and not _NUMBERED.match(paragraph.text)


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
