"""The outbox part of the journal."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import Database, notify
from adapters.database.journal_forgetting import NO_CONTENT
from adapters.database.mapping import (
    INBOX,
    OUTBOX,
    PARTS,
    POSTED,
    UPKEEP,
    Codec,
    changed,
    columns,
    in_chat,
    insert_new,
    over,
)
from core.domain.ids import TraceId
from core.domain.journal import (
    Backlog,
    ChatKey,
    DeadLetter,
    Delivered,
    Mailbox,
    OutboxItem,
    OutgoingReply,
    Posted,
    SendState,
    chat_key,
)
from core.domain.messages import Button, MessageRef, Outgoing
from core.errors import LONGEST_WAIT_S
from core.ports.clock import SKEW

ITEMS = Codec(OutboxItem)
POSTINGS = Codec(Posted)
LETTERS = Codec(DeadLetter)

LONGEST_WAIT = timedelta(seconds=LONGEST_WAIT_S)

PURGE = "purge"
"""The row of `upkeep` with the time when old data was last removed."""

OPEN = OUTBOX.c.state.in_((SendState.PENDING, SendState.SENDING))
SENDING = OUTBOX.c.state == SendState.SENDING
LOST = (SendState.FAILED, SendState.UNKNOWN)
UNSENT = tuple(state for state in SendState if state is not SendState.SENT)

LAST = "\U0010ffff"
"""Sorts after every other letter when keys are compared byte by byte. Keys with a given prefix lie between
the prefix and this: an index can answer that, unlike LIKE."""


async def queue(
    connection: AsyncConnection, replies: Sequence[OutgoingReply], at: datetime, *, forgotten: bool = False
) -> None:
    """Queue replies; parts whose key is known are skipped."""
    for reply in replies:
        for part in reply.parts:
            await insert_new(connection, OUTBOX, _pending(reply, part, at, forgotten), ("key",))
    if replies:
        await notify(connection, "outbox")


def _pending(reply: OutgoingReply, part: Outgoing, at: datetime, forgotten: bool) -> dict[str, object]:
    return {
        "key": part.key,
        "reply": reply.parts[0].key,
        "platform": part.to.platform,
        "workspace": part.to.workspace,
        "chat": part.to.chat,
        "person": None if forgotten else reply.person,
        "trace": reply.trace,
        "payload": PARTS.pack(part),
        "state": SendState.PENDING,
        "changed_at": at,
        "due_at": at,
        "attempts": 0,
        "claims": 0,
        "message_ids": [],
        "forgotten": forgotten,
    }


class SqlOutbox:
    """Replies to deliver."""

    _database: Database
    _process: str

    async def enqueue(self, replies: Sequence[OutgoingReply], *, at: datetime, forget: bool = False) -> None:
        async with self._database.write() as connection:
            await queue(connection, replies, at, forgotten=forget)

    async def claim_part(self, platform: str, *, at: datetime) -> OutboxItem | None:
        columns = OUTBOX.c
        heads = sa.select(sa.func.min(columns.row)).where(OPEN, columns.platform == platform)
        heads = heads.group_by(columns.workspace, columns.chat)
        time = over(columns.due_at, before=at, after=at + LONGEST_WAIT + SKEW)
        due = sa.and_(columns.state == SendState.PENDING, time)
        query = sa.select(columns.row).where(columns.row.in_(heads), due).order_by(columns.row).limit(1)
        query = query.with_for_update(skip_locked=True)
        async with self._database.write() as connection:
            row = (await connection.execute(query)).scalar()
            if row is None:
                return None
            claimed = (
                OUTBOX.update()
                .where(columns.row == row)
                .values(
                    state=SendState.SENDING,
                    changed_at=at,
                    attempts=columns.attempts + 1,
                    claims=columns.claims + 1,
                    process=self._process,
                )
            )
            return _item((await connection.execute(claimed.returning(*columns))).one())

    async def sent(self, item: OutboxItem, message_ids: Sequence[str], *, at: datetime) -> None:
        done = OUTBOX.update().where(_claimed(item))
        done = done.values(state=SendState.SENT, changed_at=at, message_ids=list(message_ids), error=None)
        async with self._database.write() as connection:
            row = (await connection.execute(done.returning(*OUTBOX.c))).one_or_none()
            if row is None:
                return
            if row.trace is not None and not row.forgotten:
                await _remember(connection, row, message_ids, at)
            if row.forgotten:
                await connection.execute(OUTBOX.update().where(OUTBOX.c.row == item.id).values(NO_CONTENT))

    async def postpone(self, item: OutboxItem, *, until: datetime, error: str, at: datetime) -> None:
        later = OUTBOX.update().where(_claimed(item))
        later = later.values(state=SendState.PENDING, due_at=until, changed_at=at, error=error)
        await self._database.run(later)

    async def fail(
        self, item: OutboxItem, error: str, *, at: datetime, unknown: bool = False, rest: bool = False
    ) -> None:
        lost = {"changed_at": at, "error": error}
        state = SendState.UNKNOWN if unknown else SendState.FAILED
        one = OUTBOX.update().where(_claimed(item)).values(state=state, **lost)
        async with self._database.write() as connection:
            reply = (await connection.execute(one.returning(OUTBOX.c.reply))).scalar()
            if reply is not None and rest:
                others = OUTBOX.update().where(OUTBOX.c.reply == reply, OUTBOX.c.row > item.id, OPEN)
                await connection.execute(others.values(state=SendState.FAILED, **lost))

    async def give_up_others(self, served: Sequence[str], error: str, *, at: datetime) -> int:
        others = OUTBOX.update().where(OUTBOX.c.platform.not_in(served))
        rows = 0
        async with self._database.write() as connection:
            for before, after in (
                (SendState.PENDING, SendState.FAILED),
                (SendState.SENDING, SendState.UNKNOWN),
            ):
                lost = others.where(OUTBOX.c.state == before)
                rows += await changed(connection, lost.values(state=after, changed_at=at, error=error))
        return rows

    async def interrupted_parts(self, platform: str) -> list[OutboxItem]:
        async with self._database.write() as connection:
            taken = OUTBOX.update().where(SENDING, OUTBOX.c.platform == platform)
            taken = taken.values(process=self._process, claims=OUTBOX.c.claims + 1)
            rows = (await connection.execute(taken.returning(*OUTBOX.c))).all()
        return [_item(row) for row in sorted(rows, key=lambda row: row.row)]

    async def last_reply(self, key: str) -> list[MessageRef]:
        columns = OUTBOX.c
        query = OUTBOX.select().where(_under(key))
        query = query.where(columns.state == SendState.SENT).order_by(columns.row)
        rows = await self._database.rows(query)
        return [
            replace(PARTS.unpack(row.payload).to, message=message)
            for row in rows
            if row.reply == rows[-1].reply and row.payload is not None
            for message in row.message_ids
        ]

    async def delivered(self, key: str) -> Delivered:
        query = OUTBOX.select().where(_under(key)).order_by(OUTBOX.c.row)
        rows = await self._database.rows(query.where(OUTBOX.c.payload.is_not(None)))
        parts = [(PARTS.unpack(row.payload), row) for row in rows]
        states = [row.state for part, row in parts if not part.deletes]
        shown = [replace(part.to, message=name) for part, row in parts for name in row.message_ids]
        return Delivered(
            messages=tuple(dict.fromkeys(shown)),
            waiting=states.count(SendState.PENDING),
            sending=states.count(SendState.SENDING),
        )

    async def unqueue(self, key: str) -> int:
        waiting = sa.and_(
            _under(key),
            OUTBOX.c.state == SendState.PENDING,
            OUTBOX.c.payload["deletes"].as_boolean().is_(False),
        )
        return await self._database.run(OUTBOX.delete().where(waiting))

    async def posted(self, trace: TraceId) -> list[Posted]:
        query = POSTED.select().where(POSTED.c.trace == trace).order_by(POSTED.c.row)
        return [
            POSTINGS.read(row, ref=columns(row), at=row.posted_at) for row in await self._database.rows(query)
        ]

    async def trace_of(self, message: MessageRef) -> TraceId | None:
        query = sa.select(POSTED.c.trace).where(in_chat(POSTED, chat_key(message)))
        query = query.where(POSTED.c.message == message.message).order_by(POSTED.c.row.desc()).limit(1)
        trace = await self._database.scalar(query)
        return TraceId(trace) if trace else None

    async def buttons_of(self, message: MessageRef) -> tuple[Button, ...]:
        """Looked up by the time when the answer was sent, since no index has its trace."""
        shown = sa.select(POSTED.c.trace, POSTED.c.posted_at).where(in_chat(POSTED, chat_key(message)))
        shown = shown.where(POSTED.c.message == message.message).order_by(POSTED.c.row.desc()).limit(1)
        sent = sa.select(OUTBOX.c.trace, OUTBOX.c.payload, OUTBOX.c.message_ids)
        sent = sent.where(OUTBOX.c.state == SendState.SENT)
        async with self._database.read() as connection:
            posted = (await connection.execute(shown)).one_or_none()
            rows = (
                (await connection.execute(sent.where(OUTBOX.c.changed_at == posted.posted_at)))
                if posted
                else ()
            )
            matching = [row for row in rows if row.payload and message.message in row.message_ids]
        parts = [PARTS.unpack(row.payload) for row in matching if posted and row.trace == posted.trace]
        return tuple(button for part in parts for row in part.buttons for button in row)

    async def withdrawn(self, messages: Sequence[MessageRef]) -> None:
        async with self._database.write() as connection:
            for message in messages:
                statement = POSTED.delete().where(in_chat(POSTED, chat_key(message)))
                await connection.execute(statement.where(POSTED.c.message == message.message))

    async def dead_letters(self, *, limit: int = 50) -> list[DeadLetter]:
        letters = []
        async with self._database.read() as connection:
            for box, table, states in ((Mailbox.INBOX, INBOX, ("dead",)), (Mailbox.OUTBOX, OUTBOX, LOST)):
                query = table.select().where(table.c.state.in_(states))
                query = query.order_by(table.c.changed_at.desc(), table.c.row.desc()).limit(limit)
                letters += [
                    LETTERS.read(row, box=box, id=row.row, error=row.error or "", at=row.changed_at)
                    for row in await connection.execute(query)
                ]
        return sorted(letters, key=lambda letter: letter.at, reverse=True)[:limit]

    async def revive(self, box: Mailbox, item: int, *, at: datetime) -> bool:
        table, states, again = (
            (INBOX, ("dead",), {"state": "waiting"})
            if box is Mailbox.INBOX
            else (OUTBOX, LOST, {"state": SendState.PENDING, "due_at": at})
        )
        revived = table.update().where(table.c.row == item, table.c.state.in_(states))
        revived = revived.where(table.c.payload.is_not(None)).values(
            changed_at=at, attempts=0, error=None, **again
        )
        return bool(await self._database.run(revived))

    async def unsent_files(self) -> set[Path]:
        query = sa.select(OUTBOX.c.payload).where(OUTBOX.c.state.in_(UNSENT))
        async with self._database.read() as connection:
            rows = (await connection.execute(query.where(OUTBOX.c.payload.is_not(None)))).scalars().all()
        return {file.path for row in rows for file in PARTS.unpack(row).files}

    async def backlog(self) -> Backlog:
        columns = INBOX.c, OUTBOX.c
        async with self._database.read() as connection:
            counts: dict[str, int] = {}
            for each in columns:
                query = sa.select(each.state, sa.func.count(each.row)).where(each.state.in_(COUNTED))
                query = query.group_by(each.state)
                counts.update((row[0], row[1]) for row in await connection.execute(query))
            oldest_in = sa.select(sa.func.min(INBOX.c.received_at)).where(INBOX.c.state == "waiting")
            oldest_out = sa.select(sa.func.min(OUTBOX.c.due_at)).where(OUTBOX.c.state == SendState.PENDING)
            purged = sa.select(UPKEEP.c.at).where(UPKEEP.c.job == PURGE)
            return Backlog(
                **{name: counts.get(name, 0) for name in COUNTED},
                oldest_waiting=await connection.scalar(oldest_in),
                oldest_pending=await connection.scalar(oldest_out),
                purged_at=await connection.scalar(purged),
            )


COUNTED = ("waiting", "working", "dead", "pending", "sending", "failed", "unknown")
"""States of both boxes that the operator should know about; their names are distinct."""


async def _remember(
    connection: AsyncConnection, row: Row[Any], message_ids: Sequence[str], at: datetime
) -> None:
    thread = PARTS.unpack(row.payload).to.thread
    place = {name: getattr(row, name) for name in ("trace", "platform", "workspace", "chat")}
    rows = [{**place, "thread": thread, "message": message, "posted_at": at} for message in message_ids]
    if rows:
        here = in_chat(POSTED, ChatKey(platform=row.platform, workspace=row.workspace, chat=row.chat))
        await connection.execute(POSTED.delete().where(here, POSTED.c.message.in_(message_ids)))
        await connection.execute(POSTED.insert(), rows)


def _under(key: str) -> sa.ColumnElement[bool]:
    """Parts whose keys begin with `key`."""
    return sa.and_(OUTBOX.c.key >= key, OUTBOX.c.key < key + LAST)


def _item(row: Row[Any]) -> OutboxItem:
    return ITEMS.read(row, id=row.row, part=row.payload, claim=row.claims)


def _claimed(item: OutboxItem) -> sa.ColumnElement[bool]:
    """The row of a part, if nobody else has claimed it since."""
    return sa.and_(OUTBOX.c.row == item.id, OUTBOX.c.claims == item.claim, SENDING)
