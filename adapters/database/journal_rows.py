"""Rows of the journal: the tables, what stands in their JSON columns, and statements shared by its parts."""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database import journal_tables as tables
from adapters.database.codec import Codec
from adapters.database.tables import table_of
from core.domain.journal import AuditEntry, ChatKey, ChatState, Feedback
from core.domain.messages import IncomingMessage, Outgoing
from core.domain.records import AnswerRecord, RecordTexts
from core.domain.threads import ThreadContext

INBOX = table_of(tables.InboxRow)
CURSORS = table_of(tables.CursorRow)
OUTBOX = table_of(tables.OutboxRow)
POSTED = table_of(tables.PostedRow)
CHATS = table_of(tables.ChatStateRow)
CONTEXTS = table_of(tables.ThreadContextRow)
ANSWERS = table_of(tables.AnswerRow)
ANSWER_VERSIONS = table_of(tables.AnswerVersionRow)
CORRECTIONS = table_of(tables.CorrectionRow)
FEEDBACK = table_of(tables.FeedbackRow)
AUDIT = table_of(tables.AuditRow)
NOTICES = table_of(tables.NoticeRow)
UPKEEP = table_of(tables.UpkeepRow)

MESSAGES = Codec(IncomingMessage)
PARTS = Codec(Outgoing)
OPINIONS = Codec(Feedback)
STATES = Codec(ChatState)
ENTRIES = Codec(AuditEntry)
RECORDS = Codec(AnswerRecord)
TEXTS = Codec(RecordTexts)
THREADS = Codec(ThreadContext)


def upsert(connection: AsyncConnection, table: sa.Table) -> Any:
    """An insert that may say what happens on a conflict; both databases have the same words for it."""
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)


async def insert_new(
    connection: AsyncConnection, table: sa.Table, values: Mapping[str, object], unique: Sequence[str]
) -> bool:
    """Insert a row unless there is one with the same `unique` columns; whether it was inserted."""
    statement = upsert(connection, table).values(values).on_conflict_do_nothing(index_elements=unique)
    return bool((await connection.execute(statement)).rowcount)


async def put(connection: AsyncConnection, table: sa.Table, values: Mapping[str, object]) -> None:
    """Insert a row, or replace what the one with the same primary key says."""
    keys = [column.name for column in table.primary_key]
    rest = {name: value for name, value in values.items() if name not in keys}
    statement = upsert(connection, table).values(values)
    await connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=rest))


def in_chat(table: sa.Table, chat: ChatKey) -> sa.ColumnElement[bool]:
    """Rows of a chat."""
    columns = table.c
    return sa.and_(
        columns.platform == chat.platform, columns.workspace == chat.workspace, columns.chat == chat.chat
    )


async def changed(connection: AsyncConnection, statement: sa.Update | sa.Delete) -> int:
    """Run a statement; how many rows it concerned."""
    return int((await connection.execute(statement)).rowcount)
