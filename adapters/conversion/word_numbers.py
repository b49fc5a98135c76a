"""Numbers of lists and headings in Word files: written into the text as Word shows them, since mammoth keeps
only that there is a list (ECMA-376, 17.9). Runs in the child."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as Xml

from adapters.conversion.counting import ordinal, repeated, roman

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_OFF = frozenset({"0", "false", "off"})
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


def _value(element: Xml.Element | None, name: str, usual: str = "") -> str:
    found = None if element is None else element.find(f"{_W}{name}")
    return usual if found is None else found.get(f"{_W}val", usual)


def _is_on(element: Xml.Element | None, name: str) -> bool:
    found = None if element is None else element.find(f"{_W}{name}")
    return found is not None and found.get(f"{_W}val", "1").lower() not in _OFF


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(r"-?\d{1,6}", text) else None


def _level(element: Xml.Element) -> _Level:
    return _Level(
        start=_whole(_value(element, "start", "0")) or 0,
        written=_value(element, "numFmt", "decimal"),
        text="" if _is_on(element.find(f"{_W}rPr"), "vanish") else _value(element, "lvlText"),
        gap="" if _value(element, "suff") == "nothing" else " ",
        restarts=_whole(_value(element, "lvlRestart")),
        in_figures=_is_on(element, "isLgl"),
        style=_value(element, "pStyle"),
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
        """Begin every numbered paragraph of `tree` with its number; lists of nothing but signs are left."""
        outermost: int | None = None  # level of the signs in a row that stand outermost
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
        name = _value(num, "abstractNumId")
        name = self._linked(name)
        element = self._abstract.get(name)
        made = _List(name, {} if element is None else _levels(element))
        for override in num.findall(f"{_W}lvlOverride"):
            at = _whole(override.get(f"{_W}ilvl", "0")) or 0
            if (own := override.find(f"{_W}lvl")) is not None:
                made.levels = {**made.levels, at: _level(own)}
            if (start := _whole(_value(override, "startOverride"))) is not None:
                made.starts[at] = start
        return made

    def _linked(self, name: str) -> str:
        """The abstract list that another one names by a style of lists."""
        style = _value(self._abstract.get(name), "numStyleLink")
        if not style:
            return name
        return next((key for key, each in self._abstract.items() if _value(each, "styleLink") == style), name)

    def _of(self, paragraph: Xml.Element) -> tuple[str, int] | None:
        """The list and level of a paragraph that is counted."""
        properties = paragraph.find(f"{_W}pPr")
        mark = None if properties is None else properties.find(f"{_W}rPr")
        if mark is not None and (_is_on(mark, "vanish") or mark.find(f"{_W}del") is not None):
            return None
        own = None if properties is None else properties.find(f"{_W}numPr")
        style = _value(properties, "pStyle", self._usual)
        number, level = _value(own, "numId"), _whole(_value(own, "ilvl"))
        seen = set[str]()
        while not number and style in self._styles and style not in seen:
            seen.add(style)
            stated = self._styles[style].find(f"{_W}pPr/{_W}numPr")
            number = _value(stated, "numId")
            if number and level is None:
                linked = self._lists[number].levels if number in self._lists else {}
                level = next((at for at, each in linked.items() if each.style == style), None)
                level = _whole(_value(stated, "ilvl")) if level is None else level
            elif stated is not None and level is None:
                level = _whole(_value(stated, "ilvl"))
            style = _value(self._styles[style], "basedOn")
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
    paragraph.insert(1, run)  # behind the properties, which a counted paragraph has by now
