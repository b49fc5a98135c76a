"""The ports: what the core asks of the world. Every implementation runs the same contract suite.

Async unless pure. Implementations translate foreign errors into `core.errors`.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Protocol

from core.domain.documents import Document, DocumentVersion, Edition, StoredFile
from core.domain.ids import DocumentId, PassageId, VersionId
from core.domain.journal import Pseudonym
from core.domain.pages import Box, DocumentReading, Doubt, HighlightedPage, Page, SheetSide
from core.domain.passages import Passage, Picture
from core.domain.references import Reference
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.domain.search import Candidate, IndexPoint, QueryVectors, SparseVector, Vector, VectorSample
from core.domain.summaries import Summary, SummaryDraft, SummaryEntry
from core.domain.tables import Table

Progress = Callable[[int, int], None]
"""Called with (done, total), never more often than is useful to show."""


class PdfToolkit(Protocol):
    """Reads PDFs and makes one-page PDFs, in contained processes."""

    async def read(
        self, path: Path, *, max_pages: int | None = None, progress: Progress | None = None
    ) -> DocumentReading:
        """Read `path`. Raises Refused (encrypted, empty, broken, too slow or large, not a PDF)."""

    async def highlighted_page(
        self, path: Path, page: int, marks: Sequence[Box], *, expected: Sequence[str], raster: bool = False
    ) -> HighlightedPage:
        """A one-page PDF of 1-based `page` with `marks` highlighted, after reading back that the words under
        them are `expected` (source words in order) and can be seen; else the page comes unmarked. `raster`:
        a picture of the page (internal or untrusted documents). Raises Refused if there is no such page."""

    async def doubt(self, path: Path, page: int, words: Sequence[Box], *, scan: bool) -> Doubt | None:
        """Why the words in these boxes of 1-based `page` are not what its reader sees, None if they are.
        `scan`: they are recognised text over a picture. Raises Refused if there is no such page."""

    async def preview(self, pdf: bytes) -> bytes:
        """PNG of the first page of `pdf`, longest side 1200 px at most."""

    async def cutout(self, path: Path, picture: Picture) -> bytes:
        """PNG of that part of a page, upright as shown, longest side 1600 px at most.
        Raises Refused if there is no such page or the part is not on it."""

    async def sheet(self, sides: Sequence[SheetSide]) -> bytes:
        """A PDF of one sheet with the first pages of `sides` beside each other, marks included, each under
        its caption; a caption is shown as it is."""

    async def table(self, table: Table) -> bytes:
        """A PDF of `table` on as many pages as it needs; its text is shown as it is, never read as markup."""

    async def close(self) -> None:
        """End the worker processes."""


class Embedder(Protocol):
    """A dense text encoder. Vectors are float32 of unit length."""

    @property
    def name(self) -> str:
        """Name and version; part of the pipeline version."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Tokens per text at most, prefix and special tokens included; what is over is cut off."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, prefix and special tokens included. Pure, may be called from threads."""
        ...

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vector:
        """Vectors of passages, shape (len(texts), dimension), in the order given."""
        ...

    async def query(self, text: str) -> Vector:
        """Vector of a question, shape (dimension,)."""
        ...

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""
        ...


class LexicalEncoder(Protocol):
    """Sparse BM25 terms; the index multiplies with inverse document frequency."""

    @property
    def name(self) -> str:
        """Name and version; part of the pipeline version."""
        ...

    async def passages(self, texts: Sequence[str], language: str) -> list[SparseVector]:
        """Term weights of passages, stemmed for `language` (ISO 639-1)."""
        ...

    async def query(self, text: str, language: str) -> SparseVector:
        """Terms of a question, stemmed for `language`."""
        ...


class PassageIndex(Protocol):
    """Vectors of passages, one separate index per library and collection. Filters by version only: the scope
    has been resolved to versions in the database, which stays the truth."""

    async def upsert(self, collection: str, points: Sequence[IndexPoint]) -> None:
        """Add or replace points; durable when it returns. Creates the collection's index if need be."""
        ...

    async def candidates(
        self, collection: str, queries: Sequence[QueryVectors], versions: Sequence[VersionId], *, limit: int
    ) -> list[list[Candidate]]:
        """Per query, the union of the best `limit` passages of each space among `versions`, every one
        with its exact score in every space. Empty where the collection or `versions` is empty."""
        ...

    async def sample(self, collection: str, *, size: int) -> VectorSample | None:
        """A deterministic random sample of at most `size` passages; None for an empty collection."""
        ...

    async def remove_version(self, collection: str, version: VersionId) -> None:
        """Drop all points of a version; no error if there are none."""
        ...

    async def count(self, collection: str, version: VersionId | None = None) -> int:
        """Points in the collection, or of one version."""
        ...

    async def counts(self, collection: str) -> dict[VersionId, int]:
        """Points of each version that has any: what to clean up, and whether anything is missing."""
        ...

    async def optimise(self, collection: str) -> None:
        """Build indexes after a bulk load; may take long, searches go on."""
        ...

    async def close(self) -> None:
        """Flush and release the store."""
        ...


