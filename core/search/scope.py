"""Scope: from the given filters and the names in a question to the versions that may be searched.

A place is searched together with the places above it and global documents, never with a sibling or a child; a
party without a place means its national programme; the newest valid edition answers unless a year is named;
anything without a source is reported, not replaced.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from core.domain.documents import GLOBAL, DocumentType, Edition
from core.domain.ids import DocumentId, VersionId
from core.domain.registry import Registry
from core.domain.scope import Detected, Missing, Scope
from core.domain.search import QuestionKind
from core.registry.detection import Detection
from core.registry.registry import PartyTree, PlaceTree, admits
from core.search.editions import current, of_years, years_held, years_of, years_said
from core.search.roles import narrowing_parties, narrowing_places


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeQuery:
    """The input of `resolve`: the options, the chat's place, the question's names and kind, the day."""

    options: Scope
    detection: Detection
    today: date
    kind: QuestionKind = QuestionKind.FACT
    chat_jurisdiction: str | None = None

    @property
    def day(self) -> date:
        """The day that editions must be valid on."""
        return self.options.as_of or self.today

    @property
    def compares(self) -> bool:
        """Whether it asks for things side by side."""
        return self.kind in (QuestionKind.COMPARE, QuestionKind.CONFLICT)

    @property
    def given_places(self) -> tuple[str, ...]:
        """The places of the options, else the chat's."""
        chat = (self.chat_jurisdiction,) if self.chat_jurisdiction else ()
        return self.options.jurisdictions or chat


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The editions to search for one party, place, year or document of a comparison."""

    scope: Scope
    editions: tuple[Edition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The outcome: `scope` as used, one group or one per side compared, and what has no source.

    `reach` are the editions that references may lead to: what the places and options allow, whichever
    document the question names. `speaking` maps each party of a group to the versions that speak for it."""

    scope: Scope
    groups: tuple[Group, ...]
    detected: Detected
    missing: tuple[Missing, ...]
    reach: tuple[Edition, ...] = ()
    speaking: Mapping[str, frozenset[VersionId]] = field(default_factory=dict)

    @property
    def editions(self) -> tuple[Edition, ...]:
        """The editions of all groups, without repetition."""
        unique = {edition.version.id: edition for group in self.groups for edition in group.editions}
        return tuple(unique.values())


def resolve(request: ScopeQuery, editions: Sequence[Edition], registry: Registry) -> Resolution:
    """The editions that may answer. `editions` are all of the scope's collections with the version to
    read, already filtered by the documents and types of `request.options`."""
    resolver = _Resolver(request, registry)
    return resolver.explicit(editions) if request.options.documents else resolver.resolve(editions)


