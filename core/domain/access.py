"""Tokens for HTTP and MCP: what each allows, and how often."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class TokenRole(StrEnum):
    """What the holder of a token may do."""

    READER = "reader"  # ask, search, compare, verify and read
    PUBLISHER = "publisher"  # bring documents into its collections besides


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """A token without its secret. `collections` (never empty) limit what its holder can reach, `per_minute`
    their requests; `expires_at` None means never."""

    name: str
    role: TokenRole
    collections: tuple[str, ...]
    per_minute: int
    created_at: datetime
    expires_at: datetime | None

    def holds(self, now: datetime) -> bool:
        """Whether it has not expired."""
        return self.expires_at is None or now < self.expires_at


def token_digest(secret: str) -> str:
    """The stored digest of a token's secret. The secret has 256 random bits, so a plain SHA-256 cannot be
    reversed."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
