"""The inbox part of the journal."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import Database, notify
from adapters.database.journal_forgetting import NO_CONTENT, erase_person
from adapters.database.journal_outbox import queue
from adapters.database.mapping import CURSORS, INBOX, MESSAGES, changed, in_chat, insert_new, over, put
from adapters.database.processes import is_left
from core.domain.journal import (
    REST,
    SUSPICIOUS,
    ChatKey,
    Cursor,
    InboxItem,
    OutgoingReply,
    Pseudonym,
    Pseudonyms,
    Requeued,
    Stop,
    chat_key,
)
from core.domain.messages import ANSWERED, IncomingMessage, MessageKind, MessageRef
from core.ports.clock import SKEW

CHAT = (INBOX.c.platform, INBOX.c.workspace, INBOX.c.chat)


class InboxState(StrEnum):
    """Life of a message: waiting -> working -> done or dead."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    DEAD = "dead"


WAITING = INBOX.c.state == InboxState.WAITING
WORKING = INBOX.c.state == InboxState.WORKING
IN_LINE = INBOX.c.payload["kind"].as_string().in_([str(kind) for kind in ANSWERED])


class SqlInbox:
    """Messages taken over."""

    _database: Database
    _pseudonyms: Pseudonyms
    _process: str

    async def accept(
        self, messages: Sequence[IncomingMessage], *, at: datetime, cursor: Cursor | None = None
    ) -> list[str]:
        if not all(message.event for message in messages):
            raise ValueError("a message is accepted under its event's id")
        rows = [(message.event, self._waiting(message, at)) for message in messages]
        unique = ("platform", "workspace", "event")
        async with self._database.write() as connection:
            new = [event for event, row in rows if await insert_new(connection, INBOX, row, unique)]
            if cursor is not None:
                place = {"platform": cursor.platform, "workspace": cursor.workspace}
                await put(connection, CURSORS, {**place, "cursor": cursor.value})
            if new:
                await notify(connection, "inbox")
        return new

    def _waiting(self, message: IncomingMessage, at: datetime) -> dict[str, object]:
        ref, sender = message.ref, message.sender
        return {
            "platform": ref.platform,
            "workspace": ref.workspace,
            "event": message.event,
            "chat": ref.chat,
            "person": self._pseudonyms.person(ref.platform, ref.workspace, sender) if sender else None,
            "payload": MESSAGES.pack(message),
            "received_at": message.received_at,
            "state": InboxState.WAITING,
            "changed_at": at,
            "turn": 0,
            "attempts": 0,
            "claims": 0,
            "forgotten": False,
        }

    async def cursor(self, platform: str, workspace: str) -> str | None:
        query = sa.select(CURSORS.c.cursor)
        query = query.where(CURSORS.c.platform == platform, CURSORS.c.workspace == workspace)
        cursor: str | None = await self._database.scalar(query)
        return cursor

    async def claim(self, *, at: datetime) -> InboxItem | None:
        """The next message, with chats taking turns."""
        async with self._database.write() as connection:
            row = (await connection.execute(next_row(at))).scalar()
            if row is None:
                return None
            turn = sa.select(sa.func.max(INBOX.c.turn) + 1).scalar_subquery()
            claimed = (
                INBOX.update()
                .where(INBOX.c.row == row)
                .values(
                    state=InboxState.WORKING,
                    changed_at=at,
                    turn=turn,
                    attempts=INBOX.c.attempts + 1,
                    claims=INBOX.c.claims + 1,
                    process=self._process,
                    stopped=None,
                )
            )
            return _item((await connection.execute(claimed.returning(*INBOX.c))).one())

    async def decline(
        self, messages: Sequence[IncomingMessage], *, at: datetime, forget: bool = False
    ) -> int:
        columns, declined = INBOX.c, 0
        nothing = NO_CONTENT if forget else {}
        async with self._database.write() as connection:
            for message in messages:
                same = sa.and_(columns.event == message.event, in_chat(INBOX, chat_key(message.ref)), WAITING)
                done = INBOX.update().where(same).values(state=InboxState.DONE, changed_at=at, **nothing)
                declined += await changed(connection, done)
        if forget:
            await self._database.truncate_log()
        return declined

    async def finish(
        self, item: InboxItem, *, at: datetime, replies: Sequence[OutgoingReply] = (), forget: bool = False
    ) -> None:
        await self._end(item, InboxState.DONE, None, at, replies, forget)

    async def give_up(self, item: InboxItem, error: str, *, at: datetime, forget: bool = False) -> None:
        await self._end(item, InboxState.DEAD, error, at, (), forget)

    async def _end(
        self,
        item: InboxItem,
        state: InboxState,
        error: str | None,
        at: datetime,
        replies: Sequence[OutgoingReply],
        forget: bool,
    ) -> None:
        ended = INBOX.update().where(_claimed(item))
        ended = ended.values(state=state, changed_at=at, error=error)
        async with self._database.write() as connection:
            row = (await connection.execute(ended.returning(INBOX.c.forgotten, INBOX.c.person))).one_or_none()
            if row is None:
                return
            await queue(connection, replies, at, forgotten=row.forgotten or forget)
            if row.forgotten or forget:
                await connection.execute(INBOX.update().where(INBOX.c.row == item.id).values(NO_CONTENT))
            if row.forgotten:
                await erase_person(connection, row.person)
        if forget:
            await self._database.truncate_log()

    async def give_back(self, item: InboxItem, *, at: datetime) -> None:
        back = INBOX.update().where(_claimed(item))
        async with self._database.write() as connection:
            await connection.execute(back.values(state=InboxState.WAITING, changed_at=at))
            await notify(connection, "inbox")

    async def stop(
        self, chat: ChatKey, why: Stop, *, person: Pseudonym | None = None, message: str | None = None
    ) -> int:
        """Mark the message in progress, and notify its process."""
        query = INBOX.select().where(WORKING, in_chat(INBOX, chat))
        async with self._database.write() as connection:
            rows = [
                row.row
                for row in await connection.execute(query)
                if (person is None or row.person == person)
                and (message is None or MESSAGES.unpack(row.payload).ref.message == message)
            ]
            if rows:
                await connection.execute(INBOX.update().where(INBOX.c.row.in_(rows)).values(stopped=why))
                await notify(connection, "stops")
        return len(rows)

    async def stopped(self) -> list[tuple[IncomingMessage, Stop]]:
        query = sa.select(INBOX.c.payload, INBOX.c.stopped).where(WORKING, INBOX.c.process == self._process)
        rows = await self._database.rows(query.where(INBOX.c.stopped.is_not(None)))
        return [(MESSAGES.unpack(row.payload), Stop(row.stopped)) for row in rows]

    async def edits(self, of: MessageRef | None = None) -> list[IncomingMessage]:
        kind = INBOX.c.payload["kind"].as_string() == str(MessageKind.EDIT)
        query = sa.select(INBOX.c.payload).where(INBOX.c.payload.is_not(None), kind).order_by(INBOX.c.row)
        if of is not None:
            query = query.where(in_chat(INBOX, chat_key(of)))
            query = query.where(INBOX.c.payload["ref"]["message"].as_string() == of.message)
        async with self._database.read() as connection:
            return [MESSAGES.unpack(payload) for payload in (await connection.execute(query)).scalars()]

    async def is_being_answered(self, message: MessageRef) -> bool:
        query = sa.select(INBOX.c.payload).where(in_chat(INBOX, chat_key(message)), WAITING | WORKING)
        async with self._database.read() as connection:
            rows = (await connection.execute(query.where(INBOX.c.payload.is_not(None)))).scalars().all()
        return any(MESSAGES.unpack(payload).ref.message == message.message for payload in rows)

    async def requeue_interrupted(self, *, at: datetime, max_attempts: int) -> Requeued:
        async with self._database.write() as connection:
            left = INBOX.update().where(WORKING, *_left(connection))
            tired = left.where(INBOX.c.attempts >= max_attempts)
            tired = tired.values(state=InboxState.DEAD, changed_at=at, error="journal.interrupted")
            other = left.values(state=InboxState.WAITING, changed_at=at)
            dead = await changed(connection, tired)
            return Requeued(waiting=await changed(connection, other), dead=dead)

    async def waiting_before(self, chat: ChatKey, *, without: int = 0) -> int:
        size = sa.func.count(INBOX.c.row).label("size")
        all_chats = sa.select(*CHAT, size).where(WAITING | WORKING, IN_LINE).group_by(*CHAT)
        async with self._database.read() as connection:
            sizes = {tuple(row[:3]): row.size for row in await connection.execute(all_chats)}
            chat_size = await connection.scalar(sa.select(size).where(WAITING, IN_LINE, in_chat(INBOX, chat)))
        waiting = (chat_size or 0) - without
        if waiting <= 0:
            return 0
        own = sizes.pop((chat.platform, chat.workspace, chat.chat))
        return int(own - without - 1 + sum(min(other, waiting) for other in sizes.values()))


