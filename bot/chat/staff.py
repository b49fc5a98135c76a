"""Staff commands: add, describe, publish, remove, read again; the state of the library, and decisions
about its sources: `library approve DOC`, `library reject DOC`, `library run DOC`."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from bot.chat.command_table import SPECS, Command, Role, handles
from bot.chat.documents import button_label, example_name, first_name, typed_names, with_copies
from bot.chat.guard import refused_role
from bot.chat.receipts import OFFERED, CitingThreads, documents_of, field_words, outdated_copy
from bot.chat.request import Request, folder_name, said
from bot.chat.upload_fields import Written, confirmed, read_fields
from bot.chat.uploads import MAX_FILES, UploadJob, UploadQueue
from bot.library.audit import AuditTrail
from bot.library.documents import Documents
from bot.library.intake import IngestOptions
from bot.library.lifecycle import DocumentLifecycle
from bot.library.scoping import Scoping, document_type, find_document
from bot.library.sources.jobs import Job, choice, held_text
from bot.library.sources.refreshing import Refresher
from bot.library.upkeep import Publishing
from bot.presentation.i18n import Texts, typed
from core.domain.documents import GLOBAL, PUBLIC, Document
from core.domain.ids import DocumentId
from core.domain.ingestion import CheckResult, SourceState
from core.domain.journal import AuditAction
from core.domain.messages import Button, Reply
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
        """Decide on the held change of a document that this chat sees. Only publishers may change what is
        public. Raises Refused, also if nothing is held."""
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
        """Have a source that this chat sees checked. Raises Refused."""
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
        """Leave it to the scheduler, which reports when it is done; if none is running, do it here and
        now."""
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
        """Health, jobs, dead letters and unanswered questions; or an action on a source."""
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


@dataclass(frozen=True, slots=True)
class Staff:
    """The commands of staff chats. `max_bytes` of a file."""

    queue: UploadQueue
    documents: Documents
    scoping: Scoping
    publishing: Publishing
    lifecycle: DocumentLifecycle
    held: HeldSources
    threads: CitingThreads
    journal: Journal
    max_bytes: int

    @handles("upload")
    async def _upload(self, request: Request, command: Command) -> Reply:
        """Store the files; the upload queue reads them."""
        if not request.chat.upload_to:
            raise Refused("upload.nowhere", "this chat has no collection for uploads: set upload_to")
        written = read_fields(command.rest, collection=request.chat.upload_to)
        self._check(written.options)
        texts = await self._room_texts(request, written.rest)
        can, batches = request.stage.capabilities, self.queue.batches
        first = batches.joined(request.message) if can.edits else None
        job = UploadJob(
            id=folder_name(request.message),
            message=request.message,
            language=texts.language,
            options=written.options,
            max_bytes=min(self.max_bytes, can.max_download_bytes or self.max_bytes),
            first=first,
        )
        await self.queue.add(job)
        if first is not None:  # its receipt covers these as well
            return said()
        count = len(request.message.attachments[:MAX_FILES])
        taken = said(texts("upload.taken", count=count, collection=request.chat.upload_to))
        return replace(taken, language=texts.language)

    async def _room_texts(self, request: Request, words: str) -> Texts:
        """The bot's texts in the language of the room: the one that is set, else that of the text sent with
        the files, else the one people last used there, else that of most of its documents."""
        if request.state.language or words:
            return request.texts
        if request.spoken:
            return Texts(request.spoken)
        held = await self.documents.held(request.chat.collections)
        common = Counter(document.fields.language for document in held).most_common(1)
        return Texts(common[0][0]) if common else request.texts

    def _check(self, options: IngestOptions) -> None:
        """Unknown names are refused before anything is fetched or changed. Only the operator may register a
        new party: its name is looked for in everybody's questions, and offered to them."""
        names = self.scoping.within([options.collection or PUBLIC])
        if options.jurisdiction and options.jurisdiction != GLOBAL:
            names.jurisdiction(options.jurisdiction)
        for name in options.parties:
            names.party(name)
        if options.doc_type:
            document_type(options.doc_type)

    @handles("documents")
    async def _documents(self, request: Request, _: Command) -> Reply:
        documents, texts = await self.documents.held(request.chat.collections), request.texts
        if not documents:
            return said(texts("info.no_documents"))
        names, held = typed_names(documents), with_copies(documents)
        documents = [each for each in documents if each.id in held]
        lines = [
            texts("staff.document", title=each.fields.title, name=names[each.id], collection=held[each.id])
            for each in documents[:LISTED]
        ]
        if len(documents) > LISTED:
            lines.append(texts("info.more", count=len(documents) - LISTED))
        return said("\n".join((texts("info.documents", count=len(documents)), *lines)))

    async def _found(self, request: Request, name: str, *, changing: bool = True) -> Document:
        """The document of this chat in question: its own upload before a public one of the same name. Only
        publishers may change what is public. Raises Refused."""
        if not name:
            raise Refused("staff.which", "name the document: its file, its title or its id")
        documents = await self.documents.held(request.chat.collections)
        own = [document for document in documents if document.collection != PUBLIC]
        try:
            document = find_document(name, own)
        except Refused:
            document = find_document(name, documents)
        if changing and document.collection == PUBLIC and request.role < Role.PUBLISHER:
            raise refused_role(Role.PUBLISHER)
        return document

    @handles("describe")
    async def _describe(self, request: Request, command: Command) -> Reply:
        name, rest = (
            first_name(command.rest) if command.word else (await self._one_received(request), command.rest)
        )
        if not name:
            return await self._choice(request, "describe", await self._may_change(request))
        document = await self._found(request, name)
        if not rest:
            return await self._described(request, document)
        written = (
            await self._guessed(document)
            if rest == "*"
            else read_fields(rest, collection=document.collection)
        )
        if not written.stated:
            return said(request.hint("staff.usage_describe", document=example_name([document])))
        self._check(written.options)
        return said(await self._corrected(request, document, written))

    async def _described(self, request: Request, document: Document) -> Reply:
        """A document's stated and guessed fields, and how to correct them."""
        receipts, can = self.queue.receipts, request.stage.capabilities
        shown = await receipts.of_document(document, request.texts, can.command_prefix)
        return receipts.said([shown], request.texts, can)

    @handles("yes")
    async def _yes(self, request: Request, command: Command) -> Reply:
        """Confirm the guesses about the documents of a receipt, or about the one named."""
        ref = request.message.ref
        names: Sequence[str] = [command.rest] if command.rest else await self._received(request)
        lines = []
        for name in names or self.queue.newest(ref):
            document = await self._found(request, name)
            written = await self._guessed(document)
            if written.stated:
                lines.append(await self._corrected(request, document, written))
        return said("\n".join(lines) or request.texts("staff.nothing_guessed"))

    async def _guessed(self, document: Document) -> Written:
        receipts = self.queue.receipts
        return confirmed(receipts.taken(await receipts.guess(document)), collection=document.collection)

    async def _corrected(self, request: Request, document: Document, written: Written) -> str:
        """Change the fields of a document, and of its public copy if this person may change that; returns the
        result."""
        stated = ",".join(sorted(written.stated))
        await self.publishing.describe(document, written.options)
        await self._audit(request, AuditAction.SETTING, document, "fields", stated)
        self.queue.batches.settle(document.id, request.key)
        now = await self.documents.document(document.id) or document
        presenter = self.queue.receipts.presenter.within([now.collection])
        fields = field_words(now.fields, request.texts, presenter, only=written.stated)
        lines = [request.texts("staff.described", title=document.fields.title, fields=fields)]
        lines += self.queue.receipts.not_quoted_yet(now, request.texts)
        copy = await self.publishing.copy_of(document, PUBLIC)
        if copy is not None and request.role >= Role.PUBLISHER:
            await self.publishing.describe(copy, written.options)
            await self._audit(request, AuditAction.SETTING, copy, "fields", stated)
            lines.append(request.texts("staff.copy_described"))
        elif copy is not None:
            lines.append(outdated_copy(document, request.texts, request.stage.capabilities.command_prefix))
        return "\n".join(lines)

    async def _one_received(self, request: Request) -> str:
        found = await self._received(request)
        return found[0] if len(found) == 1 else ""

    async def _received(self, request: Request) -> tuple[DocumentId, ...]:
        """The documents of the receipt that is answered, or of the newest one in the thread."""
        ref, replied = request.message.ref, request.message.reply_to
        if replied is not None:
            return documents_of(await self.journal.trace_of(replace(ref, message=replied)))
        return () if ref.thread in (None, ref.message) else self.queue.newest(ref)

    async def _may_change(self, request: Request) -> list[Document]:
        """The documents of this chat that this person may change, those of the last receipt first."""
        held = await self.documents.held(request.chat.collections)
        newest = self.queue.newest(request.message.ref)
        own = [each for each in held if each.collection != PUBLIC or request.role >= Role.PUBLISHER]
        return sorted(own, key=lambda each: (each.id not in newest, each.collection == PUBLIC))

    async def _choice(self, request: Request, command: str, documents: Sequence[Document]) -> Reply:
        """The documents that a command without a name could mean: with buttons, or as commands to type."""
        texts, can = request.texts, request.stage.capabilities
        prefix = can.command_prefix
        if not documents:
            return said(texts("staff.nothing_removed" if command == "restore" else "staff.no_choice"))
        pressed = documents[:OFFERED] if can.buttons else ()
        word, names = f"{prefix}{SPECS[command].word(texts.language)}", typed_names(documents)
        lines = [
            texts("staff.choice", command=word, title=each.fields.title, name=names[each.id])
            for each in documents[len(pressed) : LISTED]
        ]
        if len(documents) > LISTED:
            lines.append(texts("info.more", count=len(documents) - LISTED))
        head = texts("staff.which_of")
        if command == "describe":
            head = request.hint("staff.usage_describe", document=example_name(documents))
        labels = [(button_label(each, documents), each.id) for each in pressed]
        buttons = tuple((Button(label=label, command=f"/{command} {name}"),) for label, name in labels)
        return Reply(blocks=(head, "\n".join(lines)) if lines else (head,), buttons=buttons)

    @handles("remove")
    async def _remove(self, request: Request, command: Command) -> Reply:
        if not command.rest:
            return await self._choice(request, "remove", await self._may_change(request))
        document = await self._found(request, command.rest)
        _, until = await self.lifecycle.remove(document.id)
        await self._audit(request, AuditAction.REMOVE, document)
        day: date | str = request.texts.day_of(until) if until else "–"
        restorable = await self.lifecycle.restorable(request.chat.collections)
        name = typed_names([document, *(each for each in restorable if each.id != document.id)])[document.id]
        title, prefix = document.fields.title, request.stage.capabilities.command_prefix
        return said(request.texts("staff.removed", title=title, until=day, name=name, prefix=prefix))

    @handles("restore")
    async def _restore(self, request: Request, command: Command) -> Reply:
        """Restore a document; only publishers may restore public ones."""
        own = tuple(
            name for name in request.chat.collections if name != PUBLIC or request.role >= Role.PUBLISHER
        )
        if not command.rest:
            return await self._choice(request, "restore", await self.lifecycle.restorable(own))
        document = await self.lifecycle.restore(command.rest, own)
        await self._audit(request, AuditAction.RESTORE, document)
        return said(request.texts("staff.restored", title=document.fields.title))

    @handles("publish")
    async def _publish(self, request: Request, command: Command) -> Reply:
        if not command.rest:
            held = await self.queue.receipts.copies.unpublished(request.chat.collections)
            return await self._choice(request, "publish", held)
        document = await self._found(request, command.rest, changing=False)
        copy = await self.publishing.publish(document, PUBLIC)
        await self._audit(request, AuditAction.PUBLISH, document, "copy", copy.id)
        prefix, title = request.stage.capabilities.command_prefix, copy.fields.title
        return said(
            request.texts(
                "staff.published", title=title, collection=PUBLIC, prefix=prefix, file=document.file
            )
        )

    @handles("unpublish")
    async def _unpublish(self, request: Request, command: Command) -> Reply:
        if not command.rest:
            held = await self.queue.receipts.copies.published(request.chat.collections)
            originals = with_copies(held)
            return await self._choice(request, "unpublish", [each for each in held if each.id in originals])
        document = await self._found(request, command.rest, changing=False)
        own = document.collection == PUBLIC
        public = document if own else await self.publishing.copy_of(document, PUBLIC)
        cited = await self.queue.receipts.copies.answers(public) if public else ()
        copy = await self.publishing.unpublish(document, PUBLIC)
        await self._audit(request, AuditAction.REMOVE, copy, "published", document.id)
        cause = folder_name(request.message)
        told = await self.threads.tell(copy, cited, cause=cause, at=request.now)
        texts = request.texts
        lines = [texts("staff.unpublished", title=copy.fields.title, collection=PUBLIC)]
        lines += [texts("staff.told_unpublished", count=told)] if told else []
        return said("\n".join(lines))

    @handles("reingest")
    async def _reingest(self, request: Request, command: Command) -> Reply:
        if not command.rest:
            return await self._choice(request, "reingest", await self._may_change(request))
        document = await self._found(request, command.rest)
        receipt = await self.publishing.reingest(document)
        await self._audit(request, AuditAction.INGEST, document)
        receipts, can = self.queue.receipts, request.stage.capabilities
        found = await receipts.of_file(receipt, request.texts, can.command_prefix)
        return receipts.said([found], request.texts, can)

    async def _audit(
        self, request: Request, action: AuditAction, document: Document, name: str = "", value: str = ""
    ) -> None:
        values = {name: value} if name else {}
        await self.held.audit.noted(action, document, actor=request.person, **values)
