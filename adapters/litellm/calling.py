"""One call to one endpoint: what is sent, what comes back, what it cost."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from adapters.litellm import package
from adapters.litellm.budget import DailyBudget, Reservation, Spending
from adapters.litellm.endpoint import Endpoint, Price
from adapters.litellm.errors import EMPTY, MISSING, failure, may_be_an_extra, translate
from core.domain.models import Completion, ModelMessage
from core.errors import Broken, FundstelleError

if TYPE_CHECKING:
    from litellm import ModelResponse
    from litellm.router import Router

BYTES_PER_TOKEN = 3  # about 4 in English and German prose, so that a reservation is rather too large
TOKENS_PER_MESSAGE = 8
NOTHING = Spending()
UNBILLED = frozenset({"model.busy", "model.unreachable", "model.failed", "model.declined"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A question to the models; `started` and `until` are readings of the monotonic clock."""

    messages: Sequence[ModelMessage]
    schema: Mapping[str, object] | None
    max_tokens: int
    started: float
    until: float

    @property
    def prompt_tokens(self) -> int:
        """An estimate, rather too high."""
        size = sum(len(message.text.encode()) for message in self.messages)
        return size // BYTES_PER_TOKEN + TOKENS_PER_MESSAGE * len(self.messages)


class Extra(StrEnum):
    """What a request may carry and not every endpoint takes. LiteLLM's lists of it are not reliable."""

    SCHEMA = "schema"
    TEMPERATURE = "temperature"


BOTH = frozenset(Extra)
LADDER = (BOTH, BOTH - {Extra.SCHEMA}, BOTH - {Extra.TEMPERATURE}, frozenset[Extra]())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    """What exists once LiteLLM is imported. `groups` names the Router's group of each usable endpoint."""

    router: "Router"
    groups: Mapping[Endpoint, str]
    prices: Mapping[Endpoint, Price | None]


