"""Watched folders and manifests: new and changed files are ingested, missing ones reported."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.library.intake import IngestOptions, Intake, is_hidden, url_file
from bot.library.sources.refreshing import Refresher
from core.domain.ingestion import IngestReceipt, IngestStatus
from core.domain.registry import RegisteredDocument, Registry
from core.domain.sources import WatchedFile
from core.errors import Refused

SETTLED = timedelta(seconds=5)
"""A file written to just now may be incomplete; it is checked next time."""

EPOCH = datetime.fromtimestamp(0, tz=UTC)
LARGEST = 2**63 - 1
"""A time in nanoseconds that the database takes; file systems have later ones than the year 2262."""

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
        """Check everything once; returns the receipts of the files that were read. Raises Refused where a
        manifest or folder cannot be read, after all others were looked at."""
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
        belongs = {_name(row): row.collection for row in listed}
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
        """The files of a folder but those that a manifest speaks for. Raises Refused("watch.missing")."""
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


def _name(row: RegisteredDocument) -> str:
    return Path(row.file).name if row.file else url_file(row.url or "")


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
    """Whether nobody has written to a file just now; one with a time of the future was not written now."""
    age = now - EPOCH - timedelta(microseconds=file.mtime_ns // 1000)
    return abs(age) >= SETTLED
