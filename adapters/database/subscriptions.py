"""The `Subscriptions` port on SQL, beside the outbox. One method, one transaction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row

from adapters.database.database import Database
from adapters.database.journal_outbox import queue
from adapters.database.mapping import Codec, Values, changed, columns, in_chat
from adapters.database.queries import AT_ONCE
from adapters.database.tables import SubscriptionRow, table_of
from core.domain.journal import ChatKey, OutgoingReply
from core.domain.subscriptions import Heard, Rhythm, Seen, Subscription, SubscriptionDraft

SUBSCRIPTIONS = table_of(SubscriptionRow)
SEEN = Codec(Seen)
KEPT = Codec(Subscription)


class SqlSubscriptions:
    """Subscriptions in an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, draft: SubscriptionDraft) -> Subscription:
        table, values = SUBSCRIPTIONS, _values(draft)
        same = sa.and_(
            in_chat(table, draft.chat),
            table.c.thread.is_(None) if draft.thread is None else table.c.thread == draft.thread,
            table.c.kind == draft.kind.value,
            table.c.subject == draft.subject,
        )
        async with self._database.write() as connection:
            renewed = {name: values[name] for name in ("rhythm", "due_at", "collections")}
            known = table.update().where(same).values(renewed).returning(*table.c)
            row = (await connection.execute(known)).first()
            if row is None:
                insert = table.insert().values(values).returning(*table.c)
                row = (await connection.execute(insert)).one()
            return _read(row)

    async def of_chat(self, chat: ChatKey) -> list[Subscription]:
        return await self._found(in_chat(SUBSCRIPTIONS, chat), SUBSCRIPTIONS.c.id)

    async def set_rhythm(self, number: int, chat: ChatKey, rhythm: Rhythm, *, due_at: datetime) -> bool:
        table = SUBSCRIPTIONS
        own = table.update().where(table.c.id == number, in_chat(table, chat))
        return bool(await self._database.run(own.values(rhythm=rhythm.value, due_at=due_at)))

    async def end(self, number: int, chat: ChatKey) -> bool:
        table = SUBSCRIPTIONS
        own = table.delete().where(table.c.id == number, in_chat(table, chat))
        return bool(await self._database.run(own))

    async def due(self, *, at: datetime, limit: int) -> list[Subscription]:
        return await self._found(SUBSCRIPTIONS.c.due_at <= at, SUBSCRIPTIONS.c.due_at, limit)

    async def wait(self, numbers: Sequence[int], *, until: datetime) -> None:
        table = SUBSCRIPTIONS
        async with self._database.write() as connection:
            for start in range(0, len(numbers), AT_ONCE):
                some = table.c.id.in_(numbers[start : start + AT_ONCE])
                await connection.execute(table.update().where(some).values(due_at=until))

    async def heard(
        self, settled: Sequence[Heard], replies: Sequence[OutgoingReply], *, at: datetime
    ) -> bool:
        table = SUBSCRIPTIONS
        try:
            async with self._database.write() as connection:
                for each in sorted(settled, key=lambda each: each.subscription.id):
                    was = each.subscription
                    own = table.update().where(
                        table.c.id == was.id,
                        table.c.revision == was.revision,
                        table.c.rhythm == was.rhythm.value,
                    )
                    values = {
                        "seen": SEEN.pack(each.seen),
                        "due_at": each.due_at,
                        "revision": was.revision + 1,
                    }
                    if not await changed(connection, own.values(values)):
                        raise _OvertakenError
                await queue(connection, replies, at)
        except _OvertakenError:
            return False
        return True

    async def _found(
        self, where: sa.ColumnElement[bool], order: sa.Column[Any], limit: int | None = None
    ) -> list[Subscription]:
        query = SUBSCRIPTIONS.select().where(where).order_by(order, SUBSCRIPTIONS.c.id).limit(limit)
        return [_read(row) for row in await self._database.rows(query)]


class _OvertakenError(Exception):
    """Undoes what was written."""


def _values(draft: SubscriptionDraft) -> Values:
    packed = {
        name: getattr(draft, name)
        for name in (
            "thread",
            "person",
            "subject",
            "name",
            "jurisdiction",
            "language",
            "created_at",
            "due_at",
        )
    }
    return {
        **packed,
        "platform": draft.chat.platform,
        "workspace": draft.chat.workspace,
        "chat": draft.chat.chat,
        "kind": draft.kind.value,
        "rhythm": draft.rhythm.value,
        "collections": list(draft.collections),
        "seen": SEEN.pack(draft.seen),
        "revision": 0,
    }


def _read(row: Row[Any]) -> Subscription:
    values = columns(row)
    chat = {name: values.pop(name) for name in ("platform", "workspace", "chat")}
    return KEPT.unpack({**values, "chat": chat})
