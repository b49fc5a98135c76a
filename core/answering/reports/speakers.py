"""Who speaks in a scope, each party at each place with all its documents and each document of nobody's, and
how quotes are shared out among them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.answering.reports.about import FoundSentence
from core.answering.reports.like_with_like import Seat, at_level, common_level, seated
from core.answering.reports.sides import Side
from core.domain.answers import Notice
from core.domain.documents import Edition
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.search.scope import Group


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """`parties` (several where documents are theirs together; none for a document without a party) and
    what to search for them."""

    parties: tuple[str, ...]
    group: Group

    @property
    def name(self) -> str:
        """The parties' names; empty for a document without a party."""
        return "/".join(self.parties)


def speakers_of(editions: Sequence[Edition], scope: Scope, registry: Registry) -> list[Speaker]:
    """The speakers among `editions`: parties first, then documents without one, by the order of the
    registry's parties and places, never by what is found."""
    own: dict[tuple[str | None, tuple[str, ...], str], list[Edition]] = {}
    for edition in editions:
        fields = edition.document.fields
        alone = "" if fields.parties else edition.document.id
        own.setdefault((fields.jurisdiction, fields.parties, alone), []).append(edition)
    parties = {party.name: n for n, party in enumerate(registry.parties)}
    places = {place.code: n for n, place in enumerate(registry.jurisdictions)}

    def rank(item: tuple[tuple[str | None, tuple[str, ...], str], list[Edition]]) -> tuple[object, ...]:
        (place, names, _), members = item
        first = min((parties.get(name, len(parties)) for name in names), default=len(parties) + 1)
        fields = members[0].document.fields
        return first, names, places.get(place or "", len(places)), place or "", fields.title

    return [
        Speaker(
            parties=names,
            group=Group(
                scope=replace(scope, parties=names, jurisdictions=(place,) if place else scope.jurisdictions),
                editions=tuple(members),
            ),
        )
        for (place, names, _), members in sorted(own.items(), key=rank)
    ]


def speaking_alike(
    speakers: Sequence[Speaker], scope: Scope, registry: Registry
) -> tuple[list[Speaker], tuple[Notice, ...]]:
    """Parties as comparisons set them side by side: with what they say for one level and in one election,
    unless documents, editions or a day are asked for; and notices on those left out."""
    own = [(_side(each), each.group) for each in speakers if each.parties]
    editions = [edition for _, group in own for edition in group.editions]
    sides = [side for side, _ in own]
    asked = scope.documents or scope.editions or scope.as_of
    level = None if asked else common_level(sides, editions, scope.jurisdictions, registry)
    if level is None:
        return list(speakers), ()
    own = _each_once(own)
    here = [seat for seat in at_level(own, level) if seat[1].editions]
    heard = {party for side, _ in here for party in side.parties}
    absent = [(side, replace(group, editions=())) for side, group in own if heard.isdisjoint(side.parties)]
    kept = seated([*here, *absent], own, level, named=bool(scope.parties))
    alike = [
        Speaker(
            parties=side.parties, group=replace(group, scope=replace(group.scope, jurisdictions=(level,)))
        )
        for side, group in kept.seats
        if group.editions
    ]
    return [*alike, *(each for each in speakers if not each.parties)], kept.notices


def _each_once(seats: Iterable[Seat]) -> list[Seat]:
    """Each side with all that it is quoted from: its programme of one place, its paper of no place."""
    found: dict[Side, Group] = {}
    for side, group in seats:
        before = found[side].editions if side in found else ()
        found[side] = replace(group, editions=(*before, *group.editions))
    return list(found.items())


def _side(speaker: Speaker) -> Side:
    first, *sisters = speaker.parties
    return Side(party=first, sisters=tuple(sisters))


def shared_out(
    found: Sequence[Sequence[FoundSentence]], speakers: Sequence[Speaker], quotes: int
) -> list[tuple[FoundSentence, ...]]:
    """Per speaker what is shown: the same number at most for everybody, `quotes` in all. Where more speak
    than that, every party has one, and the surest documents the rest."""
    each = next((n for n in range(quotes, 0, -1) if sum(min(n, len(own)) for own in found) <= quotes), 0)
    if each:
        return [tuple(own[:each]) for own in found]
    heard = [n for n, own in enumerate(found) if own]
    papers = sorted((n for n in heard if not speakers[n].parties), key=lambda n: -found[n][0].confidence)
    parties = [n for n in heard if speakers[n].parties]
    kept = {*parties, *papers[: max(0, quotes - len(parties))]}
    return [tuple(own[:1]) if n in kept else () for n, own in enumerate(found)]
