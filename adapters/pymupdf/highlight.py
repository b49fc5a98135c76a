"""The one-page PDF of a citation: the page alone, its words marked. Runs in the worker.

Steps: copy the page into a new file with what annotations and form fields show on it as part of the page,
strip it, read the words under the marks back, mark, save, check that nothing of the rest of the document came
along. Where it did, or where asked, the page becomes a picture.
"""

import contextlib
import io
import re
import textwrap
from collections.abc import Iterator, Sequence, Set
from itertools import zip_longest
from typing import Any, NamedTuple

import pymupdf
from pymupdf import mupdf

from adapters.pymupdf import leaks, reading, sight
from adapters.pymupdf.characters import typed_on
from adapters.pymupdf.content import mend
from adapters.pymupdf.protocol import Unsure, rounded
from adapters.pymupdf.rectangles import corners, page_of, upright
from core.domain.pages import Doubt, PageReading, TextSource, Word
from core.evidence.skeleton import skeleton

Box = tuple[float, ...]
MAX_BYTES = 500_000
"""Above this, pictures in the page are made smaller."""
IMAGE_DPI, IMAGE_QUALITY = 110, 60
RASTER_DPI, RASTER_QUALITY = 150, 75
FIELD_DPI = 200
MAX_RASTER_PIXELS = 20_000_000
JPEG_QUALITIES = (85, 70, 50, 30)
PREVIEW_PIXELS = 1200
"""Longest side of a preview."""
_COLOUR = (1.0, 0.87, 0.2)
_DARKER = (1.0, 0.82, 0.5)
"""Over the other one: highlights darken what lies below them."""
_WARNING = (1.0, 0.62, 0.55)
_UNENCRYPTED = 1
SAVE = {"garbage": 4, "deflate": True, "use_objstms": 1, "no_new_id": True, "encryption": _UNENCRYPTED}


class Marks(NamedTuple):
    """What is highlighted, in boxes of the unrotated crop box; `darker` are the parts that stand out."""

    boxes: Sequence[Box] = ()
    darker: Sequence[Box] = ()


NO_MARKS = Marks()


class Made(NamedTuple):
    """A one-page PDF; the fields of `core.domain.pages.HighlightedPage`, and the marked words' boxes with the
    letters in them that nothing vouches for."""

    pdf: bytes
    marked: bool
    checked: bool
    rasterised: bool
    doubt: Doubt | None = None
    unsure: Sequence[Unsure] = ()
    said: Sequence[str] = ()
    words: Sequence[Box] = ()


class Proof(NamedTuple):
    """Whether the words under the marks may be marked, and the result of checking them. `words` are their
    boxes."""

    checked: bool
    look: sight.Look = sight.Look()
    words: Sequence[Box] = ()

    def made(self, pdf: bytes, *, rasterised: bool) -> Made:
        """The resulting page."""
        return Made(pdf, self.checked, self.checked, rasterised, *self.look, self.words)


def one_page(
    document: Any,
    number: int,
    marks: Marks,
    expected: Sequence[str],
    *,
    raster: bool,
    seen: Set[Box] = frozenset(),
) -> Made:
    """1-based page `number` alone, `marks` highlighted if the words under them are `expected` and can be
    seen; at the places of `seen` (`rounded`), that is known. Raises PdfError: no_such_page."""
    page_of(document, number)
    mend(document, number)
    if not raster and not any(not layer["on"] for layer in document.get_ocgs().values()):
        with contextlib.suppress(*reading.FAILURES):  # of a damaged file; a picture may still be possible
            made = _vector_page(document, number, marks, expected, seen)
            if made is not None:
                return made
    proof = _proven(document, number, marks.boxes, expected, seen)
    return proof.made(
        raster_page(document[number - 1], marks if proof.checked else NO_MARKS), rasterised=True
    )


def _vector_page(
    document: Any, number: int, marks: Marks, expected: Sequence[str], seen: Set[Box]
) -> Made | None:
    """The page itself, with its marks, or None if other content would come along."""
    single = _copy(document, number)
    read = reading.read_page(single, 1)
    if read.hidden_characters:
        return None
    proof = _proven(single, 1, marks.boxes, expected, seen, read)
    pdf = _vector(single, marks if proof.checked else NO_MARKS, read.page.text)
    return None if pdf is None else proof.made(pdf, rasterised=False)


