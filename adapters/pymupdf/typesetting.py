"""PDFs that we typeset ourselves: a table, and two pages beside each other. Runs in the worker."""

import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import pymupdf

from adapters.pymupdf import highlight, leaks

MAX_PAGES = 100
_MARGIN = 40.0
_PIECE = 1200
"""Characters of a cell at most: MuPDF parts no row between pages; a longer cell goes on in the next row."""
_LONG_WORD = re.compile(r"\S{40}(?=\S)")
_BREAK = "\u200b"
_ESCAPED = {"&": "<span>&amp;</span>", "<": "&lt;", ">": "&gt;"}
_STYLE = """
body { font-family: sans-serif; font-size: 9pt; }
h1 { font-size: 13pt; margin: 0 0 8pt 0; }
table { width: 100%; border-collapse: collapse; }
th, td { border: 0.5pt solid #888; padding: 4pt; vertical-align: top; text-align: left; }
th { background-color: #eee; }
p { margin: 0 0 4pt 0; }
p.note { font-size: 8pt; color: #444; margin: 4pt 0 0 0; }
"""


def table_pdf(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str]
) -> bytes:
    """The PDF, A4, upright up to three columns, else across; a newline in a cell begins a paragraph."""
    size = pymupdf.paper_rect("a4" if len(columns) <= 3 else "a4-l")
    document = _placed(_html(title, columns, rows, notes), size)
    document.subset_fonts()
    document.set_metadata({"title": title})
    return bytes(document.tobytes(garbage=4, deflate=True, use_objstms=1, no_new_id=True))


def _html(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str]) -> str:
    head = "".join(f"<th>{shown(column)}</th>" for column in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{_paragraphs(cell)}</td>' for cell in part)}</tr>"
        for row in rows
        for part in zip_longest(*(_pieces(cell) for cell in row), fillvalue=())
    )
    under = "".join(f'<p class="note">{shown(line)}</p>' for note in notes for line in note.splitlines())
    return f"<h1>{shown(title)}</h1><table><tr>{head}</tr>{body}</table>{under}"


def shown(text: str) -> str:
    """HTML that shows `text` as it is. MuPDF reads references in running text twice, so an ampersand
    stands apart from what could make it one."""
    return "".join(_ESCAPED.get(character, character) for character in text)


def _pieces(cell: str) -> Iterator[tuple[str, ...]]:
    """The paragraphs of a cell in groups of at most `_PIECE` characters; at least one, maybe empty."""
    group: list[str] = []
    for line in cell.splitlines():
        for part in textwrap.wrap(_LONG_WORD.sub(lambda word: word[0] + _BREAK, line), _PIECE):
            if group and sum(map(len, group)) + len(part) > _PIECE:
                yield tuple(group)
                group = []
            group.append(part)
    yield tuple(group)


def _paragraphs(lines: Sequence[str]) -> str:
    return "".join(f"<p>{shown(line)}</p>" for line in lines)


def _placed(html: str, size: Any) -> Any:
    """The story on as many pages as it needs; what is behind `MAX_PAGES` is left out."""
    inside = size + (_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)  # noqa: RUF005 - moves the corners
    story = pymupdf.Story(html, user_css=_STYLE)
    buffer = io.BytesIO()
    writer = pymupdf.DocumentWriter(buffer)
    more = 1
    for _ in range(MAX_PAGES):
        device = writer.begin_page(size)
        more, _filled = story.place(inside)
        story.draw(device)
        writer.end_page()
        if not more:
            break
    writer.close()
    return pymupdf.open(stream=buffer.getvalue(), filetype="pdf")


# Two one-page PDFs beside each other on one sheet, for people who compare.
#
# The pages are what `highlight.one_page` made: nothing of the rest of their document is in them, and
# internal ones are pictures. Their marks become part of the page, since annotations do not travel with a
# placed page.

WIDTH, HEIGHT = 1190.55, 841.89
"""A3 across: two pages of A4 in almost their own size."""
_SHEET_MARGIN, _GAP = 24.0, 24.0
_HEADING = 40.0
"""Height of the line above a page."""
_CAPTION_STYLE = "* { font-family: sans-serif; font-size: 11pt; }"
_FRAME = (0.6, 0.6, 0.6)


def sheet_pdf(captions: Sequence[str], pages: Sequence[bytes | None]) -> bytes:
    """The sheet: a place for each page from left to right, its caption above, empty where there is none. A
    sheet that would carry more than is seen on it becomes a picture."""
    sheet = pymupdf.open()
    target = sheet.new_page(width=WIDTH, height=HEIGHT)
    width = (WIDTH - 2 * _SHEET_MARGIN - _GAP * (len(pages) - 1)) / len(pages)
    said = list(captions)
    for number, (caption, page) in enumerate(zip(captions, pages, strict=True)):
        left = _SHEET_MARGIN + number * (width + _GAP)
        target.insert_htmlbox(
            (left, _SHEET_MARGIN, left + width, _HEADING), shown(caption), css=_CAPTION_STYLE
        )
        place = pymupdf.Rect(left, _SHEET_MARGIN + _HEADING - 16, left + width, HEIGHT - _SHEET_MARGIN)
        if page is not None:
            said.append(_put(target, place, page))
        target.draw_rect(place, color=_FRAME, width=0.5)
    sheet.subset_fonts()
    leaks.strip(sheet)
    pdf = bytes(sheet.tobytes(**highlight.SAVE))
    return pdf if leaks.found(pdf, " ".join(said)) is None else highlight.raster_page(target)


def _put(target: Any, place: Any, pdf: bytes) -> str:
    """Put the page into its place, as large as it fits; returns its text."""
    single = pymupdf.open(stream=pdf, filetype="pdf")
    try:
        text = str(single[0].get_text())
        single.bake()
        target.show_pdf_page(place, single, 0)
        return text
    finally:
        single.close()
