"""OpenDocument texts (ISO/IEC 26300, "content.xml") as HTML. Runs in the child."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as Xml

from adapters.conversion.markup import APART, QUOTATION_STYLES, parted, struck_out, superscript, written
from adapters.conversion.styling import WRITTEN, repeated

# Numbers of lists and headings in OpenDocument texts (ISO/IEC 26300-1, 5.3, 16.30 to 16.34). Runs in the
# child.


_NAMES = "{{urn:oasis:names:tc:opendocument:xmlns:{}:1.0}}".format
_TEXT, _TABLE, _OFFICE, _STYLE = (_NAMES(name) for name in ("text", "table", "office", "style"))
_FORMATS = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_TRUE = "true"
_DEEPEST = 10


def _whole(text: str | None, usual: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 7 else usual


@dataclass(slots=True)
class _List:
    """An open list: the name of its style, its own name, its depth, and its counts by level."""

    style: str
    name: str
    level: int
    counts: dict[int, int] = field(default_factory=dict)


class Numbers:
    """Tracks the lists and headings of a text in document order."""

    def __init__(self, parts: Iterable[Xml.Element]) -> None:
        self._styles: dict[str, Mapping[int, Xml.Element]] = {}
        self._outline: Mapping[int, Xml.Element] = {}
        for part in parts:
            for style in part.iter(f"{_TEXT}list-style"):
                self._styles[style.get(f"{_STYLE}name", "")] = _levels(style)
            for style in part.iter(f"{_TEXT}outline-style"):
                self._outline = _levels(style)
        self._open: list[_List] = []
        self._counted: dict[str, dict[int, int]] = {}  # by the names of lists, and of their styles
        self._headings: dict[int, int] = {}

    def enter(self, element: Xml.Element) -> bool:
        """Begin a list; returns whether its items are numbered."""
        above = self._open[-1] if self._open else None
        style = element.get(f"{_TEXT}style-name") or (above.style if above else "")
        name = element.get("{http://www.w3.org/XML/1998/namespace}id", "")
        level = above.level + 1 if above else 1
        counts: dict[int, int] = above.counts if above else {}
        goes_on = element.get(f"{_TEXT}continue-numbering") == _TRUE
        if other := element.get(f"{_TEXT}continue-list"):
            counts = self._counted.get(other, counts)
        elif goes_on:
            counts = counts if above else self._counted.get(style, counts)
        else:
            counts.pop(level, None)
        self._counted |= {name: counts, style: counts} if name else {style: counts}
        self._open.append(_List(style, name, level, counts))
        return self._is_counted()

    def leave(self) -> None:
        """End the innermost list."""
        self._open.pop()

    def label_of_item(self, item: Xml.Element) -> str:
        """The label of an item in the innermost list; "" if there is none or only a sign."""
        own = any(child.tag in (f"{_TEXT}p", f"{_TEXT}h") for child in item)
        if not self._open or not self._is_counted() or not own or item.tag != f"{_TEXT}list-item":
            return ""
        innermost, levels = self._open[-1], self._styles[self._open[-1].style]
        _count(innermost.counts, innermost.level, levels, item.get(f"{_TEXT}start-value"))
        return _label(innermost.counts, innermost.level, levels)

    def label_of_heading(self, heading: Xml.Element) -> str:
        """The outline number of a heading outside lists."""
        level = _whole(heading.get(f"{_TEXT}outline-level"), 1)
        if self._open or level not in self._outline or heading.get(f"{_TEXT}is-list-header") == _TRUE:
            return ""
        start = heading.get(f"{_TEXT}start-value")
        if start is None and heading.get(f"{_TEXT}restart-numbering") == _TRUE:
            self._headings.pop(level, None)
        _count(self._headings, level, self._outline, start)
        return _label(self._headings, level, self._outline)

    def _is_counted(self) -> bool:
        innermost = self._open[-1]
        style = self._styles.get(innermost.style, {}).get(innermost.level)
        return style is not None and style.tag.endswith("-number")


def _levels(style: Xml.Element) -> dict[int, Xml.Element]:
    found = ((_whole(each.get(f"{_TEXT}level"), 0), each) for each in style)
    return {level: each for level, each in found if 0 < level <= _DEEPEST}


def _count(counts: dict[int, int], level: int, levels: Mapping[int, Xml.Element], start: str | None) -> None:
    begins = _whole(levels[level].get(f"{_TEXT}start-value"), 1)
    counts[level] = _whole(start, begins) if start else counts[level] + 1 if level in counts else begins
    for deeper in [each for each in counts if each > level]:
        del counts[deeper]


def _label(counts: Mapping[int, int], level: int, levels: Mapping[int, Xml.Element]) -> str:
    style = levels[level]
    shown = min(level, max(1, _whole(style.get(f"{_TEXT}display-levels"), 1)))
    if not style.get(f"{_STYLE}num-format"):
        return ""
    numbers = (
        _number_written(counts.get(each, _whole(levels[each].get(f"{_TEXT}start-value"), 1)), levels[each])
        for each in range(level - shown + 1, level + 1)
        if each in levels
    )
    joined = ".".join(filter(None, numbers))
    return f"{style.get(f'{_STYLE}num-prefix', '')}{joined}{style.get(f'{_STYLE}num-suffix', '')}".strip()


def _number_written(number: int, style: Xml.Element) -> str:
    kind = style.get(f"{_STYLE}num-format", "")
    if kind not in _FORMATS:
        return ""
    if kind in "aA" and style.get(f"{_STYLE}num-letter-sync") == _TRUE:
        return repeated(number) if kind == "a" else repeated(number).upper()
    return WRITTEN[_FORMATS[kind]](number)


_BLOCKS = {
    f"{_TEXT}p": "p",
    f"{_TABLE}table": "table",
    f"{_TABLE}table-row": "tr",
    f"{_TABLE}table-cell": "td",
}
_DROPPED = frozenset(
    {
        f"{_TEXT}tracked-changes",
        f"{_TEXT}hidden-text",
        f"{_TEXT}hidden-paragraph",
        f"{_OFFICE}annotation",
        f"{_TABLE}covered-table-cell",
    }
)
_PARAGRAPHS = frozenset({f"{_TEXT}p", f"{_TEXT}h"})
_SPACES = {f"{_TEXT}s": " ", f"{_TEXT}tab": " ", f"{_TEXT}line-break": "<br/>"}
_APART = frozenset({f"{_TEXT}number", f"{_TEXT}ruby-text"})
_QUOTATIONS = re.compile(
    rf"^(?:{'|'.join(name.replace(' ', '(?:_20_| )') for name in QUOTATION_STYLES)})$", re.MULTILINE
)
_UNSEEN = frozenset({"none", "condition"})
_POSITION = re.compile(r"\s*(super|sub|-?(?=[\d.]*[1-9]))")


def read(data: bytes) -> str:
    """The body of the file as HTML, its notes at the end. Raises xml.etree's ParseError."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        tree = Xml.fromstring(archive.read("content.xml"))  # noqa: S314 - document types were refused before
        styles = Xml.fromstring(archive.read("styles.xml")) if "styles.xml" in archive.namelist() else None  # noqa: S314
    body = tree.find(f"{_OFFICE}body")
    return "" if body is None else _Reader([each for each in (styles, tree) if each is not None]).html(body)


