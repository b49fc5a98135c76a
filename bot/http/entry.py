"""Who comes with a token: let in, counted, and kept to the token's collections."""

import asyncio
import ipaddress
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.http.tokens import PLATFORM, Doorkeeper
from core.domain.access import AccessToken, TokenRole
from core.domain.journal import Pseudonym, Pseudonyms
from core.errors import Refused, Unavailable

_LOG = logging.getLogger(__name__)


def network_of(address: str) -> str:
    """The network that an address is in, so that nobody escapes a limit by another address of their own, and
    logs name no single person; the address itself where it is none."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    return str(ipaddress.ip_network((found, 24 if found.version == 4 else 64), strict=False))


@dataclass(slots=True)
class Places:
    """Where work is done: for `workers` requests at a time, while `queue` may wait."""

    workers: int
    queue: int
    _waiting: int = field(default=0, init=False)
    _free: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._free = asyncio.Semaphore(self.workers)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """One of the places. Raises Unavailable where too many wait for one."""
        if self._waiting >= self.queue:
            raise Unavailable("request.busy", "too many requests are waiting; try again later", 5.0)
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._free.release()


@dataclass(slots=True)
class Entry(Places):
    """Everything that is done with a token goes through here."""

    door: Doorkeeper = field(kw_only=True)
    pseudonyms: Pseudonyms = field(kw_only=True)

    async def admit(self, headers: Mapping[str, str], address: str) -> AccessToken:
        """The token of a request with `headers` from `address`, counted. Raises Refused("token...") or
        Unavailable."""
        kind, _, secret = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not secret.strip():
            raise Refused("token.missing", "send a token as `Authorization: Bearer TOKEN`")
        network = network_of(address)
        try:
            token = await self.door.identify(secret.strip(), network)
        except (Refused, Unavailable) as error:
            _LOG.warning("a request from %s was turned away: %s", network, error.key)
            raise
        await self.door.count(token)
        return token

    def person(self, token: AccessToken) -> Pseudonym:
        """Who stands for the token's holder in records."""
        return self.pseudonyms.person(PLATFORM, "", token.name)


def reached(token: AccessToken, asked: Sequence[str]) -> tuple[str, ...]:
    """The collections of a request: those `asked` for, all of the token's where none are. Raises
    Refused("token.collection") for others, whether there are such or not."""
    for name in asked:
        if name not in token.collections:
            raise Refused("token.collection", f"the token does not reach the collection {name!r}")
    return tuple(dict.fromkeys(asked)) or token.collections


def require_publisher(token: AccessToken) -> None:
    """Raises Refused("token.role")."""
    if token.role is not TokenRole.PUBLISHER:
        raise Refused(
            "token.role", "the token may read only; bringing documents in takes one whose role is publisher"
        )
