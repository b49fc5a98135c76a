"""From settings to encoders, language models, rerankers and the reader; and which encoders are in use, and
which build the next index."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bot.settings.sections import ENCODER
from bot.settings.tree import Settings
from bot.wiring import plugins
from core.errors import FundstelleError
from core.ports.index import IndexGeneration, IndexGenerations, answering

if TYPE_CHECKING:
    from adapters.embedding.e5 import PackagedWords
    from adapters.embedding.reader import PackagedReader
    from adapters.embedding.unigram import UnigramTokenizer
    from adapters.litellm.budget import Endpoint, Price
    from adapters.litellm.model import Heard, LiteLlmModel
    from bot.settings.sections import EncoderSettings, ModelSettings
    from core.domain.models import Completion
    from core.ports.clock import Clock
    from core.ports.models import (
        Embedder,
        LexicalEncoder,
        QuestionEncoder,
        SpendingLedger,
        TalkReader,
    )
    from core.search.reranking import HitReranker


def primary_embedder(settings: Settings, models: Path) -> Embedder:
    """Encoder A; its prepared files are in `models`. Raises Broken for a plug-in that cannot be used."""
    from adapters.embedding.e5 import E5Embedder
    from adapters.embedding.text_model import FastEmbedEmbedder

    encoders = settings.encoders
    if encoders.primary.startswith(ENCODER):
        return plugins.embedder(settings, encoders.primary.removeprefix(ENCODER))
    if encoders.primary == "packaged":
        return E5Embedder(models, threads=encoders.threads)
    return FastEmbedEmbedder(encoders.primary, cache_dir=models, threads=encoders.threads)


def packaged_encoder(settings: Settings, primary: Embedder, models: Path) -> Embedder:
    """The packaged encoder, whichever is used for searching: `primary` if it is that one."""
    from adapters.embedding.e5 import E5Embedder

    return primary if isinstance(primary, E5Embedder) else E5Embedder(models, settings.encoders.threads)


def question_encoder(encoders: EncoderSettings, primary: Embedder, models: Path) -> QuestionEncoder | None:
    """The encoder of questions for passages encoded by `primary`, None if `primary` encodes them itself."""
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
    """The configured model with its fallbacks, None if there is none; `heard` is called after every call; the
    budget is stored in the `ledger`, if there is one. Nothing is imported or sent yet; the caller must close
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
    """Shared by several processes: the daily spending, and the clock that determines the day."""

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
    """Every configured model with its answer to a tiny question, or its error."""
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
    wanted = settings.rerank
    if not wanted.kind:
        return None
    from core.search.reranking import HitReranker, RerankSettings

    limits = RerankSettings(
        candidates=wanted.candidates, min_score=wanted.min_score, gap=wanted.gap, deadline_s=wanted.deadline_s
    )
    return HitReranker(plugins.reranker(settings, wanted.model), limits)


def packaged_reader(settings: Settings, primary: Embedder, models: Path) -> PackagedReader:
    """The packaged reader; it shares the tokenizer of `primary` if that is the same."""
    from adapters.embedding.reader import PackagedReader

    return PackagedReader(models, threads=settings.encoders.threads, tokenizer=_tokenizer(primary))


def word_encoder(primary: Embedder, models: Path) -> PackagedWords:
    """The packaged encoder of words and contexts; it shares the tokenizer like the reader."""
    from adapters.embedding.e5 import PackagedWords

    return PackagedWords(models, tokenizer=_tokenizer(primary))


def talk_reader(settings: Settings, primary: Embedder, models: Path) -> TalkReader | None:
    """The packaged reader of talk; None if readers are off."""
    from adapters.embedding.reader import PackagedTalkReader

    if settings.answer.reader == "off":
        return None
    return PackagedTalkReader(models, tokenizer=_tokenizer(primary))


def _tokenizer(primary: Embedder) -> Callable[[], UnigramTokenizer] | None:
    from adapters.embedding.e5 import E5Embedder

    return primary.tokenizer if isinstance(primary, E5Embedder) else None


def _endpoint(model: ModelSettings) -> Endpoint:
    from adapters.litellm.budget import Endpoint

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
    from adapters.litellm.budget import Price

    stated = (model.usd_per_million_prompt, model.usd_per_million_completion)
    if stated == (None, None):
        return None
    return Price(prompt=(stated[0] or 0.0) / 1e6, completion=(stated[1] or 0.0) / 1e6)


_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoders:
    """The encoders of a generation of the index."""

    primary: Embedder
    secondary: Embedder
    generation: IndexGeneration


async def encoders(
    settings: Settings, models: Path, lexical: LexicalEncoder, generations: IndexGenerations, clock: Clock
) -> tuple[Encoders, Encoders | None]:
    """The encoders in use, and those in the settings if they differ, whose index is to be built. If those of
    the existing index cannot be used here, those in the settings are used with what their index has."""
    wanted = _of(settings, models, lexical, settings.encoders.primary)
    active = answering(await generations.all())
    if active is None:
        made = await generations.begin(_generation(wanted, settings.encoders.primary, place=""))
        active = made if made.since else await _chosen(generations, made, clock)
    if active.encoders == wanted[2]:
        return Encoders(primary=wanted[0], secondary=wanted[1], generation=active), None
    place = "-" + hashlib.sha256(wanted[2].encode()).hexdigest()[:8]
    new = await generations.begin(_generation(wanted, settings.encoders.primary, place=place))
    following = Encoders(primary=wanted[0], secondary=wanted[1], generation=new)
    try:
        former = _of(settings, models, lexical, active.setting)
    except FundstelleError as error:
        _LOG.error("the encoders %s cannot be used any more: %s", active.encoders, error.detail)
        former = None
    if former is None or former[2] != active.encoders:
        _LOG.error("the index of %s cannot be searched any more, and is made anew", active.encoders)
        return following, None
    return Encoders(primary=former[0], secondary=former[1], generation=active), following


_Made = tuple["Embedder", "Embedder", str]


def _of(settings: Settings, models: Path, lexical: LexicalEncoder, primary: str) -> _Made:
    stated = settings.encoders.model_copy(update={"primary": primary})
    first = primary_embedder(settings.model_copy(update={"encoders": stated}), models)
    second = secondary_embedder(stated, models)
    return first, second, "/".join((first.name, second.name, lexical.name))


def _generation(made: _Made, primary: str, *, place: str) -> IndexGeneration:
    return IndexGeneration(encoders=made[2], setting=primary, place=place)


async def _chosen(
    generations: IndexGenerations, generation: IndexGeneration, clock: Clock
) -> IndexGeneration:
    await generations.answer_from(generation.encoders, at=clock.now())
    return next(each for each in await generations.all() if each.encoders == generation.encoders)
