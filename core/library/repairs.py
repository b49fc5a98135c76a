"""Restores what a version has lost: index points, passages, the stored file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.domain.documents import Edition, VersionStatus
from core.domain.passages import Passage
from core.errors import Refused
from core.library.cross_references import recognise_missing
from core.library.cutting import Cutter
from core.library.formats import FileRead, FileReader, Report, steps_of
from core.library.indexing import PassageWriter
from core.library.versions import number
from core.ports.index import PassageIndex
from core.ports.library import LifecycleLibrary
from core.ports.storage import Originals


async def whole_original(originals: Originals, original: str, file: str) -> Path:
    """The path of a document's stored file. Raises Refused if it is lost or damaged: reading it would not
    reproduce what was ingested as `file`."""
    path = await originals.whole(original)
    if path is None:
        detail = (
            f"the kept file of {file} is lost or damaged: put {original} back into the folder `originals`"
            " from a backup, or ingest the same file again"
        )
        raise Refused("file.lost", detail, file=file)
    return path


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRepair:
    """Repairs versions in the library. `is_current` says whether the current pipeline made a version."""

    library: LifecycleLibrary
    index: PassageIndex
    originals: Originals
    files: FileReader
    cutter: Cutter
    writer: PassageWriter
    count_tokens: Callable[[Sequence[str]], list[int]]
    is_current: Callable[[Edition], bool]

    async def repair(self, edition: Edition, report: Report | None = None) -> int:
        """Index the passages of a readable version again; returns how many. Passages missing from the
        database are read and cut again from the stored file. Raises Refused if that file is gone or can no
        longer be read in the same way: then the document has to be ingested or rebuilt."""
        document, version = edition.document, edition.version
        passages = await self.library.passages_at(version.id, range(version.passages))
        if len(passages) != version.passages or not passages:
            passages = await self._read_again(edition, report)
        if await self.index.count(document.collection, version.id) > len(passages):
            await self.index.remove_version(document.collection, version.id)
        done = 0
        async for batch, _ in self.writer.write(document.collection, document.fields, passages):
            done += len(batch)
            if report:
                report(document.file, "embed", done, len(passages))
        now = await self.library.version(version.id)
        if now is None or now.status is VersionStatus.DELETED:  # it went meanwhile
            await self.index.remove_version(document.collection, version.id)
        return len(passages)

    async def _read_again(self, edition: Edition, report: Report | None) -> list[Passage]:
        document, version = edition.document, edition.version
        if not self.is_current(edition):
            detail = (
                f"passages of {document.file} are lost, and another pipeline has made them: ingest it again"
            )
            raise Refused("document.outdated", detail, file=document.file)
        read = await self._read(edition, report)
        pages, cut = await self.cutter.cut(read.reading.pages, document.fields, self.count_tokens)
        passages = number(cut.passages, version.id, version.pipeline)
        await self.library.refill(version.id, pages, passages)
        await recognise_missing(self.library, [edition])
        return list(passages)

    async def _read(self, edition: Edition, report: Report | None = None) -> FileRead:
        """The pages of the stored file; its derived PDF, if any, is made again."""
        document, original = edition.document, edition.version.original
        path = await whole_original(self.originals, original, document.file)
        seen = await self.originals.inspect(path)
        limit, steps = document.fields.max_pages, steps_of(report, document.file)
        return await self.files.read(path, seen, name=document.file, max_pages=limit, steps=steps)

    async def mended(self, edition: Edition, path: Path) -> int:
        """Repair what a known version lacks: its points, its stored file, its derived PDF; returns how many
        passages were indexed."""
        document, version = edition.document, edition.version
        if not await self.originals.is_whole(version.original):
            await self.originals.keep(path)
        if await self.originals.pages(version.original) is None:
            await self._read(edition)
        if await self.index.count(document.collection, version.id) == version.passages:
            return 0
        return await self.repair(edition)
