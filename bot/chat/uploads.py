"""Files that staff send: fetched and read one after the other by one worker, then a receipt.

A job is a folder with `job.json` and, once fetched, the files; it is there before the message counts as done,
and goes when its receipt is queued. Neither fetching nor reading takes a worker away from questions. What a
person sends message by message is told in one receipt, which grows (`Batches`).
"""

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from operator import itemgetter
from pathlib import Path

from pydantic import TypeAdapter

from bot.chat.guard import check_exposure
from bot.chat.receipts import FileReceipt, Receipts
from bot.chat.request import Stage
from bot.files import write_file, writing_to
from bot.library.audit import AuditTrail
from bot.library.intake import IngestOptions, Intake
from bot.presentation.i18n import Texts
from bot.presentation.presenter import Presenter
from core.domain.ids import DocumentId
from core.domain.journal import Pseudonym, chat_key
from core.domain.messages import Attachment, IncomingMessage, MessageRef, Reply
from core.domain.rich_text import joined
from core.domain.stamps import is_within
from core.errors import Broken, FundstelleError, Refused, Unavailable

UPLOADS = "uploads"
"""Folder of the files that wait to be read, in the data folder."""

JOB = "job.json"
BROKEN = ".broken"
"""Suffix for unreadable job files."""
MAX_FILES = 20
"""Maximum files in one message."""

_ASKED = 3
_LONGEST_PAUSE_S = 10.0
"""How often a platform that does not answer is asked who reads along, and seconds between at most."""

_PLAIN = 0.8
"""Part of a message that may be words: signs for what is drawn need the rest."""

SHOWN_EVERY = 0.1
"""Fraction of the work after which the progress is shown again."""

_LOG = logging.getLogger(__name__)
TOGETHER = timedelta(minutes=2)
"""Maximum time between files that belong together."""

MOST = 20
"""Maximum files in one receipt."""

_KEPT = 1000


@dataclass(slots=True)
class Batch:
    """Files that belong together. `first` is the message whose answer tells of them, `last` when one was sent
    last, `sent` how many were."""

    first: IncomingMessage
    last: datetime
    sent: int = 0
    files: list[FileReceipt] = field(default_factory=list)

    @property
    def documents(self) -> tuple[DocumentId, ...]:
        """The documents read from them, without repetition."""
        return tuple(dict.fromkeys(each.document for each in self.files if each.document))


class Batches:
    """The batches of the last messages with files; in memory: a restart begins a new one."""

    def __init__(self) -> None:
        self._open: dict[Hashable, Batch] = {}
        self._newest: dict[Hashable, Batch] = {}
        self._told_in: dict[Hashable, Batch] = {}

    def joined(self, message: IncomingMessage) -> IncomingMessage | None:
        """Take the files of `message` in; the message whose receipt will tell of them, None where that is its
        own."""
        batch, count = self._open.get(_whose(message)), len(message.attachments)
        if batch is None or batch.sent + count > MOST or self._is_over(batch, message):
            self.begun_anew(message)
            return None
        batch.last, batch.sent = message.received_at, batch.sent + count
        return None if batch.first.ref == message.ref else batch.first

    def _is_over(self, batch: Batch, message: IncomingMessage) -> bool:
        return not is_within(batch.last, message.received_at, TOGETHER)

    def of(self, message: IncomingMessage, first: IncomingMessage | None) -> Batch:
        """The batch of a message that was taken in; a new one where the receipt of `first` is not known any
        more."""
        start = (first or message).ref
        return self._told_in.get(start) or self.begun_anew(message, start)

    def begun_anew(self, message: IncomingMessage, *starts: MessageRef) -> Batch:
        """A batch that `message` is the first of, which what belonged to `starts` belongs to from now on."""
        batch = Batch(first=message, last=message.received_at, sent=len(message.attachments))
        _keep(self._open, _whose(message), batch)
        _keep(self._newest, _where(message.ref), batch)
        _keep(self._newest, (chat_key(message.ref), message.ref.thread), batch)
        for start in (message.ref, *starts):
            _keep(self._told_in, start, batch)
        return batch

    def settle(self, document: DocumentId) -> None:
        """Somebody has looked at the receipt of `document`: the next file gets one of its own."""
        for key in [key for key, batch in self._open.items() if document in batch.documents]:
            del self._open[key]

    def newest(self, ref: MessageRef) -> tuple[DocumentId, ...]:
        """The documents of the last batch where `ref` stands."""
        batch = self._newest.get(_where(ref))
        return batch.documents if batch else ()


