"""Which of the names in a question narrow the search, and which are its topic.

"What does the FDP say about China" names a place that has nothing to do with where to look, "fees in
Tamil Nadu" one that has, although neither has a document. Names of documents' own places and parties
always narrow.
"""

from collections.abc import Iterable, Sequence

from core.domain.documents import Edition
from core.registry.detection import Detection, Named, NameRole
from core.registry.registry import PlaceTree


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
