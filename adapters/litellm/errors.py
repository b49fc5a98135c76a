"""Foreign exceptions into ours.

Providers repeat keys and prompts in their messages, so no foreign text is taken over: our own
words, the exception's class and its HTTP status are all that remains.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adapters.headers import retry_after as stated_wait
from adapters.litellm.endpoint import Endpoint
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.message_keys import ErrorKey

DEFAULT_RETRY_AFTER_S = 5.0
LONGEST_RETRY_AFTER_S = 3600.0


@dataclass(frozen=True, slots=True)
class ErrorMeaning:
    """What a foreign exception means to us."""

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
    """Our error for what an endpoint raised. Unlinked from `error`: raise it outside the handler."""
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
    """The kind of an error: by class, made exact by status and cause; what is unknown has failed."""
    known = known_kind(type(error)) or FAILED
    if known is REQUEST:  # also what LiteLLM makes of a refused permission
        return BY_STATUS.get(status_of(error), REQUEST)
    if known is FAILED:
        return BY_STATUS.get(status_of(error)) or _from_cause(error, FAILED)
    if known is UNREACHABLE:  # also what LiteLLM makes of a stream that breaks off
        return _from_cause(error, UNREACHABLE)
    return known


def known_kind(error: type[BaseException]) -> ErrorMeaning | None:
    """What the table says of a class or its bases, the most special first."""
    return next((KINDS[base.__name__] for base in error.__mro__ if base.__name__ in KINDS), None)


def may_be_an_extra(error: BaseException) -> bool:
    """Whether the endpoint may take the same request without a schema or a temperature."""
    return kind_of(error) in (REQUEST, FAILED) and status_of(error) in EXTRAS_STATUS


def status_of(error: BaseException) -> int:
    """The HTTP status, 0 where there is none."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else 0


def retry_after(error: BaseException) -> float:
    """Seconds that the provider asks to wait (RFC 9110, 10.2.3; the number form)."""
    headers = getattr(error, "litellm_response_headers", None) or getattr(
        getattr(error, "response", None), "headers", None
    )
    stated = headers.get("retry-after") if headers is not None else None
    return min(stated_wait(stated, DEFAULT_RETRY_AFTER_S), LONGEST_RETRY_AFTER_S)


def worst(failures: Sequence[FundstelleError]) -> FundstelleError:
    """One error for all endpoints' failures: what passes by itself goes before what somebody must do."""
    order = (Unavailable, Refused, Broken)
    first = min(failures, key=lambda item: order.index(type(item)))
    detail = "; ".join(dict.fromkeys(item.detail for item in failures))
    if isinstance(first, Unavailable):
        waits = [item.retry_after_s for item in failures if isinstance(item, Unavailable)]
        return Unavailable(first.key, detail, min(waits), **first.values)
    return type(first)(first.key, detail, **first.values)


def _from_cause(error: BaseException, otherwise: ErrorMeaning) -> ErrorMeaning:
    """LiteLLM reports a refused or broken connection as a server error; the causes tell."""
    kinds = {known_kind(type(cause)) for cause in _causes(error)}
    return next((kind for kind in (TIMEOUT, BROKEN_OFF, UNREACHABLE) if kind in kinds), otherwise)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current = error.__cause__ or error.__context__
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