def _proven(
    document: Any,
    number: int,
    marks: Sequence[Box],
    expected: Sequence[str],
    seen: Set[Box],
    read: PageReading | None = None,
) -> Proof:
    """Whether the words under `marks` are `expected` and can be seen, and why they cannot."""
    read = read or reading.read_page(document, number)
    found = _under(read, marks)
    if not _says(found, expected):
        return Proof(False)
    words = [corners(word.box) for word in found]
    if {rounded(word) for word in words} <= seen:
        return Proof(True)
    look = sight.look_on(document, number, words, scan=read.page.text_source is TextSource.OCR)
    return Proof(look.doubt is None or not look.doubt.refuses, look, words)


def picture(document: Any, most_bytes: int | None = None) -> bytes:
    """PNG of the first page with its highlights, longest side `PREVIEW_PIXELS` at most; JPEG where it would
    have more than `most_bytes`, of the first quality with no more, else of the lowest."""
    page = document[0]
    scale = min(PREVIEW_PIXELS / max(page.rect.width, page.rect.height, 1.0), 4.0)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)
    made = bytes(pixmap.tobytes("png"))
    for quality in JPEG_QUALITIES:
        if most_bytes is None or len(made) <= most_bytes:
            break
        made = bytes(pixmap.tobytes("jpeg", jpg_quality=quality))
    return made


def _copy(document: Any, number: int) -> Any:
    """A new document of that page only, without what does not draw it."""
    single: Any = pymupdf.open()
    shown = bool(document[number - 1].first_annot or document[number - 1].first_widget)
    single.insert_pdf(
        document, from_page=number - 1, to_page=number - 1, links=False, annots=shown, widgets=shown
    )
    if shown:
        _flatten(single)
    leaks.strip(single)
    single.typed = {0: typed_on(document, number)}
    return single


def _flatten(single: Any) -> None:
    """Make what annotations and form fields of the only page show a part of its content: strokes and marks as
    they are drawn, what holds text as a picture, so that nothing comes along but what is seen."""
    page = single[0]
    rotation = page.rotation
    page.set_rotation(0)
    pictures = []
    for widget in list(page.widgets()):
        pictures.append((widget.rect, _pictured(widget._annot)))
        page.delete_widget(widget)
    for annotation in list(page.annots()):
        if annotation.type[0] == mupdf.PDF_ANNOT_TEXT:  # an icon that opens a note
            page.delete_annot(annotation)
        elif annotation.get_text().strip():
            pictures.append((annotation.rect, _pictured(annotation)))
            page.delete_annot(annotation)
    single.bake()
    page = single[0]
    for rect, pixmap in pictures:
        if pixmap.width and pixmap.height:
            page.insert_image(rect, pixmap=pixmap, keep_proportion=False)
    page.set_rotation(rotation)


def _pictured(annotation: Any) -> Any:
    """What an annotation or form field shows, on nothing. PyMuPDF's own way simulates printing inks."""
    scale = FIELD_DPI / 72
    matrix = mupdf.FzMatrix(scale, 0, 0, scale, 0, 0)
    inks = mupdf.FzSeparations()
    return pymupdf.Pixmap(
        "raw", mupdf.pdf_new_pixmap_from_annot(annotation.this, matrix, mupdf.fz_device_rgb(), inks, 1)
    )


def _under(read: PageReading, marks: Sequence[Box]) -> list[Word]:
    return [word for word in read.page.words if any(_covers(mark, corners(word.box)) for mark in marks)]


def _says(found: Sequence[Word], expected: Sequence[str]) -> bool:
    """Whether the words `found` under the marks are the expected ones."""
    wanted = _bare(expected)
    return bool(wanted) and wanted == _bare([word.text for word in found])


def _bare(texts: Sequence[str]) -> str:
    """The skeleton, or where there are no letters at all, the characters themselves."""
    return "".join(map(skeleton, texts)) or "".join("".join(texts).split())


