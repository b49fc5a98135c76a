"""Titles of sections, compared by their words: a rule is often titled as the section that it carries out."""

import re
from collections.abc import Sequence

from core.domain.passages import Passage
from core.language.patterns import words

_STEM = 5
_FEWEST = 2
"""Words of a title that says what a provision is about; "Definitions" and "Penalties" are everywhere."""

_ALIKE = 0.8


def title_of(family: Sequence[Passage]) -> str:
    """The title of a section, of its passages; "" without one."""
    section = family[0].section if family else None
    return section.title if section else ""


def alike(one: str, other: str) -> float:
    """Share of the shorter title's words that the other has, 0 to 1."""
    mine, theirs = _stems(one), _stems(other)
    return len(mine & theirs) / min(len(mine), len(theirs)) if mine and theirs else 0.0


def titled_like(title: str, passages: Sequence[Passage]) -> list[Passage]:
    """The first passage of each section among `passages` titled as `title` is, in more words or fewer."""
    found: dict[str, Passage] = {}
    for passage in passages:
        section = passage.section
        if section is None or min(len(_stems(section.title)), len(_stems(title))) < _FEWEST:
            continue
        if alike(title, section.title) >= _ALIKE:
            found.setdefault(section.id, passage)
    return list(found.values())


def _stems(text: str) -> set[str]:
    said = set(re.findall(r"[^\W\d_]+", text.casefold())) - words("provisions.title_stop")
    return {word[:_STEM] for word in said}
