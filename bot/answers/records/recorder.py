"""Records of answers and their expiry: every answer leaves one, for as long as the settings say; and what
people thought of answers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.presentation.views.encoding import Json
from bot.telemetry.metrics import COMMAND_LINE, Metrics
from core.answering.asker import Answered
from core.answering.forms import EXTRACTIVE
from core.answering.notices import notices_of_unreadable
from core.answering.personal_data import KEPT_BACK, Privacy
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport
from core.domain.answers import Answer, Drafting, Outcome
from core.domain.documents import DocumentStatus, VersionStatus
from core.domain.ids import TraceId, VersionId
from core.domain.journal import ChatKey, Feedback, FeedbackVerdict, Pseudonym, Purged, Retention
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
from core.errors import FundstelleError, Refused
from core.library.printed_pages import Printed, printed_pages
from core.ports.clock import Clock, is_within
from core.ports.journal import Journal
from core.ports.library import Library
from core.search.plan import SearchPlan, SearchResult

LOCAL = Pseudonym("local")
"""The user of the command line: it is the operator's own machine."""

LONGEST = 4_000
"""Maximum characters of a motion that are stored."""

PURGE_EVERY = timedelta(hours=1)

_LOG = logging.getLogger(__name__)


def _for_log(error: Exception) -> str:
    """An error as logged: the bot's own with advice, others by name only."""
    return f"{error.key} ({error.detail})" if isinstance(error, FundstelleError) else type(error).__name__


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A record, the status of the versions it cites (None: gone), and the printed numbers of its pages.
    Whether a chat may see it is for the guard to decide, by `record.chat` and `record.scope`."""

    record: AnswerRecord
    statuses: dict[VersionId, VersionStatus | None]
    printed: Printed = field(default_factory=dict)


async def explain(trace: str, journal: Journal, library: Library) -> Explained:
    """How an answer came about. Raises Refused("why.unknown")."""
    record = await journal.answer(TraceId(trace.strip()))
    if record is None:
        detail = f"there is no record of an answer {trace}; records go when their term has ended"
        raise Refused("why.unknown", detail, trace=trace)
    places = [(each.version, each.pages) for each in record.hits]
    return Explained(
        record=record,
        statuses={name: await _status(name, library) for name in record.versions},
        printed=await printed_pages(places, library),
    )


async def _status(name: VersionId, library: Library) -> VersionStatus | None:
    version = await library.version(name)
    document = await library.document(version.document) if version else None
    withdrawn = document is not None and document.status is DocumentStatus.DELETED
    return VersionStatus.DELETED if withdrawn else version.status if version else None


@dataclass(slots=True)
class Recorder:
    """Keeps records, without personal data in their texts unless `privacy` allows it. An answer is never lost
    because its record is: that is merely logged. Answers and lost records are counted in `metrics`. Old data
    is removed once an hour, while there are answers or `run` is running, unless `check_clock` raises."""

    journal: Journal
    clock: Clock
    retention: Retention
    new_trace: Callable[[], TraceId]
    privacy: Privacy = KEPT_BACK
    metrics: Metrics = field(default_factory=Metrics)
    check_clock: Callable[[], Awaitable[None]] | None = None
    _purged_at: datetime | None = field(default=None, init=False)

    async def answered(
        self, answered: Answered, *, person: Pseudonym = LOCAL, chat: ChatKey | None = None
    ) -> None:
        """Record an answer under its trace."""
        await self._keep(record_of(answered, at=self.clock.now()), person, chat)

    async def compared(
        self, report: Comparison, *, person: Pseudonym = LOCAL, chat: ChatKey | None = None
    ) -> TraceId:
        """Record a comparison; returns its trace."""
        sure = [row.confidence for row in report.rows]
        made = self._tabled(report, RecordKind.COMPARISON, report.question, report.scope, sure)
        return await self._keep(made, person, chat)

    async def reported(
        self,
        report: MotionReport,
        text: str,
        scope: Scope,
        *,
        person: Pseudonym = LOCAL,
        chat: ChatKey | None = None,
    ) -> TraceId:
        """Record the report on the motion `text`, only the beginning of which is kept; returns its trace."""
        sure = [reason.confidence for row in report.rows for reason in row.reasons]
        made = self._tabled(report, RecordKind.MOTION, text[:LONGEST], scope, sure)
        return await self._keep(made, person, chat)

    def _tabled(
        self,
        report: Comparison | MotionReport,
        kind: RecordKind,
        question: str,
        scope: Scope,
        sure: Sequence[float],
    ) -> AnswerRecord:
        """The record of a report: the quotes of all its rows."""
        rejected = tuple(item for row in report.rows for item in row.rejected)
        withheld = notices_of_unreadable(item.why for item in rejected)
        return AnswerRecord(
            trace=self.new_trace(),
            at=self.clock.now(),
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

    async def _keep(self, record: AnswerRecord, person: Pseudonym, chat: ChatKey | None) -> TraceId:
        """Store a record of what `person` asked in `chat`; returns its trace."""
        where = self.journal.pseudonyms.chat(chat) if chat else None
        self.metrics.answered(record, chat.platform if chat else COMMAND_LINE)
        try:
            texts = await asyncio.to_thread(self._texts, record.texts)
            await self.journal.record(replace(record, person=person, chat=where, texts=texts))
        except Exception as error:  # the answer is not lost with its record
            self.metrics.record_lost()
            _LOG.error("answer %s has no record: %s", record.trace, _for_log(error))
        try:
            await self.purge_if_due()
        except Exception as error:  # it is retried with the next answer
            _LOG.error("old data could not be removed: %s", _for_log(error))
        return record.trace

    def _texts(self, texts: RecordTexts | None) -> RecordTexts | None:
        if texts is None or not self.retention.texts:
            return None
        clean = self.privacy.for_records
        return RecordTexts(
            question=clean(texts.question),
            queries=tuple(clean(query) for query in texts.queries),
            outputs=tuple(clean(output) for output in texts.outputs),
            rejected=tuple(replace(item, text=clean(item.text)) for item in texts.rejected),
        )

    async def purge_if_due(self) -> Purged | None:
        """Remove what has expired, unless that was done within the last hour, here or elsewhere. Raises
        Broken("clock.wrong")."""
        now = self.clock.now()
        if self._purged_at is None:
            self._purged_at = (await self.journal.backlog()).purged_at
        if self._purged_at is not None and is_within(self._purged_at, now, PURGE_EVERY):
            return None
        if self.check_clock is not None:
            await self.check_clock()
        purged = await self.journal.purge(self.retention, at=now)
        self._purged_at = now
        return purged


@dataclass(frozen=True, slots=True)
class Judged:
    """Feedback on an answer, with the answer's record if it still exists."""

    feedback: Feedback
    record: AnswerRecord | None


