"""How a browser would show the elements of an HTML page, as far as words depend on it: what is unseen, struck
out, raised, set as a block, and numbered. Runs in the child.

Style sheets of the page, `style` attributes and the old attributes for colours count, in the order of the
cascade (CSS Cascading and Inheritance 4); sheets in other files are never fetched.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from xml.etree import ElementTree as Xml

import cssselect2
import tinycss2
from tinycss2 import color4
from tinycss2.ast import AtRule, Declaration, FunctionBlock, IdentToken, QualifiedRule, StringToken

_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_MOST_ROMAN = 3999
_LETTERS = 26
_MOST_REPEATED = 10 * _LETTERS


def roman(number: int) -> str:
    """i, ii, iii, iv."""
    if not 0 < number <= _MOST_ROMAN:
        return str(number)
    written = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        written += count * letters
    return written


def counted(number: int) -> str:
    """a, b, ..., z, aa, ab: as browsers and LibreOffice go on."""
    if number < 1:
        return str(number)
    written = ""
    while number:
        number, at = divmod(number - 1, _LETTERS)
        written = chr(ord("a") + at) + written
    return written


def repeated(number: int) -> str:
    """a, b, ..., z, aa, bb: as Word goes on."""
    if not 0 < number <= _MOST_REPEATED:
        return str(number)
    times, at = divmod(number - 1, _LETTERS)
    return (times + 1) * chr(ord("a") + at)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th."""
    last = number % 10 if number % 100 not in (11, 12, 13) else 0
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


WRITTEN: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimal-leading-zero": lambda number: f"{number:02d}",
    "lower-alpha": counted,
    "lower-latin": counted,
    "lower-roman": roman,
    "upper-alpha": lambda number: counted(number).upper(),
    "upper-latin": lambda number: counted(number).upper(),
    "upper-roman": lambda number: roman(number).upper(),
}
"""How a number is written, by its name in CSS (Counter Styles Level 3)."""


_MAX_SELECTORS = 5_000
_MAX_NESTING = 8
_WIDTH = 1280.0
"""Window width in pixels assumed for media conditions."""
_SIZE = 16.0
_UNREADABLE_SIZE = 2.7
"""Pixels; as in PDFs, letters under two points are unseen."""
_FAR = 300.0
"""Pixels outside the page beyond which nothing is visible."""
_UNREADABLE_CONTRAST = 1.1
_FAINT = 0.05
_STRUCK = frozenset({"s", "del", "strike"})
_MOVED = ("margin-left", "margin-top", "text-indent")
_PLACED = ("top", "right", "bottom", "left")
_EXTENTS = ("width", "height", "max-width", "max-height")
_OVERFLOW = ("overflow", "overflow-x", "overflow-y")
_MASKS = ("mask", "-webkit-mask", "mask-image", "-webkit-mask-image")
_DECIDING = ("display", "visibility", "content-visibility", "opacity", "filter", "clip", "clip-path", *_MASKS)
_TRANSFORMS = ("transform", "translate", "scale")
_OF_TEXT = ("font", "font-size", "text-decoration", "text-decoration-line", "vertical-align", "float")
_COUNTING = ("list-style", "list-style-type", "counter-reset", "counter-set", "counter-increment", "content")
_LISTS = frozenset({"ol", "ul", "menu", "dir"})
_COLOURS = ("color", "background", "background-color", "-webkit-text-fill-color")
_RELEVANT = frozenset(
    (
        *_DECIDING,
        *_TRANSFORMS,
        *_OF_TEXT,
        *_COLOURS,
        *_MOVED,
        *_PLACED,
        *_EXTENTS,
        *_OVERFLOW,
        "position",
        "inset",
        *_COUNTING,
    )
)
_UNITS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "rem": _SIZE}
_UNITS |= {"vw": _WIDTH / 100, "vh": 8.0, "vmin": 8.0, "vmax": _WIDTH / 100, "": 1.0}
_NAMED_SIZES = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0}
_LENGTH = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(%|[a-z]*)", re.IGNORECASE)
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,\s*([^()]*))?\)")
_INLINE_DISPLAYS = ("inline", "contents", "none", "ruby")
_FONT_SIZE = re.compile(r"(?:^|\s)((?:\d+\.?\d*|\.\d+)(?:%|[a-z]+)?)(?=\s|/|$)")
_EMPTY_PATH = re.compile(
    r"inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0|polygon\(\s*0\S*\s+0\S*\s*(?:,\s*0\S*\s+0\S*\s*)+\)"
)
_FADED = re.compile(r"opacity\(\s*([^()\s]+)\s*\)")
_SCALED = re.compile(r"scale(?:[xy]|3d)?\(([^()]*)\)")
_CONDITION = re.compile(r"\(\s*([\w-]+)\s*(?::\s*([^()]*))?\)")
_BEFORE = frozenset({"before", "marker"})
_WHITE, _BLACK = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """How an element is shown. `unseen` holds for its own text, and for that of elements inside unless they
    say otherwise; one that is `absent` leaves no room either. `marker` is what counts the items of a list, as
    "list-style-type" names it, "" where nothing does; `label` the number that a style sheet puts before its
    text; `items` how many a list has."""

    unseen: bool = False
    struck: bool = False
    raised: bool = False
    block: bool = False
    absent: bool = False
    marker: str = ""
    label: str = ""
    items: int = 0


