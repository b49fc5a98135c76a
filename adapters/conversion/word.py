"""What of a Word file is rewritten before it is read: mammoth passes over some of what Word shows, and reads
some of what Word does not show. Runs in the child."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as Xml

from adapters.conversion.styling import ordinal, repeated, roman

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
"""Elements unknown to mammoth, with equivalents that it reads."""
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
        archive.getinfo(_MAIN)  # LookupError: not a Word file
        names = set(archive.namelist())
        styles = _parsed(archive.read(_STYLES)) if _STYLES in names else Xml.Element("styles")
        lists = _parsed(archive.read(_NUMBERING)) if _NUMBERING in names else None
        raised, struck = (_styles_that(styles, says) for says in (_says_raised, _says_struck))
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
        kept = [child for number, child in enumerate(parent) if not _is_out_of_a_word(parent, number)]
        parent[:] = [new for child in kept for new in _rewritten(child, raised)]


def _is_out_of_a_word(parent: Xml.Element, number: int) -> bool:
    """Whether letters were deleted from within a word while changes were tracked: what is left is one word,
    which a line through some of its letters would part."""
    if parent[number].tag not in _TAKEN_AWAY:
        return False
    before = next(filter(None, map(_said, reversed(parent[:number]))), "")
    behind = next(filter(None, map(_said, parent[number + 1 :])), "")
    return before[-1:].isalpha() and behind[:1].isalpha()


def _said(element: Xml.Element) -> str:
    return "".join(text.text or "" for text in element.iter(f"{_W}t"))


def _rewritten(element: Xml.Element, raised: frozenset[str]) -> list[Xml.Element]:
    """The replacement of an element."""
    if element.tag == f"{_W}r":
        if _is_raised(element, raised):
            _raise(element)
        return [element]
    if element.tag in _TAKEN_AWAY:
        return _taken_away(element)
    if element.tag == f"{_W}sym":  # mammoth drops elements that it does not know
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


def _says_raised(style: Xml.Element) -> bool | None:
    """Whether a style explicitly raises its text or not; None if unspecified."""
    properties = style.find(f"{_W}rPr")
    own = "" if properties is None else _value(properties, "vertAlign")
    return own == "superscript" if own else None


def _strike_styled(tree: Xml.Element, styles: frozenset[str]) -> None:
    """Put a plain line through the runs that are struck out by their own properties or by a style."""
    for paragraph in tree.iter(f"{_W}p"):
        properties = paragraph.find(f"{_W}pPr")
        named = properties is not None and _value(properties, "pStyle") in styles
        for run in paragraph.iter(f"{_W}r"):
            struck, own = _says_struck(run), run.find(f"{_W}rPr")
            by_style = named or (own is not None and _value(own, "rStyle") in styles)
            if struck or (struck is None and by_style):
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
    """Whether a run or style is explicitly struck out; None if unspecified."""
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


# Invisible text


@dataclass(frozen=True, slots=True)
class _Unseen:
    """Removes what Word does not show, given the ids of the styles that hide, whiten and shade."""

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


# Numbers of lists and headings in Word files: written into the text as Word shows them, since mammoth keeps
# only that there is a list (ECMA-376, 17.9). Runs in the child.

_WRITTEN: dict[str, Callable[[int], str]] = {
    "decimalZero": lambda number: f"{number:02d}",
    "upperRoman": lambda number: roman(number).upper(),
    "lowerRoman": roman,
    "upperLetter": lambda number: repeated(number).upper(),
    "lowerLetter": repeated,
    "ordinal": ordinal,
    "none": lambda _: "",
}
_LEVEL = re.compile(r"%([1-9])")
_NO_LIST, _SIGN = "0", "bullet"


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level counts. `restarts`: the number of the level above whose items begin it anew, 0 for none,
    None for any."""

    start: int
    written: str
    text: str
    gap: str
    restarts: int | None
    in_figures: bool
    style: str


def _stated(element: Xml.Element | None, name: str, usual: str = "") -> str:
    found = None if element is None else element.find(f"{_W}{name}")
    return usual if found is None else found.get(f"{_W}val", usual)


def _is_set(element: Xml.Element | None, name: str) -> bool:
    found = None if element is None else element.find(f"{_W}{name}")
    return found is not None and found.get(f"{_W}val", "1").lower() not in _OFF


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(r"-?\d{1,6}", text) else None


def _level(element: Xml.Element) -> _Level:
    return _Level(
        start=_whole(_stated(element, "start", "0")) or 0,
        written=_stated(element, "numFmt", "decimal"),
        text="" if _is_set(element.find(f"{_W}rPr"), "vanish") else _stated(element, "lvlText"),
        gap="" if _stated(element, "suff") == "nothing" else " ",
        restarts=_whole(_stated(element, "lvlRestart")),
        in_figures=_is_set(element, "isLgl"),
        style=_stated(element, "pStyle"),
    )


def _levels(parent: Xml.Element) -> dict[int, _Level]:
    return {_whole(each.get(f"{_W}ilvl", "0")) or 0: _level(each) for each in parent.findall(f"{_W}lvl")}


@dataclass(slots=True)
class _List:
    """A list that paragraphs name: the abstract one whose count it shares, its levels, and where it begins
    anew when it is first used."""

    abstract: str
    levels: Mapping[int, _Level]
    starts: dict[int, int] = field(default_factory=dict)


