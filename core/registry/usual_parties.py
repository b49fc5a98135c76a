"""Common names of parties besides those in a registry, and well-known parties that it lacks.

The names are in `usual_parties.toml`, for all parties alike.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from core.domain.registry import Party, Registry
from core.language.patterns import words
from core.registry.names import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class UsualParty:
    """A party of `country`: its official name with short forms, its other names, and ordinary words that are
    names of it only where the words around them show it."""

    country: str
    names: tuple[str, ...]
    said: tuple[str, ...]
    perhaps: tuple[str, ...] = ()

    @property
    def alone(self) -> tuple[str, ...]:
        """All names, without the article if the name can do without it: "Grünen", but "Die Linke"."""
        written = {fold(name) for name in (*self.names, *self.said)}
        parts = ((name, *name.partition(" ")[::2]) for name in (*self.names, *self.said))
        articles = {fold(word) for word in words("registered.capital_articles") | words("names.articles")}
        return tuple(
            name for name, first, rest in parts if fold(first) not in articles or fold(rest) not in written
        )


def usual_names(registry: Registry, *, perhaps: bool = False) -> Mapping[str, tuple[str, ...]]:
    """Other names of registered parties, by name, except those of another row. A row is a well-known party if
    it has one of its names and is in its country; if several are, the one with most of its names is meant; of
    those with as many, it has the names that all of them have. `perhaps`: those that may also be ordinary
    words."""
    taken = [(party, _writings(party)) for party in registry.parties]
    rows: dict[tuple[UsualParty, ...], list[Party]] = {}
    for party, own in taken:
        shared_by = {each: len(own & set(map(fold, each.names))) for each in _of_countries(registry, party)}
        most = max(shared_by.values(), default=0)
        matching = tuple(each for each, shared in shared_by.items() if 0 < shared == most)
        rows.setdefault(matching, []).append(party)
    names_by_party = {}
    for usual, parties in rows.items():
        if usual and len(parties) == 1:
            others = {each for party, own in taken if party is not parties[0] for each in own}
            each_ones = [each.perhaps if perhaps else each.alone for each in usual]
            shared = set.intersection(*({fold(name) for name in names} for names in each_ones)) - others
            names_by_party[parties[0].name] = tuple(name for name in each_ones[0] if fold(name) in shared)
    return names_by_party


def with_usual(registry: Registry, country: str) -> Registry:
    """`registry` with a row for each well-known party of `country` (of all, if empty) that it lacks, under
    the party's own names."""
    taken = {each for party in registry.parties for each in _writings(party)}
    rows = (
        Party(name=each.names[0], aliases=each.names[1:])
        for each in _parties()
        if (not country or each.country == country) and taken.isdisjoint(map(fold, each.names))
    )
    return replace(registry, parties=(*registry.parties, *rows))


@cache
def every_name() -> Mapping[str, str]:
    """The names of well-known parties, by folded form; official ones before what people call them."""
    return {fold(name): name for each in reversed(_parties()) for name in reversed(each.alone)}


@cache
def names_in(countries: frozenset[str]) -> frozenset[str]:
    """The folded names of the well-known parties of `countries`, or of all countries if none of them has
    any."""
    local = [each for each in _parties() if each.country in countries] or _parties()
    return frozenset(fold(name) for each in local for name in each.alone)


def _of_countries(registry: Registry, party: Party) -> Iterable[UsualParty]:
    """The parties of the countries of a row, else of those that the registry covers, else of all."""
    party_countries = {code.partition("-")[0] for code in party.jurisdictions}
    covered_countries = {row.code.partition("-")[0] for row in registry.jurisdictions} - {"eu"}
    countries = party_countries or covered_countries
    return (each for each in _parties() if not countries or each.country in countries)


def _writings(party: Party) -> frozenset[str]:
    return frozenset(fold(name) for name in (party.name, *party.aliases))


@cache
def _parties() -> tuple[UsualParty, ...]:
    text = files("core.registry").joinpath("usual_parties.toml").read_text(encoding="utf-8")
    return tuple(
        UsualParty(
            country=country,
            names=tuple(row["names"]),
            said=tuple(row["said"]),
            perhaps=tuple(row.get("perhaps", ())),
        )
        for country, table in tomllib.loads(text).items()
        for row in table["parties"]
    )
