"""A language model with fallbacks: the port `LanguageModel` over LiteLLM.

LiteLLM talks to the providers; the next endpoint is chosen here, since approval, budget, time and
capabilities are known for each one.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from tenacity import AsyncRetrying, retry_if_result, stop_after_attempt, wait_random

from adapters.headers import retry_after as stated_wait
from adapters.litellm import package
from adapters.litellm.budget import DailyBudget, Endpoint, Price, Reservation
from adapters.litellm.package import ModelOutput
from core.domain.models import Completion, MessageRole, ModelMessage, Spending
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.message_keys import ErrorKey
from core.ports.models import OnText

REST_S = 20.0
PROBE = (ModelMessage(speaker=MessageRole.USER, text="Answer with the word OK."),)
PROBE_TOKENS = 64

_LOG = logging.getLogger(__name__)

Answer = Completion | FundstelleError
Heard = Callable[[str, Answer, float], None]
"""Receives the name of a model, the result of a call, and its duration in seconds."""
BYTES_PER_TOKEN = 3  # about 4 in English and German prose, so that a reservation is rather too large
TOKENS_PER_MESSAGE = 8
RETRY_AFTER_S = (0.25, 0.75)
NOTHING = Spending()
UNBILLED = frozenset({"model.busy", "model.unreachable", "model.failed", "model.declined"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call to the models; `started` and `until` are monotonic clock readings. `on_text` receives the text
    so far."""

    messages: Sequence[ModelMessage]
    schema: Mapping[str, object] | None
    max_tokens: int
    started: float
    until: float
    on_text: OnText | None = None

    @property
    def prompt_tokens(self) -> int:
        """An estimate, erring on the high side."""
        size = sum(len(message.text.encode()) for message in self.messages)
        return size // BYTES_PER_TOKEN + TOKENS_PER_MESSAGE * len(self.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointRequest:
    """A call to one endpoint. If another one may follow, it is streamed so that silence is noticed; only the
    last one is retried, since a fallback is the better retry."""

    endpoint: Endpoint
    call: Call
    last: bool

    @property
    def silence_s(self) -> float | None:
        """How long it may stay silent; None: as long as the whole call may take."""
        return None if self.last else self.endpoint.silence_s or None

    @property
    def streamed(self) -> bool:
        """Whether somebody listens."""
        return self.silence_s is not None or self.call.on_text is not None


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why an endpoint can never be called, and what to do about it."""

    why: str


class Extra(StrEnum):
    """Optional request parameters that not every endpoint accepts. LiteLLM's lists of them are unreliable."""

    SCHEMA = "schema"
    TEMPERATURE = "temperature"
    USAGE = "usage"  # of a stream


ALL = frozenset(Extra)
LADDER = (ALL, *(ALL - {extra} for extra in Extra), frozenset[Extra]())


