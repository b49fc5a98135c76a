"""Painting: sheets, covers and contents become pages of a PDF."""

from itertools import groupby

import pymupdf

from examples.covers import MOTIFS
from examples.design import GREY, WHITE, Design
from examples.lines import NOTE_SCALE, Colour, Glyphs, Letter, centred, font, shaped, width
from examples.rows import Row, leader
from examples.sheets import Placed, Sheet

_Spot = tuple[float, float, Glyphs]


class Painter:
    """Adds pages to one PDF."""

    def __init__(self, pdf: pymupdf.Document, design: Design, front: dict[str, str]) -> None:
        self._pdf = pdf
        self._design = design
        self._front = front

    def cover(self) -> None:
        """A coloured page with the motif, title, subtitle and date line."""
        page, design = self._page(), self._design
        w, h = design.page
        _fill(page, (0, 0, w, h), design.accent)
        MOTIFS[design.motif](page, design.tint)
        left, size = design.margins[0], design.body.size
        y = h * 0.17
        for text, scale, face in _cover_lines(self._front):
            letter = Letter("sans", size * scale, WHITE)
            for line in _broken(text, letter, w - 2 * left, face):
                y += letter.size * 1.18
                _write(page, [(left, y, Glyphs(0, line, face, letter))])
            y += size * 0.9

    def contents(self, chapters: list[tuple[str, str]]) -> None:
        """The table of contents: titles and printed page numbers; below it the imprint."""
        page, design = self._page(), self._design
        left, top, _, bottom = design.margins
        measure = design.page[0] - left - design.margins[2]
        _write(page, [(left, top + 24, Glyphs(0, self._front["contents"], "bold", design.head(2.0)))])
        y = top + 60.0
        for title, label in chapters:
            row = leader(title, label, design.body, measure)
            _paint(page, [Placed(x=left, y=y, row=row)], design)
            y += row.height
        small = Letter(design.body.family, design.body.size * 0.82, GREY)
        lines = _broken(self._front["imprint"], small, measure, "roman")
        y = design.page[1] - bottom - small.size * 1.35 * (len(lines) - 1)
        for line in lines:
            _write(page, [(left, y, Glyphs(0, line, "roman", small))])
            y += small.size * 1.35

    def sheet(self, sheet: Sheet, label: str, number: int) -> None:
        """One page of text with its running header and page number; `number` is that of its chapter."""
        w, h = self._design.page
        page = self._page(landscape=sheet.landscape)
        if sheet.opens:
            self._opening(page, sheet.starts[0], number)
        else:
            self._header(page, label)
        if not self._design.programme and page.number == 0:
            self._masthead(page)
        _paint(page, sheet.placed, self._design)
        for x, y in sheet.rules:
            _fill(page, (x, y, x + 70, y + 0.5), GREY)
        letter = Letter(self._design.body.family, self._design.body.size * 0.9, GREY)
        width_here, height_here = (h, w) if sheet.landscape else (w, h)
        x = (width_here - width(label, letter)) / 2
        _write(page, [(x, height_here - self._design.margins[3] * 0.5, Glyphs(0, label, "roman", letter))])
        if sheet.landscape:
            _turn(self._pdf, page, w, h)

    def _page(self, *, landscape: bool = False) -> pymupdf.Page:
        w, h = self._design.page
        return self._pdf.new_page(width=h if landscape else w, height=w if landscape else h)

    def _masthead(self, page: pymupdf.Page) -> None:
        """The title block of a statute, on the first page."""
        design = self._design
        left, top, right, _ = design.margins
        measure = design.page[0] - left - right
        y = top - 8.0
        for text, scale, face in _masthead_lines(self._front):
            letter = design.head(scale)
            for line in _broken(text, letter, measure, face):
                glyphs = centred(line, letter, measure, face).glyphs
                _write(page, [(left + glyph.x, y, glyph) for glyph in glyphs])
                y += letter.size * 1.25
            y += design.body.size * 0.7
            if scale == _MASTHEAD:
                _fill(page, (left, y - 10, left + measure, y - 9), design.accent)
                y += design.body.size * 1.4

    def _opening(self, page: pymupdf.Page, title: str, number: int) -> None:
        design = self._design
        left, top, right, _ = design.margins
        height = top + design.body.size * 5.6
        _fill(page, (0, 0, design.page[0], height), design.tint)
        _fill(page, (0, height, design.page[0], height + 2.5), design.accent)
        letter = design.head(2.0)
        lines = _broken(title, letter, design.page[0] - left - right - 46, "bold")
        y = height - 14 - letter.size * 1.15 * (len(lines) - 1)
        large = Letter(design.body.family, design.body.size * 3.4, design.accent)
        _write(page, [(left, height - 14, Glyphs(0, str(number), "bold", large))])
        for line in lines:
            _write(page, [(left + 46, y, Glyphs(0, line, "bold", letter))])
            y += letter.size * 1.15

    def _header(self, page: pymupdf.Page, label: str) -> None:
        design = self._design
        left, top, right, _ = design.margins
        end = page.rect.width - right
        letter = Letter(design.body.family, design.body.size * 0.85, GREY)
        even = label.isdecimal() and int(label) % 2 == 0
        text = self._front["running"]
        x = left if even else end - width(text, letter, "italic")
        _write(page, [(x, top * 0.52, Glyphs(0, text, "italic", letter))])
        _fill(page, (left, top * 0.52 + 5, end, top * 0.52 + 5.5), GREY)


