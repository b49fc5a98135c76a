"""Ports to models: language models, encoders, rerankers, and readers of two texts together."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Protocol

from core.domain.ingestion import Progress
from core.domain.models import Completion, ModelMessage, Spending
from core.domain.search import Relevance, SparseVector, Vector

OnText = Callable[[str], None]
"""Called with everything a model has written so far; a restarted answer begins empty."""


class LanguageModel(Protocol):
    """A text model with its fallbacks. Nothing is sent before the first call."""

    @property
    def name(self) -> str:
        """Name of the primary model, as in the settings."""

    @property
    def max_context_tokens(self) -> int:
        """Maximum tokens of passages in a prompt."""

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

    async def warm_up(self) -> None:
        """Load what the first call would load; sends nothing. Raises Broken("model.unusable") if a model's
        settings can never work, for example without a key."""


class SpendingLedger(Protocol):
    """How much models were used each day, by all processes together."""

    async def spent(self, day: date) -> Spending:
        """What has been used and reserved on a day."""

    async def reserve(self, day: date, amount: Spending, limit: Spending) -> Spending | None:
        """Reserve `amount` and return None; if that would exceed `limit`, reserve nothing and return the
        total it would make."""

    async def settle(self, day: date, reserved: Spending, used: Spending) -> None:
        """Replace a reservation with what was actually used."""


class Reranker(Protocol):
    """Ranks a few passages by how well they answer a question. Loads and sends nothing before the first
    call."""

    @property
    def name(self) -> str:
        """Kind and model, for the record of an answer."""

    async def rank(
        self, question: str, texts: Sequence[str], *, collections: Sequence[str], deadline_s: float
    ) -> list[Relevance]:
        """The relevance of `texts` to `question`, best first: each text at most once, and only texts that
        were passed in; those left out were not judged. `collections` are those the texts come from. Raises
        like `LanguageModel.complete`, or Broken("rerank....") if only the operator can help."""

    async def warm_up(self) -> None:
        """Load what the first call would load. Raises Broken("rerank....") if it is missing."""


class Embedder(Protocol):
    """A dense text encoder. Vectors are float32 of unit length."""

    @property
    def name(self) -> str:
        """Name and version; part of the pipeline version."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def max_tokens(self) -> int:
        """Maximum tokens per text, prefix and special tokens included; anything beyond is truncated."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, prefix and special tokens included. Pure, may be called from threads."""

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vector:
        """Vectors of passages, shape (len(texts), dimension), in the order given."""

    async def query(self, text: str) -> Vector:
        """Vector of a question, shape (dimension,)."""

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""


class QuestionEncoder(Protocol):
    """An encoder for questions only, for passages encoded by another encoder into the same vector space."""

    async def query(self, text: str) -> Vector:
        """Vector of a question, shape (dimension,), float32 of unit length."""

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""


class WordEncoder(Protocol):
    """An encoder of the words of a message as they are read after the question before it. Loads nothing
    before the first call."""

    @property
    def name(self) -> str:
        """Name and version; a head knows only the vectors that it was trained with."""

    async def words(self, before: Sequence[str], said: Sequence[str]) -> tuple[Vector, Vector]:
        """The vectors of the words of both, (len(before), dimension) and (len(said), dimension). Words beyond
        the longest text that is read have that of its end."""

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""


class ContextEncoder(Protocol):
    """An encoder of the stretches of a text, each as it is read among the others. Loads nothing before the
    first call."""

    @property
    def name(self) -> str:
        """Name and version; a head knows only the vectors that it was trained with."""

    async def stretches(self, texts: Sequence[str]) -> Vector:
        """The vectors of the consecutive stretches of a text, (len(texts), dimension): of each the mean of
        its words. Stretches beyond the longest text that is read have that of its end."""

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""


class LexicalEncoder(Protocol):
    """Sparse BM25 terms; the index multiplies by inverse document frequency."""

    @property
    def name(self) -> str:
        """Name and version; part of the pipeline version."""

    async def passages(self, texts: Sequence[str], language: str) -> list[SparseVector]:
        """Term weights of passages, stemmed for `language` (ISO 639-1)."""

    async def query(self, text: str, language: str) -> SparseVector:
        """Terms of a question, stemmed for `language`."""


class AnswerReader(Protocol):
    """Scores how well each of a few short texts answers a question. Loads nothing before the first call."""

    @property
    def name(self) -> str:
        """Name and version, for the record of an answer."""

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score per text, in the given order: above 0 if the text more likely answers than not. A text is
        one or more sentences preceded by the heading above them ("heading: text"); long texts are truncated.
        The same pair always has the same score, whatever else is in the call."""

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""


class TalkReader(Protocol):
    """Estimates whom a line of group chat is meant for. Loads nothing before the first call."""

    async def odds(self, before: str, line: str) -> float:
        """The log-odds that `line` is meant for the bot; `before` is the preceding conversation, as written
        by `core.search.group_talk.told`. The same texts always give the same odds."""

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""
