"""What the journal keeps of one person, read for them."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import Database
from adapters.database.journal_answers import record_of
from adapters.database.journal_chats import state_of
from adapters.database.journal_forgetting import SUMMARIES, TOPICS
from adapters.database.journal_rows import (
    ANSWERS,
    AUDIT,
    CHATS,
    CONTEXTS,
    ENTRIES,
    FEEDBACK,
    INBOX,
    MESSAGES,
    NOTICES,
    OPINIONS,
    OUTBOX,
    PARTS,
    THREADS,
    in_chat,
)
from core.domain.journal import ChatKey, ChatState, Pseudonym, Pseudonyms
from core.domain.person_files import KeptText, KeptThread, KeptTopic, PersonFile


class SqlPeople:
    """What is kept of a person."""

    _database: Database
    _pseudonyms: Pseudonyms

    async def person_file(self, person: Pseudonym, *, private_chat: ChatKey | None) -> PersonFile:
        """All of it, each kind oldest first, in one transaction."""
        async with self._database.read() as connection:
            look = _Look(connection, person, private_chat)
            chat = self._pseudonyms.chat(private_chat) if private_chat else None
            asked = sa.or_(ANSWERS.c.person == person, ANSWERS.c.chat == chat) if chat else None
            summaries = sa.select(SUMMARIES.c.made_at, TOPICS.c.name).join(
                TOPICS, TOPICS.c.row == SUMMARIES.c.topic_row
            )
            told = sa.select(NOTICES.c.at).where(NOTICES.c.person == person)
            return PersonFile(
                messages=tuple(_message(row) for row in await look.rows(INBOX, INBOX.c.row)),
                replies=tuple(_reply(row) for row in await look.rows(OUTBOX, OUTBOX.c.row)),
                answers=tuple(
                    record_of(row) for row in await look.of_person(ANSWERS, ANSWERS.c.at, where=asked)
                ),
                feedback=tuple(OPINIONS.read(row) for row in await look.of_person(FEEDBACK, FEEDBACK.c.at)),
                threads=tuple(
                    KeptThread(until=row.expires_at, questions=THREADS.unpack(row.content).questions)
                    for row in await look.rows(CONTEXTS, CONTEXTS.c.expires_at)
                ),
                summaries=tuple(
                    KeptTopic(at=row.made_at, topic=row.name)
                    for row in await connection.execute(
                        summaries.where(SUMMARIES.c.person == person).order_by(SUMMARIES.c.id)
                    )
                ),
                actions=tuple(
                    ENTRIES.read(row)
                    for row in await connection.execute(
                        AUDIT.select().where(AUDIT.c.actor == person).order_by(AUDIT.c.row)
                    )
                ),
                told_at=(await connection.execute(told)).scalar_one_or_none(),
                state=await look.chat_state(),
            )


class _Look:
    """Reads rows of a person, or of their private chat."""

    def __init__(self, connection: AsyncConnection, person: Pseudonym, chat: ChatKey | None) -> None:
        self._connection = connection
        self._person = person
        self._chat = chat

    async def of_person(
        self, table: sa.Table, order: sa.Column[Any], where: sa.ColumnElement[bool] | None = None
    ) -> list[Row[Any]]:
        named = table.c.person == self._person if where is None else where
        return list(await self._connection.execute(table.select().where(named).order_by(order)))

    async def rows(self, table: sa.Table, order: sa.Column[Any]) -> list[Row[Any]]:
        if self._chat is None:
            return await self.of_person(table, order)
        either = sa.or_(table.c.person == self._person, in_chat(table, self._chat))
        return await self.of_person(table, order, either)

    async def chat_state(self) -> ChatState | None:
        if self._chat is None:
            return None
        found = await self._connection.execute(CHATS.select().where(in_chat(CHATS, self._chat)))
        row = found.one_or_none()
        return None if row is None else state_of(row)


def _message(row: Row[Any]) -> KeptText:
    message = None if row.payload is None else MESSAGES.unpack(row.payload)
    return KeptText(
        at=row.received_at,
        state=row.state,
        text=message.text if message else None,
        files=tuple(item.name for item in message.attachments) if message else (),
    )


def _reply(row: Row[Any]) -> KeptText:
    part = None if row.payload is None else PARTS.unpack(row.payload)
    return KeptText(
        at=row.changed_at,
        state=row.state,
        text=part.text if part else None,
        files=tuple(file.name for file in part.files) if part else (),
    )
