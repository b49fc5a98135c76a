"""HTML from anywhere to the little HTML that is typeset: known elements without attributes, and their text.

What a browser would not show (scripts, templates, comments, what is hidden by attributes or style sheets) is
left out, so that it cannot reach the index; a line goes through what is struck out. Tags that may be left out
are implied as browsers imply them (HTML, 13.1.2.4 and 13.2.6). Figures that a reader sees apart are never
joined: a number that nobody wrote would be quoted. Nothing is ever fetched: there is no element left that
could name an address. Runs in the child.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from xml.etree import ElementTree as Xml

from adapters.conversion.styling import WRITTEN, Look, looks
from core.evidence.skeleton import raised


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEPT = _names(
    "h1 h2 h3 h4 h5 h6 p br ul ol li table tr th td b strong i em u sub sup blockquote pre hr dl dt dd"
)
BLOCKS = _names(
    "div section article main header footer aside address figure figcaption fieldset form center details "
    "summary hgroup search legend caption optgroup option select textarea"
)
"""Elements that become separate paragraphs."""
DROPPED = _names(
    "script style template noscript svg math iframe object embed head button nav "
    "canvas audio video datalist dialog title rt rp"
)
QUOTATION_STYLES = (
    *("Quote", "Intense Quote", "Quotations", "Block Text", "Zitat", "Intensives Zitat", "Blockzitat"),
    *("Citation", "Citation intense", "Citations"),
)
"""Names that word processors have for the styles of paragraphs that are quotations."""
_INLINE = _names("b strong i em u sub sup")
_RENAMED = {"menu": "ul", "dir": "ul", "listing": "pre", "xmp": "pre", "plaintext": "pre"}
VOID = _names("br hr img input meta link source wbr col area base track param embed")
_SPACES = _names("img input embed")
_PARTING = _names("sub")
"""Elements that readers see as separate from adjacent figures."""
_IN_HEAD = _names("base basefont bgsound link meta title style script noscript template noframes")
_HEADINGS = _names("h1 h2 h3 h4 h5 h6")
_TABLE, _ROW, _FOREIGN = _names("table"), _names("tr"), _names("svg math")
_RAISED, _QUOTED = _names("sup"), _names("blockquote")
_OF_TABLES = _names("table thead tbody tfoot tr")
_BOUNDARIES = _names("table td th caption")
"""Elements that end tags of other elements do not cross."""
_SECTIONS = _OF_TABLES | _BOUNDARIES | _names("body html")
_ENDS_PARAGRAPH = (BLOCKS - _names("legend caption optgroup option select textarea")) | _names(
    "blockquote dialog dl h1 h2 h3 h4 h5 h6 hr nav ol p pre table ul li dt dd menu dir listing xmp plaintext"
)
_IMPLIED: tuple[tuple[frozenset[str], frozenset[str], frozenset[str]], ...] = (
    (_ENDS_PARAGRAPH, _names("p"), _names("table td th caption button object template")),
    (_HEADINGS, _HEADINGS, _names("table td th caption div section article li blockquote")),
    (_names("li"), _names("li"), _names("ul ol menu dir table td th caption")),
    (_names("dt dd"), _names("dt dd"), _names("dl table td th caption")),
    (_names("td th"), _names("td th caption colgroup"), _TABLE),
    (_names("tr"), _names("tr caption colgroup"), _TABLE),
    (_names("thead tbody tfoot"), _names("thead tbody tfoot tr caption colgroup"), _TABLE),
    (_names("option optgroup"), _names("option"), _names("select datalist")),
    (_names("rt rp"), _names("rt rp"), _names("ruby")),
)
"""Elements whose start tags end the nearest of those open ones, unless one of the last stands in between."""
_ENDED_BY = {
    tag: tuple((ended, unless) for starting, ended, unless in _IMPLIED if tag in starting)
    for starting, _, _ in _IMPLIED
    for tag in starting
}
MAX_DEPTH = 60
_REACH = 120
"""Number of open elements searched for the one that a tag ends."""
_STYLED = re.compile(r"style|reversed|hidden|color|deletion|<(?:s|del|strike)\b", re.IGNORECASE)
"""Signs that a page has styling."""
_PLAIN = Look()
_SENTENCE_ENDS = ".!?…”“»«\"'’"
_NUMBERING = {"a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_MOST_ROWS = 9999
_SPANS = (("colspan", 1000), ("rowspan", _MOST_ROWS))
"""Attributes of cells with the most that they may span; no rows are all that are left."""
_START = re.compile(r"\s*\+?(\d{1,4})(?!\d)")
_ESCAPED = {"&": "<span>&amp;</span>", "<": "&lt;", ">": "&gt;"}
_KEPT_SPACES = "\n\t \u00a0\u2009\u202f"
_ENDLESS = re.compile(r"\S{1000}(?=\S)")
_UNDECODED = "\ufffd"
APART = "\u200b"
"""Marks removed content: nothing between letters, a space between digits."""
_BETWEEN_DIGITS = re.compile(rf"(?<=\d)(?:<[^>]*>|{APART})+(?=\d)")
_INITIAL = re.compile(
    r"<div>((?:<(b|strong|i|em|u)>)?[„“\"«»‚‘']?[A-ZÀ-ÖØ-Þ](?(2)</\2>))</div>(?=(?:<(?:b|strong|i|em|u)>)?[^\W\d_])"
)
"""The large first letter of a paragraph, set beside it as a block."""
_RAISED_FIGURES = re.compile(r"^\s*[-+−–]?\d+|\d+")


def shown(text: str) -> str:
    """HTML that shows `text` literally."""
    return parted(written(text))


def written(text: str) -> str:
    """As `shown`, before `parted`. White space of every kind is a space; what cannot be decoded is a question
    mark. MuPDF reads references in running text twice, so an ampersand stands apart from what could make it
    one. What has no space in a thousand characters is no word and is parted: setting it in lines would take
    time by the square of its length."""
    text = _ENDLESS.sub(r"\g<0> ", text)
    return "".join(_ESCAPED.get(character) or _shown(character) for character in text)


def _shown(character: str) -> str:
    if character in _KEPT_SPACES:
        return character
    if character == _UNDECODED:
        return "?"
    if character.isspace() or unicodedata.category(character).startswith("Z"):
        return " "
    return character if character.isprintable() else APART


def parted(html: str) -> str:
    """`html` with a space where `APART` and nothing but tags stand between two digits, without `APART`."""
    return _BETWEEN_DIGITS.sub(
        lambda found: found[0].replace(APART, " ", 1) if APART in found[0] else found[0], html
    ).replace(APART, "")


def superscript(text: str) -> str:
    """`text` with its figures as superscript characters, which no reader takes for the end of a number."""
    return _RAISED_FIGURES.sub(lambda found: raised(found[0]), text)


def struck_out(html: str) -> str:
    """`html` with a line through its text, apart from the figures before and behind it."""
    return f"{APART}<s>{html}</s>{APART}" if html.strip() else html


@dataclass(frozen=True, slots=True)
class _Open:
    """An open element: what closes it, whether it is left out with all inside, and how its text looks."""

    name: str
    element: Xml.Element
    closing: str = ""
    dropped: bool = False
    look: Look = _PLAIN

    @property
    def unseen(self) -> bool:
        """Whether its text is left out."""
        return self.dropped or self.look.unseen


class _Rebuilder(HTMLParser):
    """Rewrites what it keeps, the elements with the `looks` of a run before, which builds their tree and
    `writes` nothing. `title` is the document's own."""

    def __init__(self, looks: Sequence[Look] = (), *, writes: bool = True) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.title = ""
        self.root = Xml.Element("html")
        self.sheets: list[tuple[str, str]] = []  # media, text
        self._lists: list[_Counted] = []  # the currently open ordered lists
        self._looks, self._writes = iter(looks), writes
        self._open: list[_Open] = [_Open("", self.root, look=next(self._looks, _PLAIN))]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._imply(tag)
        above, attributes = self._open[-1], dict(attrs)
        element = Xml.SubElement(above.element, tag, {name: value or "" for name, value in attrs})
        look = next(self._looks, _PLAIN)
        if tag in VOID:
            self.parts.append("" if above.unseen or look.unseen else _void(tag))
            return
        dropped = above.dropped or tag in DROPPED or (tag == "option" and "selected" not in attributes)
        unseen = dropped or look.unseen
        opening, closing = ("", "") if unseen else self._tags(tag, attributes, look)
        if unseen and not above.unseen:
            opening = "" if look.absent else APART
        self.parts.append(opening)
        if look.label and not unseen:
            self.parts.append(f"{shown(look.label.strip())} ")
        self._open.append(_Open(tag, element, closing, dropped, look))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("br", "p") and self._nearest(frozenset((tag,)), _BOUNDARIES) is None:
            self.parts.append("" if self._open[-1].unseen else "<br/>")
            return
        place = self._nearest(frozenset((tag,)), frozenset() if tag in _SECTIONS else _BOUNDARIES)
        if place is None:
            self.parts.append(APART)
        else:
            self._close(place)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        if self._open[-1].name == "head" and data.strip():
            self._close(len(self._open) - 1)
        innermost = self._open[-1]
        if innermost.unseen:
            if innermost.name == "title" and self._nearest(_FOREIGN, frozenset()) is None:
                self.title += data
            elif innermost.name == "style":
                self.sheets.append((innermost.element.get("media", ""), data))
            return
        if not self._writes:
            return
        look = innermost.look
        raised = look.raised or self._nearest(_RAISED, _BOUNDARIES) is not None
        text = written(superscript(data) if raised else data)
        text = struck_out(text) if look.struck else text
        self.parts.append(f"<div>{text}</div>" if innermost.name in _OF_TABLES and text.strip() else text)

    def finished(self) -> str:
        """Close what is still open."""
        self._close(0)
        html = _TERMS.sub(_as_rows, _INITIAL.sub(r"\1", "".join(self.parts)))
        return spread(parted(html))

    def _ends_quotation(self) -> bool:
        """Whether a sentence of a quotation has just ended, so that a following name says whose it is."""
        if self._nearest(_QUOTED, frozenset()) is None:
            return False
        before = next((part for part in reversed(self.parts[-8:]) if part.strip() and part[0] != "<"), "")
        return before.rstrip()[-1:] in _SENTENCE_ENDS

    def _imply(self, tag: str) -> None:
        """Emit the end tags and the row implied by a start tag."""
        if self._open[-1].name == "head" and tag not in _IN_HEAD:
            self._close(len(self._open) - 1)
        for ended, unless in _ENDED_BY.get(tag, ()):
            if (place := self._nearest(ended, unless)) is not None:
                self._close(place)
        if tag in ("td", "th") and self._is_in_table() and self._nearest(_ROW, _TABLE) is None:
            self.handle_starttag("tr", [])

    def _is_in_table(self) -> bool:
        return self._nearest(_TABLE, frozenset()) is not None

    def _nearest(self, names: frozenset[str], unless: frozenset[str]) -> int | None:
        """The place of the innermost open element with one of `names`, unless one of the others is nearer."""
        innermost = len(self._open) - 1
        for place in range(innermost, max(0, innermost - _REACH), -1):
            name = self._open[place].name
            if name in names:
                return place
            if name in unless:
                return None
        return None

    def _close(self, place: int) -> None:
        """Close the element at `place` and all inside."""
        ended = sum(each.closing.endswith("</ol>") for each in self._open[place:])
        del self._lists[len(self._lists) - ended :]
        self.parts += [element.closing for element in reversed(self._open[place:])]
        del self._open[place:]

    def _tags(self, tag: str, attributes: dict[str, str | None], look: Look) -> tuple[str, str]:
        """What opens and closes an element that is seen."""
        is_block = (look.block or (tag == "cite" and self._ends_quotation())) and tag not in _SECTIONS
        name = _RENAMED.get(tag, tag if tag in KEPT else "div" if tag in BLOCKS or is_block else "")
        if name in ("td", "th", "tr") and not self._is_in_table():
            name = "div"
        if len(self._open) > MAX_DEPTH:
            return ("<br/>", "<br/>") if name else ("", "")
        if tag == "q":  # browsers put quotation marks around it
            return "“", "”"
        if tag in _PARTING:
            return f"{APART}<{name}>" if name else APART, f"</{name}>{APART}" if name else APART
        if name in ("td", "th"):
            columns, rows = (_span(attributes.get(key), most) for key, most in _SPANS)
            return f"<{name}{spans(columns, rows)}>", f"</{name}>"
        if name == "ol":
            self._lists.append(_Counted.of(attributes, look))
            return self._lists[-1].opening(), "</ol>"
        if name == "li" and self._open[-1].name == "ol" and self._lists:
            return self._item(attributes, look)
        within = ("<div>", "</div>") if is_block and name in _INLINE else ("", "")
        return (f"{within[0]}<{name}>", f"</{name}>{within[1]}") if name else ("", "")

    def _item(self, attributes: dict[str, str | None], look: Look) -> tuple[str, str]:
        """An item of an ordered list, whose count is begun anew where a browser would go on otherwise."""
        counted = self._lists[-1]
        anew = _START.match(attributes.get("value") or "")
        kind = _marker(attributes, look) or counted.kind
        counted.number = int(anew[1]) if anew else counted.number
        written = "" if counted.number > 0 or kind == "none" else f"{counted.number}. "
        kind = "none" if written else kind
        if anew or counted.step < 0 or kind != counted.shown:
            self.parts.append(f"{self._open[-1].closing}{counted.opening(kind)}")
        counted.number += counted.step
        return f"<li>{written}", "</li>"


