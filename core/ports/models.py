"""The ports to language models and what they may be used for besides writing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from core.domain.models import Completion, ModelMessage
from core.domain.search import Relevance

OnText = Callable[[str], None]
"""Called with all that a model has written so far; an answer that is begun again starts from nothing."""


class LanguageModel(Protocol):
    """A text model, with its fallbacks behind it. Nothing is sent before the first call."""

    @property
    def name(self) -> str:
        """Name of the first model, as in the settings."""
        ...

    @property
    def max_context_tokens(self) -> int:
        """Tokens of passages that a prompt may hold."""
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
        """Answer `messages`. Only models approved for all of `collections` are asked, fallbacks
        included. With `schema` (JSON Schema) structured output is asked for where the endpoint takes
        it, else the same prompt as text. `on_text` hears the answer while it is written; what counts is
        what is returned. Raises Unavailable("model....") when no model answers in
        time, Refused("model.not_approved") when none may be asked, Refused("model.budget") when the
        budget is spent, Broken("model....") when only the operator can help (key, name, price),
        "model.unusable" as `warm_up` does."""
        ...

    async def warm_up(self) -> None:
        """Load what the first call would load; sends nothing. Raises Broken("model.unusable") where the
        settings of a model can never work, as without a key."""
        ...


class Reranker(Protocol):
    """Says which of a few passages answer a question best. Loads and sends nothing before the first call."""

    @property
    def name(self) -> str:
        """Kind and model, for the record of an answer."""
        ...

    async def rank(
        self, question: str, texts: Sequence[str], *, collections: Sequence[str], deadline_s: float
    ) -> list[Relevance]:
        """The relevance of `texts` to `question`, best first: every text once at most, and none that was
        not given; what is left out was not judged. `collections` are those the texts come from. Raises
        as `LanguageModel.complete` does, or Broken("rerank....") when only the operator can help."""
        ...

    async def warm_up(self) -> None:
        """Load what the first call would load. Raises Broken("rerank....") if it is not there."""
        ...
