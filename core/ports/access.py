"""The ports of tokens and of public links. Each method is one transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from core.domain.access import AccessToken
from core.domain.records import AnswerLink, CitationRecord, PageLink


class AccessTokens(Protocol):
    """Tokens by the digests of their secrets."""

    async def add(self, token: AccessToken, digest: str) -> bool:
        """Keep a token; False, and nothing kept, where one has its name."""

    async def find(self, digest: str) -> AccessToken | None:
        """The token with that digest, expired ones too."""

    async def all(self) -> list[AccessToken]:
        """Every token, by name."""

    async def remove(self, name: str) -> bool:
        """Forget a token; whether there was one."""


class PageLinks(Protocol):
    """Links by unguessable ids."""

    async def give(self, citations: Mapping[str, CitationRecord], *, at: datetime) -> dict[str, str]:
        """An id for each of `citations`, which are by their digests; by digest. One that was given before
        stays."""

    async def find(self, link: str) -> PageLink | None:
        """The link of that id."""

    async def give_answer(self, links: Sequence[str], language: str, *, at: datetime) -> str:
        """An id for an answer of these page links; one that was given before stays."""

    async def find_answer(self, link: str) -> AnswerLink | None:
        """The answer link of that id."""

    async def purge(self, *, before: datetime) -> int:
        """Forget links of both kinds that were last given before then; how many."""
