"""A model at a provider or server, and what it may be sent."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

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