_MASTHEAD = 1.25


def _masthead_lines(front: dict[str, str]) -> list[tuple[str, float, str]]:
    return [
        (front["gazette"], _MASTHEAD, "bold"),
        (front["title"], 1.7, "bold"),
        (front["reference"], 1.0, "roman"),
        (front["subtitle"], 1.0, "italic"),
    ]


def _cover_lines(front: dict[str, str]) -> list[tuple[str, float, str]]:
    return [(front["party"], 1.4, "bold"), (front["title"], 3.3, "bold"), (front["subtitle"], 1.35, "roman")]


def _broken(text: str, letter: Letter, measure: float, face: str) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if width(longer, letter, face) > measure:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _paint(page: pymupdf.Page, rows: list[Placed], design: Design) -> None:
    for placed in rows:
        _panels(page, placed.row, placed.x, placed.y)
    _write(page, [spot for placed in rows for spot in _spots(placed, design)])


def _spots(placed: Placed, design: Design) -> list[_Spot]:
    spots: list[_Spot] = []
    if placed.number is not None:
        letter = Letter(design.body.family, design.body.size * 0.75, GREY)
        number = Glyphs(0, str(placed.number), "roman", letter)
        spots.append((placed.x - 26, placed.y + placed.row.lines[0].y, number))
    for line in placed.row.lines:
        x, y = placed.x + line.x, placed.y + line.y
        spots += [(x + glyphs.x, y - glyphs.rise, glyphs) for glyphs in line.line.glyphs]
    return spots


def _panels(page: pymupdf.Page, row: Row, x: float, y: float) -> None:
    for panel in row.panels:
        x0, y0, x1, y1 = panel.area
        _fill(page, (x + x0, y + y0, x + x1, y + y1), panel.fill)


def _write(page: pymupdf.Page, spots: list[_Spot]) -> None:
    """Write in the order given; one text writer for each run of one colour."""
    for colour, run in groupby(spots, key=lambda spot: spot[2].letter.colour):
        writer = pymupdf.TextWriter(page.rect)
        for x, y, glyphs in run:
            size = glyphs.letter.size * (NOTE_SCALE if glyphs.face == "note" else 1.0)
            writer.append((x, y), shaped(glyphs), font(glyphs.letter.family, glyphs.face), size)
        writer.write_text(page, color=colour)


def _fill(page: pymupdf.Page, area: tuple[float, float, float, float], colour: Colour) -> None:
    page.draw_rect(pymupdf.Rect(area), color=None, fill=colour, width=0)


def _turn(pdf: pymupdf.Document, page: pymupdf.Page, w: float, h: float) -> None:
    """Make a page that is painted upright in landscape a portrait page with /Rotate 90."""
    page.clean_contents()
    (xref,) = page.get_contents()
    pdf.update_stream(xref, b"q 0 1 -1 0 %g 0 cm\n" % w + pdf.xref_stream(xref) + b"\nQ\n")
    page.set_mediabox(pymupdf.Rect(0, 0, w, h))
    page.set_rotation(90)
