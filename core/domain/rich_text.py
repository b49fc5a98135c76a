"""Text with its formatting, the same for every platform.

`text` is plain and readable without its marks, so formatting that a platform cannot render is simply dropped.
Nothing in it is markup: characters that a document or a person wrote stay literal, and each adapter escapes
for its platform.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise


class Style(StrEnum):
    """How a range is formatted. HEADING, QUOTE, SMALL, CODE (to be copied verbatim) and TABLE apply to whole
    lines, ROW to lines of a TABLE, CELL to parts of a ROW; the others apply to words within lines. DIFFERENCE
    marks BOLD words that must stand out to make sense: without bold type they are marked by signs."""

    HEADING = "heading"
    QUOTE = "quote"
    SMALL = "small"
    CODE = "code"
    TABLE = "table"
    ROW = "row"
    CELL = "cell"
    BOLD = "bold"
    STRUCK = "struck"
    DIFFERENCE = "difference"
    LINK = "link"


BLOCKS = frozenset({Style.HEADING, Style.QUOTE, Style.SMALL, Style.CODE, Style.TABLE})
"""Styles of whole lines; they don't nest, except for a QUOTE in a CELL, which is rendered where there are no
tables."""

SCHEMES = ("https://", "http://")
"""Address schemes allowed in a LINK; any other is dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """`style` applies to characters `start` to `end` (exclusive); `to` is the address of a LINK."""

    style: Style
    start: int
    end: int
    to: str = ""


class RichText(str):
    """A text with its marks; it can be used wherever plain text is expected."""

    __slots__ = ("marks",)
    marks: tuple[Mark, ...]

    def __new__(cls, text: str, marks: tuple[Mark, ...] = ()) -> "RichText":
        """`text` with `marks`."""
        made = super().__new__(cls, text)
        made.marks = marks
        return made

    @property
    def text(self) -> str:
        """Its words alone."""
        return str(self)

    def __add__(self, other: str) -> "RichText":
        """The two texts concatenated."""
        at = len(self)
        moved = (replace(mark, start=mark.start + at, end=mark.end + at) for mark in rich(other).marks)
        return RichText(super().__add__(other), (*self.marks, *moved))

    def __radd__(self, other: str) -> "RichText":
        """The text appended to a plain text."""
        return RichText(other) + self

    def part(self, start: int, end: int | None = None) -> "RichText":
        """Characters `start` to `end` (exclusive; None: to the end) with their marks."""
        text = self.text[start:end]
        cut = (
            replace(mark, start=max(0, mark.start - start), end=min(len(text), mark.end - start))
            for mark in self.marks
        )
        return RichText(text, tuple(mark for mark in cut if mark.start < mark.end))

    def styled(self, style: Style, to: str = "") -> "RichText":
        """The whole text with `style` added."""
        if not self.text:
            return self
        return RichText(self.text, (Mark(style=style, start=0, end=len(self.text), to=to), *self.marks))

    def ranges(self, style: Style) -> list[tuple[int, int]]:
        """The ranges of `style` in order, overlapping and adjacent ones merged."""
        found: list[tuple[int, int]] = []
        for start, end in sorted((mark.start, mark.end) for mark in self.marks if mark.style is style):
            if found and start <= found[-1][1]:
                found[-1] = (found[-1][0], max(found[-1][1], end))
            else:
                found.append((start, end))
        return found


Block = str
"""A piece of a reply: a RichText, or a plain text without formatting."""


def rich(block: Block) -> RichText:
    """`block` as a text with marks."""
    return block if isinstance(block, RichText) else RichText(block)


def heading(block: Block) -> RichText:
    """A heading for the lines that follow."""
    return rich(block).styled(Style.HEADING)


def quotation(block: Block) -> RichText:
    """Somebody else's words."""
    return rich(block).styled(Style.QUOTE)


def small(block: Block) -> RichText:
    """Small print, which need not be read every time."""
    return rich(block).styled(Style.SMALL)


def code(block: Block) -> RichText:
    """Lines to be copied verbatim."""
    return rich(block).styled(Style.CODE)


def bold(block: Block) -> RichText:
    """Words that matter."""
    return rich(block).styled(Style.BOLD)


def different(block: Block) -> RichText:
    """Words that differ: bold, or marked by signs where bold is not available."""
    return bold(block).styled(Style.DIFFERENCE)


