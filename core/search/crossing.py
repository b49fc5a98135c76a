"""Questions about references: the exact provisions that cite or implement the one named, or that it cites.

Edges are followed both ways, two steps at most, among the editions the scope allows; the path is carried
with the hit ("Rule 3", "Section 4").
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.domain.documents import Edition
from core.domain.ids import DocumentId, VersionId
from core.domain.passages import Passage
from core.domain.references import Edge, Provision, ReferenceKind
from core.domain.search import Hit, QuestionKind
from core.language.patterns import pattern
from core.library.edges import CrossReferences
from core.library.references import SectionReference, parse_section_references
from core.ports.library import Library
from core.search.bearings import PROVISIONS, Bearing, bearing_of
from core.search.context import holding
from core.search.crossing_scores import (
    OWN_END,
    ReachedProvision,
    end_of,
    is_titled_after,
    kind_of_unit,
    likeness_of,
    nearness,
    punishes,
    scored,
)
from core.search.ranking import Asked
from core.search.section_titles import alike, title_of, titled_like
from core.search.settings import SearchSettings
from core.search.trails import trail_of
from core.search.wording import speaks_of

FOUND_BY = "reference"

_ROUTES = frozenset({QuestionKind.CROSS_REFERENCE, QuestionKind.PENALTY, QuestionKind.TEMPORAL})

_CARRYING_OUT = pattern(
    r"(?:{provisions.carrying_out})\s+(?:(?:{provisions.carrying_out_articles})\s+)?"
    r"(?:[\w()‘’'\" -]{0,60}\b(?:{provisions.belonging})\s+)?$",
    re.IGNORECASE,
)
_LIKENESS = 0.5
_TITLES = 2.0
_OPENING = 0.5
_OPENING_CHARACTERS = 300
_WORDING = 0.3
_PUNISHING = 1.0


class Crossing:
    """Finds what a question about references asks for."""

    def __init__(self, library: Library, settings: SearchSettings) -> None:
        self._library = library
        self._references = CrossReferences(library)
        self._settings = settings

    async def cross(
        self, asked: Asked, editions: Sequence[Edition], ranked: Sequence[Sequence[Hit]]
    ) -> list[Hit]:
        """The provisions asked for, best first, at most `pinned` of the settings; none where the question
        is not about references or they lead nowhere. `editions` are all that may be reached."""
        if not self._settings.references or asked.plan.kind not in _ROUTES:
            return []
        likeness = likeness_of(ranked)
        for named in asked.references[:1]:
            bearing = _bearing(asked, named)
            starts = await self._starts(named, editions, asked.plan.detected.documents)
            found = await self._reached(named, bearing, starts, editions)
            hits = await self._hits(found, likeness, asked)
            if not hits and bearing.citing and bearing.wanted:
                hits = await self._titled_alike(starts, bearing, editions, asked)
            return hits[: self._settings.pinned]
        return []

    async def _starts(
        self, named: SectionReference, editions: Sequence[Edition], documents: Sequence[DocumentId]
    ) -> list[Provision]:
        """The provisions that the question may mean: those of a document it is_titled_after, else of all."""
        chosen = [edition for edition in editions if edition.document.id in documents] or editions
        found = []
        for edition in chosen:
            if await self._library.section_family(edition.version.id, named.id):
                found.append(Provision(edition=edition, section=named.id, path=named.path))
        if found or not documents:
            return found
        return await self._starts(named, editions, ())

    async def _reached(
        self,
        named: SectionReference,
        bearing: Bearing,
        starts: Sequence[Provision],
        editions: Sequence[Edition],
    ) -> list[ReachedProvision]:
        """What is reached in one step. Where that is nothing of the wanted kind, in one step the other way
        (a form names its rule, a rule its form), or else in two."""
        other = replace(bearing, citing=not bearing.citing)
        for way in (bearing, other) if bearing.wanted else (bearing,):
            first = [(edge,) for start in starts for edge in await self._step(start, way, editions)]
            if naming := [path for path in first if await self._prescribes(path[-1], named, way)]:
                return scored(naming, named, way)
            if fitting := [path for path in first if _fits(path[-1], way)]:
                return scored(fitting, named, way)
            if way is bearing:
                farther = await self._second(first, bearing, editions)
        return scored(farther, named, bearing)

    async def _prescribes(self, edge: Edge, named: SectionReference, bearing: Bearing) -> bool:
        """A rule that carries out the section and names a form says which form the section wants."""
        ordinal, source = edge.reference.ordinal, edge.source
        asks_for_form = bool(bearing.wanted) and not bearing.wanted & PROVISIONS and named.kind in PROVISIONS
        if not (asks_for_form and bearing.citing and edge.kind is ReferenceKind.DERIVED_FROM):
            return False
        if ordinal is None or kind_of_unit(source.section) not in PROVISIONS:
            return False
        [passage] = await self._library.passages_at(source.edition.version.id, [ordinal])
        behind = passage.text[edge.reference.end :].partition(".\n")[0]
        language = source.edition.document.fields.language
        return any(found.kind in bearing.wanted for found in parse_section_references(behind, language))

    async def _second(
        self, first: Sequence[tuple[Edge, ...]], bearing: Bearing, editions: Sequence[Edition]
    ) -> list[tuple[Edge, ...]]:
        found = []
        for path in _distinct(first, bearing):
            there = end_of(path[-1], bearing)
            found += [(*path, edge) for edge in await self._step(there, bearing, editions)]
        return [path for path in found if _fits(path[-1], bearing)]

    async def _step(self, start: Provision, bearing: Bearing, editions: Sequence[Edition]) -> list[Edge]:
        if start.section is None:
            return []
        if bearing.citing:
            return await self._references.incoming(start, editions)
        return await self._references.outgoing(start, editions)

    async def _hits(
        self, found: Sequence[ReachedProvision], likeness: dict[str, float], asked: Asked
    ) -> list[Hit]:
        """The passages of what was reached, best first, each provision once."""
        hits: dict[tuple[str, str | None], Hit] = {}
        for item in found:
            passage = await self._passage(item)
            if passage is None or not speaks_of(asked.plan.kind, passage.text):
                continue
            evidence = _LIKENESS * likeness.get(passage.id, 0.0) + await self._evidence(item.path[0])
            evidence += nearness(item, asked) + _PUNISHING * punishes(asked, passage)
            evidence += _TITLES * is_titled_after(passage, asked.references[0])
            hit = Hit(
                passage=passage,
                edition=item.end.edition,
                score=item.score + evidence,
                found_by=(FOUND_BY,),
                trail=trail_of(item.path, item.end, asked.plan.language),
            )
            key = (passage.version, item.end.section)
            if key not in hits or hits[key].score < hit.score:
                hits[key] = hit
        return sorted(hits.values(), key=lambda hit: -hit.score)

    async def _titled_alike(
        self, starts: Sequence[Provision], bearing: Bearing, editions: Sequence[Edition], asked: Asked
    ) -> list[Hit]:
        """The rules under an act that have the title of the section named: they carry it out without citing
        it. No path leads there."""
        hits = []
        for start in starts:
            own = await self._library.section_family(start.edition.version.id, start.section or "")
            key = start.edition.document.key
            for edition in (each for each in editions if each.document.fields.derived_from == key):
                passages = await self._library.passages_at(
                    edition.version.id, range(edition.version.passages)
                )
                near = edition.document.fields.jurisdiction in asked.plan.scope.jurisdictions
                hits += [
                    Hit(
                        passage=passage,
                        edition=edition,
                        score=OWN_END * near + alike(title_of(own), title_of([passage])),
                        found_by=(FOUND_BY,),
                    )
                    for passage in titled_like(title_of(own), passages)
                    if passage.section and kind_of_unit(passage.section.id) in bearing.wanted
                ]
        return sorted(hits, key=lambda hit: -hit.score)

    async def _evidence(self, edge: Edge) -> float:
        """What speaks for an edge: titles alike, the wording, and that it opens its section."""
        source, target = edge.source, edge.target
        mine = await self._library.section_family(source.edition.version.id, source.section or "")
        theirs = await self._library.section_family(target.edition.version.id, target.section or "")
        score = 0.0
        if source.edition.document.id != target.edition.document.id:
            score += _TITLES * alike(title_of(mine), title_of(theirs))
        holding = next((passage for passage in mine if passage.ordinal == edge.reference.ordinal), None)
        if holding is None:
            return score
        at = edge.reference.start
        score += _OPENING * (holding.ordinal == mine[0].ordinal and at < _OPENING_CHARACTERS)
        return score + _WORDING * bool(_CARRYING_OUT().search(holding.text[max(0, at - 100) : at]))

    async def _passage(self, found: ReachedProvision) -> Passage | None:
        """The passage at the end of the path: the one that cites, or that holds what is cited."""
        edge, end = found.path[-1], found.end
        citing = end is edge.source
        if citing and edge.reference.ordinal is not None:
            there = await self._library.passages_at(end.edition.version.id, [edge.reference.ordinal])
            return there[0] if there else None
        family = await self._library.section_family(end.edition.version.id, end.section or "")
        return _first_holding(family, end.path) if family else None


def _bearing(asked: Asked, named: SectionReference) -> Bearing:
    """Penalties and time limits of a provision stand in what cites it."""
    if asked.plan.kind is QuestionKind.CROSS_REFERENCE:
        return bearing_of(asked.reading, named)
    return Bearing(citing=True, wanted=frozenset())


def _fits(edge: Edge, bearing: Bearing) -> bool:
    section = end_of(edge, bearing).section
    return section is not None and (not bearing.wanted or kind_of_unit(section) in bearing.wanted)


def _distinct(paths: Iterable[tuple[Edge, ...]], bearing: Bearing) -> list[tuple[Edge, ...]]:
    """One path to each provision, provisions of rules and acts only."""
    found: dict[tuple[VersionId, str | None], tuple[Edge, ...]] = {}
    for path in paths:
        end = end_of(path[-1], bearing)
        if kind_of_unit(end.section) in PROVISIONS:
            found.setdefault((end.edition.version.id, end.section), path)
    return list(found.values())


def _first_holding(family: Sequence[Passage], path: tuple[str, ...]) -> Passage:
    """The first of the passages that the sub-division may stand in; the section's first without one."""
    if not path or family[0].section is None:
        return family[0]
    last = holding(family, SectionReference(id=family[0].section.id, path=path))
    return next(p for p in family if p.section and last.section and p.section.path == last.section.path)
