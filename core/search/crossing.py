"""Questions about references: the exact provisions that cite or implement the one named, or that it cites.

Edges are followed both ways, at most two steps, among the editions the scope allows; the path is attached to
the hit ("Rule 3", "Section 4").
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.domain.documents import Edition
from core.domain.ids import DocumentId, VersionId
from core.domain.passages import Edge, Passage, Provision, ReferenceKind
from core.domain.search import Hit, QuestionKind
from core.language.patterns import pattern, words
from core.language.stated import speaks_of_penalty
from core.library.edges import CrossReferences
from core.library.references import SectionReference, format_reference, parse_section_references
from core.ports.library import Library
from core.question.sections import PROVISIONS, Bearing
from core.search.context import holding
from core.search.ranking import Asked, speaks_of
from core.search.settings import SearchSettings

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
_OWN_START = 2.0

OWN_END = 1.0
_STEM = 5
_FEWEST = 2
"""Minimum words of a meaningful title; "Definitions" and "Penalties" are everywhere."""

_ALIKE = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedProvision:
    """A provision reached: the edges that lead to it (nearest first) and how well it fits."""

    end: Provision
    path: tuple[Edge, ...]
    score: float


class Crossing:
    """Finds the provisions that a question about references asks for."""

    def __init__(self, library: Library, settings: SearchSettings) -> None:
        self._library = library
        self._references = CrossReferences(library)
        self._settings = settings

    async def cross(
        self, asked: Asked, editions: Sequence[Edition], ranked: Sequence[Sequence[Hit]]
    ) -> list[Hit]:
        """The provisions asked for, best first, at most `pinned` of the settings; none if the question is not
        about references or they lead nowhere. `editions` are all that may be reached."""
        if not self._settings.references or asked.plan.kind not in _ROUTES:
            return []
        likeness = _likeness_of(ranked)
        for named in asked.sections.references[:1]:
            bearing = asked.sections.bearing
            if bearing is None or asked.plan.kind is not QuestionKind.CROSS_REFERENCE:
                # the provisions citing it contain penalties and terms
                bearing = Bearing(citing=True, wanted=frozenset())
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
        """The provisions reached in one step; if none is of the wanted kind, in one step the other way (a
        form names its rule, a rule its form), or else in two."""
        other = replace(bearing, citing=not bearing.citing)
        for way in (bearing, other) if bearing.wanted else (bearing,):
            first = [(edge,) for start in starts for edge in await self._step(start, way, editions)]
            if naming := [path for path in first if await self._prescribes(path[-1], named, way)]:
                return _scored(naming, named, way)
            if fitting := [path for path in first if _fits(path[-1], way)]:
                return _scored(fitting, named, way)
            if way is bearing:
                farther = await self._second(first, bearing, editions)
        return _scored(farther, named, bearing)

    async def _prescribes(self, edge: Edge, named: SectionReference, bearing: Bearing) -> bool:
        """Whether a rule prescribes a form: a rule that implements the section and names a form says which
        form the section requires."""
        ordinal, source = edge.reference.ordinal, edge.source
        asks_for_form = bool(bearing.wanted) and not bearing.wanted & PROVISIONS and named.kind in PROVISIONS
        if not (asks_for_form and bearing.citing and edge.kind is ReferenceKind.DERIVED_FROM):
            return False
        if ordinal is None or _kind_of_unit(source.section) not in PROVISIONS:
            return False
        [passage] = await self._library.passages_at(source.edition.version.id, [ordinal])
        after = passage.text[edge.reference.end :].partition(".\n")[0]
        language = source.edition.document.fields.language
        return any(found.kind in bearing.wanted for found in parse_section_references(after, language))

    async def _second(
        self, first: Sequence[tuple[Edge, ...]], bearing: Bearing, editions: Sequence[Edition]
    ) -> list[tuple[Edge, ...]]:
        found = []
        for path in _distinct(first, bearing):
            target = _end_of(path[-1], bearing)
            found += [(*path, edge) for edge in await self._step(target, bearing, editions)]
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
        """The passages of the provisions reached, best first, each provision once."""
        hits: dict[tuple[str, str | None], Hit] = {}
        for item in found:
            passage = await self._passage(item)
            if passage is None or not speaks_of(asked.plan.kind, passage.text):
                continue
            evidence = _LIKENESS * likeness.get(passage.id, 0.0) + await self._evidence(item.path[0])
            evidence += _nearness(item, asked) + _PUNISHING * _punishes(asked, passage)
            evidence += _TITLES * _is_titled_after(passage, asked.sections.references[0])
            hit = Hit(
                passage=passage,
                edition=item.end.edition,
                score=item.score + evidence,
                found_by=(FOUND_BY,),
                trail=_trail_of(item.path, item.end, asked.plan.language),
            )
            key = (passage.version, item.end.section)
            if key not in hits or hits[key].score < hit.score:
                hits[key] = hit
        return sorted(hits.values(), key=lambda hit: -hit.score)

    async def _titled_alike(
        self, starts: Sequence[Provision], bearing: Bearing, editions: Sequence[Edition], asked: Asked
    ) -> list[Hit]:
        """The rules under an act that have the title of the section named: they implement it without citing
        it, so no path leads there."""
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
                        score=OWN_END * near + _alike(_title_of(own), _title_of([passage])),
                        found_by=(FOUND_BY,),
                    )
                    for passage in _titled_like(_title_of(own), passages)
                    if passage.section and _kind_of_unit(passage.section.id) in bearing.wanted
                ]
        return sorted(hits, key=lambda hit: -hit.score)

    async def _evidence(self, edge: Edge) -> float:
        """The evidence for an edge: similar titles, the wording, and opening its section."""
        source, target = edge.source, edge.target
        mine = await self._library.section_family(source.edition.version.id, source.section or "")
        theirs = await self._library.section_family(target.edition.version.id, target.section or "")
        score = 0.0
        if source.edition.document.id != target.edition.document.id:
            score += _TITLES * _alike(_title_of(mine), _title_of(theirs))
        holding = next((passage for passage in mine if passage.ordinal == edge.reference.ordinal), None)
        if holding is None:
            return score
        at = edge.reference.start
        score += _OPENING * (holding.ordinal == mine[0].ordinal and at < _OPENING_CHARACTERS)
        return score + _WORDING * bool(_CARRYING_OUT().search(holding.text[max(0, at - 100) : at]))

    async def _passage(self, found: ReachedProvision) -> Passage | None:
        """The passage at the end of the path: the citing one, or the one containing what is cited."""
        edge, end = found.path[-1], found.end
        citing = end is edge.source
        if citing and edge.reference.ordinal is not None:
            passages = await self._library.passages_at(end.edition.version.id, [edge.reference.ordinal])
            return passages[0] if passages else None
        family = await self._library.section_family(end.edition.version.id, end.section or "")
        return _first_holding(family, end.path) if family else None


def _fits(edge: Edge, bearing: Bearing) -> bool:
    section = _end_of(edge, bearing).section
    return section is not None and (not bearing.wanted or _kind_of_unit(section) in bearing.wanted)


def _distinct(paths: Iterable[tuple[Edge, ...]], bearing: Bearing) -> list[tuple[Edge, ...]]:
    """One path to each provision, for provisions of rules and acts only."""
    found: dict[tuple[VersionId, str | None], tuple[Edge, ...]] = {}
    for path in paths:
        end = _end_of(path[-1], bearing)
        if _kind_of_unit(end.section) in PROVISIONS:
            found.setdefault((end.edition.version.id, end.section), path)
    return list(found.values())


def _first_holding(family: Sequence[Passage], path: tuple[str, ...]) -> Passage:
    """The first of the passages that may contain the sub-division; without one, the section's first."""
    if not path or family[0].section is None:
        return family[0]
    last = holding(family, SectionReference(id=family[0].section.id, path=path))
    return next(p for p in family if p.section and last.section and p.section.path == last.section.path)


