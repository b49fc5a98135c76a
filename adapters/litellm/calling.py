"""One call to one endpoint: what is sent, what comes back, what it cost."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from adapters.litellm import package
from adapters.litellm.budget import DailyBudget, Reservation, Spending
from adapters.litellm.endpoint import Endpoint, Price
from adapters.litellm.errors import BROKEN_OFF, EMPTY, MISSING, failure, kind_of, may_be_an_extra, translate
from core.domain.models import Completion, ModelMessage
from core.errors import Broken, FundstelleError
from core.ports.models import OnText

if TYPE_CHECKING:
    from litellm.router import Router

BYTES_PER_TOKEN = 3  # about 4 in English and German prose, so that a reservation is rather too large
TOKENS_PER_MESSAGE = 8
NOTHING = Spending()
UNBILLED = frozenset({"model.busy", "model.unreachable", "model.failed", "model.declined"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A question to the models; `started` and `until` are readings of the monotonic clock. `on_text`
    hears the text so far."""

    messages: Sequence[ModelMessage]
    schema: Mapping[str, object] | None
    max_tokens: int
    started: float
    until: float
    on_text: OnText | None = None

    @property
    def prompt_tokens(self) -> int:
        """An estimate, rather too high."""
        size = sum(len(message.text.encode()) for message in self.messages)
        return size // BYTES_PER_TOKEN + TOKENS_PER_MESSAGE * len(self.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointTurn:
    """An endpoint's turn at a call. While another one may follow it is listened to, so that its silence
    is noticed; the last one is asked twice instead, a fallback being the better retry."""

    endpoint: Endpoint
    call: Call
    last: bool

    @property
    def silence_s(self) -> float | None:
        """How long it may say nothing; None: as long as the whole call may take."""
        return None if self.last else self.endpoint.silence_s or None

    @property
    def streamed(self) -> bool:
        """Whether somebody listens."""
        return self.silence_s is not None or self.call.on_text is not None


class Extra(StrEnum):
    """What a request may carry and not every endpoint takes. LiteLLM's lists of it are not reliable."""

    SCHEMA = "schema"
    TEMPERATURE = "temperature"
    USAGE = "usage"  # of a stream


ALL = frozenset(Extra)
LADDER = (ALL, *(ALL - {extra} for extra in Extra), frozenset[Extra]())


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

    async def ask(self, turn: EndpointTurn) -> Completion | FundstelleError:
        """The answer, or what prevented it. A call that is cancelled stays on the bill."""
        endpoint, call = turn.endpoint, turn.call
        loaded = await self.load()
        if endpoint not in loaded.groups:
            return failure(MISSING, endpoint, "unknown provider")
        try:
            reservation = await self._reserve(call, endpoint, loaded.prices[endpoint])
        except FundstelleError as error:
            return error
        answer, used = await self._answer(turn)
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

    async def _answer(self, turn: EndpointTurn) -> tuple[Completion | FundstelleError, Spending | None]:
        """The answer and what it used (None: not known). What an endpoint refuses is left out, and from
        then on always."""
        endpoint, rungs = turn.endpoint, self._rungs(turn)
        error: Exception = ValueError("nothing was asked")
        for extras in rungs:
            said = await self._request(turn, extras)
            if not isinstance(said, Exception):
                self._refused[endpoint] = self._refused.get(endpoint, frozenset()) | (rungs[0] - extras)
                return await self._read(said, turn, structured=Extra.SCHEMA in extras)
            error = said
            if not may_be_an_extra(error):
                break
        failed = translate(error, endpoint)
        return failed, NOTHING if isinstance(failed, Broken) or failed.key in UNBILLED else None

    def _rungs(self, turn: EndpointTurn) -> list[frozenset[Extra]]:
        wanted = ALL if turn.call.schema is not None else ALL - {Extra.SCHEMA}
        wanted = wanted if turn.streamed else wanted - {Extra.USAGE}
        taken = wanted - self._refused.get(turn.endpoint, frozenset())
        return list(dict.fromkeys(extras & taken for extras in LADDER))

    async def _request(self, turn: EndpointTurn, extras: frozenset[Extra]) -> package.ModelOutput | Exception:
        """The request. LiteLLM tries one that was never begun again, this one that broke off."""
        said = await self._once(turn, extras)
        if turn.last and turn.streamed and isinstance(said, Exception) and kind_of(said) is BROKEN_OFF:
            said = await self._once(turn, extras)
        return said

    async def _once(self, turn: EndpointTurn, extras: frozenset[Extra]) -> package.ModelOutput | Exception:
        """The one call into LiteLLM. Whatever it raises comes back as a value: this is the border, and
        our own error is made outside the handler so that no foreign text hangs on to it."""
        loaded = await self.load()
        messages: list[Any] = [
            {"role": item.speaker.value, "content": item.text} for item in turn.call.messages
        ]
        ask = partial(
            loaded.router.acompletion,
            model=loaded.groups[turn.endpoint],
            messages=messages,
            max_tokens=turn.call.max_tokens,
            num_retries=package.RETRIES if turn.last else 0,
            timeout=package.timeout_of(turn.endpoint),
            **_options(turn.call, extras),
        )
        try:
            return await self._listened(turn, ask) if turn.streamed else package.said(await ask(stream=False))
        except Exception as error:
            return error

    async def _listened(self, turn: EndpointTurn, ask: Callable[..., Awaitable[Any]]) -> package.ModelOutput:
        """A stream's answer. Raises TimeoutError once it is silent for longer than the endpoint may be."""
        loop = asyncio.get_running_loop()

        def hear(text: str) -> None:
            if turn.silence_s is not None:
                patience.reschedule(loop.time() + turn.silence_s)
            if turn.call.on_text is not None and text:
                turn.call.on_text(text)

        async with asyncio.timeout(turn.silence_s) as patience:
            return await package.heard(await ask(stream=True), hear)

    async def _read(
        self, said: package.ModelOutput, turn: EndpointTurn, *, structured: bool
    ) -> tuple[Completion | FundstelleError, Spending]:
        price = (await self.load()).prices[turn.endpoint]
        prompt_tokens = said.prompt_tokens or turn.call.prompt_tokens
        completion_tokens = said.completion_tokens or len(said.text.encode()) // BYTES_PER_TOKEN
        used = _spending(prompt_tokens, completion_tokens, price)
        if not said.text.strip():
            return failure(EMPTY, turn.endpoint), used
        completion = Completion(
            text=said.text,
            model=turn.endpoint.model,
            structured=structured,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost_usd=None if price is None else used.usd,
            seconds=self._monotonic() - turn.call.started,
        )
        return completion, used


def _options(call: Call, extras: frozenset[Extra]) -> dict[str, Any]:
    options: dict[str, Any] = {"temperature": 0.0} if Extra.TEMPERATURE in extras else {}
    if Extra.SCHEMA in extras:
        json_schema = {"name": "answer", "strict": True, "schema": dict(call.schema or {})}
        options["response_format"] = {"type": "json_schema", "json_schema": json_schema}
    if Extra.USAGE in extras:
        options["stream_options"] = {"include_usage": True}
    return options


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
