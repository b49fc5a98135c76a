"""Checks a source: whether it changed, whether the change needs approval, and when to check again."""

import asyncio
import logging
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from bot.library.intake import source_request
from bot.library.sources.jobs import Jobs
from core.domain.documents import DocumentVersion, StoredFile, VersionStatus
from core.domain.ids import DocumentId
from core.domain.ingestion import IngestReceipt, IngestRequest, IngestStatus
from core.domain.pages import Page
from core.domain.sources import CheckResult, FetchedContent, Hold, HoldReason, Revision, SourceState
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
    """Keeps a version out that has much less in it than the active one."""

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
    """Log the key if nobody is told."""
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
        """Look at a source, or take over its approved change; what is known of it then. Raises Refused
        for a document without address and schedule; failures of the source are part of the result."""
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
        """Save, unless the document is gone; what was approved meanwhile stays approved."""
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
        """From the first address that answers. Raises what the first one raised, unless that was that
        there is nothing and another one cannot say so."""
        errors: list[FundstelleError] = []
        for url in urls:
            try:
                return await self._source.fetch(url, known=known)
            except (Refused, Unavailable) as error:
                errors.append(error)
        unclear = [error for error in errors if not is_gone(error)]
        raise unclear[0] if unclear else errors[0]

    async def ingested(self, request: IngestRequest) -> IngestReceipt:
        """The receipt of one file; files are read one after the other, so that answers stay quick."""
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
        """The state afterwards."""
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
                return await self._held(self.before, HoldReason.VANISHED, {"status": _status(error)})
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
        """The same bytes as the last time: still held, or still those of the active version."""
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
        """Ingest. Raises Refused where the file is."""
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
        """The held change, approved: other bytes are ingested, a document whose source vanished goes."""
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
    """The sign that a hold of these bytes would have."""
    return f"{reason.value}:{stored.sha256}"


def _status(error: FundstelleError) -> int:
    return int(error.values["status"])
