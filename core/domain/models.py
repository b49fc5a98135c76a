"""Language models: what is said to them and what they answer."""

from dataclasses import dataclass
from enum import StrEnum


class MessageRole(StrEnum):
    """Who says a message to a model."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMessage:
    """One message of a prompt."""

    speaker: MessageRole
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model answered. `structured` says that the endpoint took the JSON schema; `cost_usd` is
    None where the price is unknown; `seconds` is wall time with all retries and fallbacks."""

    text: str
    model: str
    structured: bool
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    seconds: float
