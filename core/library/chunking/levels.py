"""Sub-divisions of a section: which of (4)(a)(ii) a paragraph is in."""

import re
from dataclasses import dataclass, field

_MARKER = re.compile(
    r"(?P<open>\(?)\s?(?P<value>\d{1,3}[a-z]?|z[a-z]|Z[A-Z]|(?P<same>[a-zA-Z])(?P=same)?|[ivxl]{1,6}|[IVXL]{1,6})\s?(?P<close>[.)])(?=\s|\(|$|[A-Z“\"‘])"
)
_PAGE = re.compile(r"\s\d")
"""Matches a letter and a number that are not a marker: "S. 469", "p. 3"."""
_ROMAN = re.compile(r"(?:x{0,3})(?:ix|iv|v?i{0,3})")
_MAX_DEPTH = 4
_FIRST = frozenset({"1", "a", "i"})


@dataclass(slots=True)
class Levels:
    """The path through a section's sub-divisions. Every style of marker is a separate level, in the order of
    first use. `nesting`: a list that restarts after a later item is nested inside it."""

    nesting: bool = False
    _stack: list[tuple[str, str]] = field(default_factory=list)

    @property
    def path(self) -> tuple[str, ...]:
        """The current markers, outermost first, such as ("4", "a")."""
        return tuple(value for _, value in self._stack)

    @property
    def certain(self) -> tuple[str, ...]:
        """The certain part of the path: a list that restarts may be inside the earlier one or next to it."""
        styles = [style for style, _ in self._stack]
        anew = next((style for style in styles if style.endswith("+")), None)
        return self.path[: styles.index(anew.rstrip("+"))] if anew else self.path

    @property
    def around(self) -> tuple[str, ...]:
        """What certainly contains a paragraph without a marker: it may continue the last item, or whatever
        contains the list. A number in brackets counts paragraphs, which are not lists."""
        holds = len(self._stack) > 1 or self.counts_paragraphs
        return self.certain[:1] if holds else ()

    @property
    def counts_paragraphs(self) -> bool:
        """Whether the outermost marker is a paragraph's, "(2)", rather than a list's."""
        return bool(self._stack) and self._stack[0][0] == "()1"

    def enter(self, text: str) -> int | None:
        """Follow the markers that `text` begins with; returns the depth of the first (0 = outermost), else
        None."""
        depth: int | None = None
        at = 0
        while (match := _MARKER.match(text, at)) and not (at and match["open"] != "("):
            if match["close"] == "." and match["value"].isalpha() and _PAGE.match(text, match.end()):
                break
            entered = self._place(match["open"] + match["close"], match["value"])
            depth = entered if depth is None else depth
            at = match.end()
            while text[at : at + 1] == " ":
                at += 1
        return depth

    def _place(self, brackets: str, value: str) -> int:
        style = self._style(brackets, value)
        if self.nesting and (self._begins_anew(style, value) or self._is_next(style + "+", value)):
            style += "+"
        styles = [known for known, _ in self._stack]
        depth = styles.index(style) if style in styles else min(len(styles), _MAX_DEPTH - 1)
        self._stack[depth:] = [(style, value.casefold())]
        return depth

    def _begins_anew(self, style: str, value: str) -> bool:
        """Whether `value` is a first item while the list of `style` is at a later one."""
        gone_on = dict(self._stack).get(style, "a") not in _FIRST
        return gone_on and value.casefold() in _FIRST and not self._is_next(style, value)

    def _is_next(self, style: str, value: str) -> bool:
        """Whether `value` follows the last item of the list of `style`."""
        before = dict(self._stack).get(style, "")
        if before.isdigit() and value.isdigit():
            return int(before) + 1 == int(value)
        return len(before) == len(value) == 1 and ord(before) + 1 == ord(value.casefold())

    def _style(self, brackets: str, value: str) -> str:
        """The marker's style by brackets and alphabet: `(i)` after `(h)` is a letter, otherwise a Roman
        numeral."""
        if value[0].isdigit():
            return brackets + "1"
        letter, roman = (
            brackets + ("A" if value.isupper() else "a"),
            brackets + ("I" if value.isupper() else "i"),
        )
        if not _ROMAN.fullmatch(value.casefold()):
            return letter
        known = dict(self._stack)
        if roman in known and value.casefold() != "i":
            return roman
        before = known.get(letter, "")
        follows = len(value) == 1 and len(before) == 1 and ord(before) + 1 == ord(value.casefold())
        return letter if follows else roman


def opens_level(text: str) -> bool:
    """Whether the text begins with a marker such as `(1)`, `a)` or `1.`."""
    return bool(_MARKER.match(text))
