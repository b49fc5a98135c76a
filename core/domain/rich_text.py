"""Text that says how it is drawn, the same for every platform.

`text` is plain and reads without its marks, so what a platform cannot draw is merely left out. Nothing in it
is markup: signs that a document or a person wrote stay signs, and adapters escape, each for its platform.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise


class Style(StrEnum):
    """How a range is drawn. HEADING, QUOTE, SMALL, CODE (to be copied as it stands) and TABLE are for whole
    lines, ROW for lines of a TABLE, CELL for parts of a ROW; the others for words within lines. DIFFERENCE is
    for BOLD words that say nothing unless they stand out: where nothing is bold, signs mark them."""

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
"""Styles of whole lines; none of them stands in another, but for a QUOTE in a CELL, which is drawn where
there are no tables."""

SCHEMES = ("https://", "http://")
"""Addresses that a LINK leads to; any other is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Characters `start` to `end` (exclusive) are drawn in `style`; a LINK leads `to` an address."""

    style: Style
    start: int
    end: int
    to: str = ""


class RichText(str):
    """A text with its marks; wherever a plain text is expected it is its words."""

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
        """Both, one behind the other."""
        at = len(self)
        moved = (replace(mark, start=mark.start + at, end=mark.end + at) for mark in rich(other).marks)
        return RichText(super().__add__(other), (*self.marks, *moved))

    def __radd__(self, other: str) -> "RichText":
        """Behind a plain text."""
        return RichText(other) + self

    def part(self, start: int, end: int | None = None) -> "RichText":
        """Characters `start` to `end` (exclusive; None: to the last) with what is drawn of them."""
        text = self.text[start:end]
        cut = (
            replace(mark, start=max(0, mark.start - start), end=min(len(text), mark.end - start))
            for mark in self.marks
        )
        return RichText(text, tuple(mark for mark in cut if mark.start < mark.end))

    def styled(self, style: Style, to: str = "") -> "RichText":
        """All of it drawn in `style` as well."""
        if not self.text:
            return self
        return RichText(self.text, (Mark(style=style, start=0, end=len(self.text), to=to), *self.marks))

    def ranges(self, style: Style) -> list[tuple[int, int]]:
        """Where `style` holds, in order, what overlaps or touches as one."""
        found: list[tuple[int, int]] = []
        for start, end in sorted((mark.start, mark.end) for mark in self.marks if mark.style is style):
            if found and start <= found[-1][1]:
                found[-1] = (found[-1][0], max(found[-1][1], end))
            else:
                found.append((start, end))
        return found


Block = str
"""A piece of a reply: a RichText, or any other text, which is drawn plainly."""


def rich(block: Block) -> RichText:
    """`block` as a text with marks."""
    return block if isinstance(block, RichText) else RichText(block)


def heading(block: Block) -> RichText:
    """What stands over the lines that follow."""
    return rich(block).styled(Style.HEADING)


def quotation(block: Block) -> RichText:
    """Somebody else's words."""
    return rich(block).styled(Style.QUOTE)


def small(block: Block) -> RichText:
    """What need not be read each time."""
    return rich(block).styled(Style.SMALL)


def code(block: Block) -> RichText:
    """Lines to be copied as they stand."""
    return rich(block).styled(Style.CODE)


def bold(block: Block) -> RichText:
    """Words that matter."""
    return rich(block).styled(Style.BOLD)


def different(block: Block) -> RichText:
    """Words that make the difference: bold, and marked by signs where nothing is."""
    return bold(block).styled(Style.DIFFERENCE)


def struck(block: Block) -> RichText:
    """Words that hold no longer."""
    return rich(block).styled(Style.STRUCK)


def link(block: Block, to: str) -> RichText:
    """Words that lead to the address `to`; plain words where that is none of the web's."""
    return rich(block).styled(Style.LINK, to) if to.startswith(SCHEMES) else rich(block)


def joined(blocks: Iterable[Block], gap: str = "\n") -> RichText:
    """All `blocks` with `gap` between them."""
    made, between = RichText(""), ""
    for block in blocks:
        made, between = made + between + block, gap
    return made


def table(rows: Iterable[Iterable[Block]], gap: str = "\n") -> RichText:
    """A table of `rows` of cells; where there are no tables, each cell is a line of its own (or has `gap`
    behind it) and an empty line parts the rows."""
    drawn = (joined((rich(cell).styled(Style.CELL) for cell in row), gap).styled(Style.ROW) for row in rows)
    return joined(drawn, "\n\n").styled(Style.TABLE)


def plain(block: Block) -> str:
    """The text for those who see no marks, with the addresses of its links behind them."""
    text, at, pieces = rich(block), 0, []
    links = [mark for mark in text.marks if mark.style is Style.LINK and mark.to not in text.text]
    for mark in sorted(links, key=lambda mark: mark.end):
        pieces += [text.text[at : mark.end], f" ({mark.to})"]
        at = mark.end
    return "".join([*pieces, text.text[at:]])


_SIGNS = {Style.STRUCK: "~~", Style.DIFFERENCE: "*"}


def with_signs(block: Block) -> RichText:
    """For those who see no marks: what reads wrongly without them between signs. Struck words would be taken
    for said, and a difference would not be seen."""
    text = rich(block)
    for style, sign in _SIGNS.items():
        for start, end in reversed(text.ranges(style)):
            text = text.part(0, start) + sign + text.part(start, end) + sign + text.part(end)
    return text


@dataclass(frozen=True, slots=True)
class Run:
    """Words that are drawn alike; `to` is where they lead, empty where nowhere."""

    text: str
    styles: frozenset[Style]
    to: str = ""


def runs(text: RichText) -> Iterator[Run]:
    """`text` from its beginning to its end in runs."""
    marks = [mark for mark in text.marks if 0 <= mark.start < mark.end <= len(text.text)]
    bounds = sorted({0, len(text.text), *(at for mark in marks for at in (mark.start, mark.end))})
    for start, end in pairwise(bounds):
        here = [mark for mark in marks if mark.start <= start and end <= mark.end]
        to = next((mark.to for mark in here if mark.style is Style.LINK and mark.to.startswith(SCHEMES)), "")
        yield Run(text.text[start:end], frozenset(mark.style for mark in here), to)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of one style of `BLOCKS`, None for lines of text. `gap`: empty lines stood before it."""

    style: Style | None
    text: RichText
    gap: bool = False


def paragraphs(text: RichText) -> Iterator[Paragraph]:
    """`text` in stretches of whole-line styles and of text between them, without the line breaks that part
    them."""
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
    """Where lines of `BLOCKS` stand and the text around them; no block stands in another."""
    at = 0
    for mark in sorted(text.marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.style in BLOCKS and mark.start >= at:
            yield None, at, mark.start
            yield mark.style, mark.start, mark.end
            at = mark.end
    yield None, at, len(text.text)


def cells(text: RichText) -> list[list[RichText]]:
    """The cells of a table, by row."""
    found = []
    for row in text.marks:
        if row.style is Style.ROW:
            line = text.part(row.start, row.end)
            found.append([line.part(mark.start, mark.end) for mark in line.marks if mark.style is Style.CELL])
    return found
