"""The `CorrectionLog` port on SQL, beside the journal's answers and outbox."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import Database
from adapters.database.journal_outbox import queue
from adapters.database.mapping import ANSWER_VERSIONS, ANSWERS, CORRECTIONS, RECORDS, field_values
from adapters.database.queries import AT_ONCE
from core.domain.ids import TraceId, VersionId
from core.domain.journal import OutgoingReply, Pseudonym
from core.domain.messages import CorrectedQuotes
from core.domain.records import Moved, Recheck, Settled, Successor, repointed


class SqlCorrections:
    """Which quotes were checked against which version, in an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def cited(self) -> list[VersionId]:
        query = sa.union(sa.select(ANSWER_VERSIONS.c.version), sa.select(CORRECTIONS.c.version))
        async with self._database.read() as connection:
            return sorted(VersionId(version) for version in (await connection.execute(query)).scalars())

    async def unsettled(self, successors: Mapping[VersionId, Successor], *, limit: int) -> list[TraceId]:
        changed_at: dict[TraceId, datetime] = {}
        async with self._database.read() as connection:
            for old, new in successors.items():
                for query in (_unsettled(old, new), _come_back(old, new)):
                    rows = await connection.execute(query.limit(limit))
                    changed_at.update((TraceId(row.trace), row.at) for row in rows)
        return sorted(changed_at, key=lambda trace: (changed_at[trace], trace))[:limit]

    async def last_said(self, trace: TraceId, label: str) -> str | None:
        columns = CORRECTIONS.c
        query = sa.select(columns.said).where(columns.trace == trace, columns.label == label)
        query = query.where(columns.said.is_not(None)).order_by(columns.at.desc()).limit(1)
        said: str | None = await self._database.scalar(query)
        return said

    async def messages_since(
        self, chat: Pseudonym | None, since: datetime, *, until: datetime | None = None
    ) -> int:
        columns = CORRECTIONS.c
        query = sa.select(sa.func.count(columns.reply.distinct())).where(columns.at > since)
        if until is not None:
            query = query.where(columns.at <= until)
        if chat is not None:
            query = query.where(columns.chat == chat)
        async with self._database.read() as connection:
            return (await connection.execute(query)).scalar_one()

    async def recent(self, *, since: datetime, limit: int) -> list[CorrectedQuotes]:
        columns, count = CORRECTIONS.c, sa.func.count
        changed, gone = (
            count(sa.case((columns.outcome == each.value, 1))) for each in (Recheck.CHANGED, Recheck.GONE)
        )
        latest = sa.func.max(columns.at)
        query = (
            sa.select(columns.version, latest.label("at"), changed.label("changed"), gone.label("gone"))
            .where(columns.outcome != Recheck.KEPT.value, columns.at > since)
            .group_by(columns.version)
            .order_by(latest.desc(), columns.version)
            .limit(limit)
        )
        rows = await self._database.rows(query)
        return [
            CorrectedQuotes(version=VersionId(row.version), at=row.at, changed=row.changed, gone=row.gone)
            for row in rows
        ]

    async def settle(
        self,
        settled: Sequence[Settled],
        moved: Sequence[Moved],
        replies: Sequence[OutgoingReply],
        *,
        at: datetime,
    ) -> bool:
        async with self._database.write() as connection:
            if await _any_known(connection, settled):
                return False
            recorded = await _recorded(connection, [item.trace for item in settled])
            rows = [{**field_values(item), "at": at} for item in settled if item.trace in recorded]
            if rows:
                await connection.execute(CORRECTIONS.insert(), rows)
            for trace in dict.fromkeys(item.trace for item in moved):
                await _repoint(connection, trace, [item for item in moved if item.trace == trace])
            await queue(connection, replies, at)
        return True


def _unsettled(old: VersionId, new: Successor) -> sa.Select[tuple[str, datetime]]:
    """Answers that cite `old` and were not checked against `new`."""
    done = _held_against(new.version, CORRECTIONS.c.since == new.since)
    joined = sa.join(ANSWERS, ANSWER_VERSIONS, ANSWERS.c.trace == ANSWER_VERSIONS.c.trace)
    query = sa.select(ANSWERS.c.trace, ANSWERS.c.at).select_from(joined)
    return query.where(ANSWER_VERSIONS.c.version == old, ~done).order_by(ANSWERS.c.at, ANSWERS.c.trace)


def _come_back(old: VersionId, new: Successor) -> sa.Select[tuple[str, datetime]]:
    """Answers that cite `new` and were checked against `old` before `new` came back."""
    return _unsettled(new.version, new).where(_held_against(old))


def _held_against(version: VersionId, *also: sa.ColumnElement[bool]) -> sa.Exists:
    return sa.exists().where(CORRECTIONS.c.trace == ANSWERS.c.trace, CORRECTIONS.c.version == version, *also)


async def _any_known(connection: AsyncConnection, settled: Sequence[Settled]) -> bool:
    columns = CORRECTIONS.c
    for item in settled:
        same = (
            *(columns.trace == item.trace, columns.label == item.label),
            *(columns.version == item.version, columns.since == item.since),
        )
        if (await connection.execute(sa.select(columns.trace).where(*same))).first() is not None:
            return True
    return False


async def _recorded(connection: AsyncConnection, traces: Sequence[TraceId]) -> set[str]:
    recorded: set[str] = set()
    for start in range(0, len(traces), AT_ONCE):
        query = sa.select(ANSWERS.c.trace).where(ANSWERS.c.trace.in_(traces[start : start + AT_ONCE]))
        recorded.update((await connection.execute(query)).scalars())
    return recorded


async def _repoint(connection: AsyncConnection, trace: TraceId, moved: Sequence[Moved]) -> None:
    """Replace citations, in the record and in the list of versions it cites. Only the column without texts is
    written: the texts may be erased meanwhile."""
    query = sa.select(ANSWERS.c.record).where(ANSWERS.c.trace == trace).with_for_update()
    packed = (await connection.execute(query)).scalar()
    if packed is None:
        return
    record = repointed(RECORDS.unpack(packed), moved)
    of_answer = ANSWERS.update().where(ANSWERS.c.trace == trace)
    await connection.execute(of_answer.values(record=RECORDS.pack(record)))
    await connection.execute(ANSWER_VERSIONS.delete().where(ANSWER_VERSIONS.c.trace == trace))
    rows = [{"trace": trace, "version": version} for version in record.versions]
    await connection.execute(ANSWER_VERSIONS.insert(), rows)
