"""What is forgotten is in no table: of each that the schema has, a row about a person is written by hand."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.tables import metadata
from core.domain.journal import ChatKey, Pseudonyms
from tests.support.databases import sqlite_url

AT = datetime(2026, 11, 22, tzinfo=UTC)
PRIVATE = ChatKey(platform="telegram", workspace="w", chat="4711000815")
PEOPLE = Pseudonyms(b"k" * 32)
SHE = PEOPLE.person("telegram", "w", "4711000815")
HERS = PEOPLE.chat(PRIVATE)
TEXT = "heimlichefrage"

NAMES_PEOPLE = {
    "inbox": {"chat", "person"},
    "outbox": {"chat", "person"},
    "posted": {"chat"},
    "chat_states": {"chat"},
    "thread_contexts": {"chat", "person"},
    "admissions": {"chat", "person"},
    "chat_memories": {"chat", "person"},
    "answers": {"chat", "person"},
    "corrections": {"chat"},
    "feedback": {"person"},
    "audit": {"actor"},
    "privacy_notices": {"person"},
    "summaries": {"person"},
    "subscriptions": {"chat", "person"},
}
"""Every column that says who or where. `audit` keeps who of the staff did what for its whole term."""

HOLDS_TEXT = {
    "inbox": "payload",
    "outbox": "payload",
    "thread_contexts": "content",
    "chat_memories": "content",
    "answers": "question",
    "summary_topics": "name",
    "summaries": "claims",
}
PLAIN: dict[type, Any] = {
    sa.Boolean: False,
    sa.Integer: 1,
    sa.Float: 1.0,
    sa.DateTime: AT,
    sa.Date: AT.date(),
    sa.JSON: {},
    sa.LargeBinary: b"",
}
PSEUDONYMOUS = ("admissions", "answers", "corrections")


def row_of(table: sa.Table) -> dict[str, Any]:
    """A row about her; what refers to another table's row refers to the one made there."""
    values: dict[str, Any] = {}
    for column in table.columns:
        kind = column.type.impl if isinstance(column.type, sa.TypeDecorator) else column.type
        values[column.name] = next((value for of, value in PLAIN.items() if isinstance(kind, of)), "x")
    for name in NAMES_PEOPLE.get(table.name, ()):
        chat = HERS if table.name in PSEUDONYMOUS else PRIVATE.chat
        values[name] = chat if name == "chat" else SHE
    for name in {"platform", "workspace"} & values.keys():
        values[name] = getattr(PRIVATE, name)
    if "state" in values:
        values["state"] = "done" if table.name == "inbox" else "sent"
    if table.name in HOLDS_TEXT:
        column = table.columns[HOLDS_TEXT[table.name]]
        values[column.name] = {"text": TEXT} if isinstance(column.type, sa.JSON) else TEXT
    return values


def test_every_column_about_people_is_known() -> None:
    """Whoever adds one says here what becomes of it when its person is forgotten."""
    signs = ("person", "chat", "actor", "sender", "user", "author", "owner", "pseudonym")
    found = {
        table.name: {column.name for column in table.columns if column.name in signs}
        for table in metadata.sorted_tables
    }
    assert {name: columns for name, columns in found.items() if columns} == NAMES_PEOPLE


async def test_nothing_of_a_person_is_left_in_any_table(tmp_path: Path) -> None:
    database = await Database.open(sqlite_url(tmp_path / "journal.db"))
    journal = SqlJournal(database, PEOPLE)
    async with database.write() as connection:
        for table in metadata.sorted_tables:
            await connection.execute(table.insert().values(row_of(table)))
    before = await _left(database)
    assert before >= {(name, SHE) for name, columns in NAMES_PEOPLE.items() if "person" in columns}
    assert {(name, TEXT) for name in HOLDS_TEXT} <= before
    await journal.forget(SHE, private_chat=PRIVATE, at=AT)
    assert await _left(database) == {("audit", SHE)}
    await journal.close()


async def _left(database: Database) -> set[tuple[str, str]]:
    """Which tables hold which of her secrets."""
    found = set()
    async with database.read() as connection:
        for table in metadata.sorted_tables:
            rows = str([tuple(row) for row in await connection.execute(table.select())])
            found |= {(table.name, secret) for secret in (SHE, HERS, PRIVATE.chat, TEXT) if secret in rows}
    return found
