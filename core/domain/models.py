"""Language models: prompts and completions."""

from dataclasses import dataclass
from enum import StrEnum


class MessageRole(StrEnum):
    """The role of a message in a prompt."""

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
    """A model's answer. `structured`: the endpoint accepted the JSON schema; `cost_usd` is None if the price
    is unknown; `seconds` is wall time with all retries and fallbacks."""

    text: str
    model: str
    structured: bool
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    seconds: float
