"""The LiteLLM package, imported on first use: it takes seconds and 170 MB.

Before the import, host lookups, reading `.env` files and logging are turned off. LiteLLM and the OpenAI
client log requests, answers and, in providers' error messages, keys.
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

from adapters.litellm.budget import Endpoint, Price

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
    """LiteLLM with logging disabled. Blocks for seconds the first time: call it in a thread."""
    os.environ.update(LOCAL_ONLY)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import litellm

        importlib.import_module("openai.resources.chat.completions")  # else the first call waits for it

        # They build their validators now, with pydantic's warnings.
        litellm.ModelResponse()
        litellm.types.utils.ModelResponseStream()
    # Pydantic's warnings about the providers' modules, which are imported on demand.
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
    """Whether LiteLLM can derive the provider from the model's name."""
    litellm = load()
    try:
        litellm.get_llm_provider(endpoint.model, api_base=endpoint.api_base or None)
    except litellm.BadRequestError:
        return False
    return True


def drop_empty_keys() -> None:
    """Remove empty keys, as set by Compose, from this process's environment: LiteLLM would send them."""
    for name in [name for name, value in os.environ.items() if name.endswith(KEYS) and not value.strip()]:
        del os.environ[name]


def lacking_keys(endpoint: Endpoint) -> list[str]:
    """Environment variables in which LiteLLM would look for a key, if the endpoint needs one and has none. A
    self-hosted server may need none, and some providers have other ways to authenticate. Call after
    `drop_empty_keys`: LiteLLM takes an empty value for a key."""
    if endpoint.api_key or endpoint.api_base:
        return []
    missing = load().validate_environment(endpoint.model)["missing_keys"]
    return [name for name in missing if name.endswith(KEYS)]


def price_of(endpoint: Endpoint) -> Price | None:
    """The configured price, else LiteLLM's; None if neither is known."""
    if endpoint.price is not None:
        return endpoint.price
    known = load().model_cost
    entry = known.get(endpoint.model) or known.get(endpoint.model.partition("/")[2]) or {}
    if "input_cost_per_token" not in entry:
        return None
    asked, said = entry["input_cost_per_token"], entry.get("output_cost_per_token")
    return Price(prompt=float(asked or 0), completion=float(said or 0))


def parameters(endpoint: Endpoint) -> dict[str, object]:
    """The parameters of `acompletion` for an endpoint: patient with answers, impatient with a host that does
    not even accept a connection. A self-hosted server needs no key, but the client requires one: never the
    one in the environment, which is for another provider."""
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
    """A model's output, empty if nothing; tokens as counted by the endpoint, 0 if it does not."""

    text: str
    prompt_tokens: int
    completion_tokens: int


def said(response: "ModelResponse") -> ModelOutput:
    """A whole response."""
    return ModelOutput(_content(response, "message"), *_usage(response))


async def heard(stream: "CustomStreamWrapper", hear: Callable[[str], None]) -> ModelOutput:
    """The output of a stream read to its end; it is closed whatever happens. `hear` is called at every sign
    of life with the text so far, which stays empty while a model thinks."""
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
        logger.setLevel(NEVER)  # unlike `disabled` this also applies to its modules' loggers
    for name in URLS:
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.level, logging.WARNING))


async def close() -> None:
    """Close LiteLLM's connections and end its worker; it creates new ones on demand."""
    litellm = load()
    from litellm.litellm_core_utils.logging_worker import GLOBAL_LOGGING_WORKER

    await GLOBAL_LOGGING_WORKER.flush()
    await GLOBAL_LOGGING_WORKER.stop()
    await litellm.close_litellm_async_clients()
    litellm.in_memory_llm_clients_cache.flush_cache()