@dataclass(frozen=True, slots=True)
class _Shown:
    """What elements inherit. `ground` is the colour behind them, None where it is not known."""

    gone: bool = False
    visible: bool = True
    struck: bool = False
    raised: bool = False
    size: float = _SIZE
    colour: Colour | None = _BLACK
    faint: bool = False
    ground: Colour | None = _WHITE
    variables: Mapping[str, str] = field(default_factory=dict)
    marker: str = ""

    @property
    def unseen(self) -> bool:
        """Whether text is invisible."""
        alike = self.colour and self.ground and _contrast(self.colour, self.ground) < _UNREADABLE_CONTRAST
        return self.gone or not self.visible or self.faint or self.size < _UNREADABLE_SIZE or bool(alike)


def looks(root: Xml.Element, sheets: Iterable[tuple[str, str]]) -> list[Look]:
    """The looks of `root` and all elements inside, in the document's order. `sheets` are the page's style
    sheets, each with the media that it is meant for."""
    matcher, count = cssselect2.Matcher(), 0
    for media, sheet in sheets:
        if not _applies(media):
            continue
        rules = tinycss2.parse_stylesheet(sheet, skip_comments=True)
        for selector, declarations in _rules(rules):
            if count == _MAX_SELECTORS:
                break
            count += 1
            matcher.add_selector(selector, declarations)
    # if style sheets are missing, the background of the text is unknown
    elsewhere = any("stylesheet" in (each.get("rel") or "").lower() for each in root.iter("link"))
    shown: dict[Xml.Element, _Shown] = {}
    counters = Counters()
    found: list[Look] = []
    plain: dict[int, Look] = {}  # of elements about which nothing is said, by what they inherit
    depths: dict[Xml.Element, int] = {}
    for element in cssselect2.ElementWrapper.from_html_root(root).iter_subtree():
        own = element.etree_element
        depths[own] = depth = depths[element.parent.etree_element] + 1 if element.parent else 0
        above = shown[element.parent.etree_element] if element.parent else _Shown()
        if elsewhere and above.ground:
            above = replace(above, ground=None)
        every = matcher.match(element) if count else ()
        matched = [each for each in every if each[2] is None]
        if not (every or own.attrib or own.tag in _STRUCK or own.tag in _LISTS):
            shown[own] = above
            look = Look(above.unseen, above.struck, above.raised, marker=above.marker)
            found.append(plain.setdefault(id(above), look))
            continue
        values = _cascaded(own, matched)
        shown[own] = now = _computed(own, values, above)
        display, float_ = values.get("display", ""), values.get("float", "")
        block = bool(display and not display.startswith(_INLINE_DISPLAYS)) or float_ in ("left", "right")
        absent = display == "none" or values.get("position") in ("absolute", "fixed")
        before = _cascaded(own, [each for each in every if each[2] in _BEFORE], own_style=False)
        label = "" if now.gone else counters.label(depth, values, before)
        items = len(own.findall("li")) if own.tag == "ol" else 0
        absent = absent and now.unseen
        found.append(Look(now.unseen, now.struck, now.raised, block, absent, now.marker, label, items))
    return found


# Rules and the cascade

_Declared = tuple[str, str, bool]  # name, value, important


def _rules(
    nodes: Iterable[object], within: str = "", depth: int = 0
) -> Iterator[tuple[cssselect2.compiler.CompiledSelector, list[_Declared]]]:
    """The selectors of rules that hold on a screen, with what they declare."""
    for node in nodes:
        if depth > _MAX_NESTING:
            return
        if isinstance(node, AtRule) and node.content is not None:
            condition = tinycss2.serialize(node.prelude).strip().lower()
            holds = {"media": _applies(condition), "supports": not condition.startswith("not"), "layer": True}
            if holds.get(node.lower_at_keyword, False):
                inside = tinycss2.parse_blocks_contents(
                    node.content, skip_comments=True, skip_whitespace=True
                )
                if within:  # a condition inside of a rule
                    yield from _compiled(within, inside)
                yield from _rules(inside, within, depth + 1)
        elif isinstance(node, QualifiedRule):
            own = tinycss2.serialize(node.prelude).strip()
            if within:
                own = own.replace("&", f":is({within})") if "&" in own else f":is({within}) :is({own})"
            content = tinycss2.parse_blocks_contents(node.content, skip_comments=True)
            yield from _compiled(own, content)
            yield from _rules(content, own, depth + 1)


