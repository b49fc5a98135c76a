"""Checks a source: whether it changed, whether the change needs approval, and when to check again; and
ingests new and changed files of watched folders and manifests."""

import asyncio
import logging
import shutil
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.library.intake import IngestOptions, Intake, is_hidden, source_request, url_file
from bot.library.sources.jobs import Jobs
from core.domain.documents import DocumentVersion, StoredFile, VersionStatus
from core.domain.ids import DocumentId
from core.domain.ingestion import (
    CheckResult,
    FetchedContent,
    Hold,
    HoldReason,
    IngestReceipt,
    IngestRequest,
    IngestStatus,
    Revision,
    SourceState,
    WatchedFile,
)
from core.domain.pages import Page
from core.domain.registry import Registry
from core.errors import FundstelleError, Refused, Unavailable
from core.library.ingestion import Ingester
from core.library.outcomes import error_of
from core.library.repairs import whole_original
from core.library.sources import ScheduledSource, Size, is_gone, retry_at
from core.ports.library import Library
from core.ports.sources import DocumentSource

TELL_AFTER = 5
"""Consecutive temporary failures after which people are told."""
AT_ONCE = 4
"""Sources checked concurrently; requests to one host are paced separately."""

_RESULTS = {
    IngestStatus.INDEXED: CheckResult.INDEXED,
    IngestStatus.UPDATED: CheckResult.UPDATED,
    IngestStatus.UNCHANGED: CheckResult.UNCHANGED,
    IngestStatus.DUPLICATE: CheckResult.UNCHANGED,
}

GONE_SIGN = f"{HoldReason.VANISHED.value}:"

