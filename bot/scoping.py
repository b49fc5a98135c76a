"""From options and chat settings to a scope; what is unknown is refused with suggestions."""

from dataclasses import dataclass
from datetime import date

from core.library.registry import Places

from core.domain.scope import Scope
from core.ports import Library

_SUGGESTED = 3
_LIKENESS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeOptions:
    """Scope options as a person wrote them. `chat_jurisdiction` is the chat's default, a code."""

    jurisdiction: str | None = None
    parties: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    doc_type: str | None = None
    as_of: date | None = None
    chat_jurisdiction: str | None = None


class Scoping:
    """Checks options against the registry and the library."""

    def __init__(self, *, library: Library, places: Places, default_collections: tuple[str, ...]) -> None:
        self._library = library
        self._places = places
        self._default = default_collections

    async def scope(self, options: ScopeOptions) -> Scope:
        """The scope that `options` mean. Raises Refused("scope.unknown_...") with suggestions."""
        collections = options.collections or self._default
        documents = await self._library.documents()
        known = {document.collection for document in documents} | set(self._default)
        for name in collections:
            if name not in known:
                raise unknown("scope.unknown_collection", "collection", name, sorted(known))
        found = [
            find_document(name, [d for d in documents if d.collection in collections])
            for name in options.documents
        ]
        return Scope(
            collections=collections,
            jurisdictions=(self.jurisdiction(options.jurisdiction),) if options.jurisdiction else (),
            parties=await self._parties(options.parties, documents),
            doc_types=(document_type(options.doc_type),) if options.doc_type else (),
            documents=tuple(document.id for document in found),
            as_of=options.as_of,
        )