def _compiled(
    selectors: str, content: Iterable[object]
) -> Iterator[tuple[cssselect2.compiler.CompiledSelector, list[_Declared]]]:
    declared = list(_declared(content))
    if not declared:
        return
    try:
        compiled = cssselect2.compile_selector_list(selectors)
    except cssselect2.SelectorError:  # a browser skips the whole rule
        return
    for selector in compiled:
        if selector.pseudo_element is None or selector.pseudo_element in _BEFORE:
            yield selector, declared


def _declared(content: Iterable[object]) -> Iterator[_Declared]:
    for each in content:
        if not isinstance(each, Declaration):
            continue
        custom = each.name.startswith("--")
        if custom or each.lower_name in _RELEVANT:
            value = tinycss2.serialize(each.value).strip()
            as_written = custom or each.lower_name in _COUNTING
            name = each.name if custom else each.lower_name
            yield name, value if as_written else value.lower(), each.important


def _applies(media: str) -> bool:
    """Whether a list of media queries holds on a screen."""
    return any(_query(each.strip().lower()) for each in media.split(",")) if media.strip() else True


def _query(query: str) -> bool:
    if query.startswith("not "):
        return not _query(query[4:])
    kind = re.match(r"(?:only\s+)?([a-z]+)(?=\s|$)", query)
    if kind and kind[1] not in ("all", "screen"):
        return False
    return all(_holds(name, value or "") for name, value in _CONDITION.findall(query))


def _holds(name: str, value: str) -> bool:
    width = _pixels(value.strip(), _SIZE) or 0.0
    return {
        "min-width": width <= _WIDTH,
        "max-width": width >= _WIDTH,
        "orientation": value.strip() == "landscape",
    }.get(name, False)


def _cascaded(
    element: Xml.Element, matched: Sequence[tuple[object, ...]], *, own_style: bool = True
) -> dict[str, str]:
    """The values that win, by property; `own_style`: the element's own as well."""
    values: dict[str, str] = {}
    important: dict[str, str] = {}
    if element.get("hidden") is not None:
        values["display"] = "none"
    for attribute, name in (("color", "color"), ("text", "color"), ("bgcolor", "background-color")):
        if (old := element.get(attribute)) and (attribute != "color" or element.tag == "font"):
            values[name] = old.lower()
    sources: list[Iterable[_Declared]] = [each[-1] for each in matched]  # type: ignore[misc]
    if own_style and (style := element.get("style")):
        sources.append(_declared(tinycss2.parse_blocks_contents(style, skip_comments=True)))
    for declared in sources:
        for name, value, is_important in declared:
            for own, stated in _longhands(name, value):
                (important if is_important else values)[own] = stated
    return values | important


def _longhands(name: str, value: str) -> Iterator[tuple[str, str]]:
    if name == "text-decoration":
        yield "text-decoration-line", value
    elif name == "background":
        yield "background-color", value
    elif name == "font":
        found = _FONT_SIZE.search(value)
        if found is None or value[found.end() :].strip():  # a size without a family is not a font
            yield "font-size", found[1] if found else "medium"
    elif name == "list-style":
        yield "list-style-type", _marker(value)
    elif name == "inset":
        edges = value.split()
        yield from zip(
            _PLACED, {1: edges * 4, 2: edges * 2}.get(len(edges), [*edges, *edges[1:2]]), strict=False
        )
    else:
        yield name, value


def _marker(value: str) -> str:
    """The type that "list-style" states, "" if none."""
    parts = [each for each in tinycss2.parse_component_value_list(value) if each.type in ("ident", "string")]
    places = ("inside", "outside", "inherit", "initial", "unset", "revert")
    kinds = [tinycss2.serialize([each]) for each in parts]
    return next((kind for kind in kinds if kind.lower() not in places), "")


# Visibility