class Numbers:
    """Numbers the paragraphs of a document by its parts "word/numbering.xml" and "word/styles.xml"."""

    def __init__(self, numbering: Xml.Element, styles: Xml.Element) -> None:
        self._styles = {style.get(f"{_W}styleId", ""): style for style in styles.iter(f"{_W}style")}
        self._usual = next(
            (
                name
                for name, style in self._styles.items()
                if style.get(f"{_W}type") == "paragraph" and style.get(f"{_W}default") in ("1", "true")
            ),
            "",
        )
        self._abstract = {
            each.get(f"{_W}abstractNumId", ""): each for each in numbering.findall(f"{_W}abstractNum")
        }
        self._lists: dict[str, _List] = {}
        for each in numbering.findall(f"{_W}num"):
            self._lists[each.get(f"{_W}numId", "")] = self._list(each)
        self._counts: dict[str, dict[int, int]] = {}

    def write_into(self, tree: Xml.Element) -> None:
        """Begin every numbered paragraph of `tree` with its number; bulleted lists are left alone."""
        outermost: int | None = None  # outermost level of consecutive signs
        for paragraph in tree.iter(f"{_W}p"):
            found = self._of(paragraph)
            if found is None:
                outermost = None
                continue
            number, at = found
            levels = self._lists[number].levels
            level = levels[at]
            is_sign = level.written == _SIGN
            if is_sign and all(each.written == _SIGN for over, each in levels.items() if over < at):
                outermost = at if outermost is None else min(outermost, at)
                _set_list(paragraph, number, at - outermost)
                continue
            outermost = None
            label = "•" if is_sign else self._next(self._lists[number], at)
            _set_list(paragraph, _NO_LIST, 0)
            if label:
                _begin(paragraph, label + level.gap)

    def _list(self, num: Xml.Element) -> _List:
        name = _stated(num, "abstractNumId")
        name = self._linked(name)
        element = self._abstract.get(name)
        made = _List(name, {} if element is None else _levels(element))
        for override in num.findall(f"{_W}lvlOverride"):
            at = _whole(override.get(f"{_W}ilvl", "0")) or 0
            if (own := override.find(f"{_W}lvl")) is not None:
                made.levels = {**made.levels, at: _level(own)}
            if (start := _whole(_stated(override, "startOverride"))) is not None:
                made.starts[at] = start
        return made

    def _linked(self, name: str) -> str:
        """The abstract list that another one names by a style of lists."""
        style = _stated(self._abstract.get(name), "numStyleLink")
        if not style:
            return name
        return next(
            (key for key, each in self._abstract.items() if _stated(each, "styleLink") == style), name
        )

    def _of(self, paragraph: Xml.Element) -> tuple[str, int] | None:
        """The list and level of a paragraph that is counted."""
        properties = paragraph.find(f"{_W}pPr")
        mark = None if properties is None else properties.find(f"{_W}rPr")
        if mark is not None and (_is_set(mark, "vanish") or mark.find(f"{_W}del") is not None):
            return None
        own = None if properties is None else properties.find(f"{_W}numPr")
        style = _stated(properties, "pStyle", self._usual)
        number, level = _stated(own, "numId"), _whole(_stated(own, "ilvl"))
        seen = set[str]()
        while not number and style in self._styles and style not in seen:
            seen.add(style)
            stated = self._styles[style].find(f"{_W}pPr/{_W}numPr")
            number = _stated(stated, "numId")
            if number and level is None:
                linked = self._lists[number].levels if number in self._lists else {}
                level = next((at for at, each in linked.items() if each.style == style), None)
                level = _whole(_stated(stated, "ilvl")) if level is None else level
            elif stated is not None and level is None:
                level = _whole(_stated(stated, "ilvl"))
            style = _stated(self._styles[style], "basedOn")
        at = level or 0
        known = number in self._lists and at in self._lists[number].levels
        return (number, at) if known else None

    def _next(self, used: _List, at: int) -> str:
        counts = self._counts.setdefault(used.abstract, {})
        levels = used.levels
        if (start := used.starts.pop(at, None)) is not None:
            counts[at] = start
        else:
            counts[at] = counts[at] + 1 if at in counts else levels[at].start
        for deeper in [each for each in counts if each > at]:
            restarts = levels[deeper].restarts if deeper in levels else None
            if restarts is None or at < restarts:
                del counts[deeper]
        for above in range(at):
            if above not in counts and above in levels:
                counts[above] = used.starts.pop(above, levels[above].start)

        def written(found: re.Match[str]) -> str:
            other = int(found[1]) - 1
            if other not in counts or other not in levels:
                return ""
            write = str if levels[at].in_figures else _WRITTEN.get(levels[other].written, str)
            return write(counts[other])

        return _LEVEL.sub(written, levels[at].text).strip()


def _set_list(paragraph: Xml.Element, number: str, level: int) -> None:
    properties = paragraph.find(f"{_W}pPr")
    if properties is None:
        properties = Xml.Element(f"{_W}pPr")
        paragraph.insert(0, properties)
    for own in properties.findall(f"{_W}numPr"):
        properties.remove(own)
    own = Xml.SubElement(properties, f"{_W}numPr")
    Xml.SubElement(own, f"{_W}ilvl", {f"{_W}val": str(level)})
    Xml.SubElement(own, f"{_W}numId", {f"{_W}val": number})


def _begin(paragraph: Xml.Element, text: str) -> None:
    run = Xml.Element(f"{_W}r")
    made = Xml.SubElement(run, f"{_W}t", {"{http://www.w3.org/XML/1998/namespace}space": "preserve"})
    made.text = text
    paragraph.insert(1, run)  # after the properties, which a numbered paragraph has by now