_TERMS = re.compile(r"<dl>((?:(?!</?dl>|<table>)[\s\S])*)</dl>")
_TERM = re.compile(r"((?:<dt>(?:(?!<d[td]>)[\s\S])*</dt>\s*)+)((?:<dd>(?:(?!<d[td]>)[\s\S])*</dd>\s*)+)")
_NO_TEXT = re.compile(r"(?:\s|</?div>)*")


def _as_rows(found: re.Match[str]) -> str:
    """A list of terms as a table, so that each is read with what it means; another list as it is."""
    if not _NO_TEXT.fullmatch(_TERM.sub("", found[1])):
        return found[0]
    rows = (
        f"<tr><td>{_cell(terms, 'dt')}</td><td>{_cell(said, 'dd')}</td></tr>"
        for terms, said in _TERM.findall(found[1])
    )
    return f"<table>{''.join(rows)}</table>"


def _cell(html: str, name: str) -> str:
    return "<br/>".join(filter(None, re.split(rf"\s*</?{name}>\s*", html)))


def _void(tag: str) -> str:
    return f"<{tag}/>" if tag in KEPT else " " if tag in _SPACES else APART


def _span(value: str | None, most: int) -> int:
    """How many rows or columns a cell spans (HTML, 4.9.12.1)."""
    found = _START.match(value or "")
    number = int(found[1]) if found else 1
    return min(number, most) if number else (most if most == _MOST_ROWS else 1)


