"""Sources in staff chats: `library approve DOC` and `library reject DOC` decide on a held change, and
`library run DOC` has one looked at now."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.chat.command_table import Role
from bot.chat.guard import refused_role
from bot.chat.request import ReplyContent, Request, said
from bot.library.audit import AuditTrail
from bot.library.sources import Job, Refresher
from bot.presentation import Texts
from bot.presentation.i18n import typed
from core.domain.documents import PUBLIC
from core.domain.journal import AuditAction
from core.domain.sources import CheckResult, SourceState
from core.errors import Refused
from core.library.sources import ScheduledSource


def decision(word: str) -> AuditAction | None:
    """The decision that `word`, typed behind `library`, is."""
    actions = (AuditAction.APPROVE, AuditAction.REJECT)
    return next((action for action in actions if word in typed(action.value)), None)


@dataclass(frozen=True, slots=True)
class HeldSources:
    """What staff do about the sources that their chat sees."""

    sources: Refresher
    audit: AuditTrail

    async def jobs(self) -> Sequence[Job]:
        """Everything that is fetched on a schedule."""
        return await self.sources.jobs.listed()

    async def decided(self, request: Request, action: AuditAction, name: str) -> ReplyContent:
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

    async def run_now(self, request: Request, name: str) -> ReplyContent:
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
    """When a source is checked next, and what became of the last look."""
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
