"""Compares like with like: parties are set side by side with what they say for the same level and
election."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from core.answering.reports.sides import Side, sources_of
from core.domain.answers import Notice
from core.domain.documents import GLOBAL, DocumentType, Edition
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.message_keys import NoticeKey
from core.registry.detection import NamedYear
from core.registry.registry import PartyTree, PlaceTree
from core.search.editions import of_years, years_held, years_of, years_said
from core.search.scope import Group, ScopeQuery

ONE_ELECTION = timedelta(days=730)
"""Maximum distance in time between documents written for the same election."""

Seat = tuple[Side, Group]
"""A side and the editions it is quoted from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """Who is compared, and notices about those left out or shown separately."""

    seats: tuple[Seat, ...]
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class YearsMeant:
    """The `years` whose `editions` are compared; none if these are the newest ones. `missing` are named years
    without any edition."""

    years: tuple[int, ...]
    editions: tuple[Edition, ...]
    missing: tuple[int, ...] = ()

    @property
    def named(self) -> tuple[int, ...]:
        """Every year that specifies a time, whether or not there is an edition."""
        return (*self.years, *self.missing)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Notices that there is nothing from the missing years."""
        year = ", ".join(map(str, self.missing))
        key: NoticeKey = "notice.compared_no_year" if self.years else "notice.compared_newest"
        return (Notice(key=key, values={"year": year}),) if year else ()


def years_meant(
    named: Sequence[NamedYear], given: Sequence[int], editions: Sequence[Edition], today: date
) -> YearsMeant:
    """Which years a comparison of `editions` is about: those `given`, those `named` as an edition's, and
    others named of which there is one. A past year from which nothing is dated is reported missing, whatever
    it was supposed to mean."""
    years = {*given, *years_said(named, today)}
    dated = {year for edition in editions for year in years_of(edition)}
    held = (years & dated) | years_held(named, editions)
    past = {each.year for each in named if not each.point_in_time and each.year < today.year}
    missing = tuple(sorted((years if held else years | past) - dated))
    kept = of_years(editions, sorted(held), today, strict=True) if held else editions
    return YearsMeant(years=tuple(sorted(held)), editions=tuple(kept), missing=missing)


def of_level(editions: Iterable[Edition], level: str | None) -> list[Edition]:
    """The editions for `level`, or for no particular place; all of them if there is no level."""
    return [edition for edition in editions if level is None or _place(edition) in (level, GLOBAL, "")]


def left_out_by_years(
    sides: Iterable[Side], compared: Iterable[Side], meant: YearsMeant
) -> tuple[Notice, ...]:
    """Notices that those of `sides` not `compared` have no edition from the years asked for."""
    seats = set(compared)
    left = [side.name for side in sides if side not in seats]
    return _notice("notice.compared_without_year", left, year=", ".join(map(str, meant.years)))


def common_level(
    sides: Sequence[Side], editions: Sequence[Edition], places: Sequence[str], registry: Registry
) -> str | None:
    """The place for which most parties have written something; if `places` are given, the nearest of these
    and those above them at which two have. None if no two speak for the same place."""
    parties, tree = PartyTree(registry), PlaceTree(registry)
    held = Counter(
        place
        for side in sides
        for place in sorted({_place(e) for e in editions if parties.speaks_for(e, side.name)})
        if place not in ("", GLOBAL)
    )
    shared = [place for place in held if held[place] > 1]
    near = [each for place in places for each in (place, *tree.above(place)) if each in shared]
    if near:
        return near[0]
    return min(shared, key=lambda place: (-held[place], place.count("-"), place), default=None)


def at_level(seats: Iterable[Seat], level: str) -> tuple[Seat, ...]:
    """Each side's editions for `level`, or for no particular place."""
    return tuple(
        (side, replace(group, editions=tuple(of_level(group.editions, level)))) for side, group in seats
    )


def seated(seats: Sequence[Seat], elsewhere: Sequence[Seat], level: str | None, *, named: bool) -> Seated:
    """The seats whose programmes are of one election. Parties with only an older one, or with none at `level`
    but one `elsewhere`, are left out unless all were `named`; either is reported."""
    known = {side for side, group in elsewhere if group.editions}
    missing = [side for side, group in seats if not group.editions and side in known]
    old = _of_an_earlier_election(seats)
    left = {*missing, *old}
    kept = tuple(seat for seat in seats if named or seat[0] not in left)
    if len(kept) < 2:
        return Seated(seats=tuple(seats))
    notices = [
        *_notice("notice.compared_elsewhere", [side.name for side in missing], place=level or ""),
        *_notice(
            "notice.compared_older" if named else "notice.compared_without_older",
            [f"{side.name} ({old[side].year})" for side in old],
        ),
    ]
    return Seated(seats=kept, notices=tuple(notices))


def level_of(
    sides: Sequence[Side],
    scope: Scope,
    editions: Sequence[Edition],
    places: Sequence[str],
    registry: Registry,
) -> str | None:
    """The place for which parties are compared; None if documents or a day are asked for."""
    if scope.documents or scope.as_of or not all(side.party for side in sides):
        return None
    return common_level(sides, editions, places, registry)


def seats_of(
    sides: Sequence[Side],
    asking: ScopeQuery,
    editions: Sequence[Edition],
    level: str | None,
    registry: Registry,
) -> Seated:
    """The editions each side is quoted from. Parties are compared at one level and with programmes of one
    election or year."""
    scope = asking.options
    everywhere = [(side, sources_of(side, asking, editions, registry)) for side in sides]
    if level is None:
        return Seated(seats=united(everywhere))
    there = replace(asking, options=replace(scope, jurisdictions=(level,)), chat_jurisdiction=None)
    here = at_level([(side, sources_of(side, there, editions, registry)) for side in sides], level)
    named = bool(scope.parties or scope.editions) or len(asking.detection.parties) > 1
    found = seated(here, everywhere, level, named=named)
    return replace(found, seats=united(found.seats))


def united(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """The seats with parties sharing the same documents merged, under the first of them with the others as
    sisters."""
    found: dict[object, Seat] = {}
    for side, group in seats:
        key = frozenset(edition.version.id for edition in group.editions) or side
        first = found.get(key)
        sisters = (*first[0].sisters, side.name) if first else side.sisters
        found[key] = (replace(first[0] if first else side, sisters=sisters), first[1] if first else group)
    return tuple(found.values())


def _of_an_earlier_election(seats: Sequence[Seat]) -> dict[Side, date]:
    """The sides whose newest dated manifesto is from a different election than the newest of all, with its
    date."""
    dates = {side: max(days) for side, group in seats if (days := list(_days(group.editions)))}
    newest = max(dates.values(), default=date.min)
    return {side: day for side, day in dates.items() if newest - day > ONE_ELECTION}


def _days(editions: Iterable[Edition]) -> Iterable[date]:
    for edition in editions:
        fields = edition.document.fields
        if fields.doc_type is DocumentType.MANIFESTO and fields.valid_from is not None:
            yield fields.valid_from


def _place(edition: Edition) -> str:
    return edition.document.fields.jurisdiction or ""


def _notice(key: NoticeKey, names: Sequence[str], **values: str) -> tuple[Notice, ...]:
    return (Notice(key=key, values={"name": ", ".join(names), **values}),) if names else ()