def _marker(attributes: dict[str, str | None], look: Look) -> str:
    """How a list or an item says that it is counted, as "list-style-type" names it."""
    return look.marker or _NUMBERING.get((attributes.get("type") or "").strip(), "")


@dataclass(slots=True)
class _Counted:
    """An ordered list: its next number, how it counts on, its numerals, and those of the last item."""

    number: int
    step: int
    kind: str
    shown: str = ""

    @classmethod
    def of(cls, attributes: dict[str, str | None], look: Look) -> "_Counted":
        """The list of an element."""
        start, back = _START.match(attributes.get("start") or ""), "reversed" in attributes
        first = int(start[1]) if start else look.items if back else 1
        return cls(first, -1 if back else 1, _marker(attributes, look))

    def opening(self, kind: str = "") -> str:
        """The tag that begins or goes on with it, its items counted in `kind`."""
        self.shown = kind = kind or self.kind
        start = f' start="{self.number}"' if self.number != 1 else ""
        return f"<ol{start}{_styled(kind)}>"


def _styled(kind: str) -> str:
    if not kind or kind == "decimal":
        return ""
    return f' style="list-style-type: {kind if kind in WRITTEN else "none" if kind == "none" else "decimal"}"'


def rebuilt(html: str) -> tuple[str, str]:
    """The HTML that is typeset, and the title that the document states ("" if none)."""
    found: Sequence[Look] = ()
    if _STYLED.search(html):
        plain = _Rebuilder(writes=False)
        plain.feed(html)
        plain.close()
        found = looks(plain.root, plain.sheets)
    shown = _Rebuilder(found)
    shown.feed(html)
    shown.close()
    body = shown.finished()
    return body, " ".join(shown.title.split())[:300]


