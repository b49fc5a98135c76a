"""Finds the passages nearest to a text, where an alleged quote might be."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.domain.documents import Edition
from core.domain.ids import PassageId
from core.domain.passages import Passage
from core.domain.scope import Scope
from core.domain.search import Candidate, QueryVectors, Space
from core.language.identification import detect
from core.ports.index import PassageIndex
from core.ports.library import Library
from core.ports.models import Embedder, LexicalEncoder
from core.registry.registry import admits

_SPACES = (Space.LEXICAL, Space.PRIMARY, Space.WINDOWS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """Finds passages by words and by meaning."""

    library: Library
    index: PassageIndex
    primary: Embedder
    secondary: Embedder
    lexical: LexicalEncoder

    async def find(
        self, text: str, *, scope: Scope, limit: int, today: date
    ) -> list[tuple[Passage, Edition]]:
        """The best `limit` passages of each search method, among the editions that `scope` admits."""
        editions = await self.editions(scope, today)
        query = await self._vectors(text)
        found: list[PassageId] = []
        for collection in scope.collections:
            inside = [edition for edition in editions if edition.document.collection == collection]
            versions = [edition.version.id for edition in inside]
            rows = await self.index.candidates(collection, [query], versions, limit=limit)
            found += best(rows[0] if rows else [], limit)
        by_version = {edition.version.id: edition for edition in editions}
        passages = await self.library.passages(found)
        return [(item, by_version[item.version]) for item in passages if item.version in by_version]

    async def editions(self, scope: Scope, today: date) -> list[Edition]:
        """The editions that `scope` admits."""
        registry = await self.library.registry(scope.collections)
        editions = await self.library.editions(scope, on=today)
        return [edition for edition in editions if admits(scope, edition, registry)]

    async def _vectors(self, text: str) -> QueryVectors:
        return QueryVectors(
            primary=await self.primary.query(text),
            secondary=await self.secondary.query(text),
            lexical=await self.lexical.query(text, detect(text)[0]),
        )


def best(candidates: Sequence[Candidate], limit: int) -> list[PassageId]:
    """Ids of the best `limit` candidates of each space, without repetition."""
    found: dict[PassageId, None] = {}
    for space in _SPACES:
        ranked = sorted(candidates, key=lambda item: -item.scores.get(space, 0.0))
        found.update(dict.fromkeys(item.passage for item in ranked[:limit]))
    return list(found)
