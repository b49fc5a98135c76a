"""A manifest ingested again, or beside others: its rows replace the known ones of the same name."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import TypeVar

from core.domain.registry import Jurisdiction, Party, Registry

Row = TypeVar("Row")
Named = TypeVar("Named", Jurisdiction, Party)


def renewed(known: Registry, stated: Registry) -> Registry:
    """`known` with the rows of `stated` over it. A place or party keeps the aliases (and a former
    name, as an alias) that only `known` has, since they may be another manifest's."""
    places = _over(known.jurisdictions, stated.jurisdictions, lambda row: row.code)
    parties = _over(known.parties, stated.parties, lambda row: row.name)
    before = {row.code: row for row in known.jurisdictions}
    named = {row.name: row for row in known.parties}
    return Registry(
        jurisdictions=tuple(_with_aliases(row, before.get(row.code, row)) for row in places),
        parties=tuple(_with_aliases(row, named.get(row.name, row)) for row in parties),
        governments=_over(known.governments, stated.governments, lambda row: (row.jurisdiction, row.since)),
        documents=_over(known.documents, stated.documents, lambda row: (row.collection, row.key)),
        derivations=tuple(dict.fromkeys((*known.derivations, *stated.derivations))),
    )


def _over(known: Iterable[Row], stated: Iterable[Row], key: Callable[[Row], Hashable]) -> tuple[Row, ...]:
    return tuple(({key(row): row for row in known} | {key(row): row for row in stated}).values())


def _with_aliases(row: Named, before: Named) -> Named:
    names = dict.fromkeys((*row.aliases, *before.aliases, before.name))
    names.pop(row.name, None)
    return replace(row, aliases=tuple(names))
