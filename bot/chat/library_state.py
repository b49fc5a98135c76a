"""The state of the library, for staff: documents, sources, what is waiting, and what could not be answered;
and their decisions about sources: `library approve DOC`, `library reject DOC`, `library run DOC`."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.chat.command_table import Command, Role, handles
from bot.chat.guard import refused_role
from bot.chat.request import Request, said
from bot.chat.uploads import UploadQueue
from bot.library.audit import AuditTrail
from bot.library.documents import Documents
from bot.library.sources.jobs import Job, choice, held_text
from bot.library.sources.refreshing import Refresher
from bot.presentation.i18n import Texts, typed
from core.domain.documents import PUBLIC
from core.domain.journal import AuditAction
from core.domain.messages import Reply
from core.domain.sources import CheckResult, SourceState
from core.errors import Refused
from core.library.sources import ScheduledSource
from core.ports.journal import Journal

LISTED = 40
UNANSWERED = timedelta(days=7)


def decision(word: str) -> AuditAction | None:
    """The decision meant by `word` after `library`."""
    actions = (AuditAction.APPROVE, AuditAction.REJECT)
    return next((action for action in actions if word in typed(action.value)), None)


@dataclass(frozen=True, slots=True)
class HeldSources:
    """Staff actions on the sources that their chat sees."""

    sources: Refresher
    audit: AuditTrail

    async def jobs(self) -> Sequence[Job]:
        """Everything that is fetched on a schedule."""
        return await self.sources.jobs.listed()

    async def decided(self, request: Request, action: AuditAction, name: str) -> Reply:
        """Decide on the held change of a document that this chat sees. What is public is the publishers' to
        change. Raises Refused, also where nothing is held."""
        source = await self._named(request, name)
        if source.collection == PUBLIC and request.role < Role.PUBLISHER:
            raise refused_role(Role.PUBLISHER)
        jobs = self.sources.jobs
        decide = jobs.approve if action is AuditAction.APPROVE else jobs.reject
        hold = await decide(source)
        await self.audit.noted(action, source, actor=request.person, held=hold.reason.value)
        if action is AuditAction.REJECT:
            return said(request.texts("staff.rejected", title=source.title))
        return said(await self._taken_over(request, source))

    async def run_now(self, request: Request, name: str) -> Reply:
        """Have a source that this chat sees looked at. Raises Refused."""
        source = await self._named(request, name)
        if await self.sources.jobs.is_served():
            await self.sources.jobs.request(source)
            return said(request.hint("staff.run", title=source.title))
        state = await self.sources.check(source.id)
        return said(
            request.texts("staff.job_result", title=source.title, result=_result(state, request.texts))
        )

    async def _named(self, request: Request, name: str) -> ScheduledSource:
        if not name:
            raise Refused("staff.which", "name the document: its file, its title or its id")
        return await self.sources.jobs.find(name.strip('"„“”'), request.chat.collections)

    async def _taken_over(self, request: Request, source: ScheduledSource) -> str:
        """The scheduler does it where one runs, and says so when it is done; else it is done here and now."""
        if await self.sources.jobs.is_served():
            return request.texts("staff.approved", title=source.title)
        state = await self.sources.check(source.id)
        if state.result in (CheckResult.FAILED, CheckResult.HELD):
            return request.texts("staff.not_taken", title=source.title, error=state.error or "")
        return request.texts("staff.taken_over", title=source.title)


def job_line(job: Job, request: Request) -> str:
    """When a source is checked next, and the result of the last check."""
    at, last = job.next_run, job.state.checked_at
    return request.texts(
        "staff.job",
        title=job.source.title,
        next=at or "–",
        last=last or "–",
        result=_result(job.state, request.texts),
    )


def _result(state: SourceState, texts: Texts) -> str:
    return state.error or (texts(f"staff.result_{state.result.value}") if state.result else "–")


@dataclass(frozen=True, slots=True)
class LibraryState:
    """The command `library` of staff chats."""

    queue: UploadQueue
    documents: Documents
    held: HeldSources
    journal: Journal

    @handles("library")
    async def _library(self, request: Request, command: Command) -> Reply:
        """Health, jobs, dead letters, and what could not be answered; or what is to be done about a
        source."""
        word, _, name = command.rest.partition(" ")
        if action := decision(word.lower()):
            return await self.held.decided(request, action, name.strip())
        if word.lower() in typed("run"):
            return await self.held.run_now(request, name.strip())
        texts = request.texts
        documents = await self.documents.held(request.chat.collections)
        held = Counter(document.collection for document in documents)
        backlog = await self.journal.backlog()
        lines = [texts("staff.holds", collection=name, count=count) for name, count in sorted(held.items())]
        lines.append(texts("staff.backlog", waiting=backlog.waiting, pending=backlog.pending))
        lost = backlog.dead + backlog.failed + backlog.unknown
        lines += [texts("staff.lost", count=lost)] if lost else []
        reading = len(await self.queue.waiting())
        lines += [texts("staff.reading", count=reading)] if reading else []
        return said("\n".join(lines), *await self._sources(request), *await self._unanswered(request))

    async def _sources(self, request: Request) -> list[str]:
        """The chat's documents that are fetched on a schedule, and held changes."""
        jobs = [job for job in await self.held.jobs() if job.collection in request.chat.collections]
        if not jobs:
            return []
        failing = sum(job.state.result is CheckResult.FAILED for job in jobs)
        prefix = request.stage.capabilities.command_prefix
        held = [
            "\n".join(
                (held_text(job, request.texts), choice(job.source.id, hold.reason, request.texts, prefix)[0])
            )
            for job in jobs
            if (hold := job.state.hold)
        ]
        head = request.texts("staff.sources", count=len(jobs), failing=failing)
        lines = [job_line(job, request) for job in jobs[:LISTED]]
        return ["\n".join([head, *lines]), *held[:LISTED]]

    async def _unanswered(self, request: Request) -> list[str]:
        """Questions of the last days without an answer, as far as this chat may see all they searched."""
        records = await self.journal.unanswered(since=request.now - UNANSWERED)
        mine = [
            record for record in records if set(record.scope.collections) <= set(request.chat.collections)
        ]
        times = Counter(record.texts.question for record in mine if record.texts)
        asked = [f"- {text}{f' ({n}×)' if n > 1 else ''}" for text, n in times.most_common(LISTED)]
        texts, left = request.texts, len(mine) - sum(n for _, n in times.most_common(LISTED))
        lines = [texts("staff.unanswered", count=len(mine), days=UNANSWERED.days)]
        lines += [texts("staff.line", text=line) for line in asked]
        lines += [texts("info.more", count=left)] if left and asked else []
        return ["\n".join(lines)] if mine else []
