"""Looks up places and parties by code, name or alias, with the hierarchy of places and of parties, and tells
which documents a scope of either admits."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from core.domain.documents import GLOBAL, Edition
from core.domain.registry import Jurisdiction, Party, Registry
from core.domain.scope import Scope
from core.registry.names import fold
from core.registry.towns import town_called, town_name

_CODE = re.compile(r"[a-z]{2}(?:-[a-z0-9]+)+")
LIKENESS = 65
"""Minimum similarity (percent, rapidfuzz ratio) of a suggestion."""
PART = 0.9
"""Weight of similarity to a part, relative to the whole."""
SHORT = 5
"""Minimum letters for a text to be compared with a part."""
SUGGESTIONS = 3
LONGEST = 200
"""Maximum characters of a name that is looked up; no name is longer."""


PART_OF = {
    **dict.fromkeys(("bl", "gf", "gp", "mf", "mq", "nc", "pf", "pm", "re", "tf", "wf", "yt"), "fr"),
    **dict.fromkeys(("as", "gu", "mp", "pr", "um", "vi"), "us"),
    **dict.fromkeys(("cc", "cx", "hm", "nf"), "au"),
    **{"ax": "fi", "sj": "no", "bv": "no"},
}
"""Territories with their own country code in ISO 3166-1 where the law of another country applies; those that
make their own laws (Greenland, Aruba, Hong Kong) are not included."""


class PlaceTree:
    """Parents of places: as stated in the registry, else a territory's country, else implied by the code
    (`de-nw` -> `de`)."""

    def __init__(self, registry: Registry) -> None:
        self._parents = {row.code: row.parent for row in registry.jurisdictions if row.parent}
        self._registered = {row.code for row in registry.jurisdictions}
        self._unions = {parent for code, parent in self._parents.items() if "-" not in code}

    def is_registered(self, code: str) -> bool:
        """Whether the place has a row of its own."""
        return code in self._registered

    def parent(self, code: str) -> str | None:
        """The place directly above `code`; None at the top."""
        return self._parents.get(code) or PART_OF.get(code) or code.rpartition("-")[0] or None

    def above(self, code: str) -> tuple[str, ...]:
        """Everything above `code`, nearest first. A cycle in the registry ends where it closes."""
        found: list[str] = []
        current = self.parent(code)
        while current and current not in found and current != code:
            found.append(current)
            current = self.parent(current)
        return tuple(found)

    def reach(self, code: str) -> frozenset[str]:
        """`code` and the places above it."""
        return frozenset((code, *self.above(code)))

    def allows(self, places: Collection[str], edition: Edition) -> bool:
        """Whether `edition` applies at one of `places`: there, above, or everywhere; or its place is not
        stated yet. Without places everything applies."""
        own = edition.document.fields.jurisdiction
        anywhere = own == GLOBAL or edition.document.place_is_open
        return not places or anywhere or any(own in self.reach(place) for place in places)

    def highest(self, codes: Iterable[str]) -> frozenset[str]:
        """The places on the highest level: countries before unions of countries before parts of countries."""
        distinct = set(codes)
        level = min((self._level(code) for code in distinct), default=0)
        return frozenset(code for code in distinct if self._level(code) == level)

    def deepest(self, codes: Iterable[str]) -> tuple[str, ...]:
        """`codes` without those above another of them, in the given order."""
        distinct = tuple(dict.fromkeys(codes))
        covered = {parent for code in distinct for parent in self.above(code)}
        return tuple(code for code in distinct if code not in covered)

    def _level(self, code: str) -> int:
        depth = code.count("-")
        return 2 * depth if depth else int(code in self._unions)


class PartyTree:
    """Groups of parties and their members: a document of either is a document of both."""

    def __init__(self, registry: Registry) -> None:
        self._related: dict[str, set[str]] = {}
        self._members = {party.name: party.members for party in registry.parties if party.members}
        for party in registry.parties:
            for member in party.members:
                self._related.setdefault(party.name, set()).add(member)
                self._related.setdefault(member, set()).add(party.name)

    def speaks_for(self, edition: Edition, party: str) -> bool:
        """Whether `edition` is a document of `party`, of its group or of a member."""
        return not self.speakers(party).isdisjoint(edition.document.fields.parties)

    def speakers(self, party: str) -> frozenset[str]:
        """The parties whose documents speak for `party`: itself, its group and its members."""
        return frozenset({party, *self._related.get(party, ())})

    def members(self, party: str) -> tuple[str, ...]:
        """The members of an alliance; none if `party` is not one."""
        return self._members.get(party, ())

    def is_own(self, party: str, parties: Sequence[str]) -> bool:
        """Whether a document of `parties` is `party`'s own, or of all members of the alliance that it is."""
        members = self.members(party)
        return party in parties or (bool(members) and set(members) <= set(parties))

    def owners(self, party: str) -> tuple[frozenset[str], ...]:
        """Sets of parties; a document by all parties of one set speaks for `party`: itself, its alliance, or
        all members of the alliance that it is."""
        alliances = (name for name, members in self._members.items() if party in members)
        members = frozenset(self.members(party))
        return (*(frozenset({name}) for name in (party, *alliances)), *([members] if members else ()))

    def instead_of(self, party: str, parties: Sequence[str]) -> tuple[str, ...]:
        """Who speaks in a document of `parties` in place of `party`: its alliance, or its members if it is
        one. None if the document is its own or unrelated."""
        if members := self.members(party):
            said = tuple(each for each in parties if each in members)
            return () if self.is_own(party, parties) else said
        alliances = (name for name in self._members if party in self._members[name])
        return tuple(name for name in alliances if self.is_own(name, parties))

    def own_first(self, editions: Sequence[Edition], parties: Sequence[str]) -> list[Edition]:
        """`editions` without those of an alliance, or of members, of any of `parties` that has its own."""
        own = [e for e in editions if any(self.is_own(each, e.document.fields.parties) for each in parties)]
        if not own:
            return list(editions)
        related = [e for e in editions if e not in own and e.document.fields.parties]
        return [e for e in editions if e not in related]

    def any_speaks(self, edition: Edition, parties: Sequence[str]) -> bool:
        """Whether `edition` is a document of one of `parties`, or of an unstated party; always true if there
        are none."""
        if not parties or edition.document.speaker_is_open:
            return True
        return any(self.speaks_for(edition, party) for party in parties)