class _Resolver:
    """One resolution; collects what is missing along the way."""

    def __init__(self, request: ScopeQuery, registry: Registry) -> None:
        self._request = request
        self._registry = registry
        self._tree = PlaceTree(registry)
        self._parties = PartyTree(registry)
        self._missing: dict[Missing, None] = {}

    def explicit(self, editions: Sequence[Edition]) -> Resolution:
        """The case of chosen documents: the question's names are its topic."""
        options = replace(self._request.options, usual_parties=())
        kept = tuple(edition for edition in editions if admits(options, edition, self._registry))
        return replace(self._outcome(options, (Group(scope=options, editions=kept),), ()), reach=kept)

    def resolve(self, editions: Sequence[Edition]) -> Resolution:
        """The general case. There is no source for an unregistered party, and others do not stand in for
        it."""
        request, detection = self._request, self._request.detection
        given, usual = request.options.parties, request.options.usual_parties
        self._missing.update({Missing(kind="party", name=each.name): None for each in detection.strangers})
        if detection.asks_only_strangers and not given:
            return self._outcome(replace(request.options, usual_parties=()), (), ())
        parties = self._speakers(narrowing_parties(detection, given, request.compares, usual))
        spoken = [edition for edition in editions if self._parties.any_speaks(edition, parties)]
        named = narrowing_places(detection, spoken, request.given_places, self._tree)
        places = named or request.given_places
        places = self._in_order(places) if request.compares else self._tree.deepest(places)
        holding = [edition for edition in editions if self._may_answer(places, edition)]
        if named and not holding:
            holding, places, named = self._placeless(editions, named), request.given_places, ()
        within = self._of_types(holding, parties)
        of_speakers = [edition for edition in within if self._parties.any_speaks(edition, parties)]
        documents = self._documents(of_speakers, named)
        narrowed = replace(request.options, usual_parties=(), parties=parties)
        scope = replace(narrowed, jurisdictions=places, documents=documents)
        groups = self._groups(scope, within)
        self._report_places(places, groups, within)
        self._report_documents(editions, within)
        outcome = self._outcome(scope, groups, named)
        reach = {e.version.id: e for e in (*current(within, request.day), *outcome.editions)}
        return replace(outcome, reach=tuple(reach.values()))

    def _speakers(self, parties: Sequence[str]) -> tuple[str, ...]:
        """The parties in the registry's order: being named first is no advantage."""
        return tuple(sorted(parties, key=lambda name: self._rank((name,))))

    def _rank(self, parties: Sequence[str]) -> int:
        names = [row.name for row in self._registry.parties]
        return min((names.index(name) for name in parties if name in names), default=len(names))

    def _in_order(self, places: Sequence[str]) -> tuple[str, ...]:
        """The places in the registry's order, those without a row last."""
        codes = [row.code for row in self._registry.jurisdictions]
        return tuple(sorted(places, key=lambda code: codes.index(code) if code in codes else len(codes)))

    def _may_answer(self, places: Sequence[str], edition: Edition) -> bool:
        """Whether `edition` applies at one of `places`, or is a document said to be in conflict."""
        conflict = self._request.kind is QuestionKind.CONFLICT
        named = conflict and edition.document.id in self._request.detection.documents
        return named or self._tree.allows(places, edition)

    def _placeless(self, editions: Sequence[Edition], named: Sequence[str]) -> list[Edition]:
        """The editions without a stated place, for a question about places that have no others; a place that
        none of them mentions still ends in silence."""
        self._missing.update({Missing(kind="jurisdiction", name=place): None for place in named})
        return [edition for edition in editions if edition.document.fields.jurisdiction is None]

    def _outcome(self, scope: Scope, groups: tuple[Group, ...], named: tuple[str, ...]) -> Resolution:
        detection = self._request.detection
        years = tuple(sorted({year for group in groups for year in group.scope.editions}))
        detected = Detected(
            parties=tuple(party.key for party in detection.parties),
            jurisdictions=named,
            documents=detection.documents,
            years=tuple(year.year for year in detection.years if year.edition or year.year in years),
            unknown_parties=tuple(each.name for each in detection.strangers),
        )
        return Resolution(
            scope=replace(scope, editions=years),
            groups=groups,
            detected=detected,
            missing=tuple(self._missing),
            speaking={
                party: frozenset(
                    edition.version.id
                    for group in groups
                    if party in group.scope.parties
                    for edition in group.editions
                )
                for party in dict.fromkeys(name for group in groups for name in group.scope.parties)
            },
        )

    def _of_types(self, editions: list[Edition], parties: Sequence[str]) -> list[Edition]:
        """Only coalition agreements, if the question mentions one and there is one."""
        detection = self._request.detection
        if not detection.agreement and (parties or not detection.coalition):
            return editions
        kept = [e for e in editions if e.document.fields.doc_type is DocumentType.COALITION_AGREEMENT]
        return [e for e in kept if self._parties.any_speaks(e, parties)] or editions

    def _documents(self, editions: Sequence[Edition], named: Sequence[str]) -> tuple[DocumentId, ...]:
        """The documents named by title, as far as the places allow them. A document from above a place
        `named` along with it ("in Gujarat under the Act") does not exclude that place's own documents."""
        allowed = {edition.document.id: edition.document.fields.jurisdiction for edition in editions}
        held = set(allowed.values())
        above = {place for own in named if own in held for place in self._tree.above(own)}
        conflict = self._request.kind is QuestionKind.CONFLICT
        return tuple(
            document
            for document in self._request.detection.documents
            if document in allowed and (conflict or allowed[document] not in above)
        )

    def _groups(self, scope: Scope, editions: Sequence[Edition]) -> tuple[Group, ...]:
        if len(scope.parties) > 1:
            return self._by_party(scope, editions)
        chosen = self._of_party(scope, editions, scope.parties[0]) if scope.parties else editions
        sides = self._sides(scope, chosen) if self._request.kind is QuestionKind.CONFLICT else ()
        if len(sides) > 1:
            return sides
        if len(scope.jurisdictions) > 1:
            return self._by_place(scope, chosen)
        if self._request.kind is QuestionKind.COMPARE and len(scope.documents) > 1:
            return tuple(
                self._group(replace(scope, documents=(document,)), chosen) for document in scope.documents
            )
        years = self._years(chosen)
        if len(years) > 1:
            return tuple(self._group(scope, chosen, (year,)) for year in years)
        if self._request.kind is QuestionKind.COMPARE and not scope.parties and not scope.documents:
            return self._by_speaker(scope, chosen)
        return (self._group(scope, chosen),)

    def _sides(self, scope: Scope, editions: Sequence[Edition]) -> tuple[Group, ...]:
        """A group for every place and every document named separately, and nothing else. A place with a named
        document stands for that document."""
        documents = [edition for edition in editions if edition.document.id in scope.documents]
        spoken_for = {edition.document.fields.jurisdiction for edition in documents}
        places = [place for place in scope.jurisdictions if place not in spoken_for]
        groups = [
            self._group(
                replace(scope, jurisdictions=(place,), documents=()),
                [edition for edition in editions if edition.document.fields.jurisdiction == place],
            )
            for place in places
        ]
        groups += [self._group(replace(scope, documents=(item,)), documents) for item in scope.documents]
        return tuple(group for group in groups if group.editions)

    def _by_party(
        self, scope: Scope, editions: Sequence[Edition], years: tuple[int, ...] | None = None
    ) -> tuple[Group, ...]:
        groups: dict[frozenset[str], Group] = {}
        for party in scope.parties:
            own = self._of_party(scope, editions, party)
            group = self._group(replace(scope, parties=(party,)), own, years)
            if not group.editions:
                self._missing[Missing(kind="party", name=party)] = None
                continue
            key = frozenset(edition.version.id for edition in group.editions)
            former = groups.get(key)
            both = (*former.scope.parties, party) if former else (party,)
            groups[key] = replace(group, scope=replace(group.scope, parties=both))
        return tuple(groups.values())

    def _of_party(self, scope: Scope, editions: Sequence[Edition], party: str) -> list[Edition]:
        """The party's documents; without a place, those of its highest level and those that are global or
        have no place. If it is asked about alone, internal documents not assigned yet are included."""
        own = [edition for edition in editions if self._parties.speaks_for(edition, party)]
        if not own:
            self._missing[Missing(kind="party", name=party)] = None
        alone = len(scope.parties) == 1
        undecided = [edition for edition in editions if alone and edition.document.speaker_is_open]
        if scope.jurisdictions:
            return [*own, *undecided]
        placed = {place for e in own if (place := e.document.fields.jurisdiction) and place != GLOBAL}
        level = {*self._tree.highest(placed), GLOBAL, None}
        return [item for item in (*own, *undecided) if item.document.fields.jurisdiction in level]

    def _by_place(self, scope: Scope, editions: Sequence[Edition]) -> tuple[Group, ...]:
        """A group per place; a single search of the places above if none has a document."""
        held = {edition.document.fields.jurisdiction for edition in editions}
        if not held & set(scope.jurisdictions):
            return (self._group(scope, editions),)
        return tuple(
            self._group(
                replace(scope, jurisdictions=(place,)),
                [edition for edition in editions if edition.document.fields.jurisdiction == place],
            )
            for place in scope.jurisdictions
            if place in held
        )

    def _by_speaker(self, scope: Scope, editions: Sequence[Edition]) -> tuple[Group, ...]:
        """All parties side by side, each by the rule for a named party."""
        speakers = dict.fromkeys(party for e in editions for party in e.document.fields.parties)
        parties = tuple(sorted(speakers, key=lambda party: self._rank((party,))))
        years = self._years(editions) or None  # a newer edition does not replace the one asked for
        own = self._by_party(replace(scope, parties=parties), editions, years)
        return own or (self._group(scope, editions),)

    def _group(
        self, scope: Scope, editions: Sequence[Edition], years: tuple[int, ...] | None = None
    ) -> Group:
        """`editions` narrowed to the documents and years asked for, else to the current ones."""
        chosen = [e for e in editions if not scope.documents or e.document.id in scope.documents]
        wanted = self._years(chosen) if years is None else years
        if not wanted:
            kept = chosen if scope.documents else current(chosen, self._request.day)
            return Group(scope=scope, editions=tuple(self._own_first(kept, scope)))
        strict = bool(set(wanted) & self._strict_years())
        kept = of_years(chosen, wanted, self._request.day, strict=strict)
        found = {year for edition in kept for year in years_of(edition)}
        if chosen and strict:
            self._missing.update(
                {Missing(kind="edition", name=str(year)): None for year in wanted if year not in found}
            )
        own = self._own_first(kept, scope)
        return Group(scope=replace(scope, editions=wanted), editions=tuple(own))

    def _own_first(self, editions: Sequence[Edition], scope: Scope) -> Sequence[Edition]:
        """The editions of the only party of `scope`, else those of its alliance or its members."""
        one = len(scope.parties) == 1 and not scope.documents
        return self._parties.own_first(editions, scope.parties) if one else editions

    def _strict_years(self) -> frozenset[int]:
        """Years that name an edition."""
        named = years_said(self._request.detection.years, self._request.today)
        return named | frozenset(self._request.options.editions)

    def _years(self, editions: Sequence[Edition]) -> tuple[int, ...]:
        """The years that mean editions here: explicit ones, and others with an edition."""
        return tuple(sorted(years_held(self._request.detection.years, editions) | self._strict_years()))

    def _report_documents(self, editions: Sequence[Edition], within: Sequence[Edition]) -> None:
        """Report named laws and the like as missing if nothing named applies at the places asked about; for a
        party's document, the party is reported missing."""
        named = set(self._request.detection.documents)
        if named.isdisjoint(edition.document.id for edition in within):
            fields = [e.document.fields for e in editions if e.document.id in named]
            titles = sorted({each.title for each in fields if not each.parties})
            self._missing.update({Missing(kind="document", name=title): None for title in titles})

    def _report_places(
        self, places: Sequence[str], groups: Sequence[Group], within: Sequence[Edition]
    ) -> None:
        """Report a place as missing if it has no document at all, or none among those that answer."""
        answering = {e.document.fields.jurisdiction for group in groups for e in group.editions}
        existing = {edition.document.fields.jurisdiction for edition in within}
        for place in places:
            if place not in existing or (answering and place not in answering):
                self._missing[Missing(kind="jurisdiction", name=place)] = None