class Caller:
    """Calls endpoints through LiteLLM's Router, which retries, and keeps the books."""

    def __init__(
        self, endpoints: Sequence[Endpoint], *, budget: DailyBudget | None, monotonic: Callable[[], float]
    ) -> None:
        self._endpoints = tuple(endpoints)
        self._budget = budget
        self._monotonic = monotonic
        self._loaded: _Loaded | None = None
        self._loading = asyncio.Lock()
        self._refused: dict[Endpoint, frozenset[Extra]] = {}

    async def load(self) -> _Loaded:
        """Import LiteLLM in a thread and build the Router, the first time."""
        async with self._loading:
            if self._loaded is None:
                self._loaded = await asyncio.to_thread(_load, self._endpoints)
        return self._loaded

    async def close(self) -> None:
        """Close all connections."""
        if self._loaded is not None:
            self._loaded = None
            await package.close()

    async def ask(self, endpoint: Endpoint, call: Call, *, retry: bool) -> Completion | FundstelleError:
        """The answer, or what prevented it. A call that is cancelled stays on the bill."""
        loaded = await self.load()
        if endpoint not in loaded.groups:
            return failure(MISSING, endpoint, "unknown provider")
        try:
            reservation = await self._reserve(call, endpoint, loaded.prices[endpoint])
        except FundstelleError as error:
            return error
        answer, used = await self._answer(endpoint, call, retry=retry)
        if self._budget is not None and reservation is not None and used is not None:
            await self._budget.settle(reservation, used)
        return answer

    async def _reserve(self, call: Call, endpoint: Endpoint, price: Price | None) -> Reservation | None:
        if self._budget is None:
            return None
        if price is None and self._budget.limits_money:
            raise Broken(
                "model.price_unknown",
                f"{endpoint.shown}: its price is not known, so usd_per_day cannot be kept; state "
                "usd_per_million_prompt and usd_per_million_completion (0 if it costs nothing)",
                model=endpoint.model,
            )
        return await self._budget.reserve(_spending(call.prompt_tokens, call.max_tokens, price))

    async def _answer(
        self, endpoint: Endpoint, call: Call, *, retry: bool
    ) -> tuple[Completion | FundstelleError, Spending | None]:
        """The answer and what it used (None: not known). What an endpoint refuses is left out, and from
        then on always."""
        rungs = self._rungs(endpoint, call)
        for extras in rungs:
            response = await self._request(endpoint, call, extras, retry=retry)
            if not isinstance(response, Exception):
                self._refused[endpoint] = self._refused.get(endpoint, frozenset()) | (rungs[0] - extras)
                return await self._read(response, endpoint, call, structured=Extra.SCHEMA in extras)
            if not may_be_an_extra(response):
                break
        failed = translate(response, endpoint)
        return failed, NOTHING if isinstance(failed, Broken) or failed.key in UNBILLED else None

    def _rungs(self, endpoint: Endpoint, call: Call) -> list[frozenset[Extra]]:
        wanted = BOTH if call.schema is not None else BOTH - {Extra.SCHEMA}
        taken = wanted - self._refused.get(endpoint, frozenset())
        return [extras for extras in LADDER if extras <= taken]

    async def _request(
        self, endpoint: Endpoint, call: Call, extras: frozenset[Extra], *, retry: bool
    ) -> "ModelResponse | Exception":
        """The one call into LiteLLM. Whatever it raises comes back as a value: this is the border, and
        our own error is made outside the handler so that no foreign text hangs on to it."""
        loaded = await self.load()
        options: dict[str, Any] = {"temperature": 0.0} if Extra.TEMPERATURE in extras else {}
        if Extra.SCHEMA in extras:
            json_schema = {"name": "answer", "strict": True, "schema": dict(call.schema or {})}
            options["response_format"] = {"type": "json_schema", "json_schema": json_schema}
        messages: list[Any] = [{"role": item.speaker.value, "content": item.text} for item in call.messages]
        try:
            return await loaded.router.acompletion(
                model=loaded.groups[endpoint],
                messages=messages,
                max_tokens=call.max_tokens,
                num_retries=package.RETRIES if retry else 0,
                stream=False,
                timeout=package.timeout_of(endpoint),
                **options,
            )
        except Exception as error:
            return error

    async def _read(
        self, response: "ModelResponse", endpoint: Endpoint, call: Call, *, structured: bool
    ) -> tuple[Completion | FundstelleError, Spending]:
        price = (await self.load()).prices[endpoint]
        text = package.text_of(response)
        asked, said = package.usage_of(response)
        asked, said = asked or call.prompt_tokens, said or len(text.encode()) // BYTES_PER_TOKEN
        used = _spending(asked, said, price)
        if not text.strip():
            return failure(EMPTY, endpoint), used
        completion = Completion(
            text=text,
            model=endpoint.model,
            structured=structured,
            prompt_tokens=asked,
            completion_tokens=said,
            cost_usd=None if price is None else used.usd,
            seconds=self._monotonic() - call.started,
        )
        return completion, used


def _load(endpoints: Sequence[Endpoint]) -> _Loaded:
    """Raises Broken("model.package") if LiteLLM cannot be imported."""
    try:
        package.load()
    except ImportError as error:
        raise Broken("model.package", f"LiteLLM cannot be loaded ({error}); install it again") from error
    prices = {endpoint: package.price_of(endpoint) for endpoint in endpoints}
    usable = [endpoint for endpoint in prices if package.is_known(endpoint)]
    return _Loaded(
        router=package.router(usable),
        groups={endpoint: package.group_name(number) for number, endpoint in enumerate(usable)},
        prices=prices,
    )


def _spending(prompt_tokens: int, completion_tokens: int, price: Price | None) -> Spending:
    usd = price.of(prompt_tokens, completion_tokens) if price is not None else 0.0
    return Spending(tokens=prompt_tokens + completion_tokens, usd=usd)