# Cells of tables over several rows or columns, spread over the plain grid that is typeset: below a cell
# over several rows stand its words again, so that each row says what it is of. Runs in the child.

_TAG = re.compile(r"<(/?)(table|tr|td|th)\b([^>]*)>")
_SPAN = re.compile(r'\b(col|row)span="(\d{1,4})"')
_MARKUP = re.compile(r"<[^>]*>")
_MAX_COLUMNS = 500
_REPEATED_WORDS = 12
"""Words of a cell up to which they stand in every row that it spans."""


def spans(columns: int, rows: int) -> str:
    """The attributes of a cell for `spread`; "" for one of a single row and column."""
    return "".join(f' {name}span="{n}"' for name, n in (("col", columns), ("row", rows)) if n > 1)


@dataclass(slots=True)
class _Table:
    """A table that is open: the column that comes next, and by column what goes on into the rows below it
    (how many, the tag of the cell, its content)."""

    column: int = 0
    below: dict[int, tuple[int, str, str]] = field(default_factory=dict)
    opened: dict[int, tuple[int, str, str]] = field(default_factory=dict)  # by the row that is open
    cell: tuple[str, int, int, int] | None = None  # tag, columns, rows, place of its content

    def filled(self, before: int | None = None) -> Iterator[str]:
        """The cells from above that stand next, or all that are left in the row."""
        while self.column in self.below and (before is None or self.column < before):
            yield self._from_above(self.column)
        if before is None:
            for column in sorted(each for each in self.below if each > self.column):
                while self.column < column:
                    yield "<td></td>"
                    self.column += 1
                yield self._from_above(column)

    def _from_above(self, column: int) -> str:
        rows, tag, content = self.below.pop(column)
        if rows > 1:
            self.opened[column] = rows - 1, tag, content
        self.column = column + 1
        return f"<{tag}>{content}</{tag}>"


