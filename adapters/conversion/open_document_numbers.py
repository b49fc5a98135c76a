"""Numbers of lists and headings in OpenDocument texts (ISO/IEC 26300-1, 5.3, 16.30 to 16.34). Runs in the
child."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as Xml

from adapters.conversion.counting import WRITTEN, repeated

_TEXT, _STYLE = (f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("text", "style"))
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
        here, levels = self._open[-1], self._styles[self._open[-1].style]
        _count(here.counts, here.level, levels, item.get(f"{_TEXT}start-value"))
        return _label(here.counts, here.level, levels)

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
        here = self._open[-1]
        style = self._styles.get(here.style, {}).get(here.level)
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
        _written(counts.get(each, _whole(levels[each].get(f"{_TEXT}start-value"), 1)), levels[each])
        for each in range(level - shown + 1, level + 1)
        if each in levels
    )
    joined = ".".join(filter(None, numbers))
    return f"{style.get(f'{_STYLE}num-prefix', '')}{joined}{style.get(f'{_STYLE}num-suffix', '')}".strip()


def _written(number: int, style: Xml.Element) -> str:
    kind = style.get(f"{_STYLE}num-format", "")
    if kind not in _FORMATS:
        return ""
    if kind in "aA" and style.get(f"{_STYLE}num-letter-sync") == _TRUE:
        return repeated(number) if kind == "a" else repeated(number).upper()
    return WRITTEN[_FORMATS[kind]](number)
