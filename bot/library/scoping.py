"""Turns options and chat settings into a scope; unknown names are refused with suggestions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import PurePath

from core.domain.answers import Notice
from core.domain.documents import Document, DocumentType, Edition
from core.domain.registry import Jurisdiction, Registry
from core.domain.scope import Scope
from core.errors import NotKnown, Refused
from core.library.completeness import Completeness
from core.message_keys import ErrorKey
from core.ports.library import Library
from core.registry.manifests import seen_from
from core.registry.names import fold
from core.registry.registry import (
    SUGGESTIONS,
    Places,
    Suggestions,
    admits,
    find_party,
    named_party,
    suggest,
)

DEFAULT_COLLECTIONS = ("public",)

_BEGINNING = 3
"""Minimum letters of the beginning of a document's name."""

_CALLED = {"scope.unknown_jurisdiction": "place"}
"""A common name for the value in requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeOptions:
    """Scope options as a person wrote them. `chat_jurisdiction` is the chat's default, a code, and
    `chat_parties` those that its questions mean if they name nobody. `configured`: the collections are the
    chat's by its settings, and may still be empty."""

    jurisdiction: str | None = None
    parties: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    doc_type: str | None = None
    as_of: date | None = None
    chat_jurisdiction: str | None = None
    chat_parties: tuple[str, ...] = ()
    configured: bool = False


class KnownNames:
    """Places and parties as known to readers of certain collections. `known` are the places that everybody
    knows without a row: countries and their first subdivisions."""

    def __init__(self, registry: Registry, known: Iterable[Jurisdiction]) -> None:
        self.registry = registry
        self._known = known

    @cached_property
    def places(self) -> Places:
        """The places by code and name."""
        return Places(self.registry, self._known)

    def jurisdiction(self, name: str) -> str:
        """The code for a code or name. Raises Refused("scope.unknown_jurisdiction")."""
        found = self.places.resolve(name)
        if isinstance(found, Suggestions):
            shown = {f"{self.places.name(code)} ({code})": code for code in found.names}
            raise _unknown("scope.unknown_jurisdiction", name, shown)
        return found

    def party(self, name: str) -> str:
        """The canonical name of a party. Raises Refused("scope.unknown_party")."""
        found = find_party(self.registry, name)
        if isinstance(found, Suggestions):
            raise _unknown("scope.unknown_party", name, _as_shown(found.names))
        return found.name

    def own_party(self, name: str) -> str | None:
        """The canonical name of the party with that name in a chat's settings; None if there is none."""
        found = named_party(self.registry, name) if name else None
        return found.name if found else None

    def knows(self, name: str) -> bool:
        """Whether `name` is that of one party or place; quicker than looking up either."""
        return self.places.names_one(name) or named_party(self.registry, name) is not None

    def admits(self, scope: Scope, edition: Edition) -> bool:
        """Whether the place and party filters of `scope` admit an edition."""
        return admits(scope, edition, self.registry)


class Scoping:
    """Checks options against the registry and the library; what a name means depends on the collections that
    may be read in the chat. `known` are the places that everybody knows without a row."""

    def __init__(self, *, library: Library, registry: Registry, known: Iterable[Jurisdiction]) -> None:
        self._library = library
        self._known = known
        self.use(registry)

    def use(self, registry: Registry) -> None:
        """Use the places and parties of `registry` from now on."""
        self.registry = registry
        self._names: dict[frozenset[str], KnownNames] = {}

    def within(self, collections: Sequence[str]) -> KnownNames:
        """The names known to readers of `collections`, or of the default ones if empty."""
        sight = frozenset(collections or DEFAULT_COLLECTIONS)
        names = self._names.get(sight)
        if names is None:
            names = KnownNames(seen_from(self.registry, sight), self._known)
            self._names[sight] = names
        return names

    async def scope(self, options: ScopeOptions) -> Scope:
        """The scope that `options` describe. Raises Refused("scope.unknown_..." or "document....")."""
        collections = options.collections or DEFAULT_COLLECTIONS
        everything = await self._library.documents()
        known = {document.collection for document in everything} | set(DEFAULT_COLLECTIONS)
        for name in collections if not options.configured else ():
            check_collection(name, known)
        visible = [document for document in everything if document.collection in collections]
        found = [find_document(name, visible) for name in options.documents]
        names = self.within(collections)
        return Scope(
            collections=collections,
            jurisdictions=(names.jurisdiction(options.jurisdiction),) if options.jurisdiction else (),
            parties=tuple(names.party(name) for name in options.parties),
            doc_types=(document_type(options.doc_type),) if options.doc_type else (),
            documents=tuple(document.id for document in found),
            as_of=options.as_of,
            usual_parties=tuple(names.party(name) for name in options.chat_parties),
        )

    def warm_up(self) -> None:
        """Look up a name once, so that the lookup tables are built."""
        self.within(DEFAULT_COLLECTIONS).places.resolve("warm up")


