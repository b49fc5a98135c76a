"""Which of the names in a question narrow the search, and which are its topic.

"What does the FDP say about China" names a place that has nothing to do with where to look, "fees in
Tamil Nadu" one that has, although neither has a document. Names of documents' own places and parties
always narrow.
"""

from collections.abc import Iterable, Sequence

from core.domain.documents import Edition
from core.domain.registry import Registry
from core.registry.detection import Detection, Named, NameRole
from core.registry.registry import PlaceTree


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


def narrowing_parties(
    detection: Detection, given: Sequence[str], compares: bool, usual: Sequence[str] = ()
) -> tuple[str, ...]:
    """The parties to search: those given (narrowed to the named ones among them), else the named ones; mere
    objects of a sentence ("gegen die AfD") are dropped if there is a subject. The `usual` ones are the
    subject if none is named, nothing is compared, and the question is not which party."""
    named = [party.key for party in detection.parties]
    if given:
        return tuple(party for party in given if party in named) or tuple(given)
    subjects = [party.key for party in detection.parties if party.role is not NameRole.TOPIC]
    if compares or detection.party_question:
        return tuple(named)
    return tuple(subjects or usual or named)


def narrowing_places(
    detection: Detection, candidates: Sequence[Edition], given: Sequence[str], tree: PlaceTree
) -> tuple[str, ...]:
    """The places named as places to search in. `candidates` are the editions of the question's parties,
    `given` the places of options or chat."""
    of_parties = bool(detection.parties) or detection.party_question
    pool = [e for e in candidates if e.document.fields.parties] if of_parties else list(candidates)
    return tuple(
        place.key
        for place in detection.places
        if _narrows(place, _places_of(pool), given, tree, of_parties=of_parties)
    )


def _places_of(editions: Iterable[Edition]) -> frozenset[str]:
    return frozenset(place for e in editions if (place := e.document.fields.jurisdiction))


def _narrows(
    place: Named, held: frozenset[str], given: Sequence[str], tree: PlaceTree, *, of_parties: bool
) -> bool:
    spoken_of = place.role is NameRole.TOPIC
    if spoken_of and any(place.key in tree.above(other) for other in given):
        return False  # "Mittel vom Bund", asked for a part of it
    if place.key in held:
        return True
    if held & set(tree.above(place.key)):
        return not (spoken_of and given)
    if any(place.key in tree.above(other) for other in held):
        return not of_parties and place.role is NameRole.SOURCE
    if tree.is_registered(place.key):
        return not (spoken_of and (of_parties or given))
    return not (of_parties or given or spoken_of)
