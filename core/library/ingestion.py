"""A document's way in: read, cut, embed, index, activate.

Bytes that are known with the same fields and pipeline stop at once. Everything of a version is
saved as pending first; one transaction makes it the active one, so readers never see half of it.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.domain.documents import (
    Document,
    DocumentFields,
    DocumentStatus,
    DocumentVersion,
    Edition,
    StoredFile,
    VersionStatus,
)
from core.domain.ids import DocumentId, VersionId, document_id, passage_id, version_id
from core.domain.ingestion import IngestReceipt, IngestRequest, IngestStatus
from core.domain.pages import DocumentReading, Page, PageTrouble, TextSource
from core.domain.passages import Passage, PassageDraft
from core.errors import Refused
from core.library.chunking import ChunkResult
from core.library.cross_references import RECOGNISER
from core.library.cutting import Cutter, CutterInThread
from core.library.formats import FileRead, FileReader
from core.library.guessing import complete
from core.library.indexing import PassageWriter
from core.library.lifecycle import delete, drop_version
from core.library.outcomes import is_failure, outcome_of, receipt
from core.library.pipeline import generation, is_generation, pipeline_version, recognised_by
from core.library.recognising import recognise_missing
from core.library.twins import sampled, twin_of
from core.ports.clock import Clock
from core.ports.embedding import Embedder, LexicalEncoder
from core.ports.index import PassageIndex
from core.ports.lifecycle import LifecycleLibrary
from core.ports.originals import Originals
from core.ports.pdf import PdfToolkit

_LOG = logging.getLogger(__name__)


Report = Callable[[str, str, int, int], None]
"""Called with (file, stage, done, total); stages are read, ocr and embed."""


_READABLE = frozenset({VersionStatus.ACTIVE, VersionStatus.SUPERSEDED})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A file that was read and cut, waiting for its embedding."""

    request: IngestRequest
    document: Document
    version: DocumentVersion
    pages: tuple[Page, ...]
    passages: tuple[Passage, ...]
    status: IngestStatus
    started: float
    read_seconds: float
    ocr_seconds: float