def check_collection(name: str, known: Collection[str]) -> None:
    """Raises Refused("scope.unknown_collection") with the nearest of `known`, else all of them."""
    if name not in known:
        near = suggest(name, [(each, each) for each in sorted(known)])
        raise _unknown("scope.unknown_collection", name, _as_shown(near or sorted(known)[:SUGGESTIONS]))


def find_document(name: str, documents: Sequence[Document]) -> Document:
    """The document that an id, a file's base name (with its ending or without), a unique title, what it is
    called otherwise ("GG") or a beginning that only one has means. Raises Refused."""
    from core.registry.detection import document_names

    called = {each.key for each in document_names(documents) if fold(each.text) == fold(name)}
    for match in (
        [document for document in documents if document.id == name],
        [document for document in documents if document.file == name],
        [document for document in documents if document.fields.title == name],
        [document for document in documents if document.fields.title.casefold() == name.casefold()],
        [document for document in documents if document.id in called],
        [document for document in documents if PurePath(document.file).stem.casefold() == name.casefold()],
    ):
        if len(match) == 1:
            return match[0]
        if match:
            ids = [document.id for document in match]
            listed = ", ".join(ids)
            detail = f"{name} names several documents; use an id: {listed}"
            raise NotKnown("document.ambiguous", detail, name=name, meant=_as_shown(ids))
    begun = _begun(name, documents)
    if len(begun) == 1:
        return begun[0]
    titles = [document.fields.title for document in begun[:SUGGESTIONS]]
    writings = [
        (text, document.fields.title)
        for document in documents
        for text in (document.file, document.fields.title)
    ]
    near = titles or suggest(name, writings)
    raise no_document(
        name, {title: next(each.id for each in documents if each.fields.title == title) for title in near}
    )


def _begun(name: str, documents: Sequence[Document]) -> list[Document]:
    """The documents whose file or title begins with `name`."""
    wanted = name.casefold()
    if len(wanted) < _BEGINNING:
        return []
    return [
        document
        for document in documents
        if document.file.casefold().startswith(wanted) or document.fields.title.casefold().startswith(wanted)
    ]


def no_document(name: str, meant: Mapping[str, str]) -> Refused:
    """The error for a missing document, with the ids of those that may be `meant` by their titles."""
    detail = f"there is no document {name}" + _did_you_mean(meant)
    return NotKnown("document.unknown", detail, name=name, meant=meant)


def document_type(name: str) -> DocumentType:
    """The document type of that name. Raises Refused("scope.unknown_type")."""
    try:
        return DocumentType(name.strip().lower().replace("-", "_"))
    except ValueError:
        every = [kind.value for kind in DocumentType]
        near = suggest(name, [(kind, kind) for kind in every])
        raise _unknown("scope.unknown_type", name, _as_shown(near or every)) from None


def _as_shown(names: Iterable[str]) -> dict[str, str]:
    """Suggestions that are understood as shown."""
    return {name: name for name in names}


def _unknown(key: ErrorKey, name: str, meant: Mapping[str, str]) -> Refused:
    what = _CALLED.get(key, key.removeprefix("scope.unknown_"))
    detail = f"there is no {what} {name}" + _did_you_mean(meant)
    return NotKnown(key, detail, name=name, meant=meant)


def _did_you_mean(suggestions: Iterable[str]) -> str:
    return f"; did you mean {listed}?" if (listed := ", ".join(suggestions)) else ""


@dataclass(frozen=True, slots=True)
class Searched:
    """Turns options into a scope."""

    scoping: Scoping
    completeness: Completeness

    async def within(self, options: ScopeOptions) -> tuple[Scope, tuple[Notice, ...]]:
        """The scope, and whether parts of it cannot be searched at the moment. Raises Refused for unknown
        places, parties, collections or documents."""
        scope = await self.scoping.scope(options)
        return scope, await self.completeness.notices(scope.collections)
