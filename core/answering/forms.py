"""The forms of an answer: chosen sentences, the proven part of what a model wrote, silence."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.answering.extractive.answering_words import with_answering_words
from core.answering.extractive.citations import Citer, relabelled, topic_of
from core.answering.extractive.confidence import DOUBTFUL, Calibration
from core.answering.extractive.extracts import Extract
from core.answering.generated.rounds import SearchRound
from core.answering.generated.session import (
    MOSTLY,
    Generated,
    confidence_of,
    fallback_notice,
    silence_notices,
)
from core.answering.nearest_places import nearest_of
from core.answering.notices import cut_off_notices, notices_of, silent_sides, unproven_notices
from core.answering.who_wants import WhoWants
from core.domain.answers import Answer, Citation, Claim, Outcome, Rejected
from core.domain.ids import TraceId
from core.question.topic import looked_for
from core.search.plan import SearchResult

EXTRACTIVE, LLM = "extractive", "llm"
"""The answerers that can be requested."""


class AnswerForms:
    """Makes answers from search results and drafts. At most `citations` quotes are shown, none below the
    confidence `threshold` (None: the calibration's)."""

    def __init__(
        self,
        *,
        citer: Citer,
        who_wants: WhoWants,
        calibration: Calibration,
        citations: int,
        threshold: float | None,
        new_trace: Callable[[], TraceId],
    ) -> None:
        self._citer = citer
        self._who_wants = who_wants
        self._calibration = calibration
        self._citations = citations
        self._threshold = threshold
        self._new_trace = new_trace

    async def from_quotes(self, question: str, found: SearchRound) -> Answer:
        """The chosen sentences, if their confidence suffices and the topic is mentioned at all."""
        if found.result.unmentioned:
            return self.silent(question, found.result, 0.0)
        if not found.extracts or found.sure < self._floor:
            return self.silent(question, found.result, found.sure)
        return await self._verbatim(question, found.result, found.extracts, found.sure)

    @property
    def _floor(self) -> float:
        """Minimum confidence to show a quote that no reader has scored for the question."""
        return self._calibration.threshold if self._threshold is None else self._threshold

    async def from_model(self, question: str, found: SearchRound, generated: Generated) -> Answer:
        """The proven part of what a model wrote; silence if it says that there is no answer; quotes if it
        failed or nothing is proven."""
        written = confidence_of(found.sure, generated)
        if generated.claims and (generated.share >= MOSTLY or written >= self._floor):
            return self._written(question, found.result, generated, written)
        if generated.abstained:
            answer = self.silent(question, found.result, found.sure)
        else:
            answer = await self.from_quotes(question, found)
        told = generated.abstained or answer.outcome is Outcome.GROUNDED
        return replace(
            answer,
            notices=(*((fallback_notice(generated),) if told else ()), *answer.notices),
            rejected=(*generated.rejected, *answer.rejected),
            drafting=generated.drafting,
        )

    def _written(self, question: str, result: SearchResult, generated: Generated, sure: float) -> Answer:
        """The answer a model wrote, as far as it is proven."""
        notices = notices_of(generated.citations, doubtful=sure < DOUBTFUL)
        return replace(
            self.blank(question, result, Outcome.GROUNDED),
            claims=generated.claims,
            topic=topic_of(generated.citations, result),
            citations=with_answering_words(generated.citations, result.subject.wanted),
            confidence=sure,
            notices=(*silence_notices(generated), *notices),
            rejected=generated.rejected,
            drafting=generated.drafting,
            answerer=generated.answerer,
        )

    async def _verbatim(
        self, question: str, result: SearchResult, extracts: Sequence[Extract], sure: float
    ) -> Answer:
        """The chosen sentences themselves; in a comparison at least one for each side that has any."""
        asked = result.plan.scope.parties
        cited = await self._citer.cite_all([replace(each, parties=asked) for each in extracts])
        if unproven := unproven_notices([each.hit for each in extracts], cited, result.plan):
            silent = self.silent(question, result, 0.0)
            rejected = tuple(item for item in cited if isinstance(item, Rejected))
            return replace(silent, notices=(*silent.notices, *unproven), rejected=rejected)
        proven = [item for item in cited if isinstance(item, Citation)]
        limit = max(self._citations, len(result.plan.groups), sum(item.titled for item in extracts))
        shown = await self._who_wants.in_order(proven, result, limit)
        citations = relabelled(with_answering_words(shown, result.subject.wanted))
        rejected = tuple(item for item in cited if isinstance(item, Rejected))
        if not citations:
            return replace(self.silent(question, result, 0.0), rejected=rejected)
        claims = tuple(Claim(text=item.quote.text, labels=(item.label,)) for item in citations)
        return replace(
            self.blank(question, result, Outcome.GROUNDED),
            claims=claims,
            topic=topic_of(citations, result),
            citations=citations,
            confidence=sure,
            notices=(
                *silent_sides(result.plan, citations),
                *notices_of(citations, doubtful=sure < DOUBTFUL),
            ),
            rejected=rejected,
        )

    def silent(self, question: str, result: SearchResult, sure: float) -> Answer:
        """An answer without evidence, with the nearest places."""
        nearest, years = nearest_of(result), {str(year) for year in result.plan.scope.editions}
        sought = looked_for(result.subject.as_said, result.plan.language)
        return replace(
            self.blank(question, result, Outcome.NO_EVIDENCE),
            confidence=sure,
            nearest=nearest,
            sought=result.unmentioned or tuple(word for word in sought if word not in years),
            notices=cut_off_notices([reading.edition for reading in nearest]),
        )

    def blank(self, question: str, result: SearchResult, outcome: Outcome) -> Answer:
        """An empty answer."""
        return Answer(
            question=question,
            language=result.plan.language,
            kind=result.plan.kind,
            outcome=outcome,
            claims=(),
            citations=(),
            scope=result.plan.scope,
            missing=result.missing,
            confidence=1.0 if outcome is Outcome.INFO else 0.0,
            notices=(),
            rejected=(),
            answerer=EXTRACTIVE,
            trace=self._new_trace(),
            seconds={},
            named=frozenset(each.key for each in result.plan.question.names.mentions),
        )