async def judged(journal: Journal) -> list[Judged]:
    """All stored feedback, oldest first."""
    return [Judged(item, await journal.answer(item.trace)) for item in await journal.feedback()]


async def candidates(items: list[Judged], library: Library) -> list[Json]:
    """Rows of a question set: questions whose text is still stored. Answers called useful contribute the
    quoted pages as gold; for the rest a person has to decide what is right. Each question occurs once."""
    rows: dict[str, Json] = {}
    for item in items:
        record = item.record
        if record is None or record.texts is None:
            continue
        useful = item.feedback.verdict is FeedbackVerdict.USEFUL
        rows[record.trace] = {
            "id": record.trace,
            "corpus": "feedback",
            "language": record.language,
            "jurisdiction": record.scope.jurisdictions[0] if record.scope.jurisdictions else None,
            "party": record.scope.parties[0] if record.scope.parties else None,
            "question": record.texts.question,
            "answerable": True if useful else None,
            "gold": await _gold(record, library) if useful else [],
            "gold_mode": "any",
            "kind": item.feedback.verdict.value,
        }
    return list(rows.values())


async def _gold(record: AnswerRecord, library: Library) -> list[Json]:
    found = []
    for citation in record.citations:
        document = await library.document(citation.document)
        if document is not None:
            found += [
                {"file": document.file, "page": page, "quote": citation.quote} for page in citation.pages[:1]
            ]
    return found


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


def _texts(answer: Answer, result: SearchResult) -> RecordTexts:
    drafting = answer.drafting
    return RecordTexts(
        question=answer.question,
        queries=result.plan.queries,
        outputs=(*drafting.outputs, *filter(None, [drafting.judgement])) if drafting else (),
        rejected=answer.rejected,
    )


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