def _keep(known: dict[Hashable, Batch], key: Hashable, batch: Batch) -> None:
    known.pop(key, None)
    known[key] = batch
    while len(known) > _KEPT:
        del known[next(iter(known))]


def _where(ref: MessageRef) -> Hashable:
    """The thread of a message; where answers open one below each message, that is not yet one."""
    return chat_key(ref), None if ref.thread == ref.message else ref.thread


def _whose(message: IncomingMessage) -> Hashable:
    return _where(message.ref), message.sender


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadJob:
    """The files of a message, to be read in the order sent; `max_bytes` of each. `first`: the message whose
    receipt tells of them, where it is not their own."""

    id: str
    message: IncomingMessage
    language: str
    options: IngestOptions
    max_bytes: int
    first: IncomingMessage | None = None


_JOBS = TypeAdapter(UploadJob)
Post = Callable[[IncomingMessage, Reply, IncomingMessage], Awaitable[None]]
"""Delivers what is said of the job of a message, in the place of what answered another one (or itself)."""

StageOf = Callable[[IncomingMessage], Awaitable[Stage]]
"""The chat that a job came from."""


@dataclass(slots=True)
class UploadQueue:
    """Keeps jobs and works them off."""

    folder: Path
    intake: Intake
    receipts: Receipts
    presenter: Presenter
    audit: AuditTrail
    _more: asyncio.Event = field(default_factory=asyncio.Event)
    batches: Batches = field(default_factory=Batches)

    def add(self, job: UploadJob) -> None:
        """Take over a job."""
        folder = self.folder / job.id
        write_file(folder / JOB, _JOBS.dump_json(job))
        self._more.set()

    def waiting(self) -> list[UploadJob]:
        """Jobs in the order they were taken over."""
        found = [(at, job) for path in self.folder.glob(f"*/{JOB}") for at, job in _stored(path)]
        return [job for _, job in sorted(found, key=itemgetter(0))]

    async def run(self, stage_of: StageOf, post: Post, every_s: float | None = None) -> None:
        """Work off jobs one after the other, until cancelled. Raises what went wrong with the first of those
        that are still there. `every_s`: seconds after which it looks for what another process has taken
        over."""
        while True:
            self._more.clear()
            errors: list[Exception] = []
            for job in await asyncio.to_thread(self.waiting):
                try:
                    await self._done(job, stage_of, post)
                except Exception as error:  # an error in one job must not hold up the others
                    errors.append(error)
            if errors:
                raise errors[0]
            with suppress(TimeoutError):
                async with asyncio.timeout(every_s):
                    await self._more.wait()

    async def _done(self, job: UploadJob, stage_of: StageOf, post: Post) -> None:
        place = self.batches.of(job.message, job.first)
        try:
            said = await self.work(job, await stage_of(place.first))
            place = self.batches.of(job.message, job.first)
        except FundstelleError as error:
            texts = self.presenter.texts(job.language)
            said = Reply(blocks=(self.presenter.error(error, texts.language),))
        except Exception:
            _LOG.exception("an upload could not be read")
            said = Reply(blocks=(self.presenter.texts(job.language)("error.unexpected"),))
        told = place.first if said.collections or not place.files else job.message  # else no receipt
        try:
            await post(job.message, replace(said, language=job.language), told)
        except Broken as error:
            _LOG.error("nobody hears of an upload: %s", error.key)
        self.drop(job)

    async def work(self, job: UploadJob, stage: Stage) -> Reply:
        """Fetch and read the files of a job; the receipt of all files of its batch, in the place of the
        progress where that can be."""
        texts = self.presenter.texts(job.language)
        batch = self.batches.of(job.message, job.first)
        progress = _Progress(stage, texts, batch.files, self.receipts)
        showing = asyncio.create_task(progress.run())
        try:
            found = await self._read(job, stage, texts, progress)
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)
        await check_closed(stage)
        said = self.receipts.said([*batch.files, *found], texts, stage.capabilities)
        if batch.files and not _fits(said, stage):
            batch = self.batches.begun_anew(job.message, batch.first.ref)
            said = self.receipts.said(found, texts, stage.capabilities)
        batch.files += found
        return replace(said, replaces=stage.shown, collections=(job.options.collection or "",))

    async def _read(
        self, job: UploadJob, stage: Stage, texts: Texts, progress: "_Progress"
    ) -> list[FileReceipt]:
        """Fetch and read the files of a job; what became of each."""
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
        """The documents of the last receipt in a thread (or in a chat beside its threads) since the start."""
        return self.batches.newest(ref)

    async def _fetched(
        self, job: UploadJob, stage: Stage, texts: Texts
    ) -> tuple[list[Path], list[tuple[str, str]]]:
        """The files in the job's folder; and name and reason of those that could not be had."""
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

    def drop(self, job: UploadJob) -> None:
        """Delete a finished job."""
        shutil.rmtree(self.folder / job.id, ignore_errors=True)