def admits(scope: Scope, edition: Edition, registry: Registry) -> bool:
    """Whether the place and party filters of `scope` admit an edition: a place with those above it and
    `global` documents, a party with its members; and internal documents whose place or party nobody has
    stated yet."""
    in_place = PlaceTree(registry).allows(scope.jurisdictions, edition)
    return in_place and PartyTree(registry).any_speaks(edition, scope.parties)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """What may have been meant by a name that is unknown or ambiguous, best first."""

    names: tuple[str, ...]


class Places:
    """The places of a registry, and those known without a row (`known`: countries and their first
    subdivisions). Codes are in lower case."""

    def __init__(self, registry: Registry, known: Iterable[Jurisdiction] = ()) -> None:
        self._tree = PlaceTree(registry)
        self._rows = {row.code: row for row in known}
        for row in registry.jurisdictions:
            before = self._rows.get(row.code)
            self._rows[row.code] = _newer_place(before, row) if before else row
        self._registered = {row.code for row in registry.jurisdictions}

    def is_known(self, code: str) -> bool:
        """Whether `code` has a row or is generally known."""
        return code in self._rows or town_name(code) is not None

    def name(self, code: str) -> str:
        """The place's name; the code itself if it is not known."""
        return self._rows[code].name if code in self._rows else town_name(code) or code

    def ancestors(self, code: str) -> tuple[str, ...]:
        """The places above `code`, nearest first: `de-nw-muenster` -> `de-nw`, `de`, `eu`."""
        return self._tree.above(code)

    def resolve(self, text: str) -> str | Suggestions:
        """The code that `text` (a code, name or alias, in any letter case) means. A registered place takes
        precedence over a known one, and a country over its namesakes; otherwise suggestions, as codes."""
        code = text.strip().lower()
        if self.is_known(code):
            return code
        named = self._named(fold(text.strip()))
        if len(named) == 1:
            return named[0]
        if not named and (town := town_called(text, {code.partition("-")[0] for code in self._registered})):
            return town
        return Suggestions(names=named or self.similar(text))

    def names_one(self, text: str) -> bool:
        """Whether `text` is a code, or the name or alias of exactly one place, as for `resolve`."""
        return self.is_known(text.strip().lower()) or len(self._named(fold(text.strip()))) == 1

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """Codes by folded name and alias: thousands of places, looked up word by word."""
        codes: dict[str, list[str]] = defaultdict(list)
        for code, row in self._rows.items():
            for name in {fold(name) for name in (row.name, *row.aliases)}:
                codes[name].append(code)
        return dict(codes)

    def _named(self, folded: str) -> tuple[str, ...]:
        ranked: dict[int, list[str]] = defaultdict(list)
        for code in self._by_name.get(folded, ()):
            ranked[0 if code in self._registered else 1 + code.count("-")].append(code)
        return tuple(sorted(ranked[min(ranked)])) if ranked else ()

    def similar(self, text: str) -> tuple[str, ...]:
        """Codes of places whose code, name or alias is similar to `text`, best first; outside the countries
        of registered places only if at most one letter differs. For an unknown code, codes of the same
        country, registered ones before equally similar others."""
        code = text.strip().lower()
        if _CODE.fullmatch(code):
            near = [each for each in self._rows if each.startswith(f"{code.partition('-')[0]}-")]
            near.sort(key=lambda each: (-fuzz.ratio(code, each), each not in self._registered, each))
            if near:
                return tuple(near[:SUGGESTIONS])
        folded = fold(text[:LONGEST])
        countries = {each.partition("-")[0] for each in self._registered}
        closest = [
            (writing, code)
            for writing, code in self._writings
            if code.partition("-")[0] in countries or OSA.distance(folded, writing, score_cutoff=1) <= 1
        ]
        return tuple(_alike(text, closest))

    @cached_property
    def _writings(self) -> list[tuple[str, str]]:
        """Folded codes, names and aliases with the codes they stand for."""
        return [
            (fold(writing), code)
            for code, row in self._rows.items()
            for writing in (code, row.name, *row.aliases)
        ]


