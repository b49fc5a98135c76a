"""From settings to encoders, language models, rerankers and the reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bot.settings.sections import ENCODER
from bot.settings.tree import Settings
from bot.wiring import plugins
from core.errors import FundstelleError

if TYPE_CHECKING:
    from adapters.embedding.reader import PackagedReader
    from adapters.embedding.unigram import UnigramTokenizer
    from adapters.litellm.endpoint import Endpoint, Price
    from adapters.litellm.model import Heard, LiteLlmModel
    from bot.settings.models import ModelSettings
    from bot.settings.stores import EncoderSettings
    from core.domain.models import Completion
    from core.ports.clock import Clock
    from core.ports.embedding import Embedder, QuestionEncoder
    from core.ports.models import SpendingLedger
    from core.ports.reading import TalkReader
    from core.search.reranking import HitReranker


def primary_embedder(settings: Settings, models: Path) -> Embedder:
    """Encoder A; what it prepares lies in `models`. Raises Broken for a plug-in that cannot be used."""
    from adapters.embedding.e5 import E5Embedder
    from adapters.embedding.fastembed_models import FastEmbedEmbedder

    encoders = settings.encoders
    if encoders.primary.startswith(ENCODER):
        return plugins.embedder(settings, encoders.primary.removeprefix(ENCODER))
    if encoders.primary == "packaged":
        return E5Embedder(models, threads=encoders.threads)
    return FastEmbedEmbedder(encoders.primary, cache_dir=models, threads=encoders.threads)


def packaged_encoder(settings: Settings, primary: Embedder, models: Path) -> Embedder:
    """The encoder that comes with the bot, whatever searches: `primary` where it is that one."""
    from adapters.embedding.e5 import E5Embedder

    return primary if isinstance(primary, E5Embedder) else E5Embedder(models, settings.encoders.threads)


def question_encoder(encoders: EncoderSettings, primary: Embedder, models: Path) -> QuestionEncoder | None:
    """What encodes questions for passages that `primary` has encoded, None if that does so itself."""
    from adapters.embedding.e5 import E5Embedder, TrainedQuestions

    if encoders.questions == "trained" and isinstance(primary, E5Embedder):
        return TrainedQuestions(models, tokenizer=primary.tokenizer)
    return None


def secondary_embedder(encoders: EncoderSettings, models: Path) -> Embedder:
    """Encoder B."""
    from adapters.embedding.use import UseEmbedder

    return UseEmbedder(models, threads=encoders.threads)


def dimensions(settings: Settings) -> tuple[int, int]:
    """The dimensions of both encoders' vectors."""
    from bot.wiring.stores import MODELS

    encoders, models = settings.encoders, settings.data / MODELS
    return primary_embedder(settings, models).dimension, secondary_embedder(encoders, models).dimension


def language_model(
    settings: Settings, heard: Heard | None = None, ledger: Ledger | None = None
) -> LiteLlmModel | None:
    """The configured model with its fallbacks, None if there is none; `heard` is told of every call, the
    budget is kept in the `ledger`, if there is one. Nothing is imported or sent yet; the caller must close
    it."""
    return _model(settings, settings.llm.models, heard, ledger)


def judging_model(
    settings: Settings, heard: Heard | None = None, ledger: Ledger | None = None
) -> LiteLlmModel | None:
    """The model that judges claims, None if it is the one that writes them."""
    judges = settings.llm.judges
    return None if judges == settings.llm.models else _model(settings, judges, heard, ledger)


@dataclass(frozen=True, slots=True)
class Ledger:
    """What several processes share: the spending of days, and the clock that says which day it is."""

    spending: SpendingLedger
    clock: Clock


def _model(
    settings: Settings, models: Sequence[ModelSettings], heard: Heard | None, ledger: Ledger | None
) -> LiteLlmModel | None:
    if not models:
        return None
    from adapters.litellm.budget import DailyBudget
    from adapters.litellm.model import LiteLlmModel

    llm = settings.llm
    budget = DailyBudget(
        file=settings.data / "llm-budget.json",
        now=lambda: (ledger.clock.now() if ledger else datetime.now(UTC)).astimezone(settings.zone),
        tokens=llm.tokens_per_day,
        usd=llm.usd_per_day,
        ledger=ledger.spending if ledger else None,
    )
    return LiteLlmModel([_endpoint(item) for item in models], budget=budget, heard=heard)


async def try_models(settings: Settings) -> list[tuple[str, Completion | FundstelleError]]:
    """Every configured model with what it answered to a tiny question, or what is wrong with it."""
    tried: list[tuple[str, Completion | FundstelleError]] = []
    for model in (language_model(settings), judging_model(settings)):
        if model is not None:
            try:
                tried += await model.try_each()
            finally:
                await model.close()
    return tried


def reranker(settings: Settings) -> HitReranker | None:
    """The reranker of the best hits, None if there is none. Raises Broken for a plug-in that cannot be
    used."""
    from core.search.reranking import HitReranker, RerankSettings

    wanted = settings.rerank
    if not wanted.kind:
        return None
    limits = RerankSettings(
        candidates=wanted.candidates, min_score=wanted.min_score, gap=wanted.gap, deadline_s=wanted.deadline_s
    )
    return HitReranker(plugins.reranker(settings, wanted.model), limits)


def packaged_reader(settings: Settings, primary: Embedder, models: Path) -> PackagedReader:
    """The reader that comes with the bot; `primary` lends its tokenizer where it is the same."""
    from adapters.embedding.reader import PackagedReader

    return PackagedReader(models, threads=settings.encoders.threads, tokenizer=_tokenizer(primary))


def talk_reader(settings: Settings, primary: Embedder, models: Path) -> TalkReader | None:
    """The reader of talk that comes with the bot; None where readers are off."""
    from adapters.embedding.reader import PackagedTalkReader

    if settings.answer.reader == "off":
        return None
    return PackagedTalkReader(models, tokenizer=_tokenizer(primary))


def _tokenizer(primary: Embedder) -> Callable[[], UnigramTokenizer] | None:
    from adapters.embedding.e5 import E5Embedder

    return primary.tokenizer if isinstance(primary, E5Embedder) else None


def _endpoint(model: ModelSettings) -> Endpoint:
    from adapters.litellm.endpoint import Endpoint

    return Endpoint(
        model=model.model,
        api_base=model.api_base,
        api_key=model.api_key.get_secret_value(),
        collections=frozenset(model.collections),
        timeout_s=model.timeout_s,
        silence_s=model.silence_s,
        context_tokens=model.max_context_tokens,
        price=_price(model),
    )


def _price(model: ModelSettings) -> Price | None:
    from adapters.litellm.endpoint import Price

    stated = (model.usd_per_million_prompt, model.usd_per_million_completion)
    if stated == (None, None):
        return None
    return Price(prompt=(stated[0] or 0.0) / 1e6, completion=(stated[1] or 0.0) / 1e6)
