"""The LiteLLM package, imported on first use: it takes seconds and 170 MB.

Before the import everything that would look a host up, read a `.env` file or log is turned off.
LiteLLM and the OpenAI client log requests, answers and, in providers' error messages, keys.
"""

import importlib
import logging
import os
import warnings
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

import httpx

from adapters.litellm.endpoint import Endpoint, Price

if TYPE_CHECKING:
    from litellm import CustomStreamWrapper, ModelResponse

LOCAL_ONLY = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "LITELLM_MODE": "PRODUCTION",  # the other mode reads .env files
    "LITELLM_LOG": "CRITICAL",
}
SILENT = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "openai")
URLS = ("httpx", "httpcore")  # some providers take the key in the query string
NEVER = logging.CRITICAL + 1
CONNECT_S = 3.0
NO_KEY = "none"
KEYS = "_API_KEY"


@cache
def load() -> ModuleType:
    """LiteLLM, quiet. Blocks for seconds the first time: call it in a thread."""
    os.environ.update(LOCAL_ONLY)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import litellm

        importlib.import_module("openai.resources.chat.completions")  # else the first call waits for it

        # They build their validators now, with pydantic's warnings about them.
        litellm.ModelResponse()
        litellm.types.utils.ModelResponseStream()
    # Pydantic's remarks on the providers' modules, which are imported when they are needed.
    warnings.filterwarnings("ignore", message="Items? '.*' on TypedDict class", category=UserWarning)
    # A call that is cancelled while LiteLLM is still preparing it leaves a coroutine behind.
    warnings.filterwarnings("ignore", message="coroutine '.*acompletion' was never awaited")
    _silence()
    litellm.suppress_debug_info = True
    litellm.turn_off_message_logging = True
    litellm.disable_aiohttp_transport = True  # httpx closes what it opens
    litellm.drop_params = False
    return litellm


def is_known(endpoint: Endpoint) -> bool:
    """Whether LiteLLM can tell the provider from the model's name."""
    litellm = load()
    try:
        litellm.get_llm_provider(endpoint.model, api_base=endpoint.api_base or None)
    except litellm.BadRequestError:
        return False
    return True


def drop_empty_keys() -> None:
    """Take keys that are set to nothing, as Compose does it, out of the environment of this process: LiteLLM
    would send them."""
    for name in [name for name, value in os.environ.items() if name.endswith(KEYS) and not value.strip()]:
        del os.environ[name]


def lacking_keys(endpoint: Endpoint) -> list[str]:
    """Variables of the environment that LiteLLM would look for a key in, where the endpoint needs one and has
    none. A server of one's own may do without, and some providers know other ways to say who asks. To be
    asked after `drop_empty_keys`: LiteLLM takes an empty one for a key."""
    if endpoint.api_key or endpoint.api_base:
        return []
    missing = load().validate_environment(endpoint.model)["missing_keys"]
    return [name for name in missing if name.endswith(KEYS)]


def price_of(endpoint: Endpoint) -> Price | None:
    """The price stated, else LiteLLM's; None where neither is known."""
    if endpoint.price is not None:
        return endpoint.price
    known = load().model_cost
    entry = known.get(endpoint.model) or known.get(endpoint.model.partition("/")[2]) or {}
    if "input_cost_per_token" not in entry:
        return None
    asked, said = entry["input_cost_per_token"], entry.get("output_cost_per_token")
    return Price(prompt=float(asked or 0), completion=float(said or 0))


def parameters(endpoint: Endpoint) -> dict[str, object]:
    """What `acompletion` needs to know of an endpoint: patience with an answer, little with a host that
    does not even accept a connection. A server of one's own needs no key, but the client wants one:
    never the one that the environment holds for another provider."""
    return {
        "model": endpoint.model,
        "api_base": endpoint.api_base or None,
        "api_key": endpoint.api_key or (NO_KEY if endpoint.api_base else None),
        "timeout": httpx.Timeout(endpoint.timeout_s, connect=min(CONNECT_S, endpoint.timeout_s)),
        "max_retries": 0,
        "num_retries": 0,
    }


@dataclass(frozen=True, slots=True)
class ModelOutput:
    """What a model said, empty if nothing; tokens as the endpoint counts them, 0 where it does not."""

    text: str
    prompt_tokens: int
    completion_tokens: int


def said(response: "ModelResponse") -> ModelOutput:
    """A whole response."""
    return ModelOutput(_content(response, "message"), *_usage(response))


async def heard(stream: "CustomStreamWrapper", hear: Callable[[str], None]) -> ModelOutput:
    """A stream to its end; closed whatever happens. `hear` is called at every sign of life with the text
    so far, which stays empty while a model thinks."""
    text, usage = "", (0, 0)
    async with aclosing(stream):
        async for chunk in stream:
            text += _content(chunk, "delta")
            usage = max(usage, _usage(chunk))
            hear(text)
    return ModelOutput(text, *usage)


def _content(response: object, part: str) -> str:
    for choice in getattr(response, "choices", ()):
        content = getattr(getattr(choice, part, None), "content", None)
        if isinstance(content, str):
            return content
    return ""


def _usage(response: object) -> tuple[int, int]:
    usage = getattr(response, "usage", None)
    return getattr(usage, "prompt_tokens", 0) or 0, getattr(usage, "completion_tokens", 0) or 0


def _silence() -> None:
    for name in SILENT:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = False
        logger.setLevel(NEVER)  # unlike `disabled` this holds for the loggers of its modules
    for name in URLS:
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.level, logging.WARNING))


async def close() -> None:
    """Close the connections that LiteLLM keeps, and end its worker; it makes new ones when asked again."""
    litellm = load()
    from litellm.litellm_core_utils.logging_worker import GLOBAL_LOGGING_WORKER

    await GLOBAL_LOGGING_WORKER.flush()
    await GLOBAL_LOGGING_WORKER.stop()
    await litellm.close_litellm_async_clients()
    litellm.in_memory_llm_clients_cache.flush_cache()