def _covers(mark: Box, box: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return mark[0] <= x <= mark[2] and mark[1] <= y <= mark[3]


def _vector(single: Any, marks: Marks, text: str) -> bytes | None:
    """The bytes of the page with its marks, or None where something that is not on it would come along."""
    for boxes, colour in zip(marks, (_COLOUR, _DARKER), strict=True):
        _mark(single[0], [_quad(box, single[0].rotation) for box in boxes], colour)
    pdf = bytes(single.tobytes(**SAVE))
    if len(pdf) > MAX_BYTES:
        single.rewrite_images(dpi_threshold=IMAGE_DPI + 10, dpi_target=IMAGE_DPI, quality=IMAGE_QUALITY)
        pdf = bytes(single.tobytes(**SAVE))
    if len(pdf) > MAX_BYTES:
        return None
    return None if leaks.found(pdf, text) else pdf


def _quad(mark: Box, rotation: int) -> Any:
    """A mark with its corners in the order of the text as shown: upper left, upper right, lower left, lower
    right. Viewers round the ends of a highlight by it, and swell it into a blob where it is another: on a
    page turned by a quarter, lines that read upright stand on end in the unrotated page."""
    x0, y0, x1, y1 = mark
    if rotation == 90 and y1 - y0 > x1 - x0:
        return pymupdf.Quad((x0, y1), (x0, y0), (x1, y1), (x1, y0))
    if rotation == 270 and y1 - y0 > x1 - x0:
        return pymupdf.Quad((x1, y0), (x1, y1), (x0, y0), (x0, y1))
    return pymupdf.Rect(mark).quad


def _mark(
    page: Any, quads: list[Any], colour: tuple[float, float, float], *, title: str = "", content: str = ""
) -> None:
    """One highlight annotation over all quads, if there are any (ISO 32000-1, 12.5.6.10)."""
    if not quads:
        return
    with upright(page):
        annotation = page.add_highlight_annot(quads)
        annotation.set_colors(stroke=colour)
        annotation.set_info(title=title, content=content, creationDate="", modDate="", subject="")
        annotation.update()


def with_notes(document: Any, notes: Sequence[tuple[int, Sequence[Box], str, bool]]) -> bytes:
    """The document with highlights that tell a text; those of what is wrong in another colour."""
    for number, boxes, text, warns in notes:
        page = page_of(document, number)
        quads = [_quad(box, page.rotation) for box in boxes]
        _mark(page, quads, _WARNING if warns else _COLOUR, title="Fundstelle", content=text)
    return bytes(document.tobytes(garbage=3, deflate=True, no_new_id=True, encryption=_UNENCRYPTED))


def raster_page(page: Any, marks: Marks = NO_MARKS) -> bytes:
    """A picture of the page in a new file, upright as shown, with the marks as our own highlight."""
    to_shown = page.rotation_matrix
    shown = page.rect
    pixels = shown.width * shown.height * (RASTER_DPI / 72) ** 2
    scale = RASTER_DPI / 72 * min(1.0, (MAX_RASTER_PIXELS / max(pixels, 1.0)) ** 0.5)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)
    fresh = pymupdf.open()
    target = fresh.new_page(width=shown.width, height=shown.height)
    target.insert_image(target.rect, stream=pixmap.tobytes("jpeg", jpg_quality=RASTER_QUALITY))
    for boxes, colour in zip(marks, (_COLOUR, _DARKER), strict=True):
        _mark(target, [pymupdf.Rect(box).quad * to_shown for box in boxes], colour)
    fresh.del_xml_metadata()
    fresh.set_metadata({})
    return bytes(fresh.tobytes(**SAVE))


# PDFs that we typeset ourselves: a table, and two pages beside each other. Runs in the worker.


MAX_PAGES = 100
_MARGIN = 40.0
_PIECE = 1200
"""Maximum characters of a cell: MuPDF does not split a row between pages; a longer cell continues in the next
row."""
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
# The pages are what `one_page` made: nothing of the rest of their document is in them, and
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
    pdf = bytes(sheet.tobytes(**SAVE))
    return pdf if leaks.found(pdf, " ".join(said)) is None else raster_page(target)


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