def find_party(registry: Registry, text: str) -> Party | Suggestions:
    """The party that `text` names, by name or else by alias, in any letter case; otherwise suggestions."""
    parties = _parties_named(registry, text)
    if len(parties) == 1:
        return parties[0]
    if parties:
        return Suggestions(names=tuple(party.name for party in parties))
    writings = [
        (writing, party.name) for party in registry.parties for writing in (party.name, *party.aliases)
    ]
    return Suggestions(names=tuple(suggest(text, writings)))


def named_party(registry: Registry, text: str) -> Party | None:
    """The one party that `text` names according to `find_party`, None if there is none or several."""
    parties = _parties_named(registry, text)
    return parties[0] if len(parties) == 1 else None


def _parties_named(registry: Registry, text: str) -> list[Party]:
    folded = fold(text.strip())
    by_name = [party for party in registry.parties if fold(party.name) == folded]
    by_alias = [party for party in registry.parties if folded in {fold(alias) for alias in party.aliases}]
    return by_name or by_alias


def expand_party(registry: Registry, name: str) -> tuple[str, ...]:
    """The canonical names of the parties whose documents speak for `name`: itself and, for a group, its
    members."""
    members = {party.name: party.members for party in registry.parties}
    names: dict[str, None] = {}
    waiting = [name]
    while waiting:
        current = waiting.pop(0)
        if current not in names:
            names[current] = None
            waiting.extend(members.get(current, ()))
    return tuple(names)


def suggest(text: str, writings: Sequence[tuple[str, str]]) -> list[str]:
    """The keys of the (spelling, key) pairs most similar to `text`, best first: similar as a whole, or `text`
    (if not short) similar to a part of the spelling."""
    return _alike(text, [(fold(writing), key) for writing, key in writings])


def _alike(text: str, writings: Sequence[tuple[str, str]]) -> list[str]:
    """`suggest` for spellings that are already folded."""
    folded = fold(text[:LONGEST])
    scores: dict[str, float] = {}
    for writing, key in writings:
        scores[key] = max(scores.get(key, 0.0), _likeness(folded, writing))
    best = sorted((key for key in scores if scores[key] >= LIKENESS), key=lambda key: -scores[key])
    return best[:SUGGESTIONS]


def _likeness(text: str, writing: str) -> float:
    whole = fuzz.ratio(text, writing)
    if SHORT <= len(text) < len(writing):
        return max(whole, PART * fuzz.partial_ratio(text, writing))
    return whole


def united_aliases(name: str, rows: Sequence[Jurisdiction | Party]) -> tuple[str, ...]:
    """All names and aliases of `rows` except `name`, each spelling once."""
    writings = [writing for row in rows for writing in (*row.aliases, row.name)]
    return tuple(dict.fromkeys(writing for writing in writings if writing != name))


def _newer_place(before: Jurisdiction, now: Jurisdiction) -> Jurisdiction:
    aliases = united_aliases(now.name, (before, now))
    return replace(now, aliases=aliases, parent=now.parent or before.parent)