def _end_of(edge: Edge, bearing: Bearing) -> Provision:
    """Where an edge leads when followed as the question does."""
    return edge.source if bearing.citing else edge.target


def _kind_of_unit(section: str | None) -> str:
    """The kind of a section by its id: "section", "rule", "form"; empty for none."""
    return (section or "").partition(":")[0]


def _scored(
    paths: Sequence[tuple[Edge, ...]], named: SectionReference, bearing: Bearing
) -> list[ReachedProvision]:
    """The paths scored by kind of edge and unit, named sub-division, and mentions."""
    ends = [_end_of(path[-1], bearing) for path in paths]
    mentions = Counter((end.edition.version.id, end.section) for end in ends)
    found = []
    for path, end in zip(paths, ends, strict=True):
        edge = path[0]
        named_end = edge.target if bearing.citing else edge.source
        score = 1.5 * (_kind_of_unit(end.section) in PROVISIONS)
        score += 1.0 * (edge.kind is ReferenceKind.DERIVED_FROM)
        score += _same_path(named.path, named_end.path)
        score += 0.2 * min(3, mentions[end.edition.version.id, end.section] - 1)
        found.append(ReachedProvision(end=end, path=path, score=score))
    return found


def _same_path(asked: tuple[str, ...], there: tuple[str, ...]) -> float:
    """How far the sub-division asked about matches the one that the reference names or is in."""
    if not asked or not there:
        return 0.5
    if there[: len(asked)] == asked:
        return 2.0
    return 1.2 if asked[: len(there)] == there else -1.0


