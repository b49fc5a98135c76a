"""What of a Word file is rewritten before it is read: mammoth passes over some of what Word shows, and reads
some of what Word does not show. Runs in the child."""

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from xml.etree import ElementTree as Xml

from adapters.conversion.word_numbers import Numbers

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MAIN = "word/document.xml"
_STYLES, _NUMBERING = "word/styles.xml", "word/numbering.xml"
_PARTS = re.compile(r"word/(?:document|footnotes|endnotes)\d*\.xml")
_STRIKES = ("strike", "dstrike")
_OFF = frozenset({"0", "false", "off"})
_RENAMED = {
    **dict.fromkeys((f"{_W}fldSimple", f"{_W}dir", f"{_W}bdo"), f"{_W}smartTag"),
    **dict.fromkeys((f"{_W}ptab", f"{_W}pgNum"), f"{_W}tab"),
}
"""Elements that mammoth knows not, and those that it reads in the same way."""
_TAKEN_AWAY = frozenset({f"{_W}del", f"{_W}moveFrom"})
_BROKEN = frozenset({f"{_W}cr", f"{_W}br"})
_PASSED_OVER = frozenset({f"{_M}oMath", f"{_M}oMathPara"})
_SHADED = ("rPr", "pPr", "tcPr", "tblPr")
_FRAMED = frozenset({f"{_W}txbxContent", f"{_W}pict", f"{_W}drawing", f"{_W}object"})
_BARE_TABLES = frozenset(
    {"", "TableGrid", "TableNormal", "Tabellenraster", "NormaleTabelle", "Grilledutableau"}
)
"""Styles of tables that colour no cell."""
_WHITE = re.compile(r"(?:[Ff][4-9A-Fa-f]){3}")
_ZERO_WIDTH_SPACE = "\u200b"


def as_shown(data: bytes) -> bytes:
    """The file without its hidden text (ECMA-376, 17.3.2.41 "vanish"; 17.4.20 "hidden" rows; white letters on
    the bare page), with the results of simple
    fields, breaks of every kind as breaks of the line, raised figures as superscripts, the numbers of lists
    as text, and a plain line (17.3.2.37 "strike") through all that Word strikes out: by style, by two lines,
    as deleted."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.getinfo(_MAIN)  # LookupError: no Word file
        names = set(archive.namelist())
        styles = _parsed(archive.read(_STYLES)) if _STYLES in names else Xml.Element("styles")
        lists = _parsed(archive.read(_NUMBERING)) if _NUMBERING in names else None
        raised, struck = _raised_styles(styles), _styles_that(styles, _says_struck)
        unseen = _Unseen(*(_styles_that(styles, says) for says in (_says_hidden, _says_white, _says_shaded)))
        changed = io.BytesIO()
        with zipfile.ZipFile(changed, "w") as copy:
            for member in archive.infolist():
                content = archive.read(member)
                if _PARTS.fullmatch(member.filename):
                    tree = _parsed(content)
                    unseen.take_out(tree)
                    _rewrite(tree, raised)
                    _strike_styled(tree, struck)
                    if lists is not None and member.filename == _MAIN:
                        Numbers(lists, styles).write_into(tree)
                    content = Xml.tostring(tree)
                copy.writestr(member.filename, content)
    return changed.getvalue()


def _parsed(content: bytes) -> Xml.Element:
    return Xml.fromstring(content)  # noqa: S314 - archives with document types were refused before


def _rewrite(tree: Xml.Element, raised: frozenset[str]) -> None:
    for parent in list(tree.iter()):
        parent[:] = [new for child in parent for new in _rewritten(child, raised)]


def _rewritten(element: Xml.Element, raised: frozenset[str]) -> list[Xml.Element]:
    """What stands in an element's place."""
    if element.tag == f"{_W}r":
        if _is_raised(element, raised):
            _raise(element)
        return [element]
    if element.tag in _TAKEN_AWAY:
        return _taken_away(element)
    if element.tag == f"{_W}sym":  # mammoth leaves out those that it does not know
        return [_text(_ZERO_WIDTH_SPACE), element]
    if element.tag in _PASSED_OVER:
        return [_run(" ")]
    if element.tag in _BROKEN:
        return [Xml.Element(f"{_W}br")]
    if element.tag in _RENAMED:
        element.tag = _RENAMED[element.tag]
    return [element]