class Library(Protocol):
    """Documents, versions, pages, passages and the registry, in SQL. One method, one transaction."""

    async def save_registry(self, registry: Registry) -> None:
        """Replace places, parties, governments and derivations with those of `registry` (merged)."""
        ...

    async def registry(self) -> Registry:
        """The registry as last saved (its `documents` are the manifests' rows)."""
        ...

    async def save_document(self, document: Document) -> None:
        """Insert or update a document's row by id."""
        ...

    async def documents(self, collections: Sequence[str] | None = None) -> list[Document]:
        """Documents that are not deleted, by collection and title; all collections if None."""
        ...

    async def document(self, document: DocumentId) -> Document | None:
        """One document, deleted ones included."""
        ...

    async def versions(self, document: DocumentId) -> list[DocumentVersion]:
        """All versions of a document, newest first."""
        ...

    async def version(self, version: VersionId) -> DocumentVersion | None:
        """One version."""
        ...

    async def add_version(
        self, version: DocumentVersion, pages: Sequence[Page], passages: Sequence[Passage]
    ) -> None:
        """Save a pending version with its pages and passages, replacing an earlier unfinished try."""
        ...

    async def activate(self, version: VersionId, *, at: datetime) -> None:
        """Make a pending version the active one and supersede the one before, in one transaction."""
        ...

    async def with_bytes(self, sha256: str, collection: str | None = None) -> list[Edition]:
        """Versions (active or superseded) that have these bytes, of documents that are not deleted."""
        ...

    async def delete_document(self, document: DocumentId, *, at: datetime) -> list[VersionId]:
        """Delete a document with versions, pages and passages; returns the versions whose points must go."""
        ...

    async def editions(self, scope: Scope, *, on: date) -> list[Edition]:
        """Documents of `scope.collections` that are not deleted, each with the version to read: the
        active one, or with `scope.as_of` the one that was current at the end of that day.
        `scope.documents` and `scope.doc_types` filter; places, parties and editions are
        the search's business."""
        ...

    async def page(self, version: VersionId, number: int) -> Page | None:
        """One page of a version."""
        ...

    def pages(self, version: VersionId) -> AsyncIterator[Page]:
        """All pages of a version in order."""
        ...

    async def passages(self, passages: Sequence[PassageId]) -> list[Passage]:
        """Passages by id, in the order asked for; unknown ids are left out."""
        ...

    async def passages_at(self, version: VersionId, ordinals: Sequence[int]) -> list[Passage]:
        """Passages of a version by ordinal, ascending; ordinals that do not exist are left out."""
        ...

    async def section_family(self, version: VersionId, section: str) -> list[Passage]:
        """Passages of a version whose section id is `section`, in document order."""
        ...

    async def save_references(
        self, version: VersionId, references: Sequence[Reference], *, recogniser: int
    ) -> None:
        """Replace the references of a version by those that `recogniser` (a number) has found; they go
        with the version. Nothing happens if the version is not there or was deleted."""
        ...

    async def unrecognised(self, versions: Sequence[VersionId], *, recogniser: int) -> list[VersionId]:
        """Those of `versions` whose references `recogniser` has not looked for yet."""
        ...

    async def references_from(
        self, versions: Sequence[VersionId], section: str | None = None
    ) -> list[Reference]:
        """References in `versions` (or only in their section with that id), by version in the order asked
        for, then in the order saved."""
        ...

    async def references_to(self, versions: Sequence[VersionId], sections: Sequence[str]) -> list[Reference]:
        """References in `versions` that name one of `sections`, whichever document they mean; same order."""
        ...

    async def close(self) -> None:
        """Release connections."""
        ...


class Summaries(Protocol):
    """Kept summaries. `collections` are those that may be seen: a summary is shown only where all that its
    scope names are among them; None shows all. One method, one transaction."""

    async def add(self, draft: SummaryDraft, *, person: Pseudonym | None = None) -> Summary:
        """Keep a summary; it gets an id and its topic's next number. The documents and versions quoted
        are those of the library. `person` asked for it: when they are forgotten, it goes."""
        ...

    async def entries(self, collections: Sequence[str] | None = None) -> list[SummaryEntry]:
        """The summaries that may be seen, newest first."""
        ...

    async def summary(self, summary: int, collections: Sequence[str] | None = None) -> Summary | None:
        """A summary word for word as it was made, its documents and versions as they are now; None where
        there is none that may be seen."""
        ...

    async def remove(self, summary: int) -> bool:
        """Forget a summary; whether there was one. Its id is never given again, its number not as long as
        its topic is kept."""
        ...


class Clock(Protocol):
    """The time, as an argument."""

    def now(self) -> datetime:
        """Aware, UTC."""
        ...


class Originals(Protocol):
    """The kept bytes of ingested files, and what a file really is."""

    async def keep(self, path: Path) -> StoredFile:
        """Copy `path` into the store (once per content). Raises Refused if it cannot be read."""
        ...

    async def inspect(self, path: Path) -> StoredFile:
        """Hash and kind of a file, without keeping it. Raises Refused if it cannot be read."""
        ...

    def locate(self, original: str) -> Path:
        """Where a kept file lies, given `StoredFile.original`."""
        ...

    async def keep_pages(self, original: str, pdf: bytes) -> Path:
        """Keep the PDF that was made of a kept file beside it, instead of an earlier one."""
        ...

    def pages(self, original: str) -> Path:
        """The PDF that shows the pages of a kept file: the one made of it, else the file itself."""
        ...

    async def drop(self, original: str) -> None:
        """Forget a kept file and the PDF made of it; no error if they are gone."""
        ...
