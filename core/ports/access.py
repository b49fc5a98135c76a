"""The port of tokens. Each method is one transaction."""

from typing import Protocol

from core.domain.access import AccessToken


class AccessTokens(Protocol):
    """Tokens by the digests of their secrets."""

    async def add(self, token: AccessToken, digest: str) -> bool:
        """Keep a token; False, and nothing kept, where one has its name."""
        ...

    async def find(self, digest: str) -> AccessToken | None:
        """The token with that digest, expired ones too."""
        ...

    async def all(self) -> list[AccessToken]:
        """Every token, by name."""
        ...

    async def remove(self, name: str) -> bool:
        """Forget a token; whether there was one."""
        ...
