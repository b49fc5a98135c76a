"""Rows: domain types as columns and JSON and back, the tables of the journal, and statements that its parts
share."""

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy import Row
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database import tables
from adapters.database.tables import UNSTORABLE, table_of
from core.domain.journal import AuditEntry, ChatKey, ChatState, Feedback
from core.domain.messages import IncomingMessage, Outgoing
from core.domain.records import AnswerRecord, RecordTexts
from core.domain.scope import ThreadContext

T = TypeVar("T")

Values = dict[str, Any]
"""Column values of one row."""

AnyRow = Row[Any] | Values
"""A row, or the part of a joined row that belongs to one table."""


class Codec(Generic[T]):
    """Converts a domain type to JSON and back. The converter is built on first use, which takes some
    milliseconds."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    @cached_property
    def _adapter(self) -> TypeAdapter[T]:
        return TypeAdapter(self._kind)

    def pack(self, value: T) -> Values:
        """`value` as JSON. Characters no database accepts become U+FFFD, as in `SourceText`."""
        found: Values = _storable(self._adapter.dump_python(value, mode="json"))
        return found

    def unpack(self, value: object) -> T:
        """The value from JSON; fields added since have their defaults."""
        return self._adapter.validate_python(value)

    def read(self, row: AnyRow, **given: object) -> T:
        """The value made from the columns named like its fields, with those `given` overriding some."""
        return self.unpack(columns(row) | given)


def columns(row: AnyRow) -> Values:
    """Column values by their names."""
    return row if isinstance(row, dict) else dict(row._mapping)


def field_values(item: Any) -> Values:
    """The fields of a dataclass as columns: tuples as lists for JSON; enumerations are strings already."""
    found = {each.name: getattr(item, each.name) for each in dataclasses.fields(item)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() and "\0" not in value else value.translate(UNSTORABLE)
    if isinstance(value, dict):
        return {key: _storable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_storable(item) for item in value]
    return value


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
    """An insert that supports ON CONFLICT, for which both databases use the same syntax."""
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)


async def insert_new(
    connection: AsyncConnection, table: sa.Table, values: Mapping[str, object], unique: Sequence[str]
) -> bool:
    """Insert a row unless there is one with the same `unique` columns; whether it was inserted."""
    statement = upsert(connection, table).values(values).on_conflict_do_nothing(index_elements=unique)
    return bool((await connection.execute(statement)).rowcount)


async def put(connection: AsyncConnection, table: sa.Table, values: Mapping[str, object]) -> None:
    """Insert a row, or update the one with the same primary key."""
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
    """Run a statement; returns the number of rows affected."""
    return int((await connection.execute(statement)).rowcount)


def over(
    stamp: sa.ColumnElement[datetime], *, before: datetime, after: datetime | None
) -> sa.ColumnElement[bool]:
    """A condition that a time is not later than `before`, or is later than `after`: such a future time means
    that the clock was wrong."""
    past: sa.ColumnElement[bool] = stamp <= before
    return past if after is None else sa.or_(past, stamp > after)
