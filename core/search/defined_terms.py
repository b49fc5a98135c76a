"""Terms that statutes define: "What is a promoter?", "Wie ist „Einwilligung“ definiert?"."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.documents import STATUTORY_TYPES, Edition
from core.domain.ids import VersionId
from core.domain.passages import Passage
from core.language.patterns import pattern
from core.library.subdivisions import Part, parts_of
from core.ports.embedding import Embedder
from core.ports.library import Library
from core.registry.names import tokens
from core.search.plan import NamedProvision

ALIKE = 0.55
"""Cosine of the first encoder from which on a term in another language is the same, if all encoders put it
first."""

_UNITS = ("section", "art", "par", "rule", "regulation")
_QUOTED = r"""["“”„‟«»‘’‚'\u2018\u2019]{1,2}\s?(?P<term>[^"“”„«»‘’‚'\n]{2,60}?)\s?["“”«»‘’']{1,2}"""
_OPENING = re.compile(rf"\W*(?:\(?\w{{1,5}}[.)]\s*)*{_QUOTED}")
_WITHIN = pattern(rf"{_QUOTED}\s+(?:{{asked.defines}})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Definition:
    """A defined term, in the section `section` of its document, and the sub-division that defines it."""

    term: str
    section: str
    path: tuple[str, ...]


class DefinedTerms:
    """Finds the provisions that define a term. Keeps what versions define. `encoders` see terms of other
    languages."""

    def __init__(self, library: Library, encoders: Sequence[Embedder]) -> None:
        self._library = library
        self._encoders = encoders
        self._defined: dict[VersionId, tuple[Definition, ...]] = {}

    async def defining(self, term: str, language: str, editions: Sequence[Edition]) -> list[NamedProvision]:
        """The provisions of `editions` that define `term`, which is in `language`."""
        found = []
        for edition in editions:
            fields = edition.document.fields
            if fields.doc_type not in STATUTORY_TYPES:
                continue
            known = await self._definitions(edition)
            meant = [each for each in known if _same_term(each.term, term)]
            if not meant and fields.language != language:
                meant = await self._translated(term, known)
            found += [await self._provision(edition, each) for each in meant]
        return found

    async def _provision(self, edition: Edition, definition: Definition) -> NamedProvision:
        family = await self._library.section_family(edition.version.id, definition.section)
        return NamedProvision(edition=edition, family=tuple(family), path=definition.path)

    async def _translated(self, term: str, known: Sequence[Definition]) -> list[Definition]:
        """What `term` is in the language of `known`, where all encoders agree on it."""
        if not known:
            return []
        best: set[str] = set()
        likeness = 1.0
        names = list(dict.fromkeys(each.term for each in known))
        for encoder in self._encoders:
            vectors, asked = await asyncio.gather(encoder.passages(names), encoder.query(term))
            scores = vectors @ asked
            best.add(names[int(scores.argmax())])
            likeness = min(likeness, float(scores.max()))
        return [each for each in known if each.term in best] if len(best) == 1 and likeness >= ALIKE else []

    async def _definitions(self, edition: Edition) -> tuple[Definition, ...]:
        version = edition.version.id
        if version not in self._defined:
            passages = await self._library.passages_at(version, range(edition.version.passages))
            families: dict[str, list[Passage]] = {}
            for passage in passages:
                if passage.section is not None and passage.section.id.partition(":")[0] in _UNITS:
                    families.setdefault(passage.section.id, []).append(passage)
            found = (definition for family in families.values() for definition in _definitions_in(family))
            self._defined[version] = tuple(dict.fromkeys(found))
        return self._defined[version]


def _same_term(one: str, other: str) -> bool:
    """Whether two writings are one term, singular or plural."""
    mine, theirs = ([word.folded for word in tokens(text)] for text in (one, other))
    return len(mine) == len(theirs) and all(
        a == b or _plural(a, b) for a, b in zip(mine, theirs, strict=True)
    )


def _plural(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if short.endswith("y") and long == f"{short[:-1]}ies":
        return True
    return long.startswith(short) and long[len(short) :] in {"s", "es", "e", "n", "en", "er"}


def _definitions_in(family: Sequence[Passage]) -> list[Definition]:
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