class Caller:
    """Calls endpoints through LiteLLM, the last one twice if necessary, and tracks spending."""

    def __init__(
        self, endpoints: Sequence[Endpoint], *, budget: DailyBudget | None, monotonic: Callable[[], float]
    ) -> None:
        self._endpoints = tuple(endpoints)
        self._budget = budget
        self._monotonic = monotonic
        self._prices: dict[Endpoint, Price | Unusable | None] | None = None
        self._loading = asyncio.Lock()
        self._refused: dict[Endpoint, frozenset[Extra]] = {}

    async def load(self) -> Mapping[Endpoint, Price | Unusable | None]:
        """The endpoints with their prices, or the reason why they can never be called. Imports LiteLLM in a
        thread the first time."""
        async with self._loading:
            if self._prices is None:
                self._prices = await asyncio.to_thread(_load, self._endpoints)
        return self._prices

    async def close(self) -> None:
        """Close all connections."""
        if self._prices is not None:
            self._prices = None
            await package.close()

    async def ask(self, request: EndpointRequest) -> Completion | FundstelleError:
        """The answer, or what prevented it. A cancelled call stays on the bill."""
        endpoint, call = request.endpoint, request.call
        price = (await self.load())[endpoint]
        if isinstance(price, Unusable):
            return failure(UNUSABLE, endpoint, price.why)
        try:
            reservation = await self._reserve(call, endpoint, price)
        except FundstelleError as error:
            return error
        answer, used = await self._answer(request, price)
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
        self, request: EndpointRequest, price: Price | None
    ) -> tuple[Completion | FundstelleError, Spending | None]:
        """The answer and its usage (None: unknown). Parameters that an endpoint refuses are dropped, from
        then on permanently."""
        endpoint, rungs = request.endpoint, self._rungs(request)
        error: Exception = ValueError("nothing was asked")
        for extras in rungs:
            said = await self._request(request, extras)
            if not isinstance(said, Exception):
                self._refused[endpoint] = self._refused.get(endpoint, frozenset()) | (rungs[0] - extras)
                return self._read(said, request, price, structured=Extra.SCHEMA in extras)
            error = said
            if not may_be_an_extra(error):
                break
        failed = translate(error, endpoint)
        return failed, NOTHING if isinstance(failed, Broken) or failed.key in UNBILLED else None

    def _rungs(self, request: EndpointRequest) -> list[frozenset[Extra]]:
        wanted = ALL if request.call.schema is not None else ALL - {Extra.SCHEMA}
        wanted = wanted if request.streamed else wanted - {Extra.USAGE}
        taken = wanted - self._refused.get(request.endpoint, frozenset())
        return list(dict.fromkeys(extras & taken for extras in LADDER))

    async def _request(self, request: EndpointRequest, extras: frozenset[Extra]) -> ModelOutput | Exception:
        """The result of the request; the last endpoint is retried if its failure may be temporary."""
        retrying = AsyncRetrying(
            stop=stop_after_attempt(2 if request.last else 1),
            wait=wait_random(*RETRY_AFTER_S),
            retry=retry_if_result(_may_pass),
            retry_error_callback=lambda state: state.outcome and state.outcome.result(),
        )
        return await retrying(self._once, request, extras)

    async def _once(self, request: EndpointRequest, extras: frozenset[Extra]) -> ModelOutput | Exception:
        """The only call into LiteLLM. Whatever it raises is returned as a value: this is the boundary, and
        our own error is created outside the handler so that no third-party text is attached to it."""
        ask = partial(
            package.load().acompletion,
            messages=[{"role": item.speaker.value, "content": item.text} for item in request.call.messages],
            max_tokens=request.call.max_tokens,
            **package.parameters(request.endpoint),
            **_options(request.call, extras),
        )
        try:
            return (
                await self._listened(request, ask)
                if request.streamed
                else package.said(await ask(stream=False))
            )
        except Exception as error:
            return error

    async def _listened(self, request: EndpointRequest, ask: Callable[..., Awaitable[Any]]) -> ModelOutput:
        """The answer of a stream. Raises TimeoutError once it is silent for too long."""
        loop = asyncio.get_running_loop()

        def hear(text: str) -> None:
            if request.silence_s is not None:
                patience.reschedule(loop.time() + request.silence_s)
            if request.call.on_text is not None and text:
                request.call.on_text(text)

        async with asyncio.timeout(request.silence_s) as patience:
            return await package.heard(await ask(stream=True), hear)

    def _read(
        self, said: ModelOutput, request: EndpointRequest, price: Price | None, *, structured: bool
    ) -> tuple[Completion | FundstelleError, Spending]:
        prompt_tokens = said.prompt_tokens or request.call.prompt_tokens
        completion_tokens = said.completion_tokens or len(said.text.encode()) // BYTES_PER_TOKEN
        used = _spending(prompt_tokens, completion_tokens, price)
        if not said.text.strip():
            return failure(EMPTY, request.endpoint), used
        completion = Completion(
            text=said.text,
            model=request.endpoint.model,
            structured=structured,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost_usd=None if price is None else used.usd,
            seconds=self._monotonic() - request.call.started,
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


def _may_pass(said: ModelOutput | Exception) -> bool:
    """Whether a retry may help: server errors and lost connections."""
    return (
        isinstance(said, Exception)
        and kind_of(said) in (FAILED, UNREACHABLE, BROKEN_OFF)
        and not may_be_an_extra(said)
    )


def _load(endpoints: Sequence[Endpoint]) -> dict[Endpoint, Price | Unusable | None]:
    """Raises Broken("model.package") if LiteLLM cannot be imported."""
    try:
        package.load()
    except ImportError as error:
        raise Broken("model.package", f"LiteLLM cannot be loaded ({error}); install it again") from error
    package.drop_empty_keys()
    return {endpoint: _objection(endpoint) or package.price_of(endpoint) for endpoint in endpoints}


def _objection(endpoint: Endpoint) -> Unusable | None:
    if not package.is_known(endpoint):
        return Unusable(
            "its provider is not known; write model as PROVIDER/NAME, or as openai/NAME with api_base"
        )
    if keys := package.lacking_keys(endpoint):
        return Unusable(
            f"it needs a key; set api_key in its table, or {' or '.join(keys)} in the environment"
        )
    return None


def _spending(prompt_tokens: int, completion_tokens: int, price: Price | None) -> Spending:
    usd = price.of(prompt_tokens, completion_tokens) if price is not None else 0.0
    return Spending(tokens=prompt_tokens + completion_tokens, usd=usd)


class LiteLlmModel:
    """Endpoints in the order they are called. LiteLLM is imported at the first call or by `warm_up`."""

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        *,
        budget: DailyBudget | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        heard: Heard | None = None,
    ) -> None:
        """`heard` is notified when a call ends. Raises Broken("model.none") without an endpoint."""
        if not endpoints:
            raise Broken("model.none", "no model is configured; set model under [llm]")
        self.endpoints = tuple(endpoints)
        self._caller = Caller(endpoints, budget=budget, monotonic=monotonic)
        self._monotonic = monotonic
        self._heard = heard
        self._rests_until: dict[Endpoint, float] = {}

    @property
    def name(self) -> str:
        return self.endpoints[0].model

    @property
    def max_context_tokens(self) -> int:
        return min(endpoint.context_tokens for endpoint in self.endpoints)

    async def complete(
        self,
        messages: Sequence[ModelMessage],
        *,
        collections: Sequence[str],
        schema: Mapping[str, object] | None = None,
        max_tokens: int = 1024,
        deadline_s: float = 60.0,
        on_text: OnText | None = None,
    ) -> Completion:
        approved = self._approved(collections)
        call = self._call(messages, schema, max_tokens, deadline_s, on_text)
        answer: Answer = Unavailable("model.timeout", f"no model answered within {deadline_s:g} s")
        try:
            async with asyncio.timeout(deadline_s):
                answer = await self._first_answer(approved, call)
        except TimeoutError:
            pass  # reported by `answer`; raised outside the handler, so that nothing third-party is attached
        if isinstance(answer, FundstelleError):
            raise answer
        return answer

    async def try_each(self) -> list[tuple[str, Answer]]:
        """Ask every endpoint one tiny question: its name and host, and the answer or what is wrong."""
        await self._caller.load()
        results = []
        for endpoint in self.endpoints:
            call = self._call(PROBE, None, PROBE_TOKENS, endpoint.timeout_s)
            results.append((endpoint.shown, await self._bounded(endpoint, call, last=True)))
        return results

    async def warm_up(self) -> None:
        """See the port: imports LiteLLM."""
        known = await self._caller.load()
        faults = [
            failure(UNUSABLE, each, why.why) for each, why in known.items() if isinstance(why, Unusable)
        ]
        if faults:
            raise worst(faults)

    async def close(self) -> None:
        await self._caller.close()

    def _call(
        self,
        messages: Sequence[ModelMessage],
        schema: Mapping[str, object] | None,
        max_tokens: int,
        seconds: float,
        on_text: OnText | None = None,
    ) -> Call:
        now = self._monotonic()
        return Call(
            messages=messages,
            schema=schema,
            max_tokens=max_tokens,
            started=now,
            until=now + seconds,
            on_text=on_text,
        )

    def _approved(self, collections: Sequence[str]) -> list[Endpoint]:
        wanted = frozenset(collections)
        approved = [endpoint for endpoint in self.endpoints if wanted <= endpoint.collections]
        if not approved:
            names = ", ".join(sorted(wanted))
            raise Refused("model.not_approved", f"no model may see {names}; see collections under [llm]")
        return approved

    async def _first_answer(self, approved: Sequence[Endpoint], call: Call) -> Answer:
        await self.warm_up()
        order = sorted(approved, key=self._is_resting)
        failures = []
        for endpoint in order:
            answer = await self._bounded(endpoint, call, last=endpoint is order[-1])
            if isinstance(answer, Completion):
                self._rests_until.pop(endpoint, None)
                return answer
            if isinstance(answer, Unavailable):
                self._rests_until[endpoint] = self._monotonic() + REST_S
            failures.append(answer)
        return worst(failures)

    def _is_resting(self, endpoint: Endpoint) -> bool:
        """Whether an endpoint has just failed and is called last for a while, so that not everybody waits for
        it again."""
        return self._rests_until.get(endpoint, float("-inf")) > self._monotonic()

    async def _bounded(self, endpoint: Endpoint, call: Call, *, last: bool) -> Answer:
        """Call one endpoint within its time limit; if another may follow, at most half of what is left."""
        left = call.until - self._monotonic()
        limit = min(endpoint.timeout_s, left if last else left / 2)
        answer: Answer = failure(TIMEOUT, endpoint, f"{limit:.1f} s")
        begun = self._monotonic()
        try:
            async with asyncio.timeout(limit):
                answer = await self._caller.ask(EndpointRequest(endpoint=endpoint, call=call, last=last))
        except TimeoutError:
            pass  # `answer` says so
        except asyncio.CancelledError:
            if self._monotonic() >= call.until:  # otherwise nobody is waiting any more: not the model's fault
                self._note(endpoint, answer, begun)
            raise
        self._note(endpoint, answer, begun)
        return answer

    def _note(self, endpoint: Endpoint, answer: Answer, begun: float) -> None:
        if isinstance(answer, FundstelleError):  # in our own words: no key, nobody else's text
            level = logging.ERROR if isinstance(answer, Broken) else logging.WARNING
            _LOG.log(level, "%s", answer.detail)
        if self._heard is not None:
            self._heard(endpoint.model, answer, self._monotonic() - begun)