class _Reader:
    """Reads one file."""

    def __init__(self, parts: list[Xml.Element]) -> None:
        self._styles = {
            (style.get(f"{_STYLE}family", ""), style.get(f"{_STYLE}name", "")): style
            for part in parts
            for style in part.iter(f"{_STYLE}style")
        }
        self._deleted = {
            region.get(f"{_TEXT}id", ""): deletion
            for region in parts[-1].iter(f"{_TEXT}changed-region")
            for deletion in region.findall(f"{_TEXT}deletion")
        }
        self._notes: list[str] = []
        self._numbers = Numbers(parts)
        self._pending = ""  # the number at the start of the next paragraph

    def html(self, body: Xml.Element) -> str:
        """The body, and the notes behind it."""
        text = "".join(self._html(body))
        return parted("".join((text, *self._notes)))

    def _html(
        self, element: Xml.Element, *, is_raised: bool = False, is_struck: bool = False
    ) -> Iterator[str]:
        if element.tag in _DROPPED or self._is_hidden(element):
            return
        if element.tag in _SPACES:
            yield _SPACES[element.tag]
            return
        if element.tag == f"{_TEXT}change":  # a tracked deletion
            deletion = self._deleted.get(element.get(f"{_TEXT}change-id", ""))
            parts = () if deletion is None else (each for each in deletion if each.tag.startswith(_TEXT))
            yield struck_out(written(" ".join("".join(part.itertext()) for part in parts)))
            return
        if element.tag == f"{_TEXT}note":
            yield self._noted(element)
            return
        if element.tag == f"{_TEXT}list":
            yield from self._listed(element, is_struck=is_struck)
            return
        if element.tag == f"{_TEXT}h":
            self._pending = self._numbers.label_of_heading(element) or self._pending
        name = _BLOCKS.get(element.tag) or (_heading(element) if element.tag == f"{_TEXT}h" else "")
        position = self._position(element) if element.tag == f"{_TEXT}span" else ""
        quoted = element.tag == f"{_TEXT}p" and self._is_quotation(element)
        name, is_raised = name or position, is_raised or position == "sup"
        apart = APART if position == "sub" or element.tag in _APART or not _holds_text(element) else ""
        yield "<blockquote>" if quoted else ""
        yield f"{apart}<{name}>" if name else apart
        if element.tag in _PARAGRAPHS and self._pending:
            yield f"{written(self._pending)} "
            self._pending = ""
        is_struck = self._strikes(element, is_struck)
        yield from self._inside(element, is_raised=is_raised, is_struck=is_struck)
        yield f"</{name}>{apart}" if name else apart
        yield "</blockquote>" if quoted else ""

    def _listed(self, element: Xml.Element, *, is_struck: bool) -> Iterator[str]:
        """A list, with numbers as text if it has any, else with signs; an item that only contains another
        list has none."""
        is_counted = self._numbers.enter(element)
        yield "" if is_counted else "<ul>"
        for item in element:
            if item.tag not in (f"{_TEXT}list-item", f"{_TEXT}list-header") or self._is_hidden(item):
                continue
            self._pending = self._numbers.label_of_item(item)
            signed = not is_counted and any(child.tag in _PARAGRAPHS for child in item)
            yield "<li>" if signed else ""
            yield from self._inside(item, is_raised=False, is_struck=is_struck)
            yield "</li>" if signed else ""
        self._numbers.leave()
        yield "" if is_counted else "</ul>"

    def _inside(self, element: Xml.Element, *, is_raised: bool, is_struck: bool) -> Iterator[str]:
        """The content of a block; white space between blocks is only file layout."""
        is_text = _holds_text(element)
        yield _written(element.text, is_raised=is_raised, is_struck=is_struck) if is_text else ""
        for child in element:
            yield from self._html(child, is_raised=is_raised, is_struck=is_struck)
            yield _written(child.tail, is_raised=is_raised, is_struck=is_struck) if is_text else ""

    def _noted(self, note: Xml.Element) -> str:
        """The mark of a note in the text; the note itself is kept for the end."""
        citation, body = note.find(f"{_TEXT}note-citation"), note.find(f"{_TEXT}note-body")
        label = "".join(citation.itertext()).strip() if citation is not None else ""
        label = label or str(len(self._notes) + 1)
        mark = f"<sup>{written(superscript(label if not label.isalpha() else f'[{label}]'))}</sup>"
        place = len(self._notes)
        self._notes.append("")  # notes may be nested
        text = "".join(self._html(body)) if body is not None else ""
        self._notes[place] = f"<p>{mark} {text.removeprefix('<p>')}" if text else ""
        return mark

    def _is_hidden(self, element: Xml.Element) -> bool:
        if element.get(f"{_TEXT}display") in _UNSEEN:
            return True
        return any(_properties(style).get(f"{_TEXT}display") == "none" for style in self._chain(element))

    def _strikes(self, element: Xml.Element, inherited: bool) -> bool:
        """Whether a line runs through the text (19.511 "text-line-through-style")."""
        for style in self._chain(element):
            properties = _properties(style)
            stated = (properties.get(f"{_STYLE}text-line-through-{kind}") for kind in ("style", "type"))
            if (value := next(filter(None, stated), None)) is not None:
                return value != "none"
        return inherited

    def _is_quotation(self, element: Xml.Element) -> bool:
        """Whether a paragraph has a quotation style, or one based on it."""
        names = (
            element.get(f"{_TEXT}style-name", ""),
            *(_style_names(style) for style in self._chain(element)),
        )
        return any(_QUOTATIONS.search(name) for name in names)

    def _position(self, element: Xml.Element) -> str:
        """The tag for raised ("sup") or lowered ("sub") text, else ""."""
        for style in self._chain(element):
            stated = _properties(style).get(f"{_STYLE}text-position")
            if stated is not None:
                found = _POSITION.match(stated)
                return {"super": "sup", "": "sup"}.get(found[1], "sub") if found else ""
        return ""

    def _chain(self, element: Xml.Element) -> Iterator[Xml.Element]:
        """The style of a text run or a paragraph, and those that it is based on."""
        family = "text" if element.tag == f"{_TEXT}span" else "paragraph"
        name, seen = element.get(f"{_TEXT}style-name", ""), set[str]()
        while name and name not in seen and (style := self._styles.get((family, name))) is not None:
            yield style
            seen.add(name)
            name = style.get(f"{_STYLE}parent-style-name", "")


def _style_names(style: Xml.Element) -> str:
    own = (style.get(f"{_STYLE}{kind}", "") for kind in ("name", "display-name", "parent-style-name"))
    return "\n".join(own)


def _properties(style: Xml.Element) -> dict[str, str]:
    properties = style.find(f"{_STYLE}text-properties")
    return {} if properties is None else properties.attrib


def _written(text: str | None, *, is_raised: bool, is_struck: bool) -> str:
    html = written(superscript(text or "") if is_raised else text or "")
    return struck_out(html) if is_struck else html


def _heading(element: Xml.Element) -> str:
    level = element.get(f"{_TEXT}outline-level", "1")
    return f"h{min(6, max(1, int(level) if level.isdigit() else 1))}"


def _holds_text(element: Xml.Element) -> bool:
    return element.tag.startswith(_TEXT) and element.tag not in (f"{_TEXT}list", f"{_TEXT}list-item")