class Ingester:
    """Brings files into the library and the index."""

    def __init__(
        self,
        *,
        library: LifecycleLibrary,
        index: PassageIndex,
        pdf: PdfToolkit,
        originals: Originals,
        dense: Embedder,
        second: Embedder,
        lexical: LexicalEncoder,
        clock: Clock,
        files: FileReader | None = None,
        cutter: Cutter | None = None,
        check_room: Callable[[], None] = lambda: None,
    ) -> None:
        """`files` reads scans and other formats; without it only PDFs with text are read. Without `cutter`
        documents are cut in a thread, however long it takes. `check_room` raises Broken("disk.full") where a
        document would not find room."""
        self._check_room = check_room
        self._library = library
        self.index = index
        self._files = files or FileReader(pdf, originals)
        self._cutter = cutter or CutterInThread()
        self._originals = originals
        self.dense = dense
        self.second = second
        self._writer = PassageWriter(index=index, dense=dense, second=second, lexical=lexical)
        self._clock = clock
        self.pipeline = pipeline_version(dense.name, second.name, lexical.name)

    async def ingest(
        self, requests: Sequence[IngestRequest], report: Report | None = None
    ) -> AsyncIterator[IngestReceipt]:
        """Ingest files in order; the next file is read while one is embedded. A file that is
        refused, or at which anything fails, gives a receipt that says why, and the others go on."""
        ready: asyncio.Queue[IngestReceipt | _Read | None] = asyncio.Queue(maxsize=1)
        reader = asyncio.create_task(self._read_all(requests, ready, report))
        try:
            while (item := await ready.get()) is not None:
                yield item if isinstance(item, IngestReceipt) else await self._finished(item, report)
            await reader
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)

    def is_current(self, edition: Edition) -> bool:
        """Whether a version was made by this pipeline; else it has to be ingested again."""
        return is_generation(edition.version.pipeline, generation(self.pipeline, edition.document.fields))

    async def _read_all(
        self,
        requests: Sequence[IngestRequest],
        ready: "asyncio.Queue[IngestReceipt | _Read | None]",
        report: Report | None,
    ) -> None:
        try:
            for request in requests:
                await ready.put(await self._read_or_refused(request, report))
        finally:
            await ready.put(None)

    async def _read_or_refused(self, request: IngestRequest, report: Report | None) -> IngestReceipt | _Read:
        try:
            return await self._read(request, report)
        except BaseException as error:
            if not is_failure(error):
                raise
            return outcome_of(request.file, error)

    async def _read(self, request: IngestRequest, report: Report | None) -> IngestReceipt | _Read:
        started = time.perf_counter()
        seen = await self._originals.inspect(request.path)
        document, known = await self._document(request, seen)
        if known is not None:
            done = await self._known(request, document, known, seen)
        else:
            done = await self._duplicate(request, seen)
        if done is not None:
            return done
        await asyncio.to_thread(self._check_room)
        try:
            return await self._parsed(request, document, seen, report, started, is_new=known is None)
        except BaseException as error:
            if is_failure(error):
                await self._forget(seen.sha256, seen.original)
            raise

    async def _parsed(
        self,
        request: IngestRequest,
        document: Document,
        seen: StoredFile,
        report: Report | None,
        started: float,
        *,
        is_new: bool,
    ) -> _Read:
        def steps(stage: str, done: int, total: int) -> None:
            if report:
                report(request.file, stage, done, total)

        read = await self._files.read(
            request.path, seen, name=request.file, max_pages=request.fields.max_pages, steps=steps
        )
        fields = await asyncio.to_thread(complete, document.fields, request.file, read.reading)
        document = replace(document, fields=fields, file=request.file, status=DocumentStatus.ACTIVE)
        await self._begin_anew(document.id)
        stored = await self._originals.keep(request.path)
        pages, cut = await self._cutter.cut(read.reading.pages, fields, self.dense.count_tokens)
        version = await self._new_version(document, stored, read, cut)
        if request.accept is not None:
            await request.accept(version, pages)
        await self._library.save_document(document)
        return _Read(
            request=request,
            document=document,
            version=version,
            pages=pages,
            passages=number(cut.passages, version.id, version.pipeline),
            status=IngestStatus.INDEXED if is_new else IngestStatus.UPDATED,
            started=started,
            read_seconds=time.perf_counter() - started,
            ocr_seconds=read.ocr_seconds,
        )

    async def _document(
        self, request: IngestRequest, seen: StoredFile
    ) -> tuple[Document, DocumentVersion | None]:
        """The document that the request is about, and its active version if it has one."""
        key = f"{request.key}#{seen.sha256[:12]}" if request.separate else request.key
        identity = document_id(request.collection, key)
        existing = await self._library.document(identity)
        if existing is None or existing.status is DocumentStatus.DELETED:
            fresh = Document(
                id=identity,
                collection=request.collection,
                key=key,
                file=request.file,
                fields=request.fields,
            )
            return fresh, None
        fields = merged(existing.fields, request.fields, request.stated)
        return replace(existing, fields=fields), active(await self._library.versions(identity))

    async def _known(
        self, request: IngestRequest, document: Document, version: DocumentVersion, seen: StoredFile
    ) -> IngestReceipt | None:
        """A receipt if nothing has to be parsed or embedded again."""
        wanted = generation(self.pipeline, document.fields)
        if version.sha256 != seen.sha256 or not is_generation(version.pipeline, wanted):
            return None
        if await self._files.reads_more(version):
            return None
        before = await self._library.document(document.id)
        document = replace(document, file=request.file)
        changed = before != document
        if changed:
            await self._library.save_document(document)
        edition = Edition(document=document, version=version)
        await recognise_missing(self._library, [edition])
        mended = await self._mended(edition, request.path)
        status = IngestStatus.UPDATED if changed or mended else IngestStatus.UNCHANGED
        if mended:
            version = replace(version, warnings=(*version.warnings, f"index.mended:{mended}"))
        return receipt(request.file, document, version, status)

    async def _duplicate(self, request: IngestRequest, seen: StoredFile) -> IngestReceipt | None:
        """A receipt if the collection holds these bytes under another key and no field differs."""
        for twin in await self._library.with_bytes(seen.sha256, request.collection):
            fields = twin.document.fields
            same = merged(fields, request.fields, request.stated) == fields
            if same and twin.version.status is VersionStatus.ACTIVE and not request.separate:
                await self._mended(twin, request.path)
                return receipt(request.file, twin.document, twin.version, IngestStatus.DUPLICATE)
        return None

    async def _new_version(
        self, document: Document, stored: StoredFile, read: FileRead, cut: ChunkResult
    ) -> DocumentVersion:
        reading = read.reading
        pipeline = recognised_by(generation(self.pipeline, document.fields), read.recogniser)
        others = await self._library.versions(document.id)
        same = [version for version in others if version.sha256 == stored.sha256]
        number = same[0].number if same else max((version.number for version in others), default=0) + 1
        empty = sum(1 for item in reading.pages if item.trouble is not None)
        if not cut.passages:
            detail = f"no page holds readable text; {read.advice or 'a scan needs OCR'}"
            warnings = " ".join(warnings_of(reading, cut))
            raise Refused("pdf.no_text", detail, pages=empty, warnings=warnings)
        return DocumentVersion(
            id=version_id(document.id, f"{stored.sha256}\n{pipeline}"),
            document=document.id,
            number=number,
            sha256=stored.sha256,
            pipeline=pipeline,
            pages=len(reading.pages),
            status=VersionStatus.PENDING,
            seen_from=self._clock.now(),
            original=stored.original,
            pages_without_text=empty,
            pages_ocr=sum(1 for item in reading.pages if item.page.text_source is TextSource.OCR),
            hidden_characters=sum(item.hidden_characters for item in reading.pages),
            passages=len(cut.passages),
            warnings=warnings_of(reading, cut),
        )

    async def _finished(self, item: _Read, report: Report | None) -> IngestReceipt:
        try:
            return await self._finish(item, report)
        except BaseException as error:
            if not is_failure(error):
                raise
            await self._take_back(item)
            return outcome_of(item.request.file, error)

    async def _take_back(self, item: _Read) -> None:
        """Leave nothing of a version that did not get in. What cannot be taken back now, because the stores
        fail, is collected later as what a killed process has left."""
        try:
            versions = await self._library.versions(item.document.id)
            if any(version.status in _READABLE for version in versions):
                pending = [version for version in versions if version.status is VersionStatus.PENDING]
                for version in pending:
                    await drop_version(
                        self._library, self.index, self._originals, version, at=self._clock.now()
                    )
            else:
                await self.remove(item.document.id)
            await self._forget(item.version.sha256, item.version.original)
        except BaseException as error:
            if not is_failure(error):
                raise
            _LOG.error("what was begun of a document could not be taken back", exc_info=error)

    async def _forget(self, sha256: str, original: str) -> None:
        """Drop a kept file that no version needs."""
        if not await self._library.keeps(sha256, apart_from=()):
            await self._originals.drop(original)

    async def _finish(self, item: _Read, report: Report | None) -> IngestReceipt:
        started = time.perf_counter()
        version, collection = item.version, item.document.collection
        await self._library.add_version(version, item.pages, item.passages)
        references = await self._cutter.references(item.passages, item.document.fields)
        await self._library.save_references(version.id, references, recogniser=RECOGNISER)
        kept = await self._library.version(version.id)
        if kept is None or kept.status is VersionStatus.PENDING:  # others may be read meanwhile
            await self.index.remove_version(collection, version.id)
        done, wanted, sample = 0, sampled(item.passages), []
        async for batch, points in self._writer.write(collection, item.document.fields, item.passages):
            sample += [pair for pair in zip(batch, points, strict=True) if pair[0].ordinal in wanted]
            done += len(batch)
            if report:
                report(item.request.file, "embed", done, len(item.passages))
        now = self._clock.now()
        twin = await twin_of(self._library, self.index, item.document, sample, on=now.date())
        await self._library.activate(version.id, at=now)
        seconds = {
            "total": time.perf_counter() - item.started,
            "read": item.read_seconds,
            "embed": time.perf_counter() - started,
            "ocr": item.ocr_seconds,
        }
        if twin is not None:
            version = replace(version, warnings=(*version.warnings, f"text.same_as:{twin.fields.title}"))
        return receipt(item.request.file, item.document, version, item.status, seconds)

    async def repair(self, edition: Edition, report: Report | None = None) -> int:
        """Put the passages of a version that can be read into the index anew; how many. Those that the
        database lacks are read and cut again from the kept file. Raises Refused where that is gone or cannot
        be read as it was: then the document has to be ingested or built anew."""
        document, version = edition.document, edition.version
        passages = await self._library.passages_at(version.id, range(version.passages))
        if len(passages) != version.passages or not passages:
            passages = await self._read_again(edition, report)
        if await self.index.count(document.collection, version.id) > len(passages):
            await self.index.remove_version(document.collection, version.id)
        done = 0
        async for batch, _ in self._writer.write(document.collection, document.fields, passages):
            done += len(batch)
            if report:
                report(document.file, "embed", done, len(passages))
        now = await self._library.version(version.id)
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
        path = self._originals.locate(version.original)
        seen = await self._originals.inspect(path)

        def steps(stage: str, done: int, total: int) -> None:
            if report:
                report(document.file, stage, done, total)

        limit = document.fields.max_pages
        read = await self._files.read(path, seen, name=document.file, max_pages=limit, steps=steps)
        pages, cut = await self._cutter.cut(read.reading.pages, document.fields, self.dense.count_tokens)
        passages = number(cut.passages, version.id, version.pipeline)
        await self._library.refill(version.id, pages, passages)
        await recognise_missing(self._library, [edition])
        return list(passages)

    async def _mended(self, edition: Edition, path: Path) -> int:
        """Mend what a known version lacks: its points, its kept file; how many passages were indexed anew."""
        document, version = edition.document, edition.version
        kept = self._originals.locate(version.original)
        if not await asyncio.to_thread(kept.is_file):
            await self._originals.keep(path)
        if await self.index.count(document.collection, version.id) == version.passages:
            return 0
        return await self.repair(edition)

    async def _begin_anew(self, document: DocumentId) -> None:
        """What was withdrawn does not come back with the new version of a document."""
        before = await self._library.document(document)
        if before is not None and before.status is DocumentStatus.DELETED:
            await self.remove(document)

    async def remove(self, document: DocumentId) -> bool:
        """Delete a document everywhere and for good; False if there is none."""
        return await delete(self._library, self.index, self._originals, document, at=self._clock.now())


