"""Rows: blocks of a text, set to the width of a column and ready to be put on pages."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from examples.design import WHITE, Design
from examples.lines import Colour, Glyphs, Letter, Line, centred, set_lines, width
from examples.markup import Block, bars, cells, words


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """A line with its base line at (x, y) from the row's top left."""

    x: float
    y: float
    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A filled rectangle: x0, y0, x1, y1 from the row's top left."""

    area: tuple[float, float, float, float]
    fill: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What must not be split: lines and panels, `height` points high, `gap` points below what stands
    above (none at the top of a column). `keep`: on one page with the next row; `title`: a chapter
    begins here; `prose`: has a line number where the design numbers lines."""

    height: float
    lines: tuple[Set, ...] = ()
    panels: tuple[Panel, ...] = ()
    gap: float = 0.0
    keep: bool = False
    title: str = ""
    prose: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """Footnotes referred to in this row."""
        return tuple(note for placed in self.lines for note in placed.line.notes)


def rows(blocks: Iterable[Block], design: Design, measure: float) -> list[Row]:
    """Set `blocks` to lines of `measure` points."""
    return [row for block in blocks for row in _SETTERS[block.kind](block.text, design, measure)]


def note_rows(number: str, text: str, design: Design, measure: float) -> list[Row]:
    """A footnote, set small."""
    letter = Letter(design.body.family, design.body.size * 0.8, design.body.colour, design.body.ligatures)
    lines = set_lines(words(f"[^{number}] {text}"), letter, measure)
    plain = [replace(line, notes=()) for line in lines]
    return _stack(plain, letter.size * 1.25, 0.0, keep=False)


def _stack(lines: list[Line], height: float, gap: float, *, keep: bool, indent: float = 0.0) -> list[Row]:
    last = len(lines) - 1
    return [
        Row(
            height=height,
            lines=(Set(x=indent, y=height * 0.76, line=line),),
            gap=0.0 if number else gap,
            keep=keep or (last > 0 and number in (0, last - 1)),
        )
        for number, line in enumerate(lines)
    ]


def _paragraph(text: str, design: Design, measure: float) -> list[Row]:
    indent = 38.0 if not design.programme and text[:3] in _LETTERED else 0.0
    lines = set_lines(words(text), design.body, measure - indent)
    gap = design.line_height * (0.5 if design.programme else 0.35)
    stacked = _stack(lines, design.line_height, gap, keep=False, indent=indent)
    return [replace(row, prose=True) for row in stacked]


_LETTERED = {f"({letter})" for letter in "abcdefghij"}


def _bullet(text: str, design: Design, measure: float) -> list[Row]:
    lines = set_lines(words(text), design.body, measure - 14)
    dot = centred("•", Letter(design.body.family, design.body.size, design.accent), 8)
    first, *others = _stack(lines, design.line_height, design.line_height * 0.3, keep=False, indent=14)
    marked = replace(first, lines=(Set(x=0, y=first.lines[0].y, line=dot), *first.lines))
    return [replace(row, prose=True) for row in (marked, *others)]


def _heading(text: str, design: Design, measure: float) -> list[Row]:
    letter = design.head(1.18 if design.programme else 1.0)
    lines = set_lines(words(text, "bold"), letter, measure, justified=False)
    return _stack(lines, letter.size * 1.3, design.line_height * 1.05, keep=True)


def _chapter(text: str, design: Design, measure: float) -> list[Row]:
    if design.programme:
        letter = design.head(1.75)
        lines = set_lines(words(text, "bold"), letter, measure, justified=False)
    else:
        letter = design.head(1.1)
        lines = [centred(line.strip(), letter, measure, "bold") for line in text.split("—")]
    first, *others = _stack(lines, letter.size * 1.3, design.line_height * 1.7, keep=True)
    return [replace(first, title=text), *others]


def _panel(text: str, design: Design, measure: float) -> list[Row]:
    letter = Letter(design.body.family, design.body.size * 1.1, WHITE)
    lines = set_lines(words(text, "bold"), letter, measure - 28, justified=False)
    step, pad = letter.size * 1.38, 12.0
    height = len(lines) * step + 2 * pad
    placed = tuple(Set(x=14, y=pad + step * (n + 0.76), line=line) for n, line in enumerate(lines))
    box = Panel(area=(0, 0, measure, height), fill=design.accent)
    return [Row(height=height, lines=placed, panels=(box,), gap=design.line_height)]


def _table(text: str, design: Design, measure: float) -> list[Row]:
    head, *body = cells(text)
    shares = _shares([head, *body])
    edges = [measure * sum(shares[:column]) for column in range(len(shares) + 1)]
    result = [_table_row(head, edges, design, gap=design.line_height, fill=design.accent)]
    for number, row in enumerate(body):
        result.append(_table_row(row, edges, design, fill=design.tint if number % 2 else WHITE))
    return [replace(row, keep=True) for row in result[:-1]] + [result[-1]]


def _shares(table: list[list[str]]) -> list[float]:
    longest = [min(46, max(12, *(len(cell) for cell in column))) for column in zip(*table, strict=True)]
    return [length / sum(longest) for length in longest]


def _table_row(row: list[str], edges: list[float], design: Design, *, fill: Colour, gap: float = 0.0) -> Row:
    heading = fill == design.accent
    letter = Letter(design.body.family, design.body.size * 0.92, WHITE if heading else design.body.colour)
    face = "bold" if heading else "roman"
    placed, tallest, step = [], 1, letter.size * 1.3
    for cell, (left, right) in zip(row, pairwise(edges), strict=True):
        lines = set_lines(words(cell, face), letter, right - left - 10, justified=False)
        tallest = max(tallest, len(lines))
        placed += [Set(x=left + 5, y=4 + step * (n + 0.76), line=line) for n, line in enumerate(lines)]
    height = tallest * step + 8
    panels = [Panel(area=(0, 0, edges[-1], height), fill=fill)]
    panels += [Panel(area=(edge, 0, edge + 0.5, height), fill=design.accent) for edge in edges]
    panels.append(Panel(area=(0, height - 0.5, edges[-1] + 0.5, height), fill=design.accent))
    return Row(height=height, lines=tuple(placed), panels=tuple(panels), gap=gap)


def _figure(text: str, design: Design, measure: float) -> list[Row]:
    """A chart: bars on a line, their heights above and their names below, then the caption."""
    drawn, caption = bars(text)
    small = Letter(design.body.family, design.body.size * 0.8, design.body.colour)
    step, floor, inset = small.size * 1.4, _CHART, 6.0
    share, highest = (measure - 2 * inset) / len(drawn), max(value for _, value in drawn)
    placed: list[Set] = []
    panels = [Panel(area=(0, 0, measure, floor + step + inset), fill=design.tint)]
    for number, (name, value) in enumerate(drawn):
        left = inset + share * number
        top = floor - (floor - step - inset) * value / highest
        panels.append(Panel(area=(left + share * 0.2, top, left + share * 0.8, floor), fill=design.accent))
        placed.append(Set(x=left, y=top - 3, line=centred(f"{value:g}", small, share)))
        placed.append(Set(x=left, y=floor + small.size * 1.1, line=centred(name, small, share)))
    panels.append(Panel(area=(inset, floor, measure - inset, floor + 0.8), fill=design.accent))
    letter = Letter(design.body.family, design.body.size * 0.9, design.body.colour)
    lines = set_lines(words(caption), letter, measure, justified=False)
    under, height = floor + step + inset + 6, letter.size * 1.3
    placed += [Set(x=0, y=under + height * (n + 0.76), line=line) for n, line in enumerate(lines)]
    whole = under + height * len(lines)
    return [Row(height=whole, lines=tuple(placed), panels=tuple(panels), gap=design.line_height)]


_CHART = 92.0
"""Height of a chart above its base line."""


def leader(title: str, label: str, letter: Letter, measure: float) -> Row:
    """A line of a table of contents: title, dots, page label."""
    right = measure - width(label, letter)
    left = width(title, letter) + 6
    dots = "." * int((right - left - 6) / width(".", letter))
    glyphs = (
        Glyphs(0, title, "roman", letter),
        Glyphs(right - 6 - width(dots, letter), dots, "roman", letter),
        Glyphs(right, label, "roman", letter),
    )
    return Row(height=letter.size * 1.9, lines=(Set(x=0, y=letter.size * 1.3, line=Line(glyphs)),))


_SETTERS = {
    "paragraph": _paragraph,
    "bullet": _bullet,
    "heading": _heading,
    "chapter": _chapter,
    "panel": _panel,
    "table": _table,
    "figure": _figure,
}
