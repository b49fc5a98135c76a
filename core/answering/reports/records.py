"""Makes records of answers, not yet saying who asked. Only `texts` contains parts of the question."""

from collections.abc import Sequence
from datetime import datetime

from core.answering.asker import Answered
from core.answering.forms import EXTRACTIVE
from core.answering.notices import notices_of_unreadable
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport
from core.domain.answers import Answer, Drafting, Outcome
from core.domain.ids import TraceId
from core.domain.records import (
    AnswerRecord,
    CitationRecord,
    HitRecord,
    ModelRecord,
    PlanRecord,
    RecordKind,
    RecordTexts,
)
from core.domain.scope import Scope
from core.domain.search import Hit
from core.search.plan import SearchPlan, SearchResult

LONGEST = 4_000
"""Maximum characters of a motion that are stored."""


def record_of(answered: Answered, *, at: datetime) -> AnswerRecord:
    """The record of an answered question. Only the keys of notices are stored: their values may quote it."""
    answer, result = answered.answer, answered.result
    return AnswerRecord(
        trace=answer.trace,
        at=at,
        kind=RecordKind.ANSWER,
        texts=_texts(answer, result),
        language=answer.language,
        outcome=answer.outcome,
        scope=answer.scope,
        plan=_plan(result.plan),
        missing=answer.missing,
        hits=_hits(result),
        claims=answer.claims,
        citations=tuple(map(CitationRecord.of, answer.citations)),
        notices=tuple(notice.key for notice in answer.notices),
        rejected=len(answer.rejected),
        answerer=answer.answerer,
        model=_model(answer.drafting) if answer.drafting else None,
        confidence=answer.confidence,
        seconds=answer.seconds,
    )


def record_of_comparison(report: Comparison, *, trace: TraceId, at: datetime) -> AnswerRecord:
    """The record of a comparison: the quotes of all its rows."""
    sure = [row.confidence for row in report.rows]
    return _tabled(report, RecordKind.COMPARISON, report.question, report.scope, sure, trace, at)


def record_of_motion(
    report: MotionReport, text: str, scope: Scope, *, trace: TraceId, at: datetime
) -> AnswerRecord:
    """The record of a report on the motion `text`, only the beginning of which is kept."""
    sure = [reason.confidence for row in report.rows for reason in row.reasons]
    return _tabled(report, RecordKind.MOTION, text[:LONGEST], scope, sure, trace, at)


def _tabled(
    report: Comparison | MotionReport,
    kind: RecordKind,
    question: str,
    scope: Scope,
    sure: Sequence[float],
    trace: TraceId,
    at: datetime,
) -> AnswerRecord:
    rejected = tuple(item for row in report.rows for item in row.rejected)
    withheld = notices_of_unreadable(item.why for item in rejected)
    return AnswerRecord(
        trace=trace,
        at=at,
        kind=kind,
        texts=RecordTexts(question=question, rejected=rejected),
        language=report.language,
        outcome=Outcome.GROUNDED if report.citations else Outcome.NO_EVIDENCE,
        scope=scope,
        citations=tuple(map(CitationRecord.of, report.citations)),
        rejected=len(rejected),
        notices=tuple(notice.key for notice in withheld),
        answerer=EXTRACTIVE,
        confidence=max(sure, default=0.0),
        seconds=report.seconds,
    )


def _texts(answer: Answer, result: SearchResult) -> RecordTexts:
    return RecordTexts(
        question=answer.question,
        queries=result.plan.queries,
        outputs=_outputs(answer.drafting) if answer.drafting else (),
        rejected=answer.rejected,
    )


def _outputs(drafting: Drafting) -> tuple[str, ...]:
    """The model's outputs, then the judgement of its claims."""
    return (*drafting.outputs, *([drafting.judgement] if drafting.judgement else []))


def _plan(plan: SearchPlan) -> PlanRecord:
    return PlanRecord(kind=plan.kind, groups=len(plan.groups), quota=plan.quota, detected=plan.detected)


def _hits(result: SearchResult) -> tuple[HitRecord, ...]:
    """The ranked hits, best first, then those added to the answer's context."""
    given = {hit.passage.id for hit in result.context}
    hits = {hit.passage.id: hit for hit in (*result.hits, *result.context)}
    return tuple(_hit(hit, in_context=name in given) for name, hit in hits.items())


def _hit(hit: Hit, *, in_context: bool) -> HitRecord:
    return HitRecord(
        passage=hit.passage.id,
        version=hit.edition.version.id,
        title=hit.edition.document.fields.title,
        pages=hit.passage.pages,
        score=hit.score,
        scores=hit.scores,
        found_by=hit.found_by,
        trail=hit.trail,
        in_context=in_context,
    )


def _model(drafting: Drafting) -> ModelRecord:
    return ModelRecord(
        model=drafting.model,
        prompt=drafting.prompt,
        prompt_tokens=drafting.prompt_tokens,
        completion_tokens=drafting.completion_tokens,
        cost_usd=drafting.cost_usd,
    )