def active(versions: Sequence[DocumentVersion]) -> DocumentVersion | None:
    """The active version among a document's."""
    return next((version for version in versions if version.status is VersionStatus.ACTIVE), None)


def number(drafts: Sequence[PassageDraft], version: VersionId, pipeline: str) -> tuple[Passage, ...]:
    """Drafts as passages of `version`, with deterministic ids."""
    return tuple(
        Passage(
            id=passage_id(version, pipeline, ordinal),
            version=version,
            ordinal=ordinal,
            spans=draft.spans,
            text=draft.text,
            heading=draft.heading,
            kind=draft.kind,
            section=draft.section,
            windows=draft.windows,
            picture=draft.picture,
        )
        for ordinal, draft in enumerate(drafts)
    )


def merged(known: DocumentFields, given: DocumentFields, stated: frozenset[str]) -> DocumentFields:
    """`known` with those fields of `given` that were stated."""
    return replace(known, **{name: getattr(given, name) for name in stated})


def warnings_of(reading: DocumentReading, cut: ChunkResult) -> tuple[str, ...]:
    """Warning keys of reading and cutting; a count stands behind a colon."""
    found = [f"{key}:{count}" for key, count in reading.warnings]
    for trouble in PageTrouble:
        pages = sum(1 for item in reading.pages if item.trouble is trouble)
        if pages:
            found.append(f"pages.{trouble.value}:{pages}")
    if (cut_off := reading.total_pages - len(reading.pages)) > 0:
        found.append(f"pages.cut_off:{cut_off}")
    return (*found, *cut.warnings)