def _computed(element: Xml.Element, values: dict[str, str], above: _Shown) -> _Shown:
    variables = above.variables
    if custom := {name: value for name, value in values.items() if name.startswith("--")}:
        variables = {**variables, **custom}
    if any("var(" in value for value in values.values()):
        for name, value in values.items():
            values[name] = _VARIABLE.sub(lambda v: variables.get(v[1], v[2] or ""), value).lower()
    size = _size(values.get("font-size", ""), above.size)
    line = values.get("text-decoration-line", "")
    colour, faint = _coloured(values.get("-webkit-text-fill-color") or values.get("color", ""), above)
    visibility = values.get("visibility", "")
    align = values.get("vertical-align", "")
    return _Shown(
        gone=above.gone or _is_gone(values, size),
        visible=visibility == "visible" if visibility in ("visible", "hidden", "collapse") else above.visible,
        struck=above.struck or _is_deleted(element, line) or "line-through" in line.split(),
        raised=above.raised or align in ("super", "text-top"),
        size=size,
        colour=colour,
        faint=faint,
        ground=_background(
            values.get("background-color", ""),
            None if values.get("position") in ("absolute", "fixed") else above.ground,
        ),
        variables=variables,
        marker=values.get("list-style-type", "") or ("" if element.tag in _LISTS else above.marker),
    )


def _is_deleted(element: Xml.Element, line: str) -> bool:
    """Whether an element is deleted: an <s> only unless another `line` is declared."""
    kept = element.tag == "del" or not line
    return (element.tag in _STRUCK and kept) or element.get("role") == "deletion"


def _is_gone(values: Mapping[str, str], size: float) -> bool:
    """Whether an element and its content are removed from the page."""
    if values.get("display") == "none" or values.get("content-visibility") == "hidden":
        return True
    faded = (values.get("opacity", ""), *_FADED.findall(values.get("filter", "")))
    if any((opacity := _pixels(value, 1.0)) is not None and opacity < _FAINT for value in faded):
        return True
    masked = any(_masks_all(values.get(name, "")) for name in _MASKS)
    return masked or _is_beside(values, size) or _is_clipped(values, size)


def _masks_all(value: str) -> bool:
    """Whether a mask is nothing but gradients of transparent colours."""
    if "gradient(" not in value or "url(" in value or "luminance" in value:
        return False
    parts = [
        part
        for function in tinycss2.parse_component_value_list(value)
        if isinstance(function, FunctionBlock) and function.lower_name.endswith("gradient")
        for part in function.arguments
    ]
    alphas = [found[1] for part in parts if (found := _parsed(part.serialize()))]
    return bool(alphas) and max(alphas) < _FAINT


def _is_beside(values: Mapping[str, str], size: float) -> bool:
    moved = [*_MOVED, *(_PLACED if values.get("position", "static") != "static" else ())]
    places = [_pixels(values.get(name, ""), size) for name in moved]
    transform, translate = values.get("transform", ""), values.get("translate", "")
    moving = f"{transform if 'translate' in transform else ''} {translate}"
    places += [_pixels(each[0], size) for each in _LENGTH.finditer(moving)]
    scales = (values.get("scale", ""), *_SCALED.findall(transform))
    factors = [_pixels(each, 1.0) for scale in scales for each in re.split(r"[\s,]+", scale.strip())[:2]]
    shrunk = any(factor is not None and abs(factor) < _FAINT for factor in factors)
    return shrunk or any(place is not None and place < -_FAR for place in places)


def _is_clipped(values: Mapping[str, str], size: float) -> bool:
    if _EMPTY_PATH.match(values.get("clip-path", "")):
        return True
    if values.get("position") in ("absolute", "fixed") and values.get("clip", "").startswith("rect("):
        edges = [_pixels(each[0], size) or 0.0 for each in _LENGTH.finditer(values["clip"])]
        if len(edges) == 4 and edges[2] - edges[0] <= 1 and edges[1] - edges[3] <= 1:
            return True
    hides = any(
        values.get(name, "") in ("hidden", "clip") for name in ("overflow", "overflow-x", "overflow-y")
    )
    extents = (_pixels(values.get(name, ""), size) for name in ("width", "height", "max-width", "max-height"))
    return hides and any(extent is not None and extent <= 1 for extent in extents)


def _pixels(value: str, size: float) -> float | None:
    """A length in pixels, "%" and "em" of `size`; None for anything else."""
    found = _LENGTH.fullmatch(value)
    if found is None:
        return None
    number, unit = float(found[1]), found[2]
    if unit in ("%", "em", "ex", "ch"):
        return number * size / (100 if unit == "%" else 1)
    return number * _UNITS[unit] if unit in _UNITS else None


def _size(value: str, above: float) -> float:
    if value in ("smaller", "larger"):
        return above * (0.83 if value == "smaller" else 1.2)
    found = _NAMED_SIZES.get(value) or _pixels(value, above)
    return above if found is None else found