# Translating third-party exceptions.
#
# Providers repeat keys and prompts in their messages, so their text is never used: only our own words, the
# exception's class and its HTTP status remain.

DEFAULT_RETRY_AFTER_S = 5.0
LONGEST_RETRY_AFTER_S = 3600.0


@dataclass(frozen=True, slots=True)
class ErrorMeaning:
    """What a third-party exception means to us."""

    error: type[FundstelleError]
    key: ErrorKey
    advice: str


KEY = ErrorMeaning(Broken, "model.key", "the key was not accepted; check api_key")
KEYLESS = ErrorMeaning(
    Broken, "model.key", "it wants a key, and none is set; set api_key in the model's table"
)
UNUSABLE = ErrorMeaning(Broken, "model.unusable", "it cannot be asked; without a model answers are quotes")
UNPAID = ErrorMeaning(Broken, "model.unpaid", "the provider wants to be paid; check the account")
MISSING = ErrorMeaning(
    Broken,
    "model.missing",
    "no such model there; check model (openai/NAME for an OpenAI-compatible server) and api_base",
)
TOO_LONG = ErrorMeaning(Broken, "model.too_long", "the prompt is too long for it; lower max_context_tokens")
REQUEST = ErrorMeaning(Broken, "model.request", "it did not take the request; check model and api_base")
DECLINED = ErrorMeaning(Refused, "model.declined", "its content filter declined; ask another way")
BUSY = ErrorMeaning(Unavailable, "model.busy", "its rate limit is reached; try later")
TIMEOUT = ErrorMeaning(Unavailable, "model.timeout", "it took too long; try later or raise timeout_s")
UNREACHABLE = ErrorMeaning(
    Unavailable, "model.unreachable", "no connection; is the server running? check api_base"
)
BROKEN_OFF = ErrorMeaning(Unavailable, "model.broken_off", "the connection broke off; try later")
FAILED = ErrorMeaning(Unavailable, "model.failed", "it failed; try later")
EMPTY = ErrorMeaning(Unavailable, "model.empty", "it said nothing")

