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


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """Tokens (prompt and answer together) and US dollars."""

    tokens: int = 0
    usd: float = 0.0

    def plus(self, other: "Spending", sign: int = 1) -> "Spending":
        """The sum, or with `sign` -1 the difference; never below zero."""
        return Spending(
            tokens=max(0, self.tokens + sign * other.tokens), usd=max(0.0, self.usd + sign * other.usd)
        )

    def is_over(self, limit: "Spending") -> bool:
        """Whether it exceeds `limit`, where 0 means no limit."""
        return bool((limit.tokens and self.tokens > limit.tokens) or (limit.usd and self.usd > limit.usd))
