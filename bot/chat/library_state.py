"""How the library stands, for staff: documents, sources, what waits, and what could not be answered."""

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from bot.chat.commands import Command, handles
from bot.chat.held_sources import HeldSources, decision, job_line
from bot.chat.request import ReplyContent, Request, said
from bot.chat.uploads import UploadQueue
from bot.library import Documents
from bot.library.sources import choice, held_text
from bot.presentation.i18n import typed
from core.domain.sources import CheckResult
from core.ports.journal import Journal

LISTED = 40
UNANSWERED = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class LibraryState:
    """The command `library` of staff chats."""

    queue: UploadQueue
    documents: Documents
    held: HeldSources
    journal: Journal

    @handles("library")
    async def _library(self, request: Request, command: Command) -> ReplyContent:
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
        reading = len(self.queue.waiting())
        lines += [texts("staff.reading", count=reading)] if reading else []
        return said("\n".join(lines), *await self._sources(request), *await self._unanswered(request))

    async def _sources(self, request: Request) -> list[str]:
        """The documents of this chat that are fetched on a schedule, and which changes are held."""
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