def broken_jobs(folder: Path) -> list[Path]:
    """Jobs in the folder of uploads that could not be read and were set aside."""
    return sorted(folder.glob(f"*/{JOB}{BROKEN}"))


def _stored(path: Path) -> list[tuple[int, UploadJob]]:
    """When a job was taken over, and what it is; nothing where it was just done with, or cannot be read."""
    try:
        at, content = path.stat().st_mtime_ns, path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        _LOG.error("a job of an upload cannot be read now: %s", error.strerror)
        return []
    try:
        job = _JOBS.validate_json(content)
        if job.id != path.parent.name:
            raise ValueError("the job of another folder")
    except ValueError:
        path.replace(path.with_name(path.name + BROKEN))
        _LOG.error("a job of an upload is damaged and was set aside: %s", path.parent.name)
        return []
    return [(at, job)]


def check_size(attachment: Attachment, limit: int) -> None:
    """Raises Refused("upload.too_large") where the sender says that a file has more than `limit` bytes."""
    if attachment.size is not None and attachment.size > limit:
        detail = f"{attachment.name} is larger than {limit} bytes"
        raise Refused("upload.too_large", detail, name=attachment.name, megabytes=limit // 1_000_000)


async def check_closed(stage: Stage) -> None:
    """Raises Refused("guard.exposure") where others have come to read the chat since the files were taken
    over, or nobody can say: what the library says of documents is not for them."""
    for _ in range(_ASKED):
        try:
            check_exposure(await stage.exposure())
            return
        except Unavailable as error:
            _LOG.warning("the exposure of a chat could not be confirmed: %s", error.key)
            await asyncio.sleep(min(error.retry_after_s, _LONGEST_PAUSE_S))
    check_exposure(None)


def _fits(said: Reply, stage: Stage) -> bool:
    """Whether a receipt goes into one message, whatever the platform's signs for what is drawn cost."""
    limit = stage.capabilities.max_text
    return limit is None or sum(len(block) + 2 for block in said.blocks) <= limit * _PLAIN


class _Progress:
    """Shows how far it is, now and then: people read along, nobody waits for it. `before` are the files that
    the receipt tells of already, `files` those that were read since."""

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
            said = self._receipts.said(files, self._texts, self._stage.capabilities, self._said)
            await self._stage.show(joined(said.blocks, "\n\n"))
            await asyncio.sleep(1.0)