def _taken_away(element: Xml.Element) -> list[Xml.Element]:
    """The runs that were deleted while changes were tracked, struck out; nothing of what was moved."""
    if element.tag == f"{_W}moveFrom":
        return []
    for text in element.iter(f"{_W}delText"):
        text.tag = f"{_W}t"
    for run in element.iter(f"{_W}r"):
        _strike(run)
    return list(element)


def _text(text: str) -> Xml.Element:
    made = Xml.Element(f"{_W}t", {"{http://www.w3.org/XML/1998/namespace}space": "preserve"})
    made.text = text
    return made


def _run(text: str) -> Xml.Element:
    made = Xml.Element(f"{_W}r")
    made.append(_text(text))
    return made


def _is_on(element: Xml.Element, name: str, properties: str = "rPr") -> bool:
    marks = element.findall(f"{_W}{properties}/{_W}{name}")
    return any(mark.get(f"{_W}val", "1").lower() not in _OFF for mark in marks)


def _value(properties: Xml.Element, name: str) -> str:
    found = properties.find(f"{_W}{name}")
    return "" if found is None else found.get(f"{_W}val", "")


def _is_raised(run: Xml.Element, styles: frozenset[str]) -> bool:
    properties = run.find(f"{_W}rPr")
    if properties is None or properties.find(f"{_W}vertAlign") is not None:
        return False
    return _value(properties, "rStyle") in styles or bool(
        re.fullmatch(r"[1-9]\d{0,3}", _value(properties, "position"))
    )


def _raise(run: Xml.Element) -> None:
    properties = run.find(f"{_W}rPr")
    if properties is not None:
        Xml.SubElement(properties, f"{_W}vertAlign", {f"{_W}val": "superscript"})


def _raised_styles(tree: Xml.Element) -> frozenset[str]:
    """The ids of the styles whose text is raised, by themselves or by what they are based on."""
    styles = {style.get(f"{_W}styleId", ""): style for style in tree.iter(f"{_W}style")}

    def position(name: str) -> str:
        seen = set[str]()
        while (style := styles.get(name)) is not None and name not in seen:
            seen.add(name)
            properties = style.find(f"{_W}rPr")
            if properties is not None and (own := _value(properties, "vertAlign")):
                return own
            name = _value(style, "basedOn")
        return ""

    return frozenset(name for name in styles if position(name) == "superscript")


def _strike_styled(tree: Xml.Element, styles: frozenset[str]) -> None:
    """Put a plain line through the runs that are struck out by their own properties or by a style."""
    for paragraph in tree.iter(f"{_W}p"):
        properties = paragraph.find(f"{_W}pPr")
        named = properties is not None and _value(properties, "pStyle") in styles
        for run in paragraph.iter(f"{_W}r"):
            said, own = _says_struck(run), run.find(f"{_W}rPr")
            by_style = named or (own is not None and _value(own, "rStyle") in styles)
            if said or (said is None and by_style):
                _strike(run)


def _strike(run: Xml.Element) -> None:
    properties = run.find(f"{_W}rPr")
    if properties is None:
        properties = Xml.Element(f"{_W}rPr")
        run.insert(0, properties)
    for name in _STRIKES:
        for mark in properties.findall(f"{_W}{name}"):
            properties.remove(mark)
    Xml.SubElement(properties, f"{_W}strike")


def _says_struck(element: Xml.Element) -> bool | None:
    """Whether a run or style says that it is struck out or is not; None where it says nothing."""
    said = any(element.find(f"{_W}rPr/{_W}{name}") is not None for name in _STRIKES)
    return any(_is_on(element, name) for name in _STRIKES) if said else None


