"""Ingestion of documents: read, cut, embed, index, activate.

If the bytes are known with the same fields and pipeline, nothing is done. A version is first saved as
pending; a single transaction makes it active, so readers never see half of it.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from dataclasses import fields as fields_of
from datetime import date
from pathlib import PurePath

from rapidfuzz import fuzz

from core.domain.documents import (
    STATUTORY_TYPES,
    Document,
    DocumentFields,
    DocumentStatus,
    DocumentVersion,
    Edition,
    StoredFile,
    VersionStatus,
)
from core.domain.ids import DocumentId, VersionId, document_id
from core.domain.ingestion import IngestReceipt, IngestRequest, IngestStatus
from core.domain.pages import DocumentReading, Page
from core.domain.passages import Passage
from core.domain.scope import Scope
from core.domain.search import Candidate, IndexPoint, QueryVectors, Space
from core.evidence.skeleton import skeleton
from core.language.identification import detect
from core.library.chunking.chunker import ChunkResult
from core.library.cross_references import RECOGNISER, recognise_missing
from core.library.cutting import Cutter, CutterInThread
from core.library.formats import (
    FileReader,
    Report,
    generation,
    is_generation,
    pipeline_version,
    recognised_by,
    steps_of,
)
from core.library.indexing import PassageWriter
from core.library.lifecycle import Remover
from core.library.outcomes import is_failure, outcome_of, receipt
from core.library.proving import warnings_on
from core.library.repairs import VersionRepair, active, merged, new_version, number
from core.ports.clock import Clock
from core.ports.index import PassageIndex
from core.ports.library import Library, LifecycleLibrary
from core.ports.models import Embedder, LexicalEncoder
from core.ports.pdf import PdfToolkit
from core.ports.storage import Originals
from core.registry.titles import printed_abbreviations

_SAMPLE_CHARACTERS = 20_000
_TITLE_AMONG, _TITLE_WORDS, _TITLE_SIZE = 40, 14, 1.15
_POOR_TITLE = re.compile(
    r"^(untitled|unbenannt|sans titre|title|titel|titre|document\d*|dokument\d*"
    r"|(slide|folie|diapositive)\W?\d*|microsoft (word|powerpoint|excel).*|power-?point.*"
    r"|.*\.(do[ct]x?|rtf|indd|qx[dp]|fm|pdf|od[tsp]|tex|pages|pptx?|xlsx?|pub|wpd|p65|pmd|ai|cdr|html?|txt|md)"
    r"|.*(…|\.\.\.)|[\W\d_]*)$",
    re.IGNORECASE,
)


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
    presumed: Mapping[str, str] = field(default_factory=dict)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is in the library, or will never get there."""

    def concerns(self, document: DocumentId, collection: str, sha256: str) -> bool:
        """Whether a file's outcome depends on this one's."""
        same_bytes = (self.document.collection, self.version.sha256) == (collection, sha256)
        return same_bytes or self.document.id == document