def _nearness(found: ReachedProvision, asked: Asked) -> float:
    """A bonus for documents of the place asked about over those of places above it."""
    places = asked.plan.scope.jurisdictions
    edge = found.path[0]
    start = edge.target if found.end is found.path[-1].source else edge.source
    return sum(
        weight * (end.edition.document.fields.jurisdiction in places)
        for end, weight in ((start, _OWN_START), (found.end, OWN_END))
    )


def _punishes(asked: Asked, passage: Passage) -> bool:
    """Whether question and passage both mention a penalty."""
    return asked.plan.question.wanted.penalty and speaks_of_penalty(passage.text)


def _is_titled_after(passage: Passage, named: SectionReference) -> bool:
    """Whether the title of the section names the provision ("Penalty for contravening section 3")."""
    title = passage.section.title if passage.section else ""
    return any(each.id == named.id for each in parse_section_references(title, "en"))


def _likeness_of(ranked: Sequence[Sequence[Hit]]) -> dict[str, float]:
    """For each passage found by the search, how close its score is to the best one, 0 to 1."""
    hits = [hit for group in ranked for hit in group]
    if not hits:
        return {}
    low, high = min(hit.score for hit in hits), max(hit.score for hit in hits)
    return {hit.passage.id: (hit.score - low) / ((high - low) or 1.0) for hit in hits}


def _title_of(family: Sequence[Passage]) -> str:
    """The title of a section, given its passages; "" without one."""
    section = family[0].section if family else None
    return section.title if section else ""


def _alike(one: str, other: str) -> float:
    """Share of the shorter title's words in the other, 0 to 1."""
    mine, theirs = _stems(one), _stems(other)
    return len(mine & theirs) / min(len(mine), len(theirs)) if mine and theirs else 0.0


def _titled_like(title: str, passages: Sequence[Passage]) -> list[Passage]:
    """The first passage of each section among `passages` with approximately the title `title`."""
    found: dict[str, Passage] = {}
    for passage in passages:
        section = passage.section
        if section is None or min(len(_stems(section.title)), len(_stems(title))) < _FEWEST:
            continue
        if _alike(title, section.title) >= _ALIKE:
            found.setdefault(section.id, passage)
    return list(found.values())


def _stems(text: str) -> set[str]:
    words_left = set(re.findall(r"[^\W\d_]+", text.casefold())) - words("provisions.title_stop")
    return {word[:_STEM] for word in words_left}


def _trail_of(path: Sequence[Edge], end: Provision, language: str) -> tuple[str, ...]:
    """The provisions of a path that ends at `end`, from what cites to what is cited."""
    if end is path[-1].source:
        steps = [path[0].target, *(edge.source for edge in path)][::-1]
    else:
        steps = [path[0].source, *(edge.target for edge in path)]
    return tuple(_label(step, language) for step in steps)


def _label(provision: Provision, language: str) -> str:
    reference = SectionReference(id=provision.section or "", path=provision.path)
    return format_reference(reference, language)


def with_crossed(ranked: Sequence[Sequence[Hit]], crossed: Sequence[Hit]) -> list[list[Hit]]:
    """`ranked` with the targets of references at the front, and scores adjusted accordingly."""
    if not crossed:
        return [list(hits) for hits in ranked]
    ids = {hit.passage.id: hit for hits in ranked for hit in hits}
    best = max((hit.score for hit in ids.values()), default=0.0)
    raised = [
        replace(
            hit,
            score=best + 1.0 - 0.1 * rank,
            scores=ids[hit.passage.id].scores if hit.passage.id in ids else {},
            found_by=(*hit.found_by, *(ids[hit.passage.id].found_by if hit.passage.id in ids else ())),
        )
        for rank, hit in enumerate(crossed)
    ]
    taken = {hit.passage.id for hit in raised}
    rest = [[hit for hit in hits if hit.passage.id not in taken] for hits in ranked]
    homes = [{hit.edition.version.id for hit in hits} for hits in ranked]
    for hit in reversed(raised):
        home = next((n for n, versions in enumerate(homes) if hit.edition.version.id in versions), 0)
        rest[home].insert(0, hit)
    return rest
