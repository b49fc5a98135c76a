"""What may be searched, and notices if the index lacks some of it."""

from dataclasses import dataclass

from bot.library.scoping import ScopeOptions, Scoping
from core.domain.answers import Notice
from core.domain.scope import Scope
from core.library.completeness import Completeness


@dataclass(frozen=True, slots=True)
class Searched:
    """Turns options into a scope."""

    scoping: Scoping
    completeness: Completeness

    async def within(self, options: ScopeOptions) -> tuple[Scope, tuple[Notice, ...]]:
        """The scope, and whether parts of it cannot be found for now. Raises Refused for unknown places,
        parties, collections or documents."""
        scope = await self.scoping.scope(options)
        return scope, await self.completeness.notices(scope.collections)
