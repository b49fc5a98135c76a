"""Comparison: one question, a row for every party or place, the same quota and the same rule for each."""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from core.answering.entries import checked
from core.answering.extractive.citations import with_key_words
from core.answering.labels import Labels
from core.answering.notices import PLACES_BETWEEN, alliance_notices_of, is_unreadable
from core.answering.reports.like_with_like import (
    YearsMeant,
    left_out_by_years,
    level_of,
    of_level,
    seats_of,
    years_meant,
)
from core.answering.reports.sides import (
    FoundSentence,
    RowStatus,
    Side,
    SideSearch,
    in_registry_order,
)
from core.domain.answers import Citation, Notice, Rejected
from core.domain.documents import Edition
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.errors import Refused
from core.ports.clock import Clock
from core.ports.library import Library
from core.question.content import TOPIC_LETTERS, without_years
from core.question.parsed import ParsedQuestion, nameless
from core.question.subject import topic_terms
from core.question.topic import says_topic, topic, topic_of_all
from core.registry.detection import Detection, NameRole
from core.registry.registry import PlaceTree, expand_party
from core.registry.towns import town_name
from core.search.scope import Group, ScopeQuery
from core.search.searcher import Searcher


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareSettings:
    """Maximum quotes per row, of which the first is shown, and the maximum length of a question in
    characters."""

    quota: int = 3
    max_question: int = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """What one side says: its best quote, if any, and `further` ones on request. `confidence` is that of the
    best, 0 without one."""

    side: Side
    status: RowStatus
    citations: tuple[Citation, ...] = ()
    further: tuple[Citation, ...] = ()
    confidence: float = 0.0
    rejected: tuple[Rejected, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Rows in the registry's order, one for every side; labels number what is shown first, then the rest.
    `topic` is the question's topic in its own words, without the names of the sides; `again` is a query that
    reproduces the result. `notices` say who was left out, and why."""

    question: str
    topic: str
    again: str
    language: str
    scope: Scope
    rows: tuple[ComparisonRow, ...]
    seconds: dict[str, float]
    notices: tuple[Notice, ...] = ()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations shown, by label."""
        return tuple(citation for row in self.rows for citation in row.citations)

    @property
    def further(self) -> tuple[Citation, ...]:
        """The citations shown on request, by label."""
        return tuple(citation for row in self.rows for citation in row.further)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparer:
    """Compares without a model: every cell is a verbatim, verified quote, or says that there is none."""

    searcher: Searcher
    library: Library
    sides: SideSearch
    clock: Clock
    settings: CompareSettings = CompareSettings()

    async def compare(
        self,
        question: str,
        *,
        scope: Scope,
        jurisdictions: Sequence[str] = (),
        chat_jurisdiction: str | None = None,
        without: Collection[str] = (),
    ) -> Comparison:
        """The comparison of `jurisdictions` (codes), or of the parties of `scope`; if neither has two, of
        those that the question names, else of all parties with a document in scope. `without`: compare all
        parties but these, which have already been quoted, even if only one is left and whichever the question
        names. Raises Refused for an empty or over-long question, one without a topic, and if there are fewer
        than two to compare."""
        started = time.perf_counter()
        question = checked(question, self.settings.max_question)
        today, registry = self.clock.today(), await self.library.registry(scope.collections)
        editions = await self.library.editions(scope, on=today)
        asked = self.searcher.read(question, registry, editions)
        detection = asked.names
        named_places = tuple(_places(detection, editions, registry))
        absent = () if named_places or scope.jurisdictions else _absent(detection, editions, registry)
        if named_places or absent:  # names in the question override the chat's settings
            chat_jurisdiction = None
        places = scope.jurisdictions or absent or given(chat_jurisdiction)
        reach = within(editions, places, registry)
        asks = replace(detection, parties=(), strangers=()) if without else detection
        sides = in_registry_order(_sides(scope, jurisdictions, asks, reach, registry, without), registry)
        if len(sides) < (1 if without else 2):
            raise Refused("scope.compare_few", "name at least two parties or two places to compare")
        places = places or named_places
        level = level_of(sides, scope, reach, places, registry)
        meant = years_meant(detection.years, scope.editions, of_level(reach, level), today)
        scope, everyone = replace(scope, editions=meant.years), sides
        if meant.years:
            reach = list(meant.editions)
            sides = in_registry_order(_sides(scope, jurisdictions, asks, reach, registry, without), registry)
        asking = ScopeQuery(
            options=scope,
            today=today,
            detection=replace(detection, years=()),  # they are in the scope now
            chat_jurisdiction=chat_jurisdiction,
        )
        found = seats_of(sides, asking, reach, level, registry)
        groups = [group for _, group in found.seats]
        named = {*scope.jurisdictions, *given(level), *absent}
        content = _content(asked, _names(sides, (*scope.parties, *without), named, registry), meant)
        about, language = topic_of_all(content), asked.language
        sentences = await self.sides.find(nameless(about, language), groups, self.settings.quota)
        rows = await self._rows([side for side, _ in found.seats], groups, sentences)
        rows = _with_key_words(rows, topic_terms(about, language), language)
        shown = [(row.side.parties, (*row.citations, *row.further)) for row in rows]
        return Comparison(
            question=question,
            topic=_title(about, language),
            again=about if content == question else question,
            language=language,
            scope=replace(scope, jurisdictions=given(level) or scope.jurisdictions),
            rows=rows,
            seconds={"total": time.perf_counter() - started},
            notices=(
                *meant.notices,
                *left_out_by_years(everyone, sides, meant),
                *found.notices,
                *_of_above(absent, level),
                *alliance_notices_of(shown, registry),
            ),
        )

    async def _rows(
        self, sides: Sequence[Side], groups: Sequence[Group], found: Sequence[Sequence[FoundSentence]]
    ) -> tuple[ComparisonRow, ...]:
        """First the best quote of every side, then their further ones."""
        rows: list[ComparisonRow] = []
        labels = Labels()
        left: list[Sequence[FoundSentence]] = []
        for side, group, sentences in zip(sides, groups, found, strict=True):
            cited = await self.sides.cite_first(sentences, labels)
            left.append(cited.left)
            rows.append(
                ComparisonRow(
                    side=side,
                    status=status_of(group, cited.citations, cited.rejected),
                    citations=cited.citations,
                    confidence=cited.confidence,
                    rejected=cited.rejected,
                )
            )
        return tuple(
            [await self._with_further(row, own, labels) for row, own in zip(rows, left, strict=True)]
        )

    async def _with_further(
        self, row: ComparisonRow, left: Sequence[FoundSentence], labels: Labels
    ) -> ComparisonRow:
        further, rejected = await self.sides.cite(left, labels)
        return replace(row, further=further, rejected=(*row.rejected, *rejected))


def _with_key_words(
    rows: Sequence[ComparisonRow], about: frozenset[str], language: str
) -> tuple[ComparisonRow, ...]:
    """The rows with key words marked in their quotes."""
    return tuple(
        replace(
            row,
            citations=with_key_words(row.citations, about, language),
            further=with_key_words(row.further, about, language),
        )
        for row in rows
    )


def given(code: str | None) -> tuple[str, ...]:
    """A code as a filter of places."""
    return (code,) if code else ()


def within(editions: Sequence[Edition], places: Sequence[str], registry: Registry) -> list[Edition]:
    """The editions that apply at one of `places`; all if there are none."""
    tree = PlaceTree(registry)
    return [edition for edition in editions if tree.allows(places, edition)]


def status_of(group: Group, citations: Sequence[Citation], rejected: Sequence[Rejected]) -> RowStatus:
    """The status of a side's row, from its sources, its quotes and what was rejected."""
    if not group.editions:
        return RowStatus.NO_SOURCE
    if citations:
        return RowStatus.QUOTED
    lost = any(is_unreadable(item.why) for item in rejected)
    return RowStatus.UNREADABLE if lost else RowStatus.NOTHING_FOUND


def _sides(
    scope: Scope,
    jurisdictions: Sequence[str],
    detection: Detection,
    editions: Sequence[Edition],
    registry: Registry,
    without: Collection[str],
) -> list[Side]:
    """Who is compared: the given sides, else the named ones, else every party with a document `without`
    those."""
    if len(jurisdictions) > 1:
        return [Side(jurisdiction=code) for code in jurisdictions]
    if scope.parties:
        return [Side(party=name) for name in scope.parties]
    named = [*(party.key for party in detection.parties), *(each.name for each in detection.strangers)]
    if len(named) > 1:
        return [Side(party=name) for name in named]
    if detection.strangers:
        return []
    if any(party.role is not NameRole.TOPIC for party in detection.parties):
        return []
    if len(places := _places(detection, editions, registry)) > 1 and not without:
        return [Side(jurisdiction=code) for code in places]
    spoken = [name for edition in editions for name in edition.document.fields.parties]
    return [Side(party=name) for name in spoken if name not in without]


def _places(detection: Detection, editions: Sequence[Edition], registry: Registry) -> list[str]:
    """The named places that the library covers; others are the topic, or have no document."""
    covered = _covered(editions, registry)
    return [place.key for place in detection.places if place.key in covered]


def _absent(detection: Detection, editions: Sequence[Edition], registry: Registry) -> tuple[str, ...]:
    """The places asked about of which there is no document; what applies above them is compared."""
    countries = {code.partition("-")[0] for code in _covered(editions, registry)}
    return tuple(
        place.key
        for place in detection.places
        if place.key.partition("-")[0] in countries
        and (place.role is NameRole.SOURCE or (place.role is NameRole.PLAIN and town_name(place.key)))
    )


def _covered(editions: Sequence[Edition], registry: Registry) -> set[str]:
    registered = {row.code for row in registry.jurisdictions}
    return registered | {edition.document.fields.jurisdiction or "" for edition in editions}


def _of_above(absent: Sequence[str], level: str | None) -> tuple[Notice, ...]:
    if not absent or level is None:
        return ()
    values = {"place": PLACES_BETWEEN.join(absent), "above": level}
    return (Notice(key="notice.only_from_above", values=values),)


def _title(about: str, language: str) -> str:
    """The topic alone, even if the question names who should speak about it."""
    return topic(about, language) or about if about.endswith("?") else about


def _content(
    question: ParsedQuestion, names: tuple[Collection[str], Collection[str]], meant: YearsMeant
) -> str:
    """The question without `names` (of parties and places) and years. Raises Refused if nothing else is
    left."""
    if not says_topic(without_years(question.without(*names, least=0), meant.named)):
        raise Refused("scope.compare_topic", "name the topic to compare: nothing but names or years was said")
    return without_years(question.without(*names, least=TOPIC_LETTERS), meant.years)


def _names(
    sides: Sequence[Side], parties: Sequence[str], places: Collection[str], registry: Registry
) -> tuple[set[str], set[str]]:
    """The parties and places of all sides: without their names the same words are searched for all."""
    names = {*parties, *(side.party for side in sides if side.party)}
    spoken_for = {each for name in names for each in expand_party(registry, name)}
    where = {*places, *(side.jurisdiction for side in sides if side.jurisdiction)}
    return spoken_for, where
