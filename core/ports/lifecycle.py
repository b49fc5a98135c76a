"""Ports for the life cycle of a library: what happens when versions are superseded and documents removed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from core.domain.corrections import Moved, Settled, Successor
from core.domain.documents import Document, DocumentVersion, Holding
from core.domain.ids import DocumentId, TraceId, VersionId
from core.domain.journal import OutgoingReply, Pseudonym
from core.domain.pages import Page
from core.domain.passages import Passage
from core.domain.surfaces import CorrectedQuotes
from core.ports.library import Library


class LifecycleLibrary(Library, Protocol):
    """A library whose documents can be withdrawn, restored and collected."""

    async def successors(self, versions: Sequence[VersionId]) -> dict[VersionId, Successor]:
        """For each of `versions` that is not (or no longer) active: the active version of its document.
        Deleted and withdrawn documents have none."""
        ...

    async def withdraw(self, document: DocumentId, *, at: datetime) -> bool:
        """Take a document out of every listing and search at once, while keeping everything; returns whether
        it was there."""
        ...

    async def restore(self, document: DocumentId) -> bool:
        """Undo `withdraw`; returns whether the document was withdrawn and is still complete."""
        ...

    async def withdrawn(
        self, *, before: datetime | None = None, after: datetime | None = None
    ) -> list[tuple[Document, datetime]]:
        """Documents that were withdrawn (until `before`, or with an implausible date later than `after`) and
        when, longest ago first."""
        ...

    async def superseded(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        """Versions of documents that are not deleted which stopped being the active one until `before`, or
        with an implausible date later than `after`."""
        ...

    async def unfinished(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        """Versions pending since `before` or earlier, or with an implausible date later than `after`:
        whatever created them has ended."""
        ...

    async def delete_version(self, version: VersionId, *, at: datetime) -> None:
        """Delete the content of a version that is not active; its row stays, marked deleted."""
        ...

    async def keeps(self, sha256: str, *, apart_from: Sequence[VersionId]) -> bool:
        """Whether a version that is not deleted, other than those given, has these bytes."""
        ...

    async def needed_files(self) -> set[str]:
        """SHA-256 of the stored files of all versions that are not deleted."""
        ...

    async def collections(self) -> list[str]:
        """Every collection that ever held a document."""
        ...

    async def kept(self, collection: str, *, before: datetime) -> set[VersionId]:
        """Versions of a collection whose points may stay: neither deleted nor superseded by another reading
        of the same bytes up to `before`."""
        ...

    async def holdings(self, collections: Sequence[str] | None = None) -> list[Holding]:
        """The versions whose points must be in the index, active ones first: all readable ones, including
        those of withdrawn documents, unless another reading of the same bytes is active."""
        ...

    async def refill(self, version: VersionId, pages: Sequence[Page], passages: Sequence[Passage]) -> None:
        """Restore lost pages and passages of a readable version, replacing what is left of them. Does nothing
        if the version does not exist or was deleted."""
        ...


class CorrectionLog(Protocol):
    """Which quotes in recorded answers were checked against which version, and what was reported."""

    async def cited(self) -> list[VersionId]:
        """Every version that a record cites or was checked against."""
        ...

    async def unsettled(self, successors: Mapping[VersionId, Successor], *, limit: int) -> list[TraceId]:
        """Answers that cite a key of `successors` and were not checked against its value, oldest first; and
        those that cite the value itself and were checked against the key before the value came back."""
        ...

    async def last_said(self, trace: TraceId, label: str) -> str | None:
        """What was last reported as the document's text in place of a quote; None if nothing was."""
        ...

    async def messages_since(
        self, chat: Pseudonym | None, since: datetime, *, until: datetime | None = None
    ) -> int:
        """Number of correction messages sent to a chat (None: any) after `since` and up to `until`."""
        ...

    async def recent(self, *, since: datetime, limit: int) -> list[CorrectedQuotes]:
        """The versions in which quotes were found changed or gone after `since`, the latest first."""
        ...

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
        ...
