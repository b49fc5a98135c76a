"""The `Journal` port on SQL, in the library's database. One method, one transaction."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import Database
from adapters.database.journal_chats import SqlChats, state_of
from adapters.database.journal_forgetting import SUMMARIES, TOPICS
from adapters.database.journal_inbox import SqlInbox
from adapters.database.journal_outbox import SqlOutbox
from adapters.database.rows import (
    ANSWER_VERSIONS,
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
    RECORDS,
    TEXTS,
    THREADS,
    changed,
    field_values,
    in_chat,
    put,
)
from core.domain.answers import Outcome
from core.domain.ids import TraceId, VersionId
from core.domain.journal import ChatKey, ChatState, Feedback, FeedbackVerdict, Pseudonym, Pseudonyms
from core.domain.person_files import KeptText, KeptThread, KeptTopic, PersonFile
from core.domain.records import AnswerRecord

# The answers' part of the journal: records and feedback.

REPORTS = (FeedbackVerdict.WRONG, FeedbackVerdict.WRONG_PAGE)
"""Words on an answer that keep its texts for those who look into it."""


# What the journal keeps of one person, read for them.


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


class SqlAnswers:
    """Records of answers and what people thought of them."""

    _database: Database

    async def record(self, record: AnswerRecord) -> None:
        """Keep a record with the versions that it cites."""
        versions = [{"trace": record.trace, "version": version} for version in record.versions]
        async with self._database.write() as connection:
            await put(connection, ANSWERS, _values(record))
            await connection.execute(ANSWER_VERSIONS.delete().where(ANSWER_VERSIONS.c.trace == record.trace))
            if versions:
                await connection.execute(ANSWER_VERSIONS.insert(), versions)

    async def answer(self, trace: TraceId) -> AnswerRecord | None:
        """One record."""
        query = ANSWERS.select().where(ANSWERS.c.trace == trace)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        return record_of(row) if row else None

    async def unanswered(self, *, since: datetime, limit: int = 50) -> list[AnswerRecord]:
        """Questions without evidence."""
        silent = ANSWERS.c.record["outcome"].as_string() == Outcome.NO_EVIDENCE.value
        query = ANSWERS.select().where(ANSWERS.c.at >= since, silent)
        query = query.order_by(ANSWERS.c.at.desc(), ANSWERS.c.trace).limit(limit)
        async with self._database.read() as connection:
            return [record_of(row) for row in await connection.execute(query)]

    async def citing(self, versions: Sequence[VersionId]) -> list[TraceId]:
        """Answers by what they cite."""
        joined = sa.join(ANSWERS, ANSWER_VERSIONS, ANSWERS.c.trace == ANSWER_VERSIONS.c.trace)
        query = sa.select(ANSWERS.c.trace).select_from(joined).distinct()
        query = query.where(ANSWER_VERSIONS.c.version.in_(versions))
        query = query.add_columns(ANSWERS.c.at).order_by(ANSWERS.c.at, ANSWERS.c.trace)
        async with self._database.read() as connection:
            return [TraceId(row.trace) for row in await connection.execute(query)]

    async def give_feedback(self, feedback: Feedback) -> bool:
        """The last word of a person counts; a report is not taken back by it."""
        known = sa.select(ANSWERS.c.trace).where(ANSWERS.c.trace == feedback.trace)
        earlier = FEEDBACK.delete().where(FEEDBACK.c.trace == feedback.trace)
        reported = ANSWERS.update().where(ANSWERS.c.trace == feedback.trace).values(reported=True)
        async with self._database.write() as connection:
            if (await connection.execute(known.with_for_update())).one_or_none() is None:
                return False
            await changed(connection, earlier.where(FEEDBACK.c.person == feedback.person))
            await connection.execute(FEEDBACK.insert().values(field_values(feedback)))
            if feedback.verdict in REPORTS:
                await connection.execute(reported)
        return True

    async def feedback(self, *, since: datetime | None = None) -> list[Feedback]:
        """Feedback, oldest first."""
        query = FEEDBACK.select().order_by(FEEDBACK.c.at, FEEDBACK.c.row)
        if since is not None:
            query = query.where(FEEDBACK.c.at >= since)
        async with self._database.read() as connection:
            return [OPINIONS.read(row) for row in await connection.execute(query)]


def _values(record: AnswerRecord) -> dict[str, object]:
    texts = record.texts
    rest = replace(record, texts=None, person=None, chat=None, reported=False)
    return {
        "trace": record.trace,
        "at": record.at,
        "person": record.person,
        "chat": record.chat,
        "question": texts.question if texts else None,
        "texts": TEXTS.pack(replace(texts, question="")) if texts else None,
        "record": RECORDS.pack(rest),
        "reported": record.reported,
    }


def record_of(row: Row[Any]) -> AnswerRecord:
    """The record that a row keeps."""
    texts = TEXTS.unpack(row.texts) if row.texts is not None else None
    return replace(
        RECORDS.unpack(row.record),
        texts=replace(texts, question=row.question) if texts else None,
        person=Pseudonym(row.person) if row.person else None,
        chat=Pseudonym(row.chat) if row.chat else None,
        reported=row.reported,
    )


class SqlJournal(SqlInbox, SqlOutbox, SqlAnswers, SqlChats, SqlPeople):
    """Inbox, outbox, records of answers and chats in an open database."""

    def __init__(self, database: Database, pseudonyms: Pseudonyms) -> None:
        self._database = database
        self._pseudonyms = pseudonyms

    async def close(self) -> None:
        """Release the connections; may be called twice."""
        await self._database.close()
