"""The life of an in-memory library, and the log of corrections beside an in-memory journal."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from core.domain.documents import Document, DocumentStatus, DocumentVersion, Holding, VersionStatus
from core.domain.ids import DocumentId, TraceId, VersionId
from core.domain.journal import OutgoingReply, Pseudonym
from core.domain.messages import CorrectedQuotes
from core.domain.pages import Page
from core.domain.passages import Passage
from core.domain.records import Moved, Recheck, Settled, Successor, repointed
from tests.support.fake_journal import FakeJournal
from tests.support.stamps import is_over

OLD = (VersionStatus.SUPERSEDED, VersionStatus.DELETED)


class FakeLife:
    """The part of `LifecycleLibrary` in `FakeLibrary`."""

    _documents: dict[DocumentId, Document]
    _contents: dict[VersionId, Any]
    _references: dict[VersionId, Any]
    _withdrawn: dict[DocumentId, datetime]

    def _rows(self) -> list[DocumentVersion]:
        return [content.version for content in self._contents.values()]

    async def successors(self, versions: Sequence[VersionId]) -> dict[VersionId, Successor]:
        active = {
            row.document: Successor(row.id, row.indexed_at or row.seen_from)
            for row in self._rows()
            if row.status is VersionStatus.ACTIVE
            and self._documents[row.document].status is DocumentStatus.ACTIVE
        }
        old = [row for row in self._rows() if row.id in versions and row.status in OLD]
        return {row.id: active[row.document] for row in old if row.document in active}

    async def withdraw(self, document: DocumentId, *, at: datetime) -> bool:
        known = self._documents.get(document)
        if known is None or known.status is DocumentStatus.DELETED:
            return False
        self._documents[document] = replace(known, status=DocumentStatus.DELETED)
        self._withdrawn[document] = at
        return True

    async def restore(self, document: DocumentId) -> bool:
        if self._withdrawn.pop(document, None) is None:
            return False
        self._documents[document] = replace(self._documents[document], status=DocumentStatus.ACTIVE)
        return True

    async def withdrawn(
        self, *, before: datetime | None = None, after: datetime | None = None
    ) -> list[tuple[Document, datetime]]:
        found = [
            (at, name)
            for name, at in self._withdrawn.items()
            if before is None or is_over(at, before=before, after=after)
        ]
        return [(self._documents[name], at) for at, name in sorted(found)]

    async def superseded(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        return [
            row
            for row in self._rows()
            if row.status is VersionStatus.SUPERSEDED
            and row.seen_to is not None
            and is_over(row.seen_to, before=before, after=after)
            and self._documents[row.document].status is DocumentStatus.ACTIVE
        ]

    async def unfinished(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        return [
            row
            for row in self._rows()
            if row.status is VersionStatus.PENDING and is_over(row.seen_from, before=before, after=after)
        ]

    async def delete_version(self, version: VersionId, *, at: datetime) -> None:
        content = self._contents[version]
        row = content.version
        if row.status not in (VersionStatus.ACTIVE, VersionStatus.DELETED):
            bare = replace(row, status=VersionStatus.DELETED, seen_to=row.seen_to or at)
            self._contents[version] = replace(content, version=bare, pages=(), passages=())
            self._references.pop(version, None)

    async def keeps(self, sha256: str, *, apart_from: Sequence[VersionId]) -> bool:
        return any(
            row.sha256 == sha256 and row.status is not VersionStatus.DELETED and row.id not in apart_from
            for row in self._rows()
        )

    async def needed_files(self) -> set[str]:
        return {row.sha256 for row in self._rows() if row.status is not VersionStatus.DELETED}

    async def collections(self) -> list[str]:
        return sorted({document.collection for document in self._documents.values()})

    async def kept(self, collection: str, *, before: datetime) -> set[VersionId]:
        active = {(row.document, row.sha256) for row in self._rows() if row.status is VersionStatus.ACTIVE}
        return {
            row.id
            for row in self._rows()
            if row.status is not VersionStatus.DELETED
            and self._documents[row.document].collection == collection
            and not (
                row.status is VersionStatus.SUPERSEDED
                and row.seen_to is not None
                and row.seen_to <= before
                and (row.document, row.sha256) in active
            )
        }

    async def holdings(self, collections: Sequence[str] | None = None) -> list[Holding]:
        active = {(row.document, row.sha256) for row in self._rows() if row.status is VersionStatus.ACTIVE}
        rows = [
            row
            for row in self._rows()
            if row.status is VersionStatus.ACTIVE
            or (row.status is VersionStatus.SUPERSEDED and (row.document, row.sha256) not in active)
        ]
        found = [(self._documents[row.document].collection, row) for row in rows]
        wanted = [pair for pair in found if collections is None or pair[0] in collections]
        return [
            Holding(
                collection=collection,
                document=row.document,
                version=row.id,
                passages=row.passages,
                kept=len(self._contents[row.id].passages),
                original=row.original,
            )
            for collection, row in sorted(wanted, key=lambda pair: (pair[1].status, pair[0]))
        ]

    async def refill(self, version: VersionId, pages: Sequence[Page], passages: Sequence[Passage]) -> None:
        content = self._contents.get(version)
        if content is None or content.version.status not in (VersionStatus.ACTIVE, VersionStatus.SUPERSEDED):
            return
        row = replace(content.version, passages=len(passages))
        self._contents[version] = replace(content, version=row, pages=tuple(pages), passages=tuple(passages))


class FakeCorrections:
    """Implements `CorrectionLog` beside a journal."""

    def __init__(self, journal: FakeJournal) -> None:
        self._journal = journal
        self._settled: list[tuple[Settled, datetime]] = []

    async def cited(self) -> list[VersionId]:
        held = {item.version for item, _ in self._settled}
        cites = {name for record in self._journal._answers.values() for name in record.versions}
        return sorted(cites | held)

    async def unsettled(self, successors: Mapping[VersionId, Successor], *, limit: int) -> list[TraceId]:
        rows = [item for item, _ in self._settled]
        done = {(item.trace, Successor(item.version, item.since)) for item in rows}
        held = {(item.trace, item.version) for item in rows}
        found = [
            record
            for record in self._journal._answers.values()
            if any(
                (old in record.versions or (new.version in record.versions and (record.trace, old) in held))
                and (record.trace, new) not in done
                for old, new in successors.items()
            )
        ]
        return [record.trace for record in sorted(found, key=lambda record: (record.at, record.trace))][
            :limit
        ]

    async def last_said(self, trace: TraceId, label: str) -> str | None:
        said = [
            (at, item.said)
            for item, at in self._settled
            if (item.trace, item.label) == (trace, label) and item.said is not None
        ]
        return max(said, key=lambda row: row[0])[1] if said else None

    async def messages_since(
        self, chat: Pseudonym | None, since: datetime, *, until: datetime | None = None
    ) -> int:
        heard = [
            item for item, at in self._settled if chat in (None, item.chat) and since < at <= (until or at)
        ]
        return len({item.reply for item in heard} - {None})

    async def recent(self, *, since: datetime, limit: int) -> list[CorrectedQuotes]:
        rows = [(i, at) for i, at in self._settled if i.outcome is not Recheck.KEPT and at > since]
        found = []
        for version in {item.version for item, _ in rows}:
            own = [(item.outcome, at) for item, at in rows if item.version == version]
            outcomes = Counter(outcome for outcome, _ in own)
            found.append(
                CorrectedQuotes(
                    version=version,
                    at=max(at for _, at in own),
                    changed=outcomes[Recheck.CHANGED],
                    gone=outcomes[Recheck.GONE],
                )
            )
        return sorted(found, key=lambda each: (-each.at.timestamp(), each.version))[:limit]

    async def settle(
        self,
        settled: Sequence[Settled],
        moved: Sequence[Moved],
        replies: Sequence[OutgoingReply],
        *,
        at: datetime,
    ) -> bool:
        known = {_key(item) for item, _ in self._settled}
        if any(_key(item) in known for item in settled):
            return False
        answers = self._journal._answers
        self._settled += [(item, at) for item in settled if item.trace in answers]
        for trace in {item.trace for item in moved} & answers.keys():
            answers[trace] = repointed(answers[trace], moved)
        await self._journal.enqueue(replies, at=at)
        return True


def _key(item: Settled) -> tuple[object, ...]:
    return item.trace, item.label, item.version, item.since
