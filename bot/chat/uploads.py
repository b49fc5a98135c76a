"""Files that staff send: fetched and read one after the other by one worker, then a receipt.

A job is a file `uploads/ID/job.json` in the store that all processes share; it is written before the message
counts as done, and deleted when its receipt is queued. The files themselves are fetched when their turn
comes. Neither fetching nor reading takes a worker away from questions. Files that a person sends message by
message share one growing receipt (`Batches`).
"""

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from pydantic import TypeAdapter

from bot.chat.guard import check_exposure
from bot.chat.memory import WORDS, ChatMemory, Remembered
from bot.chat.receipts import FileReceipt, Receipts
from bot.chat.request import Stage
from bot.files import writing_to
from bot.library.audit import AuditTrail
from bot.library.intake import IngestOptions, Intake
from bot.library.lifecycle import UPLOADS
from bot.presentation.i18n import Texts
from bot.presentation.presenter import Presenter
from core.domain.ids import DocumentId
from core.domain.journal import ChatKey, Pseudonym, chat_key
from core.domain.messages import Attachment, IncomingMessage, MessageRef, Reply
from core.domain.rich_text import joined
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.ports.clock import is_within
from core.ports.storage import FileStore
from core.recent import Recent

JOB = "job.json"
BROKEN = ".broken"
"""Suffix for unreadable job files."""
MAX_FILES = 20
"""Maximum files in one message."""

_ASKED = 3
_LONGEST_PAUSE_S = 10.0
"""How often an unresponsive platform is asked who can read along, and the maximum seconds in between."""

_PLAIN = 0.8
"""Share of a message available for words: formatting needs the rest."""

SHOWN_EVERY = 0.1
"""Fraction of the work after which the progress is shown again."""

_LOG = logging.getLogger(__name__)
TOGETHER = timedelta(minutes=2)
"""Maximum time between files that belong together."""

MOST = 20
"""Maximum files in one receipt."""

_KEPT = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBatch:
    """A batch that further files may join. `first` is the message whose reply is their receipt, `last` when
    the last one was sent, `sent` how many were."""

    first: IncomingMessage
    last: datetime
    sent: int


@dataclass(slots=True)
class Batch:
    """The documents of a receipt, which answers the message `first`."""

    first: IncomingMessage
    files: list[FileReceipt] = field(default_factory=list)

    @property
    def documents(self) -> tuple[DocumentId, ...]:
        """The documents read from them, without repetition."""
        return tuple(dict.fromkeys(each.document for each in self.files if each.document))


class Batches:
    """The batches of the latest messages with files. Which are open, and the documents of the newest
    receipts, are in the memory of chats; the receipts themselves are in that of the process that writes them:
    a restart begins a new one."""

    def __init__(self, memory: ChatMemory) -> None:
        self._open = Remembered[OpenBatch](memory, "open batch", OpenBatch, WORDS)
        self._newest = Remembered[tuple[str, ...]](memory, "newest receipt", tuple[str, ...])
        self._told_in = Recent[MessageRef, Batch](_KEPT)

    def joined(self, message: IncomingMessage) -> IncomingMessage | None:
        """Add the files of `message`; returns the message whose receipt will cover them, None if that is its
        own."""
        found, count = self._open.get(*_whose(message)), len(message.attachments)
        if (
            found is None
            or found.sent + count > MOST
            or not is_within(found.last, message.received_at, TOGETHER)
        ):
            self._begin(message)
            return None
        now = replace(found, last=message.received_at, sent=found.sent + count)
        self._open.put(*_whose(message), value=now)
        return None if found.first.ref == message.ref else found.first

    def _begin(self, message: IncomingMessage) -> None:
        begun = OpenBatch(first=message, last=message.received_at, sent=len(message.attachments))
        self._open.put(*_whose(message), value=begun)
        self._tell_newest(message.ref, ())

    def of(self, message: IncomingMessage, first: IncomingMessage | None) -> Batch:
        """The batch of a message that was added; a new one if the receipt of `first` is no longer known."""
        start = (first or message).ref
        if (known := self._told_in.get(start)) is not None:
            return known
        if self._open.get(*_whose(message)) is None:
            self._begin(message)
        return self.begun_anew(message, start)

    def begun_anew(self, message: IncomingMessage, *starts: MessageRef) -> Batch:
        """A batch that begins with `message` and takes over what belonged to `starts`."""
        batch = Batch(first=message)
        for start in (message.ref, *starts):
            self._told_in[start] = batch
        return batch

    def told(self, batch: Batch) -> None:
        """Record that its receipt now covers its documents."""
        self._tell_newest(batch.first.ref, batch.documents)

    def _tell_newest(self, ref: MessageRef, documents: tuple[DocumentId, ...]) -> None:
        for thread in {_thread(ref), ref.thread or ""}:
            self._newest.put(chat_key(ref), thread, value=documents)

    def settle(self, document: DocumentId, chat: ChatKey) -> None:
        """Note that somebody has responded to the receipt of `document`: the next file gets its own
        receipt."""
        for key, found in self._open.all(chat).items():
            if document in self.newest(found.first.ref):
                self._open.drop(chat, *key)

    def newest(self, ref: MessageRef) -> tuple[DocumentId, ...]:
        """The documents of the last batch in the thread of `ref`."""
        return tuple(map(DocumentId, self._newest.get(chat_key(ref), _thread(ref)) or ()))


