"""Which manifest defines which places and parties: a row is as visible as the collections that its manifest
names. Pure.

Everybody may know what is defined for the `public` collection; what another collection's manifest defines (a
name, an alias, a group's members, who governs) is known only to readers of that collection.
"""

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import replace
from functools import reduce
from typing import TypeVar

from core.domain.documents import GLOBAL, PUBLIC, DocumentFields
from core.domain.registry import Jurisdiction, Manifest, Party, Registry

Row = TypeVar("Row")
Named = TypeVar("Named", Jurisdiction, Party)


def seen_from(registry: Registry, collections: Collection[str]) -> Registry:
    """The registry as visible to readers of `collections`, with their documents. Rows without a known origin
    (`manifests` is empty) are visible to everybody."""
    if not registry.manifests:
        return registry
    sight = {PUBLIC, *collections}
    seen = _merged(row for row in registry.manifests if not sight.isdisjoint(row.collections))
    return replace(seen, documents=tuple(row for row in registry.documents if row.collection in collections))


def registered(known: Registry, name: str, stated: Registry) -> Registry:
    """`known` with the current rows of the manifest called `name` in place of its earlier ones."""
    manifest = Manifest(
        name=name,
        collections=stated.collections or (PUBLIC,),
        jurisdictions=stated.jurisdictions,
        parties=stated.parties,
        governments=stated.governments,
        derivations=stated.derivations,
    )
    manifests = _overridden(_parted(known), (manifest,), lambda row: row.name)
    documents = _overridden(known.documents, stated.documents, lambda row: (row.collection, row.key))
    everything = replace(_merged(manifests), documents=documents, manifests=manifests)
    return carried(everything, ((row.collection, row.fields) for row in stated.documents))


def with_party(known: Registry, collection: str, name: str, aliases: Iterable[str] = ()) -> Registry:
    """`known` with a party named by documents of `collection`, without any other information about it."""
    return _with_missing(known, collection, parties=(Party(name=name, aliases=tuple(aliases)),))


def carried(known: Registry, documents: Iterable[tuple[str, DocumentFields]]) -> Registry:
    """`known` with the parties and places of documents, given with their collections; where only other
    manifests define them, they are added there by bare name, since whoever may read a document may ask whose
    it is."""
    named: dict[str, tuple[set[str], set[str]]] = {}
    for collection, fields in documents:
        parties, places = named.setdefault(collection, (set(), set()))
        parties.update(fields.parties)
        places.update(code for code in (fields.jurisdiction,) if code and code != GLOBAL)
    for collection, (parties, places) in named.items():
        seen = seen_from(known, (collection,))
        parties -= {row.name for row in seen.parties}
        places -= {row.code for row in seen.jurisdictions}
        missing_parties = [Party(name=row.name) for row in known.parties if row.name in parties]
        missing_places = [
            Jurisdiction(code=row.code, name=row.name, parent=row.parent)
            for row in known.jurisdictions
            if row.code in places
        ]
        if missing_parties or missing_places:
            known = _with_missing(
                known, collection, jurisdictions=tuple(missing_places), parties=tuple(missing_parties)
            )
    return known


def renewed(known: Registry, stated: Registry) -> Registry:
    """`known` updated with the rows of `stated`. A place or party keeps the aliases (and a different name, as
    an alias) that only `known` has: they come from another manifest."""
    places = _overridden(known.jurisdictions, stated.jurisdictions, lambda row: row.code)
    parties = _overridden(known.parties, stated.parties, lambda row: row.name)
    before = {row.code: row for row in known.jurisdictions}
    named = {row.name: row for row in known.parties}
    return Registry(
        jurisdictions=tuple(_with_aliases(row, before.get(row.code, row)) for row in places),
        parties=tuple(_with_aliases(row, named.get(row.name, row)) for row in parties),
        governments=_overridden(
            known.governments, stated.governments, lambda row: (row.jurisdiction, row.since)
        ),
        documents=_overridden(known.documents, stated.documents, lambda row: (row.collection, row.key)),
        derivations=tuple(dict.fromkeys((*known.derivations, *stated.derivations))),
    )


def _parted(known: Registry) -> tuple[Manifest, ...]:
    """The manifests of `known`; rows visible to everybody form one for the public collection."""
    if known.manifests or not (known.jurisdictions or known.parties or known.governments):
        return known.manifests
    return registered(Registry(manifests=(Manifest(name="", collections=(PUBLIC,)),)), "", known).manifests


def _merged(manifests: Iterable[Manifest]) -> Registry:
    return reduce(renewed, map(_rows, manifests), Registry())


def _rows(said: Manifest) -> Registry:
    return Registry(
        jurisdictions=said.jurisdictions,
        parties=said.parties,
        governments=said.governments,
        derivations=said.derivations,
    )


def _with_missing(
    known: Registry,
    collection: str,
    *,
    jurisdictions: tuple[Jurisdiction, ...] = (),
    parties: tuple[Party, ...] = (),
) -> Registry:
    """`known` with rows missing from all manifests, for what documents of `collection` name."""
    name = f"[{collection}]"
    manifest = next((row for row in known.manifests if row.name == name), Manifest(name=name, collections=()))
    added = renewed(_rows(manifest), Registry(jurisdictions=jurisdictions, parties=parties))
    return registered(known, name, replace(added, collections=(collection,)))


def _overridden(
    known: Iterable[Row], stated: Iterable[Row], key: Callable[[Row], Hashable]
) -> tuple[Row, ...]:
    return tuple(({key(row): row for row in known} | {key(row): row for row in stated}).values())


def _with_aliases(row: Named, before: Named) -> Named:
    names = dict.fromkeys((*row.aliases, *before.aliases, before.name))
    names.pop(row.name, None)
    return replace(row, aliases=tuple(names))
