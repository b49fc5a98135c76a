"""The ports of tokens and of public links. Each method is one transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from core.domain.access import AccessToken
from core.domain.records import AnswerLink, CitationRecord, PageLink


class AccessTokens(Protocol):
    """Access tokens, identified by the digests of their secrets."""

    async def add(self, token: AccessToken, digest: str) -> bool:
        """Store a token; returns False, storing nothing, if its name is taken."""

    async def find(self, digest: str) -> AccessToken | None:
        """The token with that digest, even if expired."""

    async def all(self) -> list[AccessToken]:
        """Every token, by name."""

    async def remove(self, name: str) -> bool:
        """Delete a token; returns whether there was one."""


class PageLinks(Protocol):
    """Public links, by unguessable ids."""

    async def give(self, citations: Mapping[str, CitationRecord], *, at: datetime) -> dict[str, str]:
        """Ids for `citations`, both by digest. An id given out before stays the same."""

    async def find(self, link: str) -> PageLink | None:
        """The link of that id."""

    async def give_answer(self, links: Sequence[str], language: str, *, at: datetime) -> str:
        """An id for an answer with these page links; one given out before stays the same."""

    async def find_answer(self, link: str) -> AnswerLink | None:
        """The answer link of that id."""

    async def purge(self, *, before: datetime) -> int:
        """Delete links of both kinds that were last given out before `before`; returns how many."""
