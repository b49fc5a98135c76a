"""From the text of other formats to HTML. Runs in the child.

Tables of numbers (XLSX, CSV) become one paragraph a row, each cell with its column's heading: a row stands
for itself where it is searched, quoted and marked.
"""

import codecs
import csv
import functools
import io
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree as Xml

import mammoth
import openpyxl
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.worksheet import _read_only as sheets
from openpyxl.worksheet._reader import WorkSheetParser

from adapters.conversion import open_document
from adapters.conversion.formats import ConversionError, codec_of
from adapters.conversion.markup import QUOTATION_STYLES, rebuilt, shown, superscript
from adapters.conversion.word import as_shown

MAX_TEXT = 20 << 20
"""Characters of a text file."""
MAX_CELLS = 500_000
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_STATED = re.compile(
    rb"<meta[\s/][^>]*?charset\s*=\s*[\"']?\s*([^\s\"'/>;]{2,40})"
    rb"|<\?xml[^>]*?encoding\s*=\s*[\"']\s*([^\s\"'>]{2,40})",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(
    r"^(?:#{1,6} \S|\s*[-*+] \S|\s*\d+\. \S|>\s|```|\|.*\|\s*$)|\*\*\S[^*]*\*\*|\[[^\]]+\]\([^)]+\)",
    re.MULTILINE,
)
_FRONT_MATTER = re.compile(
    r"\A(---|\+\+\+)[ \t]*\n(?=\s*[\w#])"
    r"(?:(?>[\w.-]+[ \t]*[:=](?:[ \t].*)?|[ \t].*|-[ \t].*|[#\]}\[].*|)\n)++(?:\1|\.\.\.)[ \t]*(?:\n|\Z)"
)
"""What a Markdown file says of itself, in YAML or TOML."""
_NOTE = re.compile(
    r"^(?P<fence>```|~~~)[\s\S]*?^(?P=fence)"
    r"|^ {0,3}\[\^(?P<label>[^\]\s]+)\]:[ \t]*"
    r"(?P<note>.*(?:\n(?![ \t]*$| {0,3}(?:\[\^|[#>`~])).+)*(?:\n(?:[ \t]*\n)*(?: {4}|\t).*)*)\n?",
    re.MULTILINE,
)
_NOTE_MARK = re.compile(r"\[\^([^\]\s]+)\]")
sheets.WorkSheetParser = functools.partial(WorkSheetParser, rich_text=True)
"""Where openpyxl only reads, it passes `rich_text` on for shared strings, not for a cell's own."""
_NO_PICTURES = mammoth.images.img_element(lambda _: {})
_QUOTATIONS = "\n".join(
    f"p{chosen} => blockquote > p:fresh"
    for name in QUOTATION_STYLES
    for chosen in (f"[style-name='{name}']", f".{''.join(name.split())}")
)
_DELIMITERS = ",;\t|"

Page = tuple[str, str]
"""HTML and title."""

_TAG = re.compile(r"</?[A-Za-z]")


def decoded(data: bytes) -> str:
    """Text in UTF-8 or UTF-16 (by its mark), else in Windows-1252, which reads every Western file."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def kind_of_text(text: str, ending: str) -> str:
    """Which kind of text this is; the ending of the name only decides between kinds of plain text."""
    by_name = {".md": "markdown", ".markdown": "markdown", ".csv": "csv", ".tsv": "csv", ".txt": "text"}
    by_name |= dict.fromkeys((".html", ".htm", ".xhtml"), "html")
    if ending in by_name:
        return by_name[ending]
    if ending and ending != ".text":
        raise ConversionError("file.unsupported", f"a text file that ends in {ending} is no document")
    head = text[:20_000]
    if len(_MARKDOWN.findall(head)) >= 2:
        return "markdown"
    return "csv" if _delimiter(head) else "text"


def _delimiter(text: str, least: int = 3) -> str | None:
    """The character that parts the cells, if every one of the first lines, `least` or more, has it equally
    often."""
    lines = [line for line in itertools.islice(io.StringIO(text, newline=None), 20) if line.strip()]
    for delimiter in _DELIMITERS:
        counts = {len(row) for row in csv.reader(lines, delimiter=delimiter)}
        if len(lines) >= least and len(counts) == 1 and counts.pop() > 1:
            return delimiter
    return None


def read_text(data: bytes) -> Page:
    """Paragraphs between empty lines; lines stay lines."""
    blocks = re.split(r"\n\s*\n", _limited(decoded(data)).replace("\r\n", "\n").replace("\r", "\n"))
    lines = ("<br/>".join(shown(line) for line in block.strip("\n").split("\n")) for block in blocks)
    return "".join(f"<p>{block}</p>" for block in lines if block.strip()), ""


def read_markdown(data: bytes) -> Page:
    """CommonMark with tables, struck text and footnotes as on GitHub; HTML in it is read as HTML."""
    text = _limited(decoded(data)).replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    html = _with_notes(_FRONT_MATTER.sub("", text))
    body, _ = rebuilt(html)
    return body, _first_heading(html)


def _with_notes(text: str) -> str:
    """Markdown as HTML, with the footnotes that it refers to numbered at its end."""
    notes: dict[str, str] = {}
    cited: list[str] = []

    def taken(found: re.Match[str]) -> str:
        if found["label"] is None:
            return found[0]
        notes.setdefault(found["label"].casefold(), re.sub(r"^(?: {4}|\t)", "", found["note"], flags=re.M))
        return ""

    def mark(state: StateInline, silent: bool) -> bool:
        found = _NOTE_MARK.match(state.src, state.pos)
        label = found[1].casefold() if found else ""
        if found is None or label not in notes:
            return False
        if not silent:
            if label not in cited:
                cited.append(label)
            state.push("html_inline", "", 0).content = f"<sup>{cited.index(label) + 1}</sup>"
        state.pos = found.end()
        return True

    reader = MarkdownIt("commonmark", {"strikethrough_single_tilde": True})
    reader.enable(["table", "strikethrough"]).inline.ruler.before("link", "note", mark)
    env: dict[str, object] = {}
    parts = [reader.render(_NOTE.sub(taken, text), env)]
    items = [f"<li>{reader.render(notes[label], env)}</li>" for label in cited]  # notes may cite more of them
    return "".join([*parts, "<ol>", *items, "</ol>"] if items else parts)


def read_html(data: bytes) -> Page:
    """What a browser would show of it."""
    html = _limited(_decoded_html(data))
    unclosed = _TAG.search(html, html.rfind(">") + 1)  # browsers leave it out; the parser tries at each "<"
    return rebuilt(html[: unclosed.start()] if unclosed else html)


def _read_docx(data: bytes) -> Page:
    """Text, lists, tables and notes of a Word file, without pictures and hidden text."""
    html = mammoth.convert_to_html(
        io.BytesIO(as_shown(data)), convert_image=_NO_PICTURES, style_map=_QUOTATIONS
    ).value
    body, _ = rebuilt(html)
    return body, _first_heading(html)


def _read_odt(data: bytes) -> Page:
    """Text, lists and tables of an OpenDocument text."""
    return open_document.read(data), ""


def read_csv(data: bytes) -> Page:
    """A row a paragraph."""
    text = _limited(decoded(data))
    csv.field_size_limit(MAX_TEXT)  # a cell may hold a whole text; the file's length is limited
    rows = csv.reader(io.StringIO(text, newline=None), delimiter=_delimiter(text, 2) or ",")
    return records(itertools.islice(rows, MAX_CELLS)), ""


def _read_xlsx(data: bytes) -> Page:
    """Visible sheets, each with its name as a heading."""
    book = openpyxl.load_workbook(
        io.BytesIO(data), read_only=True, data_only=True, keep_links=False, rich_text=True
    )
    parts = []
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible":
            rows = ([_cell(value) for value in row] for row in sheet.iter_rows(values_only=True))
            parts.append(f"<h2>{shown(sheet.title)}</h2>{records(rows)}")
    return "".join(parts), ""


def records(rows: Iterable[Sequence[str]]) -> str:
    """Rows as paragraphs: "Heading: cell; heading: cell". The first row with two or more cells heads."""
    filled = (list(row) for row in _within_limits(rows) if any(cell.strip() for cell in row))
    parts: list[str] = []
    for row in filled:
        if sum(bool(cell.strip()) for cell in row) > 1:
            parts += [f"<p>{shown(_record(row, cells))}</p>" for cells in filled]
            break
        parts.append(f"<p>{shown(' '.join(row).strip())}</p>")
    return "".join(parts)


def _record(headings: Sequence[str], cells: Sequence[str]) -> str:
    pairs = itertools.zip_longest(headings, cells, fillvalue="")
    named = [(" ".join(name.split()), " ".join(cell.split())) for name, cell in pairs]
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)


def _within_limits(rows: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
    cells = 0
    for row in rows:
        cells += max(1, len(row))
        if cells > MAX_CELLS:
            raise ConversionError(
                "file.too_large", f"the table has more than {MAX_CELLS} cells; send a part of it"
            )
        yield row


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, CellRichText):
        return "".join(superscript(str(run)) if _is_raised(run) else str(run) for run in value)
    if isinstance(value, float):  # as many digits as a spreadsheet keeps, and no power of ten
        return str(int(value)) if value.is_integer() else format(Decimal(f"{value:.15g}"), "f")
    return str(value).removesuffix(" 00:00:00")


def _is_raised(run: Any) -> bool:
    return isinstance(run, TextBlock) and run.font.vertAlign == "superscript"


def _limited(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise ConversionError("file.too_large", f"{len(text)} characters, {MAX_TEXT} are allowed")
    return text


def _decoded_html(data: bytes) -> str:
    """The text of a page, decoded by its mark, else as it says itself in its first 1024 bytes (HTML,
    13.2.3.2)."""
    if data.startswith(tuple(mark for mark, _ in _MARKS)):
        return decoded(data)
    stated = _STATED.search(_COMMENT.sub(b"", data[:1024]))
    codec = codec_of((stated[1] or stated[2]).decode("latin-1")) if stated else None
    return data.decode(codec, "replace") if codec else decoded(data)


def _first_heading(html: str) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", "", found[1]).split())[:300] if found else ""


READERS: dict[str, Callable[[bytes], Page]] = {
    "text": read_text,
    "markdown": read_markdown,
    "csv": read_csv,
    "html": read_html,
    "docx": _read_docx,
    "odt": _read_odt,
    "xlsx": _read_xlsx,
}
FAILURES = (ValueError, LookupError, TypeError, AttributeError, OSError, Xml.ParseError, csv.Error)
"""What the libraries raise for broken files."""