def _styles_that(tree: Xml.Element, says: Callable[[Xml.Element], bool | None]) -> frozenset[str]:
    """The ids of the styles that say so, by themselves or by what they are based on."""
    styles = {style.get(f"{_W}styleId", ""): style for style in tree.iter(f"{_W}style")}

    def holds(name: str) -> bool:
        seen = set[str]()
        while (style := styles.get(name)) is not None and name not in seen:
            seen.add(name)
            if (said := says(style)) is not None:
                return said
            name = _value(style, "basedOn")
        return False

    return frozenset(filter(holds, styles))


# What is not seen


@dataclass(frozen=True, slots=True)
class _Unseen:
    """Takes out what Word does not show; by the ids of the styles that hide, whiten and shade."""

    hiding: frozenset[str]
    whitening: frozenset[str]
    shading: frozenset[str]

    def take_out(self, tree: Xml.Element) -> None:
        """Remove hidden rows and runs, and white runs where nothing coloured can stand behind them."""
        behind = any(each.get("behindDoc") in ("1", "true") for each in tree.iter())
        parts = [(tree, "", not behind and tree.find(f"{_W}background") is None)]
        while parts:
            parent, style, bare = parts.pop()
            for child in list(parent):
                if self._is_unseen(child, style, bare):
                    parent.remove(child)
                    continue
                is_paragraph = child.tag == f"{_W}p"
                own = _style_of(child) if is_paragraph else style
                parts.append((child, own, bare and not self._is_coloured(child)))

    def _is_unseen(self, element: Xml.Element, style: str, bare: bool) -> bool:
        if element.tag == f"{_W}tr":
            return _is_on(element, "hidden", "trPr")
        if element.tag != f"{_W}r":
            return False
        named = {style, _style_of(element)}
        hidden, white = _says_hidden(element), _says_white(element)
        if hidden or (hidden is None and named & self.hiding):
            return True
        shaded = _says_shaded(element) or named & self.shading
        return bool(bare and not shaded and (white or (white is None and named & self.whitening)))

    def _is_coloured(self, element: Xml.Element) -> bool:
        """Whether something behind the text inside may be coloured."""
        name = _style_of(element)
        if element.tag == f"{_W}tbl" and name not in _BARE_TABLES:
            return True
        return element.tag in _FRAMED or name in self.shading or bool(_says_shaded(element))


def _style_of(element: Xml.Element) -> str:
    """The id of the style of a paragraph, run or table."""
    kind = element.tag.removeprefix(_W)
    properties = element.find(f"{element.tag}Pr")
    names = {"p": "pStyle", "r": "rStyle", "tbl": "tblStyle"}
    return "" if properties is None or kind not in names else _value(properties, names[kind])


def _says_hidden(element: Xml.Element) -> bool | None:
    return None if element.find(f"{_W}rPr/{_W}vanish") is None else _is_on(element, "vanish")


def _says_white(element: Xml.Element) -> bool | None:
    colour = element.find(f"{_W}rPr/{_W}color")
    if colour is None:
        return None
    if theme := colour.get(f"{_W}themeColor"):
        return theme in ("background1", "light1") and colour.get(f"{_W}themeShade") is None
    return bool(_WHITE.fullmatch(colour.get(f"{_W}val", "")))


def _says_shaded(element: Xml.Element) -> bool | None:
    """Whether a run, paragraph, cell, table or style says that a colour stands behind its text."""
    found = [mark for kind in _SHADED for mark in element.findall(f"{_W}{kind}/{_W}shd")]
    lights = element.findall(f"{_W}rPr/{_W}highlight")
    if not found and not lights:
        return None
    fills = [mark.get(f"{_W}fill", "auto") for mark in found if mark.get(f"{_W}themeFill") is None]
    themed = len(fills) < len(found)
    dotted = any(mark.get(f"{_W}val", "clear") not in ("clear", "nil") for mark in found)
    lit = any(mark.get(f"{_W}val") not in ("none", "white") for mark in lights)
    return themed or dotted or lit or any(fill != "auto" and not _WHITE.fullmatch(fill) for fill in fills)
