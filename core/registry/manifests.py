"""Which manifest defines which places and parties: a row is as visible as the collections that its manifest
names. Unites several manifests in one registry and reports its problems. Pure.

Everybody may know what is defined for the `public` collection; what another collection's manifest defines (a
name, an alias, a group's members, who governs) is known only to readers of that collection. Equal rows merge
and aliases are united; two conflicting rows for the same place, party, government or document are an error
that names both manifests.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeVar

from core.domain.documents import GLOBAL, PUBLIC, DocumentFields
from core.domain.registry import Government, Jurisdiction, Manifest, Party, RegisteredDocument, Registry
from core.errors import Refused
from core.registry.names import fold
from core.registry.registry import Places, Suggestions, find_party, suggest, united_aliases

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


T = TypeVar("T")
Stated = TypeVar("Stated", Jurisdiction, Party, Government, RegisteredDocument)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryFindings:
    """Problems of a registry, each an English sentence that says what to do. Errors make it unusable;
    warnings are odd but harmless."""

    errors: tuple[str, ...]
    warnings: tuple[str, ...]


def unite(manifests: Mapping[str, Registry]) -> Registry:
    """One registry made of several, keyed by the names of their manifests. The parties of documents and
    governments become canonical names. Raises Refused("registry.contradiction") whose detail lists all
    contradictions, one per line."""
    union = _Union(manifests)
    parties = union.merged(lambda r: r.parties, lambda row: fold(row.name), union.party)
    names = Registry(parties=parties)
    united = Registry(
        jurisdictions=union.merged(lambda r: r.jurisdictions, lambda row: row.code, union.place),
        parties=parties,
        governments=union.merged(
            lambda r: [replace(row, parties=canonical(names, row.parties)) for row in r.governments],
            lambda row: (row.jurisdiction, row.since),
            union.government,
        ),
        documents=union.merged(
            lambda r: [canonical_document(names, row) for row in r.documents],
            lambda row: (row.collection, row.key),
            union.document,
        ),
        derivations=tuple(dict.fromkeys(row for r in manifests.values() for row in r.derivations)),
        collections=tuple(dict.fromkeys(name for r in manifests.values() for name in r.collections)),
    )
    if union.contradictions:
        detail = "\n".join(union.contradictions)
        raise Refused("registry.contradiction", detail, count=len(union.contradictions))
    return united


def canonical(registry: Registry, parties: Iterable[str]) -> tuple[str, ...]:
    """Party names as the registry writes them; unknown names stay as they are."""
    matches = ((name, find_party(registry, name)) for name in parties)
    return tuple(dict.fromkeys(party.name if isinstance(party, Party) else name for name, party in matches))


def canonical_document(registry: Registry, row: RegisteredDocument) -> RegisteredDocument:
    """The row with canonical party names."""
    parties = canonical(registry, row.fields.parties)
    return replace(row, fields=replace(row.fields, parties=parties))


class _Union:
    """Merges the rows of manifests and collects their contradictions."""

    def __init__(self, manifests: Mapping[str, Registry]) -> None:
        self._manifests = manifests
        self._at: tuple[str, str] = ("", "")
        self.contradictions: list[str] = []

    def merged(
        self,
        rows: Callable[[Registry], Iterable[Stated]],
        key: Callable[[Stated], Hashable],
        both: Callable[[Stated, Stated], Stated],
    ) -> tuple[Stated, ...]:
        """The rows of all manifests, with those of the same key united by `both`."""
        united: dict[Hashable, tuple[str, Stated]] = {}
        for source, registry in self._manifests.items():
            for row in rows(registry):
                first, earlier = united.get(key(row), (source, row))
                self._at = (first, source)
                united[key(row)] = (first, row if earlier == row else both(earlier, row))
        return tuple(row for _, row in united.values())

    def place(self, one: Jurisdiction, other: Jurisdiction) -> Jurisdiction:
        """Unite two rows with the same code. Different names are fine if one row has the other's as an
        alias."""
        if one.name not in (other.name, *other.aliases) and other.name not in (one.name, *one.aliases):
            self._same(f"jurisdiction {one.code}", "name", one.name, other.name)
        parent = self._either(f"jurisdiction {one.code}", "parent", one.parent, other.parent)
        return replace(one, aliases=united_aliases(one.name, (one, other)), parent=parent)

    def party(self, one: Party, other: Party) -> Party:
        """Unite two rows with the same name."""
        what = f"party {one.name}"
        return replace(
            one,
            aliases=united_aliases(one.name, (one, other)),
            members=self._either(what, "members", one.members, other.members),
            jurisdictions=self._either(what, "jurisdictions", one.jurisdictions, other.jurisdictions),
        )

    def government(self, one: Government, other: Government) -> Government:
        """Unite two governments of a place that begin on the same day."""
        what = f"government of {one.jurisdiction} from {one.since}"
        self._same(what, "parties", one.parties, other.parties)
        return replace(one, until=self._either(what, "to", one.until, other.until))

    def document(self, one: RegisteredDocument, other: RegisteredDocument) -> RegisteredDocument:
        """Unite two rows with the same key in one collection."""
        what = f"document {one.key} of collection {one.collection}"
        for name in one.fields.__dataclass_fields__:
            self._same(what, name, getattr(one.fields, name), getattr(other.fields, name))
        return one

    def _either(self, what: str, field: str, one: T, other: T) -> T:
        """The stated value if only one of the two states one."""
        if one and other:
            self._same(what, field, one, other)
        return one or other

    def _same(self, what: str, field: str, one: object, other: object) -> None:
        if one != other:
            first, second = self._at
            self.contradictions.append(
                f"{what}: {field} is {one!r} in {first} but {other!r} in {second}; make them equal"
            )


def check(registry: Registry, places: Places) -> RegistryFindings:
    """The problems of a registry: unknown places and cycles among them are errors; parties and documents that
    are referenced but not defined are warnings."""
    return RegistryFindings(
        errors=(*_unknown_places(registry, places), *_circles(registry, places)),
        warnings=(*_unknown_parties(registry), *_unknown_documents(registry)),
    )


def _unknown_places(registry: Registry, places: Places) -> Iterable[str]:
    for what, code in _place_references(registry):
        if code != GLOBAL and not places.is_known(code):
            hint = _hint(places.similar(code))
            yield f"{what}: jurisdiction {code!r} is unknown; add a row for it{hint}"


def _place_references(registry: Registry) -> Iterable[tuple[str, str]]:
    for document in registry.documents:
        if document.fields.jurisdiction:
            yield f"document {document.key}", document.fields.jurisdiction
    for place in registry.jurisdictions:
        if place.parent:
            yield f"parent of jurisdiction {place.code}", place.parent
    for party in registry.parties:
        yield from ((f"party {party.name}", code) for code in party.jurisdictions)
    for government in registry.governments:
        yield f"government from {government.since}", government.jurisdiction


def _circles(registry: Registry, places: Places) -> Iterable[str]:
    for place in registry.jurisdictions:
        above = places.ancestors(place.code)
        if any(place.code in places.ancestors(code) for code in above):
            yield f"jurisdiction {place.code}: its parents form a circle ({', '.join(above)}); remove one"


def _unknown_parties(registry: Registry) -> Iterable[str]:
    spoken = {party for document in registry.documents for party in document.fields.parties}
    members = {member for party in registry.parties for member in party.members}
    for government in registry.governments:
        for name in government.parties:
            found = find_party(registry, name)
            if isinstance(found, Suggestions) and name not in spoken | members:
                what = f"government of {government.jurisdiction} from {government.since}"
                yield f"{what}: party {name!r} has no row and no document; add one{_hint(found.names)}"


def _unknown_documents(registry: Registry) -> Iterable[str]:
    keys = {document.key for document in registry.documents}
    for what, key in _document_references(registry):
        if key not in keys:
            hint = _hint(suggest(key, [(known, known) for known in sorted(keys)]))
            yield f"{what}: there is no document {key!r}; list it{hint}"


def _document_references(registry: Registry) -> Iterable[tuple[str, str]]:
    for document in registry.documents:
        for name in ("derived_from", "amends"):
            if key := getattr(document.fields, name):
                yield f"document {document.key}, {name}", key
    for row in registry.derivations:
        what = f"derivation of {row.document} {row.section}"
        yield from ((what, key) for key in (row.document, row.source))


def _hint(names: Iterable[str]) -> str:
    listed = " or ".join(names)
    return f", or did you mean {listed}?" if listed else ""