def _thread(ref: MessageRef) -> str:
    """The thread of a message; on platforms where answers open a thread below each message, a message alone
    is not one."""
    return "" if ref.thread in (None, ref.message) else ref.thread


def _whose(message: IncomingMessage) -> tuple[ChatKey, str, str]:
    return chat_key(message.ref), _thread(message.ref), message.sender


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadJob:
    """The files of a message, to be read in the order sent; `max_bytes` of each. `first`: the message whose
    receipt covers them, if it is not their own."""

    id: str
    message: IncomingMessage
    language: str
    options: IngestOptions
    max_bytes: int
    first: IncomingMessage | None = None


_JOBS = TypeAdapter(UploadJob)
Post = Callable[[IncomingMessage, Reply, IncomingMessage], Awaitable[None]]
"""Delivers the receipt for a message's job, replacing the reply to another message (or to itself)."""

StageOf = Callable[[IncomingMessage], Awaitable[Stage]]
"""The chat that a job came from."""


@dataclass(slots=True)
class UploadQueue:
    """Keeps jobs in `store` and processes them, with their files in `folder` meanwhile. `more` is set when
    there are jobs; `tell` wakes the process that does them, which may be another one. `earlier` is a store
    with jobs from before this one."""

    store: FileStore
    folder: Path
    intake: Intake
    receipts: Receipts
    presenter: Presenter
    audit: AuditTrail
    memory: ChatMemory = field(default_factory=ChatMemory)
    earlier: FileStore | None = None
    tell: Callable[[], Awaitable[None]] | None = None
    more: asyncio.Event = field(default_factory=asyncio.Event)
    batches: Batches = field(init=False)

    def __post_init__(self) -> None:
        self.batches = Batches(self.memory)

    async def add(self, job: UploadJob) -> None:
        """Accept a job. Raises Unavailable or Broken if it cannot be stored."""
        await self.store.put(_key(job.id), _JOBS.dump_json(job))
        self.more.set()
        if self.tell is not None:
            with suppress(FundstelleError):  # it is looked for all the same
                await self.tell()

    async def waiting(self) -> list[UploadJob]:
        """Jobs in the order they were accepted."""
        files = [file async for file in self.store.listing(f"{UPLOADS}/") if _is_job(file.key)]
        found = [(file.changed_at, job) for file in files if (job := await self._stored(file.key))]
        found.sort(key=lambda each: (each[0], each[1].message.received_at))
        return [job for _, job in found]

    async def _stored(self, key: str) -> UploadJob | None:
        """The job at `key`; None if it was just finished, or cannot be read."""
        async with self.store.borrowed(key) as path:
            try:
                content = await asyncio.to_thread(path.read_bytes) if path else None
            except FileNotFoundError:
                return None
            except OSError as error:
                _LOG.error("a job of an upload cannot be read now: %s", error.strerror)
                return None
        if content is None:
            return None
        try:
            job = _JOBS.validate_json(content)
            if _key(job.id) != key:
                raise ValueError("the job of another folder")
        except ValueError:
            await self.store.put(key + BROKEN, content)
            await self.store.delete(key)
            _LOG.error("a job of an upload is damaged and was set aside: %s", key)
            return None
        return job

    async def _adopt(self, earlier: FileStore) -> None:
        """Take over the jobs waiting in the earlier store."""
        async for file in earlier.listing(f"{UPLOADS}/"):
            if _is_job(file.key) and (path := await earlier.open(file.key)):
                await self.store.put(file.key, path)
                await earlier.delete(file.key)

    async def run(self, stage_of: StageOf, post: Post, every_s: float | None = None) -> None:
        """Process jobs one after the other, until cancelled. Raises the error of the first job that remains.
        `every_s`: seconds between checks for jobs accepted by other processes."""
        if self.earlier is not None:
            await self._adopt(self.earlier)
        while True:
            self.more.clear()
            errors: list[Exception] = []
            for job in await self.waiting():
                try:
                    await self._done(job, stage_of, post)
                except Exception as error:  # an error in one job must not hold up the others
                    errors.append(error)
            if errors:
                raise errors[0]
            with suppress(TimeoutError):
                async with asyncio.timeout(every_s):
                    await self.more.wait()

    async def _done(self, job: UploadJob, stage_of: StageOf, post: Post) -> None:
        place = await self._batch(job)
        try:
            receipt = await self.work(job, await stage_of(place.first))
            place = await self._batch(job)
        except FundstelleError as error:
            texts = self.presenter.texts(job.language)
            receipt = Reply(blocks=(self.presenter.error(error, texts.language),))
        except Exception:
            _LOG.exception("an upload could not be read")
            receipt = Reply(blocks=(self.presenter.texts(job.language)("error.unexpected"),))
        told = place.first if receipt.collections or not place.files else job.message  # else no receipt
        try:
            await post(job.message, replace(receipt, language=job.language), told)
        except Broken as error:
            _LOG.error("nobody hears of an upload: %s", error.key)
        await self.drop(job)

    async def work(self, job: UploadJob, stage: Stage) -> Reply:
        """Fetch and read the files of a job; the receipt of all files of its batch replaces the progress
        message if possible."""
        texts = self.presenter.texts(job.language)
        batch = await self._batch(job)
        progress = _Progress(stage, texts, batch.files, self.receipts)
        showing = asyncio.create_task(progress.run())
        try:
            found = await self._read(job, stage, texts, progress)
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)
        await check_closed(stage)
        receipt = self.receipts.said([*batch.files, *found], texts, stage.capabilities)
        if batch.files and not _fits(receipt, stage):
            batch = self.batches.begun_anew(job.message, batch.first.ref)
            receipt = self.receipts.said(found, texts, stage.capabilities)
        batch.files += found
        async with self.memory.of(chat_key(job.message.ref)):
            self.batches.told(batch)
        return replace(receipt, replaces=stage.shown, collections=(job.options.collection or "",))

    async def _batch(self, job: UploadJob) -> Batch:
        async with self.memory.of(chat_key(job.message.ref)):
            return self.batches.of(job.message, job.first)

    async def _read(
        self, job: UploadJob, stage: Stage, texts: Texts, progress: "_Progress"
    ) -> list[FileReceipt]:
        """Fetch and read the files of a job; returns the outcome of each."""
        paths, refused = await self._fetched(job, stage, texts)
        found = progress.files
        found += [self.receipts.not_fetched(name, why, texts) for name, why in refused]
        prefix = stage.capabilities.command_prefix
        sources = [str(path) for path in paths]
        async for receipt in self.intake.ingest(sources, job.options, None, progress.report):
            found.append(await self.receipts.of_file(receipt, texts, prefix))
            await self.audit.ingested(receipt, actor=self._sender(job))
        return found

    def _sender(self, job: UploadJob) -> Pseudonym:
        ref = job.message.ref
        return self.audit.journal.pseudonyms.person(ref.platform, ref.workspace, job.message.sender)

    def newest(self, ref: MessageRef) -> tuple[DocumentId, ...]:
        """The documents of the last receipt in a thread (or in a chat outside threads) since the start."""
        return self.batches.newest(ref)

    async def _fetched(
        self, job: UploadJob, stage: Stage, texts: Texts
    ) -> tuple[list[Path], list[tuple[str, str]]]:
        """The files in the job's folder; and the names of those that could not be fetched, with the
        reason."""
        room = self.folder / job.id / "files"
        shutil.rmtree(room, ignore_errors=True)
        fetched: list[Path] = []
        refused = []
        for number, attachment in enumerate(job.message.attachments[:MAX_FILES]):
            own = room / str(number)
            try:
                check_size(attachment, job.max_bytes)
                with writing_to(own):
                    own.mkdir(parents=True)
                    path = await stage.fetch(attachment, own, max_bytes=job.max_bytes)
            except FundstelleError as error:
                refused.append((attachment.name, self.presenter.error(error, texts.language)))
                continue
            except Exception:
                _LOG.exception("a file of an upload could not be fetched")
                refused.append((attachment.name, texts("error.unexpected")))
                continue
            if any(
                path.name == other.name for other in fetched
            ):  # a name is a document, the next its version
                refused.append((attachment.name, texts("upload.same_name")))
            else:
                fetched.append(path)
        rest = job.message.attachments[MAX_FILES:]
        refused += [(item.name, texts("upload.too_many", limit=MAX_FILES)) for item in rest]
        return fetched, refused

    async def drop(self, job: UploadJob) -> None:
        """Delete a finished job, and its files here."""
        await self.store.delete(_key(job.id))
        await asyncio.to_thread(shutil.rmtree, self.folder / job.id, ignore_errors=True)


