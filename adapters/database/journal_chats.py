"""The chats' part of the journal: settings, threads, the audit trail, and forgetting."""

import json
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from adapters.database import journal_forgetting as forgetting
from adapters.database.database import Database
from adapters.database.journal_outbox import PURGE
from adapters.database.rows import (
    AUDIT,
    CHATS,
    CONTEXTS,
    ENTRIES,
    NOTICES,
    STATES,
    THREADS,
    UPKEEP,
    field_values,
    in_chat,
    insert_new,
    put,
)
from core.domain.journal import (
    LONGEST_CONTEXT,
    AuditEntry,
    ChatKey,
    ChatState,
    Pseudonym,
    Pseudonyms,
    Purged,
    Retention,
    ThreadKey,
)
from core.domain.stamps import SKEW
from core.domain.threads import ThreadContext


class SqlChats:
    """What chats have set, what threads are about, who did what, and what is forgotten."""

    _database: Database
    _pseudonyms: Pseudonyms

    @property
    def pseudonyms(self) -> Pseudonyms:
        """Whose key the pseudonyms are made with."""
        return self._pseudonyms

    async def chat_state(self, chat: ChatKey) -> ChatState | None:
        """What a chat has set."""
        async with self._database.read() as connection:
            row = (await connection.execute(CHATS.select().where(in_chat(CHATS, chat)))).one_or_none()
        return None if row is None else state_of(row)

    async def save_chat_state(self, chat: ChatKey, state: ChatState, *, at: datetime) -> None:
        """Replace what a chat has set."""
        values = {**field_values(chat), **field_values(state), "changed_at": at}
        async with self._database.write() as connection:
            await put(connection, CHATS, values)

    async def drop_chat(self, chat: ChatKey) -> None:
        """Settings and threads."""
        async with self._database.write() as connection:
            for table in (CHATS, CONTEXTS):
                await connection.execute(table.delete().where(in_chat(table, chat)))

    async def context(self, thread: ThreadKey, *, at: datetime) -> ThreadContext | None:
        """What a thread is about."""
        query = CONTEXTS.select().where(in_chat(CONTEXTS, thread.chat), CONTEXTS.c.thread == thread.thread)
        query = query.where(CONTEXTS.c.scope == _scope(thread), CONTEXTS.c.expires_at > at)
        query = query.where(CONTEXTS.c.expires_at <= at + LONGEST_CONTEXT + SKEW)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        return THREADS.unpack(row.content) if row else None

    async def save_context(
        self, thread: ThreadKey, context: ThreadContext, *, person: Pseudonym | None, expires_at: datetime
    ) -> None:
        """Replace what a thread is about."""
        values = {
            **field_values(thread.chat),
            "thread": thread.thread,
            "scope": _scope(thread),
            "person": person,
            "content": THREADS.pack(context),
            "expires_at": expires_at,
        }
        async with self._database.write() as connection:
            await put(connection, CONTEXTS, values)

    async def drop_context(self, chat: ChatKey, thread: str) -> None:
        """Under every scope."""
        gone = CONTEXTS.delete().where(in_chat(CONTEXTS, chat), CONTEXTS.c.thread == thread)
        async with self._database.write() as connection:
            await connection.execute(gone)

    async def audit(self, entry: AuditEntry) -> None:
        """Keep who did what."""
        async with self._database.write() as connection:
            await connection.execute(AUDIT.insert().values(field_values(entry)))

    async def audit_entries(self, *, since: datetime | None = None, limit: int = 100) -> list[AuditEntry]:
        """Newest first."""
        query = AUDIT.select().order_by(AUDIT.c.at.desc(), AUDIT.c.row.desc()).limit(limit)
        if since is not None:
            query = query.where(AUDIT.c.at >= since)
        async with self._database.read() as connection:
            return [ENTRIES.read(row) for row in await connection.execute(query)]

    async def first_notice(self, person: Pseudonym, *, at: datetime) -> bool:
        """Whether it is the first one."""
        async with self._database.write() as connection:
            return await insert_new(connection, NOTICES, {"person": person, "at": at}, ("person",))

    async def forget(self, person: Pseudonym, *, private_chat: ChatKey | None, at: datetime) -> int:
        """How many rows were emptied of what a person said: at once, except of what is still on its way, and
        out of SQLite's log of writes."""
        async with self._database.write() as connection:
            rows = await forgetting.erase_person(connection, person)
            if private_chat is not None:
                pseudonym = self._pseudonyms.chat(private_chat)
                rows += await forgetting.erase_private_chat(connection, private_chat, pseudonym)
            await put(connection, UPKEEP, {"job": "forget", "at": at})
        await self._database.truncate_log()
        return rows

    async def purge(self, retention: Retention, *, at: datetime) -> Purged:
        """What has expired; and out of SQLite's log of writes."""
        async with self._database.write() as connection:
            purged = await forgetting.purge(connection, retention, at)
            await put(connection, UPKEEP, {"job": PURGE, "at": at})
        await self._database.truncate_log()
        return purged


def _scope(thread: ThreadKey) -> str:
    return json.dumps(sorted(thread.collections), ensure_ascii=False)


def state_of(row: Row[Any]) -> ChatState:
    """What a row says a chat has set."""
    return STATES.read(row, files=row.files or "")
