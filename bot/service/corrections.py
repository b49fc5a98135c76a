"""Corrections: when a quoted document has a new version, the threads are told what has changed. Pending work
is never kept in memory: it consists of the answers whose citations have a newer version and were not checked
against it. Everything is settled in one transaction with its message.
"""

import hashlib
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import zip_longest
from pathlib import Path

from bot.answers.records.why import recorded_citations
from bot.chat.guard import Guard, bound_to, check_exposure
from bot.delivery.outbox import in_parts
from bot.delivery.shared_files import SharedFiles
from bot.periodic import Supervisor
from bot.presentation.attachments import Attacher, page_name_of, unique
from bot.presentation.i18n import Texts
from bot.presentation.phrases import page_name
from bot.presentation.presenter import Presenter
from bot.presentation.wording.answers import AnswerMessages
from bot.presentation.wording.corrections import block, place
from bot.settings.platforms import ChatSettings
from core.answering.reports.corrections import Rechecker, same_words
from core.domain.answers import Answer, Citation, Outcome
from core.domain.ids import TraceId, VersionId
from core.domain.journal import OutgoingReply, Posted, Pseudonym, chat_key
from core.domain.messages import Button, MessageRef, Reply, ReplyFile
from core.domain.records import AnswerRecord, Moved, Recheck, Rechecked, RecordKind, Settled, Successor
from core.domain.rich_text import bold, small
from core.domain.search import QuestionKind
from core.errors import Refused, Unavailable
from core.ports.chat import ChatPlatform
from core.ports.clock import SKEW, Clock, is_within, lies_ahead
from core.ports.journal import Journal
from core.ports.library import CorrectionLog, Library, LifecycleLibrary

BUNDLED = 10
"""Maximum corrections in one message."""


class Told(StrEnum):
    """The delivery state of a correction."""

    SENT = "sent"  # queued for its thread
    WAITS = "waits"  # later: the chat reached its hourly limit, or cannot be reached or confirmed now
    UNHEARD = "unheard"  # posted nowhere, or its chat does not want or may not get it


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A quote that reads differently now, and whether its thread is told."""

    found: Rechecked
    told: Told


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRound:
    """One check of all answers: unchanged citations, and the others."""

    kept: int
    corrections: tuple[Correction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DueCorrection:
    """What to tell an answer's thread, and what is settled with it."""

    record: AnswerRecord
    to: MessageRef
    language: str
    news: tuple[Rechecked, ...]
    settled: tuple[Settled, ...]
    moved: tuple[Moved, ...]


def bundles(dues: Sequence[DueCorrection]) -> list[list[DueCorrection]]:
    """The contents of one message: answers are not split."""
    found: list[list[DueCorrection]] = []
    size = BUNDLED
    for due in dues:
        if size + len(due.news) > BUNDLED:
            found.append([])
            size = 0
        found[-1].append(due)
        size += len(due.news)
    return found


def outcome_of(
    found: Sequence[Rechecked], news: Sequence[Rechecked]
) -> tuple[tuple[Settled, ...], tuple[Moved, ...]]:
    """What is settled about an answer's citations. Those whose words are found point there from now on, and
    nothing is reported unless that is news, or they already point there."""
    settled, moved = list[Settled](), list[Moved]()
    for item in found:
        stands = item.outcome is Recheck.KEPT and item.now is not None
        back = item.was.version == item.edition.version.id
        if item.now is not None and stands and not back:
            now = item.was.moved(item.now)
            moved.append(Moved(trace=item.trace, was=item.was, now=now))
        if not stands or back or item in news:
            settled.append(
                Settled(
                    trace=item.trace,
                    label=item.was.label,
                    version=item.edition.version.id,
                    since=item.since,
                    outcome=item.outcome,
                )
            )
    return tuple(settled), tuple(moved)


def settled_by(item: Settled, told: Mapping[tuple[TraceId, str], str], chat: Pseudonym, key: str) -> Settled:
    """`item` with what the chat was told of it, if anything."""
    current = told.get((item.trace, item.label))
    return item if current is None else replace(item, said=current, chat=chat, reply=key)