def _left(connection: AsyncConnection) -> list[sa.ColumnElement[bool]]:
    """The messages in progress whose process has ended."""
    return [is_left(INBOX.c.process)] if connection.dialect.name == "postgresql" else []


def next_row(at: datetime) -> sa.Select[tuple[int]]:
    """The oldest message of each chat without one in progress; of these, the one of the chat served longest
    ago. One that processes have often died with rests for a while. On a server its row is locked, and rows
    that others have locked, or taken meanwhile, are skipped."""
    first = sa.func.min(sa.case((WAITING, INBOX.c.row)))
    heads = (
        sa.select(*CHAT, first.label("first"))
        .where(WAITING | WORKING)
        .group_by(*CHAT)
        .having(sa.func.count(sa.case((WORKING, 1))) == 0)
        .subquery()
    )
    head, past = INBOX.alias(), INBOX.alias()
    late = over(head.c.changed_at, before=at - REST, after=at + SKEW)
    rested = sa.or_(head.c.attempts < SUSPICIOUS, late)
    same = (past.c[column.name] == heads.c[column.name] for column in CHAT)
    served = sa.select(sa.func.max(past.c.turn)).where(*same).scalar_subquery()
    query = sa.select(heads.c.first).join(head, head.c.row == heads.c.first).where(rested)
    query = query.where(head.c.state == InboxState.WAITING).order_by(served, heads.c.first).limit(1)
    return query.with_for_update(of=head, skip_locked=True)


def _item(row: Row[Any]) -> InboxItem:
    message = MESSAGES.unpack(row.payload)
    return InboxItem(id=row.row, message=message, attempts=row.attempts, claim=row.claims)


def _claimed(item: InboxItem) -> sa.ColumnElement[bool]:
    """The row of a message, if nobody else has claimed it since."""
    return sa.and_(INBOX.c.row == item.id, INBOX.c.claims == item.claim, WORKING)
