"""Counters of style sheets (CSS Lists and Counters Level 3): the numbers that "content" writes before text.
Runs in the child."""

import re
from collections.abc import Iterator, Mapping

import tinycss2
from tinycss2.ast import FunctionBlock, IdentToken, StringToken

from adapters.conversion.counting import WRITTEN

_STATED = re.compile(r"([A-Za-z_][\w-]*)(?:\s+([-+]?\d{1,6})(?![\w.]))?")
_NONE = frozenset({"none", "inherit", "initial", "unset"})
_DEEPEST = 12
_LONGEST = 60
"""Characters of a label."""


class Counters:
    """Follows the counters of a page through its elements, in its order."""

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
