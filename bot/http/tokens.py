"""Tokens: made, listed and revoked by operators; requests with one are admitted, counted, and limited to its
collections."""

import asyncio
import ipaddress
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.library.audit import AuditTrail
from bot.library.scoping import check_collection
from core.domain.access import AccessToken, TokenRole, token_digest
from core.domain.journal import Pseudonym, Pseudonyms
from core.errors import Refused, Unavailable
from core.ports.access import AccessTokens
from core.ports.clock import Clock
from core.ports.processes import Requests
from core.recent import Recent

PREFIX = "fst_"
"""Prefix of secrets, so that scanners for leaked secrets recognise them."""

PLATFORM = "http"
"""Holders of tokens appear in records as people of this platform."""

MINUTE = timedelta(minutes=1)
WRONG_PER_MINUTE = 10
"""Maximum wrong tokens per minute from one address; further ones are not even looked up."""

PATIENCE_S = 5.0
"""Seconds that a request waits for chats being answered; then it runs alongside them."""

LONGEST_NAME = 100
_MANY = 10_000


@dataclass(frozen=True, slots=True)
class TokenOffice:
    """What operators do with tokens; who did it is recorded. `known` are the existing collections."""

    kept: AccessTokens
    audit: AuditTrail
    known: Callable[[], Awaitable[Collection[str]]]

    async def issue(
        self, name: str, *, role: TokenRole, collections: Sequence[str], per_minute: int, days: int | None
    ) -> tuple[AccessToken, str]:
        """A new token and its secret, which cannot be shown again; it is valid for `days`, None means
        forever. Raises Refused("token.name") for an invalid name, or another token's, and
        Refused("scope.unknown_collection")."""
        now = self.audit.clock.now()
        if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise Refused("token.name", f"a name has 1 to {LONGEST_NAME} characters that can be printed")
        known = await self.known()
        for collection in collections:
            check_collection(collection, known)
        token = AccessToken(
            name=name,
            role=role,
            collections=tuple(dict.fromkeys(collections)),
            per_minute=per_minute,
            created_at=now,
            expires_at=None if days is None else now + timedelta(days=days),
        )
        secret = PREFIX + secrets.token_urlsafe(32)
        if not await self.kept.add(token, token_digest(secret)):
            raise Refused("token.name", f"there is a token {name!r}; revoke it first, or choose another name")
        values = {"role": role.value, "collections": " ".join(token.collections)}
        await self.audit.noted_setting(f"token {name}", issued="yes", **values)
        return token, secret

    async def listed(self) -> list[AccessToken]:
        """Every token, expired ones too."""
        return await self.kept.all()

    async def revoke(self, name: str) -> None:
        """Revoke a token at once. Raises Refused("token.unknown")."""
        if not await self.kept.remove(name):
            raise Refused("token.unknown", f"there is no token {name!r}; `fundstelle token list` has them")
        await self.audit.noted_setting(f"token {name}", revoked="yes")


@dataclass(slots=True)
class Rates:
    """Counts requests within the last minute. If several processes answer, the counts are `shared`, with a
    shared clock; they name nobody."""

    clock: Clock
    pseudonyms: Pseudonyms
    shared: Requests | None = None
    _times: Recent[str, deque[datetime]] = field(default_factory=lambda: Recent(_MANY))

    async def full_for(self, whose: str, most: int, *, only_look: bool = False) -> float:
        """Seconds until `whose` requests of the last minute are fewer than `most`; 0 if they are now: then
        this one is counted, unless `only_look`."""
        if self.shared is not None:
            name = self.pseudonyms.person(PLATFORM, "", whose)
            wait = await self.shared.count(name, most, MINUTE, only_look=only_look)
            return 0.0 if wait is None else max(1.0, wait.total_seconds())
        now, times = self.clock.now(), self._times.get(whose) or deque()
        full = full_for(times, now, most)
        if not (full or only_look):
            times.append(now)
            self._times[whose] = times
        return full


@dataclass(slots=True)
class Doorkeeper:
    """Admits holders of a valid token. Each request looks it up, so that revoking takes effect at once."""

    kept: AccessTokens
    rates: Rates
    _seen: Recent[str, bool] = field(default_factory=lambda: Recent(_MANY))

    async def identify(self, secret: str, address: str) -> AccessToken:
        """The token with that `secret`, sent from `address`. Raises Refused("token.invalid") if it is unknown
        or expired, Unavailable("token.guessing") if that happened too often; a token that has worked before
        is admitted all the same."""
        digest, wrong = token_digest(secret), f"wrong tokens from {address}"
        if digest not in self._seen and (
            wait := await self.rates.full_for(wrong, WRONG_PER_MINUTE, only_look=True)
        ):
            raise Unavailable("token.guessing", "too many wrong tokens from here; try again later", wait)
        token = await self.kept.find(digest)
        if token is not None and token.holds(self.rates.clock.now()):
            self._seen[digest] = True
            return token
        await self.rates.full_for(wrong, WRONG_PER_MINUTE)
        detail = "the token has expired" if token else "there is no such token"
        raise Refused("token.invalid", f"{detail}; ask for one where you were given yours")

    async def count(self, token: AccessToken) -> None:
        """Count a request of the token's holder. Raises Unavailable("token.limit") if its rate is reached;
        then nothing is counted."""
        if wait := await self.rates.full_for(f"token {token.name}", token.per_minute):
            raise Unavailable(
                "token.limit", f"the token's {token.per_minute} requests a minute are done", wait
            )


def full_for(times: deque[datetime], now: datetime, most: int) -> float:
    """Seconds until fewer than `most` of `times` are within a minute before `now`; 0 if they are now. Older
    times are dropped, as are future ones from a wrong clock."""
    while times and not now - MINUTE < times[0] <= now:
        times.popleft()
    return max(1.0, (times[0] + MINUTE - now).total_seconds()) if len(times) >= most else 0.0


_LOG = logging.getLogger(__name__)


def network_of(address: str) -> str:
    """The network of an address, so that nobody escapes a limit by using another address of theirs, and logs
    identify no single person; the text itself if it is not an address."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    return str(ipaddress.ip_network((found, 24 if found.version == 4 else 64), strict=False))


@dataclass(slots=True)
class Places:
    """Runs the work of `workers` requests at a time, while `queue` may wait. Each begins once `quiet` has
    returned, or `PATIENCE_S` later."""

    workers: int
    queue: int
    quiet: Callable[[], Awaitable[None]] | None = None
    _waiting: int = field(default=0, init=False)
    _free: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._free = asyncio.Semaphore(self.workers)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold one of the slots. Raises Unavailable if too many are waiting."""
        if self._waiting >= self.queue:
            raise Unavailable("request.busy", "too many requests are waiting; try again later", 5.0)
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        try:
            if self.quiet is not None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(PATIENCE_S):
                        await self.quiet()
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
        """The pseudonym of the token's holder in records."""
        return self.pseudonyms.person(PLATFORM, "", token.name)


def reached(token: AccessToken, asked: Sequence[str]) -> tuple[str, ...]:
    """The collections of a request: those `asked` for, or all of the token's. Raises
    Refused("token.collection") for others, whether they exist or not."""
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