Values = Mapping[str, str | int]
Remove = Callable[[DocumentId], Awaitable[object]]
Tell = Callable[[str, Values], Awaitable[None]]
"""Tells staff something: a text's key (`source....`) and its values."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class ShrinkGuard:
    """Keeps out a version that has much less content than the active one."""

    library: Library
    active: DocumentVersion
    shrank: tuple[Size, Size] | None = None

    async def __call__(self, version: DocumentVersion, pages: Sequence[Page]) -> None:
        """Raises Refused("source.held")."""
        kept = [len(page.text) async for page in self.library.pages(self.active.id)]
        before = Size(pages=len(kept), characters=sum(kept))
        now = Size(pages=version.pages, characters=sum(len(page.text) for page in pages))
        if now.shrank_from(before):
            self.shrank = (before, now)
            raise Refused("source.held", f"{now.pages} pages instead of {before.pages}")


async def log_only(key: str, values: Values) -> None:  # noqa: ARG001 - logs name no documents
    """Log the key if nobody can be told."""
    _LOG.warning("%s", key)


class Refresher:
    """Checks sources, each by one worker at a time. `tell` may be replaced."""

    def __init__(
        self, jobs: Jobs, source: DocumentSource, ingester: Ingester, remove: Remove, tell: Tell = log_only
    ) -> None:
        """`remove` takes a document out of the library."""
        self.jobs = jobs
        self.remove = remove
        self.tell = tell
        self._source = source
        self._ingester = ingester
        self._workers: dict[DocumentId, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._room = asyncio.Semaphore(AT_ONCE)
        self._reading = asyncio.Lock()

    def is_busy(self, document: DocumentId) -> bool:
        """Whether this source is being checked now."""
        return self._workers[document].locked()

    async def check(self, document: DocumentId) -> SourceState:
        """Check a source, or adopt its approved change; returns its new state. Raises Refused for a document
        without address and schedule; failures of the source are part of the result."""
        async with self._workers[document], self._room:
            sources = {source.id: source for source in await self.jobs.sources()}
            if document not in sources:
                raise Refused(
                    "document.unknown", f"document {document} has no address and schedule", name=document
                )
            source = sources[document]
            before = await self.jobs.journal.source(document) or SourceState(document=document)
            look = _Look(self, source, before)
            return await self._saved(before, await look.outcome())

    async def _saved(self, before: SourceState, after: SourceState) -> SourceState:
        """Save the state, unless the document is gone; a change approved meanwhile stays approved."""
        journal = self.jobs.journal
        now = await journal.source(after.document)
        if now and now.approved and not before.approved and now.hold and after.hold == now.hold:
            after = replace(after, approved=True, next_run=now.next_run)
        if after.next_run is None and after.error is None:
            await journal.drop_source(after.document)
        else:
            await journal.save_source(after)
        return after

    async def fetched(self, urls: Sequence[str], known: Revision | None) -> FetchedContent | None:
        """Fetch from the first address that responds. Raises the first one's error, unless that says that the
        document is gone and another address could not confirm it."""
        errors: list[FundstelleError] = []
        for url in urls:
            try:
                return await self._source.fetch(url, known=known)
            except (Refused, Unavailable) as error:
                errors.append(error)
        unclear = [error for error in errors if not is_gone(error)]
        raise unclear[0] if unclear else errors[0]

    async def ingested(self, request: IngestRequest) -> IngestReceipt:
        """The receipt for one file; files are read one after the other, so that answers stay quick."""
        async with self._reading:
            receipts = [receipt async for receipt in self._ingester.ingest([request])]
        return receipts[0]


@dataclass(slots=True)
class _Look:
    """One check of one source."""

    refresher: Refresher
    source: ScheduledSource
    before: SourceState

    @property
    def jobs(self) -> Jobs:
        return self.refresher.jobs

    async def outcome(self) -> SourceState:
        """The state after the check."""
        started = self.jobs.clock.now()
        try:
            taken = self.before.approved and self.before.hold is not None
            after = await (self._take_over() if taken else self._look())
        except FundstelleError as error:
            return await self._failed(error, started)
        except Exception as error:  # it is a failure of this source, kept and tried again later as any other
            _LOG.exception("a source could not be looked at")
            unexpected = Unavailable("source.unexpected", f"unexpected error: {type(error).__name__}")
            return await self._failed(unexpected, started)
        if after is None:
            return SourceState(document=self.source.id, result=CheckResult.UPDATED)
        return self._planned(replace(after, failures=0, error=None, checked_at=started), started)

    def _planned(self, state: SourceState, now: datetime) -> SourceState:
        try:
            return replace(state, next_run=self.jobs.plan(self.source.schedule, now))
        except Refused as error:
            return replace(state, next_run=None, error=error.key)

    async def _failed(self, error: FundstelleError, started: datetime) -> SourceState:
        failures = self.before.failures + 1
        state = replace(
            self.before,
            result=CheckResult.FAILED,
            error=error.key,
            failures=failures,
            approved=False,
            checked_at=started,
        )
        is_new = self.before.error != error.key and not isinstance(error, Unavailable)
        if is_new or failures == TELL_AFTER:
            await self._tell("source.failing", {"error": error.detail or error.key, "failures": failures})
        planned = self._planned(state, started).next_run
        if planned is None:
            return replace(state, next_run=None, error="schedule.invalid")
        return replace(state, next_run=retry_at(error, failures, now=started, planned=planned))

    async def _look(self) -> SourceState:
        active = await self._active()
        has_any = active is not None or self.before.result is CheckResult.UNCHANGED
        try:
            fetched = await self.refresher.fetched(
                self.source.urls, self.before.revision if has_any else None
            )
        except Refused as error:
            if active is not None and is_gone(error):
                return await self._held(
                    self.before, HoldReason.VANISHED, {"status": int(error.values["status"])}
                )
            raise
        if fetched is None:
            return await self._as_it_was()
        with tempfile.TemporaryDirectory(prefix="fundstelle-") as folder:
            path = Path(folder) / "fetched"
            await asyncio.to_thread(path.write_bytes, fetched.content)
            known = replace(self.before, revision=fetched.revision)
            return await self._compared(known, path, active)

    async def _active(self) -> DocumentVersion | None:
        versions = await self.jobs.library.versions(self.source.id)
        return next((each for each in versions if each.status is VersionStatus.ACTIVE), None)

    async def _as_it_was(self) -> SourceState:
        """The state for the same bytes as last time: still held, or still those of the active version."""
        hold = self.before.hold
        if hold is not None and hold.sha256 is not None:
            return replace(self.before, result=CheckResult.HELD)
        return await self._settled(self.before, CheckResult.UNCHANGED)

    async def _compared(self, known: SourceState, path: Path, active: DocumentVersion | None) -> SourceState:
        stored = await self.jobs.originals.inspect(path)
        if active is None:
            return await self._taken(known, source_request(self.source, path))
        if stored.sha256 == active.sha256:  # the manifest may say something else of it now
            if self.source.row is None:
                return await self._settled(known, CheckResult.UNCHANGED)
            return await self._taken(known, source_request(self.source, path))
        if any(sign(reason, stored) == known.dismissed for reason in HoldReason):
            return await self._settled(known, CheckResult.UNCHANGED)
        kept = await whole_original(self.jobs.originals, active.original, self.source.title)
        kind = (await self.jobs.originals.inspect(kept)).kind
        if stored.kind != kind:
            kinds = {"before": kind, "now": stored.kind}
            return await self._held(known, HoldReason.OTHER_KIND, kinds, path)
        guard = ShrinkGuard(self.jobs.library, active)
        try:
            return await self._taken(known, replace(source_request(self.source, path), accept=guard))
        except Refused:
            if guard.shrank is None:
                raise
        before, now = guard.shrank
        part = 100 * now.characters // max(before.characters, 1)
        sizes = {"before": before.pages, "now": now.pages, "part": part}
        return await self._held(known, HoldReason.SHRANK, sizes, path)

    async def _taken(self, known: SourceState, request: IngestRequest) -> SourceState:
        """Ingest the file. Raises Refused if it is refused."""
        receipt = await self.refresher.ingested(request)
        if receipt.status is IngestStatus.REFUSED:
            raise error_of(receipt, "source.refused")
        return await self._settled(known, _RESULTS[receipt.status])

    async def _settled(self, known: SourceState, result: CheckResult) -> SourceState:
        """The state with no held change."""
        if self.before.hold is not None:
            await self.jobs.drop_held(self.before.hold)
            await self._tell("source.approved" if self.before.approved else "source.recovered", {})
        known = known if known.dismissed != GONE_SIGN else replace(known, dismissed=None)
        return replace(known, result=result, hold=None, approved=False)

    async def _held(
        self, known: SourceState, reason: HoldReason, values: Values, path: Path | None = None
    ) -> SourceState:
        stored = await self.jobs.originals.keep(path) if path else None
        hold = Hold(
            reason=reason,
            at=self.jobs.clock.now(),
            sha256=stored.sha256 if stored else None,
            original=stored.original if stored else None,
            values=dict(values),
        )
        if hold.sign == known.dismissed:
            return replace(known, result=CheckResult.UNCHANGED, hold=None, approved=False)
        if self.before.hold and self.before.hold.sign == hold.sign:
            return replace(known, result=CheckResult.HELD)
        await self.jobs.drop_held(self.before.hold)
        await self._tell(f"source.{reason.value}", values)
        return replace(known, result=CheckResult.HELD, hold=hold, approved=False)

    async def _take_over(self) -> SourceState | None:
        """Carry out an approved change: new bytes are ingested, a document whose source vanished is
        removed."""
        hold = self.before.hold
        if hold is None or hold.original is None:
            await self.refresher.remove(self.source.id)
            await self._tell("source.removed", {})
            return None
        with tempfile.TemporaryDirectory(prefix="fundstelle-") as folder:
            path, held = Path(folder) / "held", await self.jobs.originals.whole(hold.original)
            if held is None:  # nobody can know any more what was approved
                self.before = replace(self.before, revision=None, hold=None, approved=False)
                return await self._look()
            await asyncio.to_thread(shutil.copyfile, held, path)
            try:
                return await self._taken(
                    replace(self.before, dismissed=None), source_request(self.source, path)
                )
            except FundstelleError:
                await self.jobs.originals.keep(path)  # it is still held
                raise

    async def _tell(self, key: str, values: Values) -> None:
        named = {"title": self.source.title, "url": self.source.urls[0], "document": self.source.id}
        await self.refresher.tell(key, {**named, **values})


def sign(reason: HoldReason, stored: StoredFile) -> str:
    """The signature that a hold of these bytes would have."""
    return f"{reason.value}:{stored.sha256}"


SETTLED = timedelta(seconds=5)
"""A file written to just now may be incomplete; it is checked next time."""

EPOCH = datetime.fromtimestamp(0, tz=UTC)
LARGEST = 2**63 - 1
"""A time in nanoseconds that fits the database; file systems allow times later than the year 2262."""

ReadManifest = Callable[[Path], Registry]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedFolder:
    """A folder whose files belong to a collection."""

    path: Path
    collection: str = "public"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Changes:
    """The differences from the last check."""

    new: tuple[WatchedFile, ...]
    gone: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Watcher:
    """Compares files with their last known state; a check costs a `stat` per file."""

    intake: Intake
    refresher: Refresher
    read_manifest: ReadManifest
    folders: Sequence[WatchedFolder]
    manifests: Sequence[Path]

    async def look(self) -> list[IngestReceipt]:
        """Check everything once; returns the receipts of the files that were read. Raises Refused if a
        manifest or folder cannot be read, after all others have been checked."""
        receipts: list[IngestReceipt] = []
        errors: list[Refused] = []
        for receipts_of in (
            *(self._manifest(path) for path in self.manifests),
            *(self._folder(folder) for folder in self.folders),
        ):
            try:
                receipts += [receipt async for receipt in receipts_of]
            except Refused as error:
                errors.append(error)
            except OSError as error:  # a folder that vanishes or cannot be read does not hide the others
                detail = f"a watched folder or manifest cannot be read: {error.strerror}; see [library] watch"
                errors.append(Refused("watch.unreadable", detail))
        if errors:
            raise errors[0]
        return receipts

    async def _manifest(self, manifest: Path) -> AsyncIterator[IngestReceipt]:
        """A manifest and the files that it lists; the documents that it schedules are fetched again."""
        if not await asyncio.to_thread(manifest.is_file):
            return
        listed = (await asyncio.to_thread(self.read_manifest, manifest)).documents
        paths = [manifest, *(manifest.parent / row.file for row in listed if row.file)]
        found = await self._differing(str(manifest), manifest.parent, paths)
        if not found.new and not found.gone:
            return
        belongs = {
            Path(row.file).name if row.file else url_file(row.url or ""): row.collection for row in listed
        }
        async for receipt in self.intake.refresh(manifest):
            await self._report(receipt, belongs.get(receipt.file))
            yield receipt
        await self._seen(str(manifest), found)
        if manifest.name in {file.path for file in found.new}:
            await self.refresher.jobs.fetch_listed(listed)

    async def _folder(self, folder: WatchedFolder) -> AsyncIterator[IngestReceipt]:
        paths = await asyncio.to_thread(self._files, folder.path)
        found = await self._differing(str(folder.path), folder.path, paths)
        options = IngestOptions(collection=folder.collection, root=folder.path, presumes=True)
        if found.new:
            named = [str(folder.path / file.path) for file in found.new]
            async for receipt in self.intake.ingest(named, options, None):
                await self._report(receipt, folder.collection)
                yield receipt
        for path in found.gone:
            values = {"file": path, "folder": str(folder.path), "collection": folder.collection}
            await self.refresher.tell("source.file_vanished", values)
        await self._seen(str(folder.path), found)

    def _files(self, folder: Path) -> list[Path]:
        """The files of a folder, except those described by a manifest. Raises Refused("watch.missing")."""
        if not folder.is_dir():
            raise Refused(
                "watch.missing", f"there is no folder {folder}; see [library] watch", path=str(folder)
            )
        listed = {path.resolve() for manifest in self.manifests for path in self._listed(manifest)}
        files = (path for path in folder.rglob("*") if path.is_file() and not is_hidden(path, folder))
        return sorted(path for path in files if path.resolve() not in listed)

    def _listed(self, manifest: Path) -> list[Path]:
        if not manifest.is_file():
            return []
        documents = self.read_manifest(manifest).documents
        return [manifest, *(manifest.parent / row.file for row in documents if row.file)]

    async def _differing(self, folder: str, root: Path, paths: Sequence[Path]) -> _Changes:
        before = {file.path: file for file in await self.refresher.jobs.journal.watched(folder)}
        at = self.refresher.jobs.clock.now()
        now = await asyncio.to_thread(_stated, folder, root, paths)
        new = [file for file in now if before.get(file.path) != file and _is_settled(file, at)]
        gone = before.keys() - {file.path for file in now}
        return _Changes(new=tuple(new), gone=tuple(sorted(gone)))

    async def _seen(self, folder: str, found: _Changes) -> None:
        await self.refresher.jobs.journal.save_watched(found.new)
        await self.refresher.jobs.journal.drop_watched(folder, found.gone)

    async def _report(self, receipt: IngestReceipt, collection: str | None) -> None:
        """Report a refused file to people who may see its collection."""
        if receipt.status is IngestStatus.REFUSED and receipt.error:
            why = f"see {receipt.trace} in the log" if receipt.trace else receipt.error[1]
            values = {"file": receipt.file, "error": why, "collection": collection or ""}
            await self.refresher.tell("source.file_refused", values)


def _stated(folder: str, root: Path, paths: Sequence[Path]) -> list[WatchedFile]:
    """The state of the existing files on disk."""
    found = []
    for path in paths:
        try:
            stat = path.stat()
        except OSError:
            continue
        name = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
        changed = max(-LARGEST, min(stat.st_mtime_ns, LARGEST))
        file = WatchedFile(folder=folder, path=name, size=stat.st_size, mtime_ns=changed)
        found.append(file)
    return found


def _is_settled(file: WatchedFile, now: datetime) -> bool:
    """Whether a file was not written to just now; a future time does not count as now."""
    age = now - EPOCH - timedelta(microseconds=file.mtime_ns // 1000)
    return abs(age) >= SETTLED