async def broken_jobs(store: FileStore) -> list[str]:
    """The names of jobs that could not be read and were set aside."""
    listing = store.listing(f"{UPLOADS}/")
    return [PurePosixPath(file.key).parent.name async for file in listing if file.key.endswith(JOB + BROKEN)]


def _key(job: str) -> str:
    return f"{UPLOADS}/{job}/{JOB}"


def _is_job(key: str) -> bool:
    return PurePosixPath(key).match(f"{UPLOADS}/*/{JOB}")


def check_size(attachment: Attachment, limit: int) -> None:
    """Raises Refused("upload.too_large") if the sender says that a file has more than `limit` bytes."""
    if attachment.size is not None and attachment.size > limit:
        detail = f"{attachment.name} is larger than {limit} bytes"
        raise Refused("upload.too_large", detail, name=attachment.name, megabytes=limit // 1_000_000)


async def check_closed(stage: Stage) -> None:
    """Raises Refused("guard.exposure") if others have gained access to the chat since the files were
    accepted, or if that is unknown: information about documents is not for them."""
    for _ in range(_ASKED):
        try:
            check_exposure(await stage.exposure())
            return
        except Unavailable as error:
            _LOG.warning("the exposure of a chat could not be confirmed: %s", error.key)
            await asyncio.sleep(min(error.retry_after_s, _LONGEST_PAUSE_S))
    check_exposure(None)


def _fits(said: Reply, stage: Stage) -> bool:
    """Whether a receipt fits into one message, however much the platform's formatting takes."""
    limit = stage.capabilities.max_text
    return limit is None or sum(len(block) + 2 for block in said.blocks) <= limit * _PLAIN


class _Progress:
    """Shows progress now and then: people read along, but nothing waits for it. `before` are the files
    already in the receipt, `files` those that were read since."""

    def __init__(self, stage: Stage, texts: Texts, before: Sequence[FileReceipt], receipts: Receipts) -> None:
        self.files: list[FileReceipt] = []
        self._before = before
        self._receipts = receipts
        self._stage = stage
        self._texts = texts
        self._said = ""
        self._shown = ("", -1.0)
        self._new = asyncio.Event()

    def report(self, file: str, step: str, done: int, total: int) -> None:
        """Called by the ingestion."""
        part = done / total if total else 1.0
        if self._shown[0] != f"{file} {step}" or part - self._shown[1] >= SHOWN_EVERY or done == total:
            self._shown = (f"{file} {step}", part)
            self._said = self._texts(f"upload.{step}", file=file, done=done, total=total)
            self._new.set()

    async def run(self) -> None:
        """Show the newest state, never more often than once a second."""
        while True:
            await self._new.wait()
            self._new.clear()
            files = (*self._before, *self.files)
            receipt = self._receipts.said(files, self._texts, self._stage.capabilities, self._said)
            await self._stage.show(joined(receipt.blocks, "\n\n"))
            await asyncio.sleep(1.0)