def _parsed(value: str) -> tuple[Colour, float] | None:
    """Red, green, blue (0 to 1) and how opaque it is; None if it is no colour that is known."""
    found = color4.parse_color(value) if value else None
    if found is None or isinstance(found, str):
        return None
    try:
        red, green, blue = (float(part or 0) for part in found.to("srgb").coordinates)
    except NotImplementedError:
        return None
    return (red, green, blue), float(found.alpha)


def _coloured(value: str, above: _Shown) -> tuple[Colour | None, bool]:
    """The colour of text, and whether it is too faint to be seen."""
    if not value or value in ("inherit", "unset", "currentcolor"):
        return above.colour, above.faint
    found = _parsed(value)
    return (found[0], found[1] < _FAINT) if found else (None, False)


def _background(value: str, above: Colour | None) -> Colour | None:
    """The background colour of text; unknown for pictures and gradients."""
    if not value or value in ("none", "transparent", "inherit", "initial", "unset"):
        return above
    if found := _parsed(value):
        return found[0] if found[1] > 1 - _FAINT else above if found[1] < _FAINT else None
    known = [found for each in value.split() if (found := _parsed(each))] if "(" not in value else []
    return known[0][0] if known and known[0][1] > 1 - _FAINT else None


def _contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio (WCAG 2.2), 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in map(_clipped, colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _clipped(part: float) -> float:
    return min(max(part, 0.0), 1.0)


# Counters of style sheets (CSS Lists and Counters Level 3): the numbers that "content" writes before text.
# Runs in the child.

_STATED = re.compile(r"([A-Za-z_][\w-]*)(?:\s+([-+]?\d{1,6})(?![\w.]))?")
_NONE = frozenset({"none", "inherit", "initial", "unset"})
_DEEPEST = 12
_LONGEST = 60
"""Maximum characters of a label."""


class Counters:
    """Tracks the counters of a page through its elements, in document order."""

    def __init__(self) -> None:
        self._counts: dict[str, list[tuple[int, int]]] = {}  # depth and value, innermost last

    def label(self, depth: int, own: Mapping[str, str], before: Mapping[str, str]) -> str:
        """The number that stands before the text of an element that is `depth` deep; "" where there is none.
        `own` are the values of its properties, `before` those of what stands before it."""
        for values in (own, before):
            for name, number in _stated(values.get("counter-reset", ""), 0):
                self._within(name, depth - 1).append((depth, number))
            for name, number in _stated(values.get("counter-increment", ""), 1):
                self._change(name, depth, number)
            for name, number in _stated(values.get("counter-set", ""), 0):
                self._change(name, depth, number, anew=True)
        return self._written(before.get("content", ""), depth)

    def _within(self, name: str, depth: int) -> list[tuple[int, int]]:
        """The counts of that name that reach an element `depth` deep."""
        counts = self._counts.setdefault(name, [])
        while counts and counts[-1][0] > depth:
            counts.pop()
        return counts

    def _change(self, name: str, depth: int, number: int, *, anew: bool = False) -> None:
        counts = self._within(name, depth)
        if not counts:
            counts.append((depth, 0))
        at, before = counts[-1]
        counts[-1] = at, number if anew else before + number

    def _written(self, content: str, depth: int) -> str:
        """The text of `content` where a counter is in it."""
        if "counter" not in content:
            return ""
        parts = []
        for each in tinycss2.parse_component_value_list(content, skip_comments=True):
            if isinstance(each, StringToken):
                parts.append(each.value)
            elif isinstance(each, FunctionBlock) and each.lower_name in ("counter", "counters"):
                parts.append(self._counted(each, depth))
        return "".join(parts)[:_LONGEST]

    def _counted(self, function: FunctionBlock, depth: int) -> str:
        stated = [each for each in function.arguments if isinstance(each, IdentToken | StringToken)]
        if not stated or not isinstance(stated[0], IdentToken):
            return ""
        kind = next((each.lower_value for each in stated[1:] if isinstance(each, IdentToken)), "decimal")
        between = next((each.value for each in stated[1:] if isinstance(each, StringToken)), "")
        numbers = [value for _, value in self._within(stated[0].value, depth)[-_DEEPEST:]] or [0]
        write = WRITTEN.get(kind, str)
        return between.join(map(write, numbers if function.lower_name == "counters" else numbers[-1:]))


def _stated(value: str, usual: int) -> Iterator[tuple[str, int]]:
    for name, number in _STATED.findall(value):
        if name not in _NONE:
            yield name, int(number) if number else usual
