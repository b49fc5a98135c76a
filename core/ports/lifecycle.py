"""The ports of a library's life: what follows when versions succeed each other and documents go."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from core.domain.corrections import Moved, Settled, Successor
from core.domain.documents import Document, DocumentVersion, Holding
from core.domain.ids import DocumentId, TraceId, VersionId
from core.domain.journal import OutgoingReply, Pseudonym
from core.domain.pages import Page
from core.domain.passages import Passage
from core.ports.library import Library


class LifecycleLibrary(Library, Protocol):
    """A library whose documents are withdrawn, restored and collected."""

    async def successors(self, versions: Sequence[VersionId]) -> dict[VersionId, Successor]:
        """Of those of `versions` that are not the active ones (any more): the active version of their
        document. Documents that are deleted or withdrawn have none."""
        ...

    async def withdraw(self, document: DocumentId, *, at: datetime) -> bool:
        """Take a document out of every listing and search, all at once, with everything kept; whether it
        was there."""
        ...

    async def restore(self, document: DocumentId) -> bool:
        """Undo `withdraw`; whether the document was withdrawn and nothing of it is deleted."""
        ...

    async def withdrawn(
        self, *, before: datetime | None = None, after: datetime | None = None
    ) -> list[tuple[Document, datetime]]:
        """Documents that were withdrawn (until `before`, or later than `after`, which is in the future) and
        when, longest ago first."""
        ...

    async def superseded(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        """Versions of documents that are not deleted which stopped being the active one until `before`, or
        later than `after`, which is in the future."""
        ...

    async def unfinished(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        """Versions pending since `before` or longer, or since later than `after`, which is in the future:
        whatever made them has ended."""
        ...

    async def delete_version(self, version: VersionId, *, at: datetime) -> None:
        """Delete what a version that is not active says; its row stays, marked deleted."""
        ...

    async def keeps(self, sha256: str, *, apart_from: Sequence[VersionId]) -> bool:
        """Whether a version that is not deleted has these bytes, other than those named."""
        ...

    async def collections(self) -> list[str]:
        """Every collection that ever held a document."""
        ...

    async def kept(self, collection: str, *, before: datetime) -> set[VersionId]:
        """Versions of a collection whose points may stay: not those that are deleted, nor those that another
        reading of the same bytes has superseded until `before`."""
        ...

    async def holdings(self, collections: Sequence[str] | None = None) -> list[Holding]:
        """The versions whose points the index must have, active ones first: all that can be read, those of
        withdrawn documents too, but not one of which another reading of the same bytes is active."""
        ...

    async def refill(self, version: VersionId, pages: Sequence[Page], passages: Sequence[Passage]) -> None:
        """Put pages and passages that were lost back into a version that can be read, instead of what is left
        of them. Nothing happens if it is not there or was deleted."""
        ...


class CorrectionLog(Protocol):
    """Which quotes of recorded answers were held against which version, and what was said of it."""

    async def cited(self) -> list[VersionId]:
        """Every version that a record cites, or was held against."""
        ...

    async def unsettled(self, successors: Mapping[VersionId, Successor], *, limit: int) -> list[TraceId]:
        """Answers that cite a key of `successors` and were not held against its value, oldest first; and
        those that cite the value themselves and were held against the key before it came back."""
        ...

    async def last_said(self, trace: TraceId, label: str) -> str | None:
        """What was last told that the document says in the place of a quote; None: nothing was."""
        ...

    async def messages_since(
        self, chat: Pseudonym | None, since: datetime, *, until: datetime | None = None
    ) -> int:
        """Messages with corrections that a chat (None: any) was sent after `since`, and not after `until`."""
        ...

    async def settle(
        self,
        settled: Sequence[Settled],
        moved: Sequence[Moved],
        replies: Sequence[OutgoingReply],
        *,
        at: datetime,
    ) -> bool:
        """In one transaction: keep what is settled, let records point to where quotes have moved, and queue
        what is to be said. False, and nothing happens, where one of `settled` is known: another process was
        quicker. Citations of records that have gone meanwhile are left out."""
        ...
