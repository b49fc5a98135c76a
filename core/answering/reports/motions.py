"""The positions of a motion's movers and the governing parties: their own words, party by party.

No support is claimed. What is computed is relatedness, how close a party's programmes come to the demands at
all: per demand the cosine similarity (0 to 1) of the closest sentence that is clearly about it, 0 if there is
none, and for the party the mean over all demands. Shared words do not count, which would favour programmes in
the motion's own language.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter

from core.answering.entries import checked
from core.answering.extractive.citations import with_key_words
from core.answering.labels import Labels
from core.answering.notices import alliance_notices_of
from core.answering.reports.comparisons import status_of
from core.answering.reports.demands import Demand, Demands, demands
from core.answering.reports.like_with_like import united
from core.answering.reports.sides import (
    FoundSentence,
    RowStatus,
    Side,
    SideSearch,
    in_registry_order,
    sources_of,
)
from core.domain.answers import Citation, Notice, Rejected
from core.domain.documents import DocumentType
from core.domain.registry import Government, Registry
from core.domain.scope import Scope
from core.errors import Refused
from core.language.identification import detect
from core.ports.clock import Clock
from core.ports.library import Library
from core.question.parsed import nameless
from core.question.subject import topic_terms
from core.registry.detection import Detection
from core.search.editions import current
from core.search.scope import Group, ScopeQuery

PROGRAMMES = (DocumentType.MANIFESTO, DocumentType.BASIC_PROGRAMME)
"""Document types that bind a party."""

PER_DEMAND = 2
"""Sentences chosen per party and demand; the second is shown if the first cannot be proven."""

PASSAGES = 3
"""Passages per party and demand whose sentences are considered: a motion makes many queries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """The evidence for a party's relatedness to demand number `demand`: the cosine similarity of the closest
    sentence (0 if none is sure enough), the share of the demand's terms in it, and the confidence that it is
    about the demand. `label` if it is shown."""

    demand: int
    relatedness: float
    overlap: float
    confidence: float
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A sentence found for a demand."""

    demand: int
    found: FoundSentence

    @property
    def relatedness(self) -> float:
        """The cosine similarity of the sentence, 0 to 1."""
        return min(1.0, max(0.0, self.found.extract.similarity))


def _best_first(matches: Sequence[Match]) -> list[Match]:
    """The closest match of every sentence; the closest of each demand before the second of any, so that no
    demand crowds out the others."""
    unique: dict[str, Match] = {}
    for match in sorted(matches, key=lambda match: (-match.relatedness, match.demand)):
        unique.setdefault(match.found.extract.text, match)
    turns: Counter[int] = Counter()
    placed: list[tuple[int, Match]] = []
    for match in unique.values():
        placed.append((turns[match.demand], match))
        turns[match.demand] += 1
    return [match for _, match in sorted(placed, key=itemgetter(0))]


def _reason_of(demand: Demand, matches: Sequence[Match], labels: dict[str, str]) -> Reason:
    """What the closest sentence says about a demand's relatedness; `labels` by sentence shown."""
    own = [match for match in matches if match.demand == demand.number]
    best = max(own, key=lambda match: match.relatedness, default=None)
    if best is None:
        return Reason(demand=demand.number, relatedness=0.0, overlap=0.0, confidence=0.0)
    return Reason(
        demand=demand.number,
        relatedness=best.relatedness,
        overlap=best.found.extract.overlap,
        confidence=best.found.confidence,
        label=labels.get(best.found.extract.text),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionSettings:
    """Maximum quotes per party, one for each demand; the confidence required of a sentence (medium, since
    nobody has asked for it), and the maximum length of a motion in characters."""

    quota: int = 3
    floor: float = 0.5
    max_text: int = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionRow:
    """A party's row; `sisters` are parties with the same documents. `demands` has, for each citation, the
    number of the demand it was found for, in the motion's order; `relatedness` is None without a quote."""

    party: str
    mover: bool
    governing: bool
    status: RowStatus
    citations: tuple[Citation, ...] = ()
    demands: tuple[int, ...] = ()
    relatedness: float | None = None
    reasons: tuple[Reason, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    sisters: tuple[str, ...] = ()

    @property
    def parties(self) -> tuple[str, ...]:
        """The party and its sisters."""
        return (self.party, *self.sisters)

    @property
    def unshown(self) -> tuple[int, ...]:
        """Numbers of the demands about which the party has written something that is not quoted here."""
        found = (reason.demand for reason in self.reasons if reason.relatedness > 0)
        return tuple(number for number in found if number not in self.demands)

    @property
    def silent(self) -> tuple[int, ...]:
        """Numbers of the demands about which nothing by the party was found."""
        return tuple(reason.demand for reason in self.reasons if reason.relatedness <= 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionReport:
    """Rows in the registry's order, movers and governing parties first. `government` is None if the registry
    does not have it; `omitted` counts demands not considered, `others` further parties not considered that
    have a programme for the place itself. `notices` say whose words are quoted for whom."""

    language: str
    jurisdiction: str
    demands: tuple[Demand, ...]
    omitted: int
    government: Government | None
    rows: tuple[MotionRow, ...]
    seconds: dict[str, float]
    others: int = 0
    notices: tuple[Notice, ...] = ()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """All citations, by label."""
        return tuple(citation for row in self.rows for citation in row.citations)


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionReader:
    """Finds what parties have written about the demands of a motion."""

    library: Library
    sides: SideSearch
    clock: Clock
    settings: MotionSettings = MotionSettings()

    async def report(
        self, text: str, *, scope: Scope, jurisdiction: str, movers: Sequence[str], others: bool = False
    ) -> MotionReport:
        """The report on a motion moved in `jurisdiction` (code) by `movers` (canonical names): on them and on
        the governing parties, with `others` also on every other party that has a programme there. Raises
        Refused if the text is empty, too long or contains no demand, and if there is nobody to show."""
        started = time.perf_counter()
        text = checked(text, self.settings.max_text)
        language, found = await asyncio.to_thread(_read, text)
        if not found.items:
            raise Refused("motion.no_demands", "the text holds no sentence that demands anything")
        today = self.clock.today()
        registry = await self.library.registry(scope.collections)
        government = governing(registry, jurisdiction, today)
        place = replace(scope, jurisdictions=(jurisdiction,), doc_types=PROGRAMMES)
        names = (*movers, *(government.parties if government else ()))
        parties = in_registry_order([Side(party=name) for name in names], registry)
        everybody = tuple(dict.fromkeys((*parties, *await self._others(place, registry, today))))
        left = 0 if others else len(everybody) - len(parties)
        parties = everybody if others else parties
        if not parties:
            detail = f"name a mover: the registry does not say who governs {jurisdiction}"
            raise Refused("scope.motion_nobody", detail, name=jurisdiction)
        seats = united(zip(parties, await self._sources(parties, place, registry, today), strict=True))
        groups = [group for _, group in seats]
        matches = await self._matches(found.items, language, groups)
        rows = [
            MotionRow(
                party=side.name,
                sisters=side.sisters,
                mover=not set(side.parties).isdisjoint(movers),
                governing=government is not None and not set(side.parties).isdisjoint(government.parties),
                status=RowStatus.NO_SOURCE,
            )
            for side, _ in seats
        ]
        filled = await self._filled(rows, groups, matches, found.items)
        shown = [(row.parties, row.citations) for row in filled]
        return MotionReport(
            language=language,
            jurisdiction=jurisdiction,
            demands=found.items,
            omitted=found.omitted,
            government=government,
            rows=filled,
            notices=alliance_notices_of(shown, registry),
            seconds={"total": time.perf_counter() - started},
            others=left,
        )

    async def _others(self, place: Scope, registry: Registry, today: date) -> tuple[Side, ...]:
        """All parties with a programme for the place itself."""
        editions = current(await self.library.editions(place, on=today), today)
        fields = [
            e.document.fields for e in editions if e.document.fields.jurisdiction in place.jurisdictions
        ]
        return in_registry_order([Side(party=name) for own in fields for name in own.parties], registry)

    async def _sources(
        self, parties: Sequence[Side], scope: Scope, registry: Registry, today: date
    ) -> list[Group]:
        editions = await self.library.editions(scope, on=today)
        asking = ScopeQuery(options=scope, today=today, detection=Detection())
        return [sources_of(side, asking, editions, registry) for side in parties]

    async def _matches(
        self, items: Sequence[Demand], language: str, groups: Sequence[Group]
    ) -> list[list[Match]]:
        """Per party, what was found for all demands."""
        matches: list[list[Match]] = [[] for _ in groups]
        for demand in items:
            asked, floor = nameless(demand.text, language), self.settings.floor
            found = await self.sides.find(asked, groups, PER_DEMAND, passages=PASSAGES, floor=floor)
            for own, sentences in zip(matches, found, strict=True):
                own += [Match(demand=demand.number, found=sentence) for sentence in sentences]
        return matches

    async def _filled(
        self,
        rows: Sequence[MotionRow],
        groups: Sequence[Group],
        matches: Sequence[Sequence[Match]],
        items: Sequence[Demand],
    ) -> tuple[MotionRow, ...]:
        filled: list[MotionRow] = []
        labels = Labels()
        for row, group, own in zip(rows, groups, matches, strict=True):
            filled.append(await self._row(row, group, own, items, labels))
        return tuple(filled)

    async def _row(
        self, row: MotionRow, group: Group, matches: Sequence[Match], items: Sequence[Demand], labels: Labels
    ) -> MotionRow:
        cited: list[tuple[Match, Citation]] = []
        rejected: list[Rejected] = []
        for match in _best_first(matches):
            if len(cited) == self.settings.quota:
                break
            if any(match.demand == each.demand for each, _ in cited):
                continue
            found, refused = await self.sides.cite([match.found], Labels())
            rejected += refused
            cited += [(match, each) for each in found]
        cited.sort(key=lambda each: each[0].demand)
        shown = [match for match, _ in cited]
        demanded = {item.number: item.text for item in items}
        citations = [
            replace(_with_key_words(each, demanded[match.demand]), label=labels.next(each.kind))
            for match, each in cited
        ]
        row = replace(row, status=status_of(group, citations, rejected), rejected=tuple(rejected))
        if not citations:
            return row
        sentences = (match.found.extract.text for match in shown)
        named = dict(zip(sentences, (citation.label for citation in citations), strict=True))
        reasons = tuple(_reason_of(demand, matches, named) for demand in items)
        return replace(
            row,
            citations=tuple(citations),
            demands=tuple(match.demand for match in shown),
            relatedness=sum(reason.relatedness for reason in reasons) / len(reasons),
            reasons=reasons,
        )


def _with_key_words(citation: Citation, demand: str) -> Citation:
    """`citation` with the words of the demand it was found for marked."""
    language = detect(demand)[0]
    return with_key_words([citation], topic_terms(demand, language), language)[0]


def _read(text: str) -> tuple[str, Demands]:
    """The language of a motion, and what it demands."""
    language = detect(text)[0]
    return language, demands(text, language)


def governing(registry: Registry, jurisdiction: str, day: date) -> Government | None:
    """Who governs `jurisdiction` on `day` according to the registry; the latest row if several apply."""
    begun = (row for row in registry.governments if row.jurisdiction == jurisdiction and row.since <= day)
    lasting = (row for row in begun if row.until is None or day <= row.until)
    return max(lasting, key=lambda row: row.since, default=None)
