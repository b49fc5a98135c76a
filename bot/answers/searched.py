"""What may be searched, and what has to be said because the index lacks some of it."""

from dataclasses import dataclass

from bot.library.scoping import ScopeOptions, Scoping
from core.domain.answers import Notice
from core.domain.scope import Scope
from core.library.completeness import Completeness


@dataclass(frozen=True, slots=True)
class Searched:
    """The way from options to a scope."""

    scoping: Scoping
    completeness: Completeness

    async def within(self, options: ScopeOptions) -> tuple[Scope, tuple[Notice, ...]]:
        """The scope, and whether parts of it cannot be found for now. Raises Refused for unknown places,
        parties, collections or documents."""
        scope = await self.scoping.scope(options)
        return scope, await self.completeness.notices(scope.collections)