def key_of(bundle: Sequence[DueCorrection]) -> str:
    """A key that is the same for the same corrections, whichever process finds them."""
    named = sorted(
        f"{item.trace}\n{item.label}\n{item.version}\n{item.since.isoformat()}"
        for due in bundle
        for item in due.settled
    )
    return "c" + hashlib.sha256("\n".join(named).encode()).hexdigest()[:24]


EVERY_S = 60.0
"""Seconds between two searches for quotes of superseded versions."""

AT_ONCE = 500
"""Answers checked in one round."""

HOUR = timedelta(hours=1)
ON_ITS_WAY = timedelta(hours=1)
"""How long an answer that nobody has seen yet may still be waiting to be sent."""

REST = timedelta(minutes=10)
"""Pause before checking again what cannot be reported now."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CorrectedAnswers:
    """Puts a note above an answer, in place. Its text is recreated from its record."""

    library: Library
    presenter: Presenter

    async def edited(
        self,
        record: AnswerRecord,
        news: Sequence[Rechecked],
        shown: MessageRef,
        platform: ChatPlatform,
        *,
        language: str,
        key: str,
        chat: ChatSettings,
    ) -> OutgoingReply | None:
        """The answer in the message `shown` with a note about its quotes above it, if the message still
        exists; None if the platform cannot edit, a cited document is gone or not allowed in the chat any
        more, or the text needs more than one message."""
        if not platform.capabilities.edits or record.kind is not RecordKind.ANSWER:
            return None
        answer = await self._answer(record)
        if answer is None or not _may_show(chat, answer):
            return None
        texts = self.presenter.texts(language)
        places = "; ".join(dict.fromkeys(place(item, texts) for item in news))
        said = AnswerMessages(self.presenter.within(record.scope.collections)).blocks(answer, texts)
        reply = Reply(
            blocks=(bold(texts("correction.answer", places=places, count=len(news))), *said),
            replaces=shown.message,
            amends=True,
            language=language,
            collections=bound_to(chat),
        )
        made = in_parts(reply, shown, platform, self.presenter, key=key)
        return made if len(made.parts) == 1 else None

    async def _answer(self, record: AnswerRecord) -> Answer | None:
        """A recorded answer with its citations as they were shown, but without the words of the question."""
        citations = await recorded_citations(record, self.library)
        if record.outcome is not Outcome.GROUNDED or len(citations) < len(record.citations):
            return None
        return Answer(
            question="",
            language=record.language,
            kind=record.plan.kind if record.plan else QuestionKind.FACT,
            outcome=record.outcome,
            claims=record.claims,
            citations=tuple(citations),
            scope=record.scope,
            missing=record.missing,
            confidence=record.confidence,
            notices=(),
            rejected=(),
            answerer=record.answerer,
            trace=record.trace,
            seconds={},
        )


def _may_show(chat: ChatSettings, answer: Answer) -> bool:
    return {item.edition.document.collection for item in answer.citations} <= set(chat.collections)


@dataclass(slots=True, kw_only=True)
class Correcting:
    """Finds and reports corrections. Pages are written to `folder` and stored in `files` with the message; at
    most `per_hour` messages per chat."""

    library: LifecycleLibrary
    corrections: CorrectionLog
    journal: Journal
    clock: Clock
    presenter: Presenter
    attacher: Attacher
    supervisor: Supervisor
    guard: Guard
    platforms: Mapping[str, ChatPlatform]
    folder: Path
    files: SharedFiles
    per_hour: int
    _resting: dict[TraceId, datetime] = field(default_factory=dict, init=False)

    async def round(self, *, dry_run: bool = False) -> CorrectionRound:
        """Check every answer against the documents as they are now, and tell the threads. `dry_run` changes
        nothing and tells nobody."""
        rechecker = Rechecker(self.library)
        successors = await self.library.successors(await self.corrections.cited())
        kept, done, waiting = 0, list[Correction](), list[DueCorrection]()
        for record in await self._unsettled(successors):
            try:
                found = await rechecker.recheck(record, successors)
                news = [item for item in found if await self._is_news(item)]
                due = await self._due(record, found, news)
                if due is None and not dry_run:
                    settled, moved = outcome_of(found, news)
                    await self.corrections.settle(settled, moved, [], at=self.clock.now())
            except Exception as error:  # a failure of one answer must not stop the others
                self._rest([record.trace], error)
                continue
            kept += len(found) - len(news)
            if due is not None:
                waiting.append(due)
            else:
                done += [Correction(found=item, told=Told.UNHEARD) for item in news]
        told = await self._tell(waiting, dry_run=dry_run)
        return CorrectionRound(kept=kept, corrections=(*done, *told))

    def _rest(self, traces: Sequence[TraceId], error: Exception | None = None) -> None:
        """Postpone answers: nobody can be told now, or something went wrong."""
        if error is not None:
            self.supervisor.failed("corrections", error)
        until = self.clock.now() + REST
        self._resting.update(dict.fromkeys(traces, until))

    async def _unsettled(self, successors: Mapping[VersionId, Successor]) -> list[AnswerRecord]:
        """The answers to check now: not postponed ones, nor those that may still be waiting to be sent."""
        now = self.clock.now()
        self._resting = {
            trace: until for trace, until in self._resting.items() if lies_ahead(until, now, REST)
        }
        limit = AT_ONCE + len(self._resting)
        found: list[AnswerRecord] = []
        for trace in await self.corrections.unsettled(successors, limit=limit):
            record = None if trace in self._resting else await self.journal.answer(trace)
            if record is None:
                continue
            if is_within(record.at, now, ON_ITS_WAY) and not await self.journal.posted(trace):
                self._rest([trace])
            else:
                found.append(record)
        return found

    async def _is_news(self, found: Rechecked) -> bool:
        """Whether this is news to the thread, given the answer and later corrections."""
        said = await self.corrections.last_said(found.trace, found.was.label)
        if said is None:
            return found.outcome is not Recheck.KEPT
        unclear = found.outcome is Recheck.KEPT and found.now is None
        return not unclear and not same_words(said, found.reading)

    async def _due(
        self, record: AnswerRecord, found: Sequence[Rechecked], news: Sequence[Rechecked]
    ) -> DueCorrection | None:
        """What to report where; None if there is nothing, or nobody to tell."""
        posted = await self.journal.posted(record.trace) if news else []
        if not posted or not self._may_show(posted[0], news):
            return None
        state = await self.journal.chat_state(chat_key(posted[0].ref))
        if state is not None and not state.corrections:
            return None
        settled, moved = outcome_of(found, news)
        return DueCorrection(
            record=record,
            to=posted[0].ref,
            language=(state.language if state else "") or record.language,
            news=tuple(news),
            settled=settled,
            moved=moved,
        )

    def _may_show(self, posted: Posted, news: Sequence[Rechecked]) -> bool:
        """Whether the chat, as it is set now, may see the documents."""
        chat = self.guard.chat(posted.ref)
        collections = {item.edition.document.collection for item in news}
        return chat is not None and collections <= set(chat.collections)

    async def _tell(self, waiting: Sequence[DueCorrection], *, dry_run: bool) -> list[Correction]:
        """Bundle reports by thread, within each chat's limit of messages."""
        threads: dict[tuple[object, ...], list[DueCorrection]] = defaultdict(list)
        for due in waiting:
            threads[chat_key(due.to), due.to.thread].append(due)
        done: list[Correction] = []
        for dues in threads.values():
            for bundle in bundles(dues):
                told, error = Told.WAITS, None
                try:
                    if await self._may_tell(bundle[0]) and (dry_run or await self._send(bundle)):
                        told = Told.SENT
                except Exception as fault:  # a failure of one thread must not stop the others
                    error = fault
                done += [Correction(found=item, told=told) for due in bundle for item in due.news]
                if told is Told.WAITS:
                    self._rest([due.record.trace for due in bundle], error)
        return done

    async def _may_tell(self, due: DueCorrection) -> bool:
        """Whether the chat can be reached, is entitled, and has not reached this hour's limit."""
        platform, chat = self.platforms.get(due.to.platform), self.guard.chat(due.to)
        if platform is None or chat is None:
            return False
        now = self.clock.now()
        heard = await self.corrections.messages_since(self._pseudonym(due), now - HOUR, until=now + SKEW)
        if heard >= self.per_hour:
            return False
        if not bound_to(chat):
            return True
        try:
            check_exposure(await platform.exposure(due.to))
        except (Refused, Unavailable) as error:
            _LOG.warning("a correction waits: %s", error.key)
            return False
        return True

    def _pseudonym(self, due: DueCorrection) -> Pseudonym:
        return self.journal.pseudonyms.chat(chat_key(due.to))

    async def _send(self, bundle: Sequence[DueCorrection]) -> bool:
        """Queue one message and settle its contents; False if another process was quicker."""
        key = key_of(bundle)
        platform = self.platforms[bundle[0].to.platform]
        texts = self.presenter.texts(bundle[0].language)
        news = [item for due in bundle for item in due.news]
        # quoted by two answers of a thread, but reported once
        shown = {block(item, texts): item for item in news}
        now = [item.now for item in shown.values() if item.now is not None]
        files = await pages_of_quotes(self.attacher, now, self.folder / f"correction-{key}", texts)
        blocks = [
            bold(texts("correction.head")),
            *shown,
            small(texts("correction.off", prefix=platform.capabilities.command_prefix)),
        ]
        chat = self.guard.chat(bundle[0].to)
        subscribe = Button(label=texts("button.subscribe"), command=f"/subscribe {bundle[0].record.trace}")
        reply = Reply(
            blocks=tuple(blocks),
            files=files,
            buttons=((subscribe,),) if platform.capabilities.buttons else (),
            language=texts.language,
            collections=bound_to(chat) if chat else (),
        )
        parts = in_parts(reply, bundle[0].to, platform, self.presenter, key=key)
        queued = [
            await self.files.kept(parts),
            *await self._edited(bundle, key),
        ]
        told = {(item.trace, item.was.label): item.reading for item in news}
        heard = self._pseudonym(bundle[0])
        settled = [settled_by(item, told, heard, key) for due in bundle for item in due.settled]
        moved = [item for due in bundle for item in due.moved]
        return await self.corrections.settle(settled, moved, queued, at=self.clock.now())

    async def _edited(self, bundle: Sequence[DueCorrection], key: str) -> list[OutgoingReply]:
        """Update the answers themselves, where possible, to say that they were corrected."""
        answers = CorrectedAnswers(self.library, self.presenter)
        found = []
        for number, due in enumerate(bundle):
            chat = self.guard.chat(due.to)
            if chat is None:
                continue
            edited = await answers.edited(
                due.record,
                due.news,
                due.to,
                self.platforms[due.to.platform],
                language=due.language,
                key=f"{key}-a{number}",
                chat=chat,
            )
            found += [edited] if edited else []
        return found


async def pages_of_quotes(
    attacher: Attacher, quotes: Sequence[Citation], folder: Path, texts: Texts
) -> tuple[ReplyFile, ...]:
    """The pages of `quotes`, as they read now, highlighted."""
    files: list[ReplyFile] = []
    for number, quoted in enumerate(quotes, start=1):
        made = await attacher.attach([quoted], folder, prefix=f"{number}-", previews=False)
        fields, printed = quoted.edition.document.fields, quoted.printed_labels
        for path, page, label in zip_longest(made[quoted.label].pages, quoted.quote.pages, printed):
            name = page_name_of(fields, label or str(page), texts)
            caption = texts("correction.place", title=fields.title, page=page_name(page, label, texts))
            files.append(ReplyFile(name=name, caption=caption, path=path))
    names = unique([file.name for file in files])
    return tuple(replace(file, name=f"{name}.pdf") for file, name in zip(files, names, strict=True))
