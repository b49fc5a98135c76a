"""From the text of other formats to HTML. Runs in the child."""

import codecs
import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as Xml

import mammoth
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from adapters.conversion import open_document, sheets
from adapters.conversion.formats import ConversionError, codec_of
from adapters.conversion.markup import QUOTATION_STYLES, rebuilt, shown
from adapters.conversion.sheets import MAX_CELLS, Row, paragraphs
from adapters.conversion.word import as_shown

MAX_TEXT = 20 << 20
"""Maximum characters of a text file."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HTML = re.compile(
    r"\s*(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:h[1-6]|p|div|table|ul|ol|article|section|main)\b[^<>]*>", re.I
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
"""Metadata of a Markdown file, in YAML or TOML."""
_NOTE = re.compile(
    r"^(?P<fence>```|~~~)[\s\S]*?^(?P=fence)"
    r"|^ {0,3}\[\^(?P<label>[^\]\s]+)\]:[ \t]*"
    r"(?P<note>.*(?:\n(?![ \t]*$| {0,3}(?:\[\^|[#>`~])).+)*(?:\n(?:[ \t]*\n)*(?: {4}|\t).*)*)\n?",
    re.MULTILINE,
)
_NOTE_MARK = re.compile(r"\[\^([^\]\s]+)\]")
_STAR_IN_WORD = re.compile(r"[^\W\d_]\*[^\W\d_]")
_WORD_SO_FAR = re.compile(r"\S+\Z")
_STARRED_ON = re.compile(r"[^\W\d_]{1,40}\*(?![^\W\d_])")
_LONGEST_WORD = 60
_NO_PICTURES = mammoth.images.img_element(lambda _: {})
_QUOTATIONS = "\n".join(
    f"p{chosen} => blockquote > p:fresh"
    for name in QUOTATION_STYLES
    for chosen in (f"[style-name='{name}']", f".{''.join(name.split())}")
)
_CITED = re.compile(
    r'(?:<sup>)+<a href="#(?P<note>(?:foot|end)note-[^"]*)"[^>]*>\[(?P<number>[^\]<]*)\]</a>(?:</sup>)+'
)
_FIRST_NOTE = '<ol><li id="'
_NEXT_NOTE = re.compile(r'</li><li id="(?=(?:foot|end)note-)')
_LAST_NOTE = re.compile(r"</li></ol>$")
_BACK = re.compile(r'\s*<a href="#(?:foot|end)note-ref-[^"]*">[^<]*</a>')
_WORD_NOTE = re.compile(r'<li id="((?:foot|end)note-[^"]*)">(?:<p>)?\s*')
"""How mammoth writes the mark of a note in the text, and the list of notes with a way back at the end."""
_LEAST_ROWS = 3
_TEXT_WORDS = 2.5
"""Words of the average line of a column that is running text."""
_CELL_WORD = re.compile(r"[^\W\d_]{3}")
_DELIMITERS = ",;\t|"


class Page(NamedTuple):
    """A file as HTML, its title, and the number of formulas without a result."""

    html: str
    title: str = ""
    uncalculated: int = 0


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
    """The kind of text; the extension only decides between kinds of plain text."""
    by_name = {".md": "markdown", ".markdown": "markdown", ".csv": "csv", ".tsv": "csv", ".txt": "text"}
    by_name |= dict.fromkeys((".html", ".htm", ".xhtml"), "html")
    if ending in by_name:
        return by_name[ending]
    if _HTML.match(text):  # an HTML fragment, as exported by web site editors
        return "html"
    if ending and ending != ".text":
        raise ConversionError("file.unsupported", f"a text file that ends in {ending} is no document")
    head = text[:20_000]
    if len(_MARKDOWN.findall(head)) >= 2:
        return "markdown"
    return "csv" if _delimiter(head) else "text"


def _delimiter(text: str) -> str | None:
    """The character that parts the cells, if every one of the first lines, three or more, has it equally
    often."""
    lines = [line for line in itertools.islice(io.StringIO(text, newline=None), 20) if line.strip()]
    for delimiter in _DELIMITERS:
        counts = {len(row) for row in csv.reader(lines, delimiter=delimiter)}
        if len(lines) > 2 and len(counts) == 1 and counts.pop() > 1:
            return delimiter
    return None


def _usual_delimiter(text: str) -> str:
    """The character that most of the first lines have equally often: titles and notes have none, and amounts
    have commas."""
    lines = [*itertools.islice(io.StringIO(text, newline=None), 50)]
    best, most = ",", 0
    for delimiter in ";\t|,":
        counts = Counter(len(row) for row in csv.reader(lines, delimiter=delimiter))
        if (alike := max((times for n, times in counts.items() if n > 1), default=0)) > most:
            best, most = delimiter, alike
    return best


def read_text(data: bytes) -> Page:
    """Paragraphs between empty lines; lines stay lines."""
    blocks = re.split(r"\n\s*\n", _limited(decoded(data)).replace("\r\n", "\n").replace("\r", "\n"))
    return Page("".join(_block(block.strip("\n").split("\n")) for block in blocks if block.strip()))


def _block(lines: Sequence[str]) -> str:
    """A paragraph; columns typed with spaces are read one after the other, or are a table if their cells are
    short."""
    columns = _columns([line.expandtabs() for line in lines])
    if not columns:
        return f"<p>{'<br/>'.join(map(shown, lines))}</p>"
    words = (sum(len(cell.split()) for cell in column) / sum(map(bool, column)) for column in columns)
    if min(words) >= _TEXT_WORDS:
        return "".join(f"<p>{'<br/>'.join(map(shown, filter(None, column)))}</p>" for column in columns)
    rows = ("".join(f"<td>{shown(cell)}</td>" for cell in row) for row in zip(*columns, strict=True))
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _columns(lines: Sequence[str]) -> list[list[str]]:
    """The cells of columns that two or more spaces part in every line, column by column; empty if there are
    none. Indented text and lists are no columns."""
    if len(lines) < _LEAST_ROWS:
        return []
    width = max(map(len, lines))
    blank = "".join(
        " " if all(not line[at : at + 1].strip() for line in lines) else "x" for at in range(width)
    )
    edges = [0, *(found.end() for found in re.finditer(r"(?<=x) {2,}(?=x)", blank)), width]
    columns = [[line[begin:end].strip() for line in lines] for begin, end in itertools.pairwise(edges)]
    full = all(3 * sum(map(bool, column)) >= 2 * len(lines) for column in columns)
    named = sum(bool(_CELL_WORD.search(cell)) for cell in columns[0]) * 2 > len(lines)
    return columns if len(columns) > 1 and full and named else []


def read_markdown(data: bytes) -> Page:
    """CommonMark with tables, struck text and footnotes as on GitHub; HTML in it is read as HTML."""
    text = _limited(decoded(data)).replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    html = _with_notes(_FRONT_MATTER.sub("", text))
    body, _ = rebuilt(html)
    return Page(body, _first_heading(html))


def _star_in_word(state: StateInline, silent: bool) -> bool:
    """A star between the letters of a word is one ("Bürger*innen"), unless it ends emphasis that began with
    the word ("*un*sozial")."""
    found = _STAR_IN_WORD.match(state.src, max(0, state.pos - 1))
    if state.pos == 0 or found is None:
        return False
    word = _WORD_SO_FAR.search(state.src, max(0, state.pos - _LONGEST_WORD), state.pos)
    if word is not None and word[0].startswith("*") and not _STARRED_ON.match(state.src, state.pos + 1):
        return False
    if not silent:
        state.pending += "*"
    state.pos += 1
    return True


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
    reader.inline.ruler.before("emphasis", "star_in_word", _star_in_word)
    env: dict[str, object] = {}
    parts = [reader.render(_NOTE.sub(taken, text), env)]
    # notes may cite further notes
    items = [f"<li>{reader.render(notes[label], env)}</li>" for label in cited]
    return "".join([*parts, "<ol>", *items, "</ol>"] if items else parts)


def read_html(data: bytes) -> Page:
    """What a browser would show of it."""
    html = _limited(_decoded_html(data))
    unclosed = _TAG.search(html, html.rfind(">") + 1)  # browsers ignore it; the parser would try at each "<"
    return Page(*rebuilt(html[: unclosed.start()] if unclosed else html))


def _read_docx(data: bytes) -> Page:
    """Text, lists, tables and notes of a Word file, without pictures and hidden text."""
    html = mammoth.convert_to_html(
        io.BytesIO(as_shown(data)), convert_image=_NO_PICTURES, style_map=_QUOTATIONS
    ).value
    body, _ = rebuilt(_with_notes_apart(html))
    return Page(body, _first_heading(html))


def _with_notes_apart(html: str) -> str:
    """What mammoth made of a Word file, its notes marked and numbered as Word shows them."""
    numbers: dict[str, str] = {}

    def marked(found: re.Match[str]) -> str:
        numbers.setdefault(found["note"], found["number"])
        return f"<sup>{found['number']}</sup>"

    text, begin, notes = _CITED.sub(marked, html).rpartition(_FIRST_NOTE)
    if not begin:
        return text + notes
    notes = _LAST_NOTE.sub("", _NEXT_NOTE.sub(_FIRST_NOTE[4:], _BACK.sub("", begin[4:] + notes)))
    return text + _WORD_NOTE.sub(lambda found: f"<p><sup>{numbers.get(found[1], '')}</sup> ", notes)


def _read_odt(data: bytes) -> Page:
    """Text, lists and tables of an OpenDocument text."""
    return Page(open_document.read(data))


def read_csv(data: bytes) -> Page:
    """A row a paragraph."""
    text = _limited(decoded(data))
    csv.field_size_limit(MAX_TEXT)  # a cell may contain a whole text; the file's size is limited
    rows = csv.reader(io.StringIO(text, newline=None), delimiter=_usual_delimiter(text))
    return Page(_set(_within_limits(itertools.islice(rows, MAX_TEXT))))


def _read_xlsx(data: bytes) -> Page:
    """Visible sheets, each with its name as a heading."""
    found, uncalculated = sheets.read(data)
    parts = (f"<h2>{shown(sheet.title)}</h2>{_set(sheet.rows)}" for sheet in found)
    return Page("".join(parts), uncalculated=uncalculated)


def _set(rows: Iterable[Row]) -> str:
    return "".join(f"<p>{shown(text)}</p>" for text in paragraphs(rows))


def _within_limits(rows: Iterable[Sequence[str]]) -> Iterator[Row]:
    left, gap = MAX_CELLS, False
    for row in rows:
        cells = {column: text for column, text in enumerate(row) if text.strip()}
        left -= len(cells)
        if left < 0:
            raise ConversionError(
                "file.too_large", f"the table has more than {MAX_CELLS} filled cells; send a part of it"
            )
        if cells:
            yield Row(cells, gap=gap)
        gap = not cells


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
"""Exceptions raised by the libraries for broken files."""
