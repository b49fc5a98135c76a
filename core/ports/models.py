"""Ports to language models and to rerankers."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Protocol

from core.domain.models import Completion, ModelMessage, Spending
from core.domain.search import Relevance

OnText = Callable[[str], None]
"""Called with everything a model has written so far; a restarted answer begins empty."""


class LanguageModel(Protocol):
    """A text model with its fallbacks. Nothing is sent before the first call."""

    @property
    def name(self) -> str:
        """Name of the primary model, as in the settings."""
        ...

    @property
    def max_context_tokens(self) -> int:
        """Maximum tokens of passages in a prompt."""
        ...

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
        """Answer `messages`. Only models approved for all of `collections` are asked, fallbacks included.
        With `schema` (JSON Schema) structured output is requested if the endpoint supports it, otherwise the
        same prompt is sent as text. `on_text` receives the answer while it is being written; only the
        returned text counts. Raises Unavailable("model....") if no model answers in time,
        Refused("model.not_approved") if none may be asked, Refused("model.budget") if the budget is spent,
        Broken("model....") if only the operator can help (key, name, price), and "model.unusable" like
        `warm_up`."""
        ...

    async def warm_up(self) -> None:
        """Load what the first call would load; sends nothing. Raises Broken("model.unusable") if a model's
        settings can never work, for example without a key."""
        ...


class SpendingLedger(Protocol):
    """What models were asked for by day, for all processes."""

    async def spent(self, day: date) -> Spending:
        """What was used and reserved on a day."""
        ...

    async def reserve(self, day: date, amount: Spending, limit: Spending) -> Spending | None:
        """Set `amount` aside; None, or if it would be more than `limit`, what it would be: then nothing
        is."""
        ...

    async def settle(self, day: date, reserved: Spending, used: Spending) -> None:
        """Replace a reservation by what was used."""
        ...


class Reranker(Protocol):
    """Ranks a few passages by how well they answer a question. Loads and sends nothing before the first
    call."""

    @property
    def name(self) -> str:
        """Kind and model, for the record of an answer."""
        ...

    async def rank(
        self, question: str, texts: Sequence[str], *, collections: Sequence[str], deadline_s: float
    ) -> list[Relevance]:
        """The relevance of `texts` to `question`, best first: each text at most once, and only texts that
        were passed in; those left out were not judged. `collections` are those the texts come from. Raises
        like `LanguageModel.complete`, or Broken("rerank....") if only the operator can help."""
        ...

    async def warm_up(self) -> None:
        """Load what the first call would load. Raises Broken("rerank....") if it is missing."""
        ...
