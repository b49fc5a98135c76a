"""Files that staff send: kept first, read in line by one worker, then a receipt.

A job is a folder with the files and `job.json`; it is there before the message counts as done, and goes
when its receipt is queued. Reading never takes a worker away from questions.
"""

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from bot.app import App
from bot.i18n import Texts
from bot.intake import IngestOptions
from bot.receipts import Receipts
from bot.talk.turn import Said, Stage
from core.domain.ingestion import IngestReceipt
from core.domain.messages import IncomingMessage
from core.errors import FundstelleError

JOB = "job.json"
SHOWN_EVERY = 0.1
"""Part of the work after which the progress is shown again."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadJob:
    """Files to read for a message, in the order sent. `refused` holds what could not be fetched: name and
    reason."""

    id: str
    message: IncomingMessage
    language: str
    options: IngestOptions
    files: tuple[str, ...]
    refused: tuple[tuple[str, str], ...] = ()


_JOBS = TypeAdapter(UploadJob)
Post = Callable[[IncomingMessage, Said], Awaitable[None]]
"""Delivers what is said of a job that is done."""

StageOf = Callable[[IncomingMessage], Awaitable[Stage]]
"""The chat that a job came from."""


@dataclass(slots=True)
class UploadQueue:
    """Keeps jobs and works them off."""

    app: App
    folder: Path
    receipts: Receipts
    _more: asyncio.Event = field(default_factory=asyncio.Event)

    def room(self, job: str) -> Path:
        """The folder for a job's files, empty."""
        folder = self.folder / job
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def add(self, job: UploadJob) -> None:
        """Take over a job whose files lie in its room."""
        text = _JOBS.dump_json(job)
        part = self.folder / job.id / f"{JOB}.part"
        part.write_bytes(text)
        part.replace(self.folder / job.id / JOB)
        self._more.set()

    def waiting(self) -> list[UploadJob]:
        """Jobs in the order they were taken over; a room without a job was never finished and is left for
        the message to be handled again."""
        found = sorted(self.folder.glob(f"*/{JOB}"), key=lambda path: path.stat().st_mtime_ns)
        return [_JOBS.validate_json(path.read_bytes()) for path in found]

    async def run(self, stage_of: StageOf, post: Post) -> None:
        """Work off jobs one after the other, until cancelled."""
        while True:
            self._more.clear()
            for job in await asyncio.to_thread(self.waiting):
                await self._done(job, stage_of, post)
            await self._more.wait()

    async def _done(self, job: UploadJob, stage_of: StageOf, post: Post) -> None:
        try:
            said = await self.work(job, await stage_of(job.message))
        except FundstelleError as error:
            texts = self.app.presenter.texts(job.language)
            said = Said(blocks=(self.app.presenter.error(error, texts.language),))
        except Exception:
            _LOG.exception("an upload could not be read")
            said = Said(blocks=(self.app.presenter.texts(job.language)("error.unexpected"),))
        await post(job.message, said)
        self.drop(job)

    async def work(self, job: UploadJob, stage: Stage) -> Said:
        """Read the files of a job; the receipt, in the place of the progress where that can be."""
        texts = self.app.presenter.texts(job.language)
        progress = _Progress(stage, texts)
        room = self.folder / job.id
        receipts: list[IngestReceipt] = []
        showing = asyncio.create_task(progress.run())
        try:
            paths = [str(room / name) for name in job.files]
            async for receipt in self.app.intake.ingest(paths, job.options, None, progress.report):
                receipts.append(receipt)
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)
        return await self.receipts.said(job, receipts, texts, replaces=stage.shown)

    def drop(self, job: UploadJob) -> None:
        """Forget a job that is done."""
        shutil.rmtree(self.folder / job.id, ignore_errors=True)


class _Progress:
    """Shows how far it is, now and then: people read along, nobody waits for it."""

    def __init__(self, stage: Stage, texts: Texts) -> None:
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
            await self._stage.show(self._said)
            await asyncio.sleep(1.0)