def struck(block: Block) -> RichText:
    """Words that no longer apply, struck through."""
    return rich(block).styled(Style.STRUCK)


def link(block: Block, to: str) -> RichText:
    """Words linked to the address `to`; plain words if that is not a web address."""
    return rich(block).styled(Style.LINK, to) if to.startswith(SCHEMES) else rich(block)


def joined(blocks: Iterable[Block], gap: str = "\n") -> RichText:
    """All `blocks` with `gap` between them."""
    made, between = RichText(""), ""
    for block in blocks:
        made, between = made + between + block, gap
    return made


def table(rows: Iterable[Iterable[Block]], gap: str = "\n") -> RichText:
    """A table of `rows` of cells; on platforms without tables each cell is a line of its own (or is followed
    by `gap`) and rows are separated by an empty line."""
    drawn = (joined((rich(cell).styled(Style.CELL) for cell in row), gap).styled(Style.ROW) for row in rows)
    return joined(drawn, "\n\n").styled(Style.TABLE)


def plain(block: Block) -> str:
    """The text for readers who see no marks, with each link's address after it."""
    text, at, pieces = rich(block), 0, []
    links = [mark for mark in text.marks if mark.style is Style.LINK and mark.to not in text.text]
    for mark in sorted(links, key=lambda mark: mark.end):
        pieces += [text.text[at : mark.end], f" ({mark.to})"]
        at = mark.end
    return "".join([*pieces, text.text[at:]])


_SIGNS = {Style.STRUCK: "~~", Style.DIFFERENCE: "*"}


def with_signs(block: Block) -> RichText:
    """The text for readers who see no marks, with signs around whatever would be misread without them: struck
    words would seem to apply, and differences would go unnoticed."""
    text = rich(block)
    for style, sign in _SIGNS.items():
        for start, end in reversed(text.ranges(style)):
            text = text.part(0, start) + sign + text.part(start, end) + sign + text.part(end)
    return text


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive words with the same formatting; `to` is the address they link to, or empty."""

    text: str
    styles: frozenset[Style]
    to: str = ""


def runs(text: RichText) -> Iterator[Run]:
    """`text` split into runs, in order."""
    marks = [mark for mark in text.marks if 0 <= mark.start < mark.end <= len(text.text)]
    bounds = sorted({0, len(text.text), *(at for mark in marks for at in (mark.start, mark.end))})
    for start, end in pairwise(bounds):
        active = [mark for mark in marks if mark.start <= start and end <= mark.end]
        to = next(
            (mark.to for mark in active if mark.style is Style.LINK and mark.to.startswith(SCHEMES)), ""
        )
        yield Run(text.text[start:end], frozenset(mark.style for mark in active), to)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of one style of `BLOCKS`, None for ordinary text. `gap`: empty lines precede it."""

    style: Style | None
    text: RichText
    gap: bool = False


def paragraphs(text: RichText) -> Iterator[Paragraph]:
    """`text` split into runs of whole-line styles and the text between them, without the line breaks that
    separate them."""
    pieces, breaks = [*_pieces(text)], 0
    for number, (style, start, end) in enumerate(pieces):
        whole = text.text[start:end]
        first = len(whole) - len(whole.lstrip("\n")) if number else 0
        last = len(whole.rstrip("\n")) if number + 1 < len(pieces) else len(whole)
        breaks += first
        if first < last:
            inside = text.part(start + first, start + last)
            own = tuple(mark for mark in inside.marks if mark.style not in BLOCKS)
            yield Paragraph(style, RichText(inside.text, own), breaks > 1)
            breaks = len(whole) - last


def _pieces(text: RichText) -> Iterator[tuple[Style | None, int, int]]:
    """The ranges of `BLOCKS` and of the text around them; blocks don't nest."""
    at = 0
    for mark in sorted(text.marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.style in BLOCKS and mark.start >= at:
            yield None, at, mark.start
            yield mark.style, mark.start, mark.end
            at = mark.end
    yield None, at, len(text.text)


def cells(text: RichText) -> list[list[RichText]]:
    """The cells of a table, row by row."""
    found = []
    for row in text.marks:
        if row.style is Style.ROW:
            line = text.part(row.start, row.end)
            found.append([line.part(mark.start, mark.end) for mark in line.marks if mark.style is Style.CELL])
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of plain text. Every row has one cell per column; a newline in a cell begins a new paragraph.
    `notes` are printed below it, one paragraph each."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("a row has as many cells as there are columns")