# By class name along the method resolution order, so that nothing is imported for it; LiteLLM's
# exceptions derive from the OpenAI client's of the same names. https://docs.litellm.ai/docs/exception_mapping
KINDS: dict[str, ErrorMeaning] = {
    "AuthenticationError": KEY,
    "PermissionDeniedError": KEY,
    "PaymentRequiredError": UNPAID,
    "NotFoundError": MISSING,
    "LiteLLMUnknownProvider": MISSING,
    "ModelNotMappedError": MISSING,
    "ContextWindowExceededError": TOO_LONG,
    "ContentPolicyViolationError": DECLINED,
    "RejectedRequestError": DECLINED,
    "GuardrailRaisedException": DECLINED,
    "BlockedPiiEntityError": DECLINED,
    "ModifyResponseException": DECLINED,
    "SensitiveDataRouteException": DECLINED,
    "BadRequestError": REQUEST,
    "UnprocessableEntityError": REQUEST,
    "RateLimitError": BUSY,
    "BudgetExceededError": BUSY,
    "APITimeoutError": TIMEOUT,
    "TimeoutError": TIMEOUT,
    "TimeoutException": TIMEOUT,
    "APIConnectionError": UNREACHABLE,
    "RemoteProtocolError": BROKEN_OFF,
    "ReadError": BROKEN_OFF,
    "ConnectError": UNREACHABLE,
    "ConnectionError": UNREACHABLE,
    "gaierror": UNREACHABLE,
    "APIResponseValidationError": FAILED,
    "InternalServerError": FAILED,
    "ServiceUnavailableError": FAILED,
    "BadGatewayError": FAILED,
    "APIStatusError": FAILED,
    "APIError": FAILED,
    "OpenAIError": FAILED,
    "HTTPError": FAILED,
}
BY_STATUS = {401: KEY, 402: UNPAID, 403: KEY, 404: MISSING, 408: TIMEOUT, 429: BUSY, 504: TIMEOUT}
EXTRAS_STATUS = frozenset({400, 415, 422, 501})


