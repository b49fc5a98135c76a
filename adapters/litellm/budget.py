"""Models at providers, and daily spending limits: reserved before a call, settled after it.

Stored in a small file, so that the limit applies across restarts and processes, or where the processes are on
several machines in the ledger that they share. A call that ends without a
bill stays reserved: the provider may have charged for it.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from pathlib import Path
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from adapters import disk
from core.domain.models import Spending
from core.errors import Broken, Refused, Unavailable
from core.ports.models import SpendingLedger

DEFAULT_TIMEOUT_S = 30.0
DEFAULT_SILENCE_S = 4.0
DEFAULT_CONTEXT_TOKENS = 6000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per token."""

    prompt: float
    completion: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """US dollars for a call."""
        return self.prompt * prompt_tokens + self.completion * completion_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where one model is called.

    `model` is a LiteLLM name (`openai/NAME` for any OpenAI-compatible server), `api_base` its address if not
    the provider's own. `collections` are those whose passages it may be sent. `timeout_s` limits a call
    including retries; a model silent for `silence_s` is abandoned for the next one, if any (0: not before
    `timeout_s`). `context_tokens` limits the passages in a prompt. `price` overrides LiteLLM's price list.
    The key never appears in a representation.
    """

    model: str
    api_base: str = ""
    api_key: str = field(default="", repr=False)
    collections: frozenset[str] = frozenset({"public"})
    timeout_s: float = DEFAULT_TIMEOUT_S
    silence_s: float = DEFAULT_SILENCE_S
    context_tokens: int = DEFAULT_CONTEXT_TOKENS
    price: Price | None = None

    @property
    def shown(self) -> str:
        """Name and host, for messages; an address may hold a password, so only its host."""
        host = urlsplit(self.api_base).hostname if self.api_base else None
        return f"{self.model} at {host}" if host else self.model


LOCK_TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """What was set aside for a call, and on which day."""

    day: date
    amount: Spending


class DailyBudget:
    """Limits per day; 0 means no limit."""

    def __init__(
        self,
        *,
        file: Path,
        now: Callable[[], datetime],
        tokens: int = 0,
        usd: float = 0.0,
        ledger: SpendingLedger | None = None,
    ) -> None:
        self._file = file
        self._lock = FileLock(file.with_suffix(".lock"), timeout=LOCK_TIMEOUT_S)
        self._now = now
        self._ledger = ledger
        self.limit = Spending(tokens=tokens, usd=usd)

    @property
    def limits_money(self) -> bool:
        """Whether calls without a known price are forbidden."""
        return self.limit.usd > 0

    async def reserve(self, amount: Spending) -> Reservation:
        """Set `amount` aside. Raises Refused("model.budget") if that is more than is left today."""
        if self._ledger is None:
            return await asyncio.to_thread(self._reserve, amount)
        day = self._today()
        if self._limited and (over := await self._ledger.reserve(day, amount, self.limit)):
            self._refuse_over(over)
        return Reservation(day=day, amount=amount)

    async def settle(self, reservation: Reservation, used: Spending) -> None:
        """Replace the reservation by the actual usage."""
        if self._ledger is None:
            await asyncio.to_thread(self._settle, reservation, used)
        elif self._limited:
            await self._ledger.settle(reservation.day, reservation.amount, used)

    async def spent(self) -> Spending:
        """What was used and reserved today."""
        if self._ledger is not None:
            return await self._ledger.spent(self._today())
        return await asyncio.to_thread(self._read, self._today())

    def _reserve(self, amount: Spending) -> Reservation:
        day = self._today()
        if not self._limited:
            return Reservation(day=day, amount=amount)
        with self._locked():
            after = self._read(day).plus(amount)
            self._refuse_over(after)
            self._write(day, after)
        return Reservation(day=day, amount=amount)

    def _settle(self, reservation: Reservation, used: Spending) -> None:
        if not self._limited:
            return
        with self._locked():
            now = self._read(reservation.day)
            if reservation.day == self._today():
                self._write(reservation.day, now.plus(reservation.amount, -1).plus(used))

    @property
    def _limited(self) -> bool:
        return self.limit != Spending()

    def _refuse_over(self, after: Spending) -> None:
        limit = self.limit
        if limit.tokens and after.tokens > limit.tokens:
            raise Refused("model.budget", f"today's {limit.tokens} tokens are used up; raise tokens_per_day")
        if limit.usd and after.usd > limit.usd:
            raise Refused("model.budget", f"today's {limit.usd:g} US dollars are spent; raise usd_per_day")

    def _today(self) -> date:
        return self._now().date()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            disk.make_folder(self._file.parent)
            self._lock.acquire()
        except Timeout as error:
            raise Unavailable("model.budget_busy", f"{self._file} is in use by another process") from error
        except OSError as error:
            raise Broken("model.budget_file", f"cannot lock {self._file}: {error}") from error
        try:
            yield
        finally:
            self._lock.release()

    def _read(self, day: date) -> Spending:
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return Spending()
        except (OSError, ValueError) as error:
            raise Broken("model.budget_file", f"cannot read {self._file}; remove it") from error
        try:
            today = kept["day"] == day.isoformat()
            return Spending(tokens=int(kept["tokens"]), usd=float(kept["usd"])) if today else Spending()
        except (KeyError, TypeError, ValueError) as error:
            raise Broken("model.budget_file", f"{self._file} is not ours; remove it") from error

    def _write(self, day: date, spending: Spending) -> None:
        try:
            disk.write(self._file, json.dumps({"day": day.isoformat(), **asdict(spending)}).encode())
        except OSError as error:
            raise Broken("model.budget_file", f"cannot write {self._file}: {error}") from error