class Ingester:
    """Brings files into the library and the index."""

    def __init__(
        self,
        *,
        library: LifecycleLibrary,
        index: PassageIndex,
        pdf: PdfToolkit,
        originals: Originals,
        primary: Embedder,
        secondary: Embedder,
        lexical: LexicalEncoder,
        clock: Clock,
        files: FileReader | None = None,
        cutter: Cutter | None = None,
        check_room: Callable[[], None] = lambda: None,
    ) -> None:
        """`files` reads scans and other formats; without it only PDFs with text are read. Without `cutter`
        documents are cut in a thread, without a time limit. `check_room` raises Broken("disk.full") if there
        is no room for a document."""
        self._check_room = check_room
        self._library = library
        self.index = index
        self._pdf = pdf
        self._files = files or FileReader(pdf, originals)
        self._cutter = cutter or CutterInThread()
        self._originals = originals
        self.primary = primary
        self.secondary = secondary
        self._writer = PassageWriter(index=index, primary=primary, secondary=secondary, lexical=lexical)
        self._clock = clock
        self._remover = Remover(library=library, index=index, originals=originals, clock=clock)
        self.pipeline = pipeline_version(primary.name, secondary.name, lexical.name)
        self.repairs = VersionRepair(
            library=library,
            index=index,
            originals=originals,
            files=self._files,
            cutter=self._cutter,
            writer=self._writer,
            count_tokens=primary.count_tokens,
            is_current=self.is_current,
        )

    async def ingest(
        self, requests: Sequence[IngestRequest], report: Report | None = None
    ) -> AsyncIterator[IngestReceipt]:
        """Ingest files in order; the next file is read while one is embedded, unless it has the same bytes or
        is the same document. A file that is refused or fails yields a receipt that says why, and the others
        continue."""
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
        """Whether a version was made by this pipeline; otherwise it has to be ingested again."""
        return is_generation(edition.version.pipeline, generation(self.pipeline, edition.document.fields))

    async def _read_all(
        self,
        requests: Sequence[IngestRequest],
        ready: "asyncio.Queue[IngestReceipt | _Read | None]",
        report: Report | None,
    ) -> None:
        under_way: list[_Read] = []
        try:
            for request in requests:
                item = await self._read_or_refused(request, report, under_way)
                under_way = [each for each in under_way if not each.done.is_set()]
                if isinstance(item, _Read):
                    under_way.append(item)
                await ready.put(item)
        finally:
            await ready.put(None)

    async def _read_or_refused(
        self, request: IngestRequest, report: Report | None, under_way: Sequence[_Read]
    ) -> IngestReceipt | _Read:
        try:
            return await self._read(request, report, under_way)
        except BaseException as error:
            if not is_failure(error):
                raise
            return outcome_of(request.file, error)

    async def _read(
        self, request: IngestRequest, report: Report | None, under_way: Sequence[_Read]
    ) -> IngestReceipt | _Read:
        started = time.perf_counter()
        seen = await self._originals.inspect(request.path)
        identity = document_id(request.collection, _key(request, seen))
        for each in under_way:
            if each.concerns(identity, request.collection, seen.sha256):
                await each.done.wait()
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
                await self._remover.forget(seen.sha256, seen.original)
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
        limit, steps = request.fields.max_pages, steps_of(report, request.file)
        read = await self._files.read(request.path, seen, name=request.file, max_pages=limit, steps=steps)
        fields = await asyncio.to_thread(complete, document.fields, request.file, read.reading)
        presumed: dict[str, str] = {}
        if is_new and request.presume is not None:
            stated = fields
            fields = await request.presume(stated, request.file, [each.page for each in read.reading.pages])
            presumed = newly_said(stated, fields)
            if fields.doc_type is not stated.doc_type:  # law is called by the abbreviation on its first page
                fields = await asyncio.to_thread(complete, fields, request.file, read.reading)
        document = replace(document, fields=fields, file=request.file, status=DocumentStatus.ACTIVE)
        await self._begin_anew(document.id)
        stored = await self._originals.keep(request.path)
        pages, cut = await self._cutter.cut(read.reading.pages, fields, self.primary.count_tokens)
        pipeline = recognised_by(generation(self.pipeline, document.fields), read.recogniser)
        others = await self._library.versions(document.id)
        version = new_version(document, stored, pipeline, read, cut, others=others, at=self._clock.now())
        version = replace(
            version, warnings=(*version.warnings, *await self._unproven(stored, pages, cut, fields.language))
        )
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
            presumed=presumed,
            started=started,
            read_seconds=time.perf_counter() - started,
            ocr_seconds=read.ocr_seconds,
        )

    async def _unproven(
        self, stored: StoredFile, pages: Sequence[Page], cut: ChunkResult, language: str
    ) -> tuple[str, ...]:
        """Warnings about the pages that cannot be quoted."""
        path = await self._originals.pages(stored.original)
        return await warnings_on(self._pdf, path, pages, cut.passages, language) if path else ()

    async def _document(
        self, request: IngestRequest, seen: StoredFile
    ) -> tuple[Document, DocumentVersion | None]:
        """The document the request is about, and its active version if any."""
        key = _key(request, seen)
        identity = document_id(request.collection, key)
        existing = await self._library.document(identity)
        if existing is None or existing.status is DocumentStatus.DELETED:
            fresh = Document(
                id=identity, collection=request.collection, key=key, file=request.file, fields=request.fields
            )
            return fresh, None
        fields = merged(existing.fields, request.fields, request.stated)
        return replace(existing, fields=fields), active(await self._library.versions(identity))

    async def _known(
        self, request: IngestRequest, document: Document, version: DocumentVersion, seen: StoredFile
    ) -> IngestReceipt | None:
        """A receipt if nothing needs to be parsed or embedded again."""
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
        mended = await self.repairs.mended(edition, request.path)
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
                await self.repairs.mended(twin, request.path)
                return receipt(request.file, twin.document, twin.version, IngestStatus.DUPLICATE)
        return None

    async def _finished(self, item: _Read, report: Report | None) -> IngestReceipt:
        try:
            return await self._finish(item, report)
        except BaseException as error:
            if not is_failure(error):
                raise
            await self._remover.take_back(item.version)
            return outcome_of(item.request.file, error)
        finally:
            item.done.set()

    async def _finish(self, item: _Read, report: Report | None) -> IngestReceipt:
        started = time.perf_counter()
        version, collection = item.version, item.document.collection
        await self._library.add_version(version, item.pages, item.passages)
        references = await self._cutter.references(item.passages, item.document.fields)
        await self._library.save_references(version.id, references, recogniser=RECOGNISER)
        kept = await self._library.version(version.id)
        if kept is None or kept.status is VersionStatus.PENDING:  # others may be read meanwhile
            await self.index.remove_version(collection, version.id)
        embedded, wanted, sample = 0, _sampled(item.passages), []
        async for batch, points in self._writer.write(collection, item.document.fields, item.passages):
            sample += [pair for pair in zip(batch, points, strict=True) if pair[0].ordinal in wanted]
            embedded += len(batch)
            if report:
                report(item.request.file, "embed", embedded, len(item.passages))
        now = self._clock.now()
        twin = await _twin_of(self._library, self.index, item.document, sample, on=self._clock.day_of(now))
        await self._library.activate(version.id, at=now)
        seconds = {
            "total": time.perf_counter() - item.started,
            "read": item.read_seconds,
            "embed": time.perf_counter() - started,
            "ocr": item.ocr_seconds,
        }
        if twin is not None:
            version = replace(version, warnings=(*version.warnings, f"text.same_as:{twin.fields.title}"))
        done = receipt(item.request.file, item.document, version, item.status, seconds)
        return replace(done, presumed=item.presumed)

    async def _begin_anew(self, document: DocumentId) -> None:
        """Delete a withdrawn document's remains, so that they don't come back with its new version."""
        before = await self._library.document(document)
        if before is not None and before.status is DocumentStatus.DELETED:
            await self.remove(document)

    async def remove(self, document: DocumentId) -> bool:
        """Delete a document everywhere and permanently; False if there is none."""
        return await self._remover.drop_document(document)