def translate(error: BaseException, endpoint: Endpoint) -> FundstelleError:
    """Our error for what an endpoint raised. Not chained to `error`: raise it outside the handler."""
    status = status_of(error)
    what = type(error).__name__ + (f", HTTP {status}" if status else "")
    kind = kind_of(error)
    if kind is KEY and not endpoint.api_key:
        kind = KEYLESS
    return failure(kind, endpoint, what, retry_after_s=retry_after(error))


def failure(
    kind: ErrorMeaning, endpoint: Endpoint, what: str = "", retry_after_s: float = DEFAULT_RETRY_AFTER_S
) -> FundstelleError:
    """An error of `kind` that names the endpoint."""
    detail = f"{endpoint.shown}: {kind.advice}" + (f" ({what})" if what else "")
    if kind.error is Unavailable:
        return Unavailable(kind.key, detail, retry_after_s, model=endpoint.model)
    return kind.error(kind.key, detail, model=endpoint.model)


def kind_of(error: BaseException) -> ErrorMeaning:
    """The kind of an error: by class, refined by status and cause; unknown ones count as failed."""
    known = known_kind(type(error)) or FAILED
    if known is REQUEST:  # also LiteLLM's class for a refused permission
        return BY_STATUS.get(status_of(error), REQUEST)
    if known is FAILED:
        return BY_STATUS.get(status_of(error)) or _from_cause(error, FAILED)
    if known is UNREACHABLE:  # also LiteLLM's class for a broken stream
        return _from_cause(error, UNREACHABLE)
    return known


def known_kind(error: type[BaseException]) -> ErrorMeaning | None:
    """The table's entry for a class or its bases, most specific first."""
    return next((KINDS[base.__name__] for base in error.__mro__ if base.__name__ in KINDS), None)


def may_be_an_extra(error: BaseException) -> bool:
    """Whether the endpoint may accept the same request without a schema or a temperature."""
    return kind_of(error) in (REQUEST, FAILED) and status_of(error) in EXTRAS_STATUS


def status_of(error: BaseException) -> int:
    """The HTTP status, 0 if there is none."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else 0


def retry_after(error: BaseException) -> float:
    """Seconds the provider asks to wait (RFC 9110, 10.2.3; numeric form)."""
    headers = getattr(error, "litellm_response_headers", None) or getattr(
        getattr(error, "response", None), "headers", None
    )
    stated = headers.get("retry-after") if headers is not None else None
    return min(stated_wait(stated, DEFAULT_RETRY_AFTER_S), LONGEST_RETRY_AFTER_S)


def worst(failures: Sequence[FundstelleError]) -> FundstelleError:
    """One error for all endpoints' failures: temporary ones take precedence over those requiring action."""
    order = (Unavailable, Refused, Broken)
    first = min(failures, key=lambda item: order.index(type(item)))
    detail = "; ".join(dict.fromkeys(item.detail for item in failures))
    if isinstance(first, Unavailable):
        waits = [item.retry_after_s for item in failures if isinstance(item, Unavailable)]
        return Unavailable(first.key, detail, min(waits), **first.values)
    return type(first)(first.key, detail, **first.values)


def _from_cause(error: BaseException, otherwise: ErrorMeaning) -> ErrorMeaning:
    """The meaning according to the causes: LiteLLM reports a refused or broken connection as a server
    error."""
    kinds = {known_kind(type(cause)) for cause in _causes(error)}
    return next((kind for kind in (TIMEOUT, BROKEN_OFF, UNREACHABLE) if kind in kinds), otherwise)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current = error.__cause__ or error.__context__
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
