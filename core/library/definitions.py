"""The terms that a statute defines, and where: “houseboat” means ... Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.passages import Passage
from core.language.patterns import pattern
from core.library.subdivisions import Part, parts_of

_QUOTED = r"""["“”„‟«»‘’‚'\u2018\u2019]{1,2}\s?(?P<term>[^"“”„«»‘’‚'\n]{2,60}?)\s?["“”«»‘’']{1,2}"""
_OPENING = re.compile(rf"\W*(?:\(?\w{{1,5}}[.)]\s*)*{_QUOTED}")
_WITHIN = pattern(rf"{_QUOTED}\s+(?:{{asked.defines}})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Definition:
    """A defined term, in the section `section` of its document, and the sub-division that defines it."""

    term: str
    section: str
    path: tuple[str, ...]


def definitions_in(family: Sequence[Passage]) -> list[Definition]:
    """The terms that the passages of one section define: quoted at the beginning of a line, or in front of a
    word that defines."""
    section = family[0].section if family else None
    if section is None:
        return []
    parts = [part for part in parts_of(family) if not part.head]
    opened = [(match["term"], part) for part in parts if (match := _OPENING.match(_text(family, part)))]
    if len(opened) < 2 and not any(_WITHIN().search(_text(family, part)) for part in parts):
        opened = []
    inside = [(each["term"], part) for part in parts for each in _WITHIN().finditer(_text(family, part))]
    return [Definition(term, section.id, part.path) for term, part in [*opened, *inside]]


def _text(family: Sequence[Passage], part: Part) -> str:
    return family[part.passage].text[part.start : part.end]