def _key(request: IngestRequest, seen: StoredFile) -> str:
    return f"{request.key}#{seen.sha256[:12]}" if request.separate else request.key


def complete(fields: DocumentFields, file: str, reading: DocumentReading) -> DocumentFields:
    """`fields` with an empty title and language filled in from the file, and with the abbreviation that its
    first page gives after its name if no other name is stated."""
    title = fields.title or guess_title(file, reading.title)
    language = fields.language or _guess_language([reading.page for reading in reading.pages])
    opening = reading.pages[0].page.text if reading.pages else ""
    statutory = fields.doc_type in STATUTORY_TYPES
    aliases = fields.aliases or printed_abbreviations(title, opening, statutory=statutory)
    if statutory and not fields.aliases and title == guess_title(file, None):
        aliases += tuple(name for name in (_printed_title(reading),) if name)
    return replace(fields, title=title, language=language, aliases=aliases)


def _printed_title(reading: DocumentReading) -> str:
    """The words in the largest type at the top of the first page; "" if none is larger than most."""
    words = [word for word in reading.pages[0].page.words if word.is_text] if reading.pages else []
    sizes = sorted(word.box.y1 - word.box.y0 for word in words)
    top = words[:_TITLE_AMONG]
    largest = max((word.box.y1 - word.box.y0 for word in top), default=0.0)
    if not sizes or largest < _TITLE_SIZE * sizes[len(sizes) // 2]:
        return ""
    large = [n for n, word in enumerate(top) if word.box.y1 - word.box.y0 > 0.95 * largest]
    run = [n for n in large if n - large[0] == large.index(n)]
    return " ".join(top[n].text for n in run) if len(run) <= _TITLE_WORDS else ""


_WRITTEN_AS = {"parties": "party", "doc_type": "type"}


def newly_said(before: DocumentFields, after: DocumentFields) -> dict[str, str]:
    """The fields in which `after` differs, under their names in options and manifests."""
    return {
        _WRITTEN_AS.get(each.name, each.name): ", ".join(value) if isinstance(value, tuple) else str(value)
        for each in fields_of(DocumentFields)
        if (value := getattr(after, each.name)) != getattr(before, each.name)
    }


def guess_title(file: str, stated: str | None) -> str:
    """The PDF's own title if it is usable, else the file name made readable."""
    title = " ".join((stated or "").split())
    if len(title) >= 4 and not _POOR_TITLE.match(title):
        return title[:200]
    return re.sub(r"[_\s]+", " ", PurePath(file).stem).strip() or file


def _guess_language(pages: Sequence[Page]) -> str:
    """ISO 639-1 code of the main language of the text; English for a file without text."""
    sample, size = [], 0
    step = max(1, len(pages) // 12)
    for page in pages[::step]:
        sample.append(page.text[:2000])
        size += len(sample[-1])
        if size > _SAMPLE_CHARACTERS:
            break
    text = " ".join(sample).strip()
    return detect(text, among=())[0] if len(text) >= 40 else "en"


# Detecting documents with nearly the same text: a sample of passages is looked up in the collection's other
# documents.

SAMPLES = 12
MIN_SAMPLES = 3
"""Fewer passages are not conclusive."""
MIN_SHARE = 0.75
"""Minimum share of the sample found in another document."""
MIN_SIMILARITY = 90.0
"""Minimum similarity of the shorter text within the longer one (rapidfuzz `partial_ratio`): passages may be
cut differently."""
_NEAREST = 2
_TELLING = 4000


def _sampled(passages: Sequence[Passage]) -> frozenset[int]:
    """Ordinals of the passages to look up, spread over the document."""
    count = min(SAMPLES, len(passages))
    return frozenset(passages[at * len(passages) // count].ordinal for at in range(count))


async def _twin_of(
    library: Library,
    index: PassageIndex,
    document: Document,
    sample: Sequence[tuple[Passage, IndexPoint]],
    *,
    on: date,
) -> Document | None:
    """The document in the same collection with nearly the same text as `sample`, passages of `document`; None
    if there is none."""
    collection = document.collection
    editions = await library.editions(Scope(collections=(collection,)), on=on)
    others = {edition.version.id: edition for edition in editions if edition.document.id != document.id}
    if len(sample) < MIN_SAMPLES or not others:
        return None
    queries = [
        QueryVectors(primary=point.primary, secondary=point.secondary, lexical=None) for _, point in sample
    ]
    rows = await index.candidates(collection, queries, list(others), limit=_NEAREST)
    near = {item.passage for row in rows for item in _nearest(row)}
    texts = {passage.id: passage for passage in await library.passages(list(near))}
    close = [[texts[item.passage] for item in _nearest(row) if item.passage in texts] for row in rows]
    found = await asyncio.to_thread(_counted, [passage for passage, _ in sample], close)
    return _prevailing(found, others, len(sample))


def _counted(sample: Sequence[Passage], close: Sequence[Sequence[Passage]]) -> Counter[VersionId]:
    """How many passages of the sample each version contains."""
    found: Counter[VersionId] = Counter()
    for passage, near in zip(sample, close, strict=True):
        found.update({other.version for other in near if _same(passage.text, other.text)})
    return found


def _nearest(row: Sequence[Candidate]) -> list[Candidate]:
    return sorted(row, key=lambda item: -item.scores.get(Space.PRIMARY, 0.0))[:_NEAREST]


def _same(one: str, other: str) -> bool:
    """Whether two passages are the same; for one endless word, its beginning decides."""
    one, other = skeleton(one[:_TELLING]), skeleton(other[:_TELLING])
    return fuzz.partial_ratio(one, other, score_cutoff=MIN_SIMILARITY) > 0


def _prevailing(found: Counter[VersionId], others: dict[VersionId, Edition], count: int) -> Document | None:
    for version, times in found.most_common(1):
        if times >= MIN_SHARE * count:
            return others[version].document
    return None
