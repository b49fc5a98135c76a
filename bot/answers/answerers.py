"""Builds the answerers, according to the settings."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.settings.tree import Settings
from core.answering.asker import Asker, AskSettings
from core.answering.extractive.sentences import Extractor
from core.answering.generated.generation import GenerationSettings, Generator
from core.answering.generated.judge import Judge, Relation
from core.answering.generated.rewriter import Rewriter, RewriteSettings
from core.answering.reports.sides import SideSearch
from core.answering.reports.summaries import SummarySettings, SummaryWriter
from core.answering.sight import Sight
from core.answering.stances import NOBODY_READS, StanceReader
from core.domain.ids import TraceId
from core.domain.registry import Jurisdiction
from core.ports.clock import Clock
from core.ports.library import Library
from core.ports.models import Embedder, LanguageModel
from core.search.searcher import Searcher

CLAIMS = 6
"""Maximum claims in an answer written by a model."""

TOKENS_PER_CLAIM = 200
"""Tokens that a model may write per claim, including its quote."""


@dataclass(frozen=True, slots=True)
class Answerers:
    """Builds answerers and summarisers; `model`, which writes, and `judging_model`, which checks its claims
    against the quotes, are None if not configured."""

    settings: Settings
    model: LanguageModel | None
    judging_model: LanguageModel | None
    library: Library
    places: Iterable[Jurisdiction]
    clock: Clock
    sight: Sight
    new_trace: Callable[[], TraceId]
    relation: Relation
    stances: StanceReader = NOBODY_READS

    @property
    def threshold(self) -> float | None:
        """Confidence below which nothing is said; None for the calibrated one."""
        stated = self.settings.answer.threshold
        return None if stated < 0 else stated

    def asker(self, searcher: Searcher, extractor: Extractor, *, citations: int | None = None) -> Asker:
        """The asker, with at most `citations` quotes (None: as in the settings)."""
        answer = self.settings.answer
        return Asker(
            searcher=searcher,
            library=self.library,
            extractor=extractor,
            clock=self.clock,
            new_trace=self.new_trace,
            settings=AskSettings(
                citations=citations or answer.citations,
                threshold=self.threshold,
                max_question=answer.max_question,
                privacy=self.settings.privacy.allowed,
            ),
            generator=self._generator("answer", CLAIMS),
            rewriter=self._rewriter(),
            sight=self.sight,
            stances=self.stances,
        )

    def _rewriter(self) -> Rewriter | None:
        seconds = self.settings.answer.rewriting_s
        if self.model is None or not seconds:
            return None
        limits = RewriteSettings(timeout_s=seconds)
        return Rewriter(model=self.model, settings=limits, privacy=self.settings.privacy.allowed)

    def summary_writer(self, searcher: Searcher, sides: SideSearch, encoder: Embedder) -> SummaryWriter:
        """The writer of summaries; `encoder` counts tokens."""
        quotes = self.settings.summary.quotes
        return SummaryWriter(
            searcher=searcher,
            library=self.library,
            sides=sides,
            clock=self.clock,
            count_tokens=encoder.count_tokens,
            settings=SummarySettings(quotes=quotes),
            generator=self._generator("summary", quotes),
        )

    def _generator(self, prompt: str, claims: int) -> Generator | None:
        if self.model is None:
            return None
        answer = self.settings.answer
        limits = GenerationSettings(
            retries=answer.retries,
            deadline_s=answer.deadline_s,
            claims=claims,
            max_tokens=TOKENS_PER_CLAIM * claims,
        )
        return Generator(
            model=self.model,
            library=self.library,
            known_places=self.places,
            settings=limits,
            prompt=prompt,
            judge=Judge(self.judging_model) if self.judging_model and answer.claims == "judged" else None,
            relation=self.relation,
            privacy=self.settings.privacy.allowed,
            sight=self.sight,
        )