def spread(html: str) -> str:
    """`html` without the attributes of `spans`; its tables have a cell for every row and column."""
    if not _SPAN.search(html):
        return html
    parts: list[str] = []
    tables: list[_Table] = []
    at = 0
    for found in _TAG.finditer(html):
        parts.append(html[at : found.start()])
        at = found.end()
        closing, name = found[1], found[2]
        if name == "table":
            if closing:
                del tables[-1:]
            else:
                tables.append(_Table())
            parts.append(found[0])
        elif tables:
            parts.append(_step(tables[-1], parts, closing, name, found[3]))
        else:
            parts.append(found[0])
    return "".join((*parts, html[at:]))


def _step(table: _Table, parts: list[str], closing: str, name: str, attributes: str) -> str:
    if name == "tr":
        if not closing:
            table.column, table.opened = 0, {}
            return "<tr>"
        rest = "".join(table.filled())
        table.below = table.opened
        return f"{rest}</tr>"
    if not closing:
        before = "".join(table.filled(_MAX_COLUMNS))
        sizes = {each[1]: int(each[2]) for each in _SPAN.finditer(attributes)}
        columns = min(sizes.get("col", 1), max(1, _MAX_COLUMNS - table.column))
        table.cell = name, columns, sizes.get("row", 1), len(parts) + 1
        return f"{before}<{name}>"
    if table.cell is None:
        return f"</{name}>"
    tag, columns, rows, begin = table.cell
    content = "".join(parts[begin:])
    table.cell = None
    if rows > 1:
        again = content if len(_MARKUP.sub(" ", content).split()) <= _REPEATED_WORDS else ""
        for more in range(columns):
            table.opened[table.column + more] = rows - 1, tag, "" if more else again
    table.column += columns
    return f"</{name}>" + (columns - 1) * f"<{tag}></{tag}>"
