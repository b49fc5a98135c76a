"""The `Journal` port on SQL, in the library's database. One method, one transaction."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database import journal_forgetting as forgetting
from adapters.database.database import Database
from adapters.database.journal_forgetting import SUBSCRIPTIONS, SUMMARIES, TOPICS
from adapters.database.journal_inbox import SqlInbox
from adapters.database.journal_outbox import PURGE, SqlOutbox
from adapters.database.mapping import (
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
    STATES,
    TEXTS,
    THREADS,
    UPKEEP,
    changed,
    field_values,
    in_chat,
    insert_new,
    put,
)
from adapters.database.processes import MEMORIES
from core.domain.answers import Outcome
from core.domain.ids import TraceId, VersionId
from core.domain.journal import (
    LONGEST_CONTEXT,
    AuditEntry,
    ChatKey,
    ChatState,
    Feedback,
    FeedbackVerdict,
    Pseudonym,
    Pseudonyms,
    Purged,
    Retention,
    ThreadKey,
)
from core.domain.records import AnswerRecord, KeptText, KeptThread, KeptTopic, PersonFile
from core.domain.scope import ThreadContext
from core.ports.clock import SKEW

# The chats' part of the journal: settings, threads, the audit trail, and forgetting.


class SqlChats:
    """Chats' settings, threads' topics, the audit trail, and erasure."""

    _database: Database
    _pseudonyms: Pseudonyms

    @property
    def pseudonyms(self) -> Pseudonyms:
        return self._pseudonyms

    async def chat_state(self, chat: ChatKey) -> ChatState | None:
        row = await self._database.row(CHATS.select().where(in_chat(CHATS, chat)))
        return None if row is None else state_of(row)

    async def save_chat_state(self, chat: ChatKey, state: ChatState, *, at: datetime) -> None:
        values = {**field_values(chat), **field_values(state), "changed_at": at}
        async with self._database.write() as connection:
            await put(connection, CHATS, values)

    async def drop_chat(self, chat: ChatKey) -> None:
        async with self._database.write() as connection:
            for table in (CHATS, CONTEXTS, MEMORIES, SUBSCRIPTIONS):
                await connection.execute(table.delete().where(in_chat(table, chat)))

    async def context(self, thread: ThreadKey, *, at: datetime) -> ThreadContext | None:
        query = CONTEXTS.select().where(in_chat(CONTEXTS, thread.chat), CONTEXTS.c.thread == thread.thread)
        query = query.where(CONTEXTS.c.scope == _scope(thread), CONTEXTS.c.expires_at > at)
        query = query.where(CONTEXTS.c.expires_at <= at + LONGEST_CONTEXT + SKEW)
        row = await self._database.row(query)
        return THREADS.unpack(row.content) if row else None

    async def save_context(
        self, thread: ThreadKey, context: ThreadContext, *, person: Pseudonym | None, expires_at: datetime
    ) -> None:
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
        statement = CONTEXTS.delete().where(in_chat(CONTEXTS, chat), CONTEXTS.c.thread == thread)
        await self._database.run(statement)

    async def audit(self, entry: AuditEntry) -> None:
        await self._database.run(AUDIT.insert().values(field_values(entry)))

    async def audit_entries(self, *, since: datetime | None = None, limit: int = 100) -> list[AuditEntry]:
        query = AUDIT.select().order_by(AUDIT.c.at.desc(), AUDIT.c.row.desc()).limit(limit)
        if since is not None:
            query = query.where(AUDIT.c.at >= since)
        return [ENTRIES.read(row) for row in await self._database.rows(query)]

    async def first_notice(self, person: Pseudonym, *, at: datetime) -> bool:
        async with self._database.write() as connection:
            return await insert_new(connection, NOTICES, {"person": person, "at": at}, ("person",))

    async def forget(self, person: Pseudonym, *, private_chat: ChatKey | None, at: datetime) -> int:
        """Erase a person's texts, also from SQLite's write-ahead log, except those still being handled;
        returns the number of rows affected. Raises Broken("database.newer") if a newer version may store more
        about them than this one knows."""
        await self._database.refuse_newer()
        async with self._database.write() as connection:
            rows = await forgetting.erase_person(connection, person)
            if private_chat is not None:
                pseudonym = self._pseudonyms.chat(private_chat)
                rows += await forgetting.erase_private_chat(connection, private_chat, pseudonym)
            await put(connection, UPKEEP, {"job": "forget", "at": at})
        await self._database.truncate_log()
        return rows

    async def purge(self, retention: Retention, *, at: datetime) -> Purged:
        """Remove what has expired, also from SQLite's write-ahead log."""
        async with self._database.write() as connection:
            purged = await forgetting.purge(connection, retention, at)
            await put(connection, UPKEEP, {"job": PURGE, "at": at})
        await self._database.truncate_log()
        return purged


def _scope(thread: ThreadKey) -> str:
    return json.dumps(sorted(thread.collections), ensure_ascii=False)


def state_of(row: Row[Any]) -> ChatState:
    """A chat's settings from a row."""
    return STATES.read(row, files=row.files or "")


# The answers' part of the journal: records and feedback.

