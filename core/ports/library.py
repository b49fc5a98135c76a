"""Documents, versions, pages and passages: the source of truth that everything else is a copy of. Also the
summaries, which are stored unchanged."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Protocol

from core.domain.documents import Document, DocumentVersion, Edition, Holding
from core.domain.ids import DocumentId, PassageId, TraceId, VersionId
from core.domain.journal import OutgoingReply, Pseudonym
from core.domain.messages import CorrectedQuotes
from core.domain.pages import Page, WrittenPage
from core.domain.passages import Passage, Reference
from core.domain.records import Moved, Settled, Successor
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.domain.summaries import Summary, SummaryDraft, SummaryEntry


class Library(Protocol):
    """Documents, versions, pages, passages and the registry, in SQL. Each method is one transaction."""

    async def save_registry(self, registry: Registry) -> None:
        """Replace places, parties, governments and derivations with those of `registry` (merged)."""

    async def registry(self, collections: Collection[str] | None = None) -> Registry:
        """The registry as last saved (its `documents` are the manifests' rows), limited to what readers of
        `collections` may know, if given."""

    async def save_document(self, document: Document) -> None:
        """Insert or update a document's row by id."""

    async def documents(self, collections: Sequence[str] | None = None) -> list[Document]:
        """Documents that are not deleted, by collection and title; all collections if None."""

    async def document(self, document: DocumentId) -> Document | None:
        """One document, deleted ones included."""

    async def versions(self, document: DocumentId) -> list[DocumentVersion]:
        """All versions of a document, newest first."""

    async def version(self, version: VersionId) -> DocumentVersion | None:
        """One version."""

    async def add_version(
        self, version: DocumentVersion, pages: Sequence[Page], passages: Sequence[Passage]
    ) -> None:
        """Save a pending version with its pages and passages, replacing an earlier unfinished attempt."""

    async def activate(self, version: VersionId, *, at: datetime) -> None:
        """Make a pending version active and supersede the previous one, in one transaction."""

    async def with_bytes(self, sha256: str, collection: str | None = None) -> list[Edition]:
        """Versions (active or superseded) that have these bytes, of documents that are not deleted."""

    async def delete_document(self, document: DocumentId, *, at: datetime) -> list[VersionId]:
        """Delete a document with versions, pages and passages; returns the versions whose points must be
        removed."""

    async def editions(self, scope: Scope, *, on: date) -> list[Edition]:
        """Documents of `scope.collections` that are not deleted, each with the version to read: the
        active one, or with `scope.as_of` the one that was current at the end of that day.
        `scope.documents` and `scope.doc_types` filter; places, parties and editions are
        the search's business."""

    async def page(self, version: VersionId, number: int) -> Page | None:
        """One page of a version."""

    async def pages_at(self, version: VersionId, numbers: Collection[int]) -> list[Page]:
        """Pages of a version by number, ascending; numbers that do not exist are left out."""

    async def written_at(self, version: VersionId, numbers: Collection[int]) -> list[WrittenPage]:
        """Like `pages_at`, but without word positions, which take most of the time."""

    def pages(self, version: VersionId) -> AsyncIterator[Page]:
        """All pages of a version in order."""

    async def passages(self, passages: Sequence[PassageId]) -> list[Passage]:
        """Passages by id, in the requested order; unknown ids are left out."""

    async def passages_at(self, version: VersionId, ordinals: Sequence[int]) -> list[Passage]:
        """Passages of a version by ordinal, ascending; ordinals that do not exist are left out."""

    async def section_family(self, version: VersionId, section: str) -> list[Passage]:
        """Passages of a version whose section id is `section`, in document order."""

    async def save_references(
        self, version: VersionId, references: Sequence[Reference], *, recogniser: int
    ) -> None:
        """Replace the references of a version with those found by `recogniser` (a version number); they are
        deleted with the version. Does nothing if the version does not exist or was deleted."""

    async def unrecognised(self, versions: Sequence[VersionId], *, recogniser: int) -> list[VersionId]:
        """Those of `versions` that `recogniser` has not searched for references yet."""

    async def references_from(
        self, versions: Sequence[VersionId], section: str | None = None
    ) -> list[Reference]:
        """References in `versions` (or only in their section with that id), by version in the requested
        order, then in the order saved."""

    async def references_to(self, versions: Sequence[VersionId], sections: Sequence[str]) -> list[Reference]:
        """References in `versions` that name one of `sections`, whichever document they mean; same order."""

    async def close(self) -> None:
        """Release connections."""


class Summaries(Protocol):
    """Stored summaries. `collections` are those that may be seen: a summary is shown only if they include all
    collections in its scope; None shows all. Each method is one transaction."""

    async def add(self, draft: SummaryDraft, *, person: Pseudonym | None = None) -> Summary:
        """Store a summary, assigning an id and its topic's next number. The documents and versions quoted are
        those of the library. `person` asked for it: when they are forgotten, it is deleted."""

    async def entries(self, collections: Sequence[str] | None = None) -> list[SummaryEntry]:
        """The summaries that may be seen, newest first."""

    async def summary(self, summary: int, collections: Sequence[str] | None = None) -> Summary | None:
        """A summary exactly as it was made, with its documents and versions as they are now; None if there is
        none that may be seen."""

    async def remove(self, summary: int) -> bool:
        """Delete a summary; returns whether there was one. Its id is never reused, nor is its number as long
        as its topic exists."""


class LifecycleLibrary(Library, Protocol):
    """A library whose documents can be withdrawn, restored and collected."""

    async def successors(self, versions: Sequence[VersionId]) -> dict[VersionId, Successor]:
        """For each of `versions` that is not (or no longer) active: the active version of its document.
        Deleted and withdrawn documents have none."""

    async def withdraw(self, document: DocumentId, *, at: datetime) -> bool:
        """Take a document out of every listing and search at once, while keeping everything; returns whether
        it was there."""

    async def restore(self, document: DocumentId) -> bool:
        """Undo `withdraw`; returns whether the document was withdrawn and is still complete."""

    async def withdrawn(
        self, *, before: datetime | None = None, after: datetime | None = None
    ) -> list[tuple[Document, datetime]]:
        """Documents that were withdrawn (until `before`, or with an implausible date later than `after`) and
        when, longest ago first."""

    async def superseded(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        """Versions of documents that are not deleted which stopped being the active one until `before`, or
        with an implausible date later than `after`."""

    async def unfinished(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        """Versions pending since `before` or earlier, or with an implausible date later than `after`:
        whatever created them has ended."""

    async def delete_version(self, version: VersionId, *, at: datetime) -> None:
        """Delete the content of a version that is not active; its row stays, marked deleted."""

    async def keeps(self, sha256: str, *, apart_from: Sequence[VersionId]) -> bool:
        """Whether a version that is not deleted, other than those given, has these bytes."""

    async def needed_files(self) -> set[str]:
        """SHA-256 of the stored files of all versions that are not deleted."""

    async def collections(self) -> list[str]:
        """Every collection that ever held a document."""

    async def kept(self, collection: str, *, before: datetime) -> set[VersionId]:
        """Versions of a collection whose points may stay: neither deleted nor superseded by another reading
        of the same bytes up to `before`."""

    async def holdings(self, collections: Sequence[str] | None = None) -> list[Holding]:
        """The versions whose points must be in the index, active ones first: all readable ones, including
        those of withdrawn documents, unless another reading of the same bytes is active."""

    async def refill(self, version: VersionId, pages: Sequence[Page], passages: Sequence[Passage]) -> None:
        """Restore lost pages and passages of a readable version, replacing what is left of them. Does nothing
        if the version does not exist or was deleted."""


class CorrectionLog(Protocol):
    """Which quotes in recorded answers were checked against which version, and what was reported."""

    async def cited(self) -> list[VersionId]:
        """Every version that a record cites or was checked against."""

    async def unsettled(self, successors: Mapping[VersionId, Successor], *, limit: int) -> list[TraceId]:
        """Answers that cite a key of `successors` and were not checked against its value, oldest first; and
        those that cite the value itself and were checked against the key before the value came back."""

    async def last_said(self, trace: TraceId, label: str) -> str | None:
        """What was last reported as the document's text in place of a quote; None if nothing was."""

    async def messages_since(
        self, chat: Pseudonym | None, since: datetime, *, until: datetime | None = None
    ) -> int:
        """Number of correction messages sent to a chat (None: any) after `since` and up to `until`."""

    async def recent(self, *, since: datetime, limit: int) -> list[CorrectedQuotes]:
        """The versions in which quotes were found changed or gone after `since`, the latest first."""

    async def settle(
        self,
        settled: Sequence[Settled],
        moved: Sequence[Moved],
        replies: Sequence[OutgoingReply],
        *,
        at: datetime,
    ) -> bool:
        """In one transaction: store what is settled, update records whose quotes have moved, and queue the
        messages. Does nothing and returns False if one of `settled` is already stored: another process was
        quicker. Citations of records deleted meanwhile are left out."""