REPORTS = (FeedbackVerdict.WRONG, FeedbackVerdict.WRONG_PAGE)
"""Verdicts that keep an answer's texts for investigation."""


# What the journal keeps about one person, read for them.


class SqlPeople:
    """Reads everything kept about a person."""

    _database: Database
    _pseudonyms: Pseudonyms

    async def person_file(self, person: Pseudonym, *, private_chat: ChatKey | None) -> PersonFile:
        """Everything stored about a person, each kind oldest first, read in one transaction."""
        async with self._database.read() as connection:
            look = _Look(connection, person, private_chat)
            chat = self._pseudonyms.chat(private_chat) if private_chat else None
            asked = sa.or_(ANSWERS.c.person == person, ANSWERS.c.chat == chat) if chat else None
            summaries = sa.select(SUMMARIES.c.made_at, TOPICS.c.name).join(
                TOPICS, TOPICS.c.row == SUMMARIES.c.topic_row
            )
            notice_query = sa.select(NOTICES.c.at).where(NOTICES.c.person == person)
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
                subscriptions=tuple(
                    KeptTopic(at=row.created_at, topic=row.name)
                    for row in await look.rows(SUBSCRIPTIONS, SUBSCRIPTIONS.c.id)
                ),
                actions=tuple(
                    ENTRIES.read(row)
                    for row in await connection.execute(
                        AUDIT.select().where(AUDIT.c.actor == person).order_by(AUDIT.c.row)
                    )
                ),
                told_at=(await connection.execute(notice_query)).scalar_one_or_none(),
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
        result = await self._connection.execute(CHATS.select().where(in_chat(CHATS, self._chat)))
        row = result.one_or_none()
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
        versions = [{"trace": record.trace, "version": version} for version in record.versions]
        async with self._database.write() as connection:
            await put(connection, ANSWERS, _values(record))
            await connection.execute(ANSWER_VERSIONS.delete().where(ANSWER_VERSIONS.c.trace == record.trace))
            if versions:
                await connection.execute(ANSWER_VERSIONS.insert(), versions)

    async def answer(self, trace: TraceId) -> AnswerRecord | None:
        query = ANSWERS.select().where(ANSWERS.c.trace == trace)
        row = await self._database.row(query)
        return record_of(row) if row else None

    async def unanswered(self, *, since: datetime, limit: int = 50) -> list[AnswerRecord]:
        silent = ANSWERS.c.record["outcome"].as_string() == Outcome.NO_EVIDENCE.value
        query = ANSWERS.select().where(ANSWERS.c.at >= since, silent)
        query = query.order_by(ANSWERS.c.at.desc(), ANSWERS.c.trace).limit(limit)
        return [record_of(row) for row in await self._database.rows(query)]

    async def citing(self, versions: Sequence[VersionId]) -> list[TraceId]:
        joined = sa.join(ANSWERS, ANSWER_VERSIONS, ANSWERS.c.trace == ANSWER_VERSIONS.c.trace)
        query = sa.select(ANSWERS.c.trace).select_from(joined).distinct()
        query = query.where(ANSWER_VERSIONS.c.version.in_(versions))
        query = query.add_columns(ANSWERS.c.at).order_by(ANSWERS.c.at, ANSWERS.c.trace)
        return [TraceId(row.trace) for row in await self._database.rows(query)]

    async def give_feedback(self, feedback: Feedback) -> bool:
        """Store a person's latest verdict; it does not withdraw an earlier report."""
        answer_query = sa.select(ANSWERS.c.trace).where(ANSWERS.c.trace == feedback.trace)
        earlier = FEEDBACK.delete().where(FEEDBACK.c.trace == feedback.trace)
        reported = ANSWERS.update().where(ANSWERS.c.trace == feedback.trace).values(reported=True)
        async with self._database.write() as connection:
            if (await connection.execute(answer_query.with_for_update())).one_or_none() is None:
                return False
            await changed(connection, earlier.where(FEEDBACK.c.person == feedback.person))
            await connection.execute(FEEDBACK.insert().values(field_values(feedback)))
            if feedback.verdict in REPORTS:
                await connection.execute(reported)
        return True

    async def feedback(self) -> list[Feedback]:
        query = FEEDBACK.select().order_by(FEEDBACK.c.at, FEEDBACK.c.row)
        return [OPINIONS.read(row) for row in await self._database.rows(query)]


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
    """The record from a row."""
    texts = TEXTS.unpack(row.texts) if row.texts is not None else None
    return replace(
        RECORDS.unpack(row.record),
        texts=replace(texts, question=row.question) if texts else None,
        person=Pseudonym(row.person) if row.person else None,
        chat=Pseudonym(row.chat) if row.chat else None,
        reported=row.reported,
    )


class SqlJournal(SqlInbox, SqlOutbox, SqlAnswers, SqlChats, SqlPeople):
    """Inbox, outbox, records of answers and chats in an open database. Claims are those of `process`, as
    registered by `SqlProcesses`."""

    def __init__(self, database: Database, pseudonyms: Pseudonyms, process: str = "") -> None:
        self._database = database
        self._pseudonyms = pseudonyms
        self._process = process

    async def close(self) -> None:
        await self._database.close()
