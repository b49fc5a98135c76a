"""Removing what the journal keeps: of a person at once, of everybody when the term is over."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.journal_rows import (
    ANSWERS,
    AUDIT,
    CHATS,
    CONTEXTS,
    FEEDBACK,
    INBOX,
    NOTICES,
    OUTBOX,
    POSTED,
    changed,
    in_chat,
)
from adapters.database.summary_tables import SummaryRow, TopicRow
from adapters.database.tables import table_of
from core.domain.journal import ChatKey, Pseudonym, Purged, Retention

SUMMARIES = table_of(SummaryRow)
TOPICS = table_of(TopicRow)

NO_CONTENT = {"chat": None, "person": None, "payload": None}
"""What stays of a row of inbox or outbox is its key and its state."""

NO_TEXTS = {"question": sa.null(), "texts": sa.null()}
"""What stays of an answer is what was found and shown."""

OVER = ("done", "dead", "sent", "failed", "unknown")
"""States of inbox and outbox after which nothing is done with a row any more."""


async def erase_person(connection: AsyncConnection, person: str | None) -> int:
    """The pseudonym and every text of a person, except of messages still to be answered or delivered:
    those are marked, and go when that is done."""
    if person is None:
        return 0
    rows = 0
    for table in (INBOX, OUTBOX):
        of_person = table.update().where(table.c.person == person)
        over = table.c.state.in_(OVER)
        rows += await changed(connection, of_person.where(over).values(NO_CONTENT))
        rows += await changed(connection, of_person.where(~over, ~table.c.forgotten).values(forgotten=True))
    rows += await changed(
        connection, ANSWERS.update().where(ANSWERS.c.person == person).values(person=None, **NO_TEXTS)
    )
    rows += await changed(
        connection, FEEDBACK.update().where(FEEDBACK.c.person == person).values(person=None)
    )
    for table in (CONTEXTS, NOTICES):
        rows += await changed(connection, table.delete().where(table.c.person == person))
    return rows


async def erase_private_chat(connection: AsyncConnection, chat: ChatKey, pseudonym: Pseudonym) -> int:
    """A chat with one person: its id is as good as theirs."""
    rows = 0
    for table in (INBOX, OUTBOX):
        of_chat = table.update().where(in_chat(table, chat))
        over = table.c.state.in_(OVER)
        rows += await changed(connection, of_chat.where(over).values(NO_CONTENT))
        rows += await changed(connection, of_chat.where(~over, ~table.c.forgotten).values(forgotten=True))
    for table in (POSTED, CHATS, CONTEXTS):
        rows += await changed(connection, table.delete().where(in_chat(table, chat)))
    of_chat = ANSWERS.update().where(ANSWERS.c.chat == pseudonym)
    return rows + await changed(connection, of_chat.values(chat=None, person=None, **NO_TEXTS))


async def purge(connection: AsyncConnection, retention: Retention, at: datetime) -> Purged:
    """Everything whose term is over."""
    past = at - retention.answers
    return Purged(
        contents=await _contents(connection, at - retention.delivery),
        letters=await _letters(connection, at - retention.letters),
        texts=await _texts(connection, at - retention.texts),
        answers=await _older(connection, [(ANSWERS, ANSWERS.c.at), (POSTED, POSTED.c.posted_at)], past),
        feedback=await _older(connection, [(FEEDBACK, FEEDBACK.c.at)], at - retention.feedback),
        audit=await _older(connection, [(AUDIT, AUDIT.c.at), (NOTICES, NOTICES.c.at)], at - retention.audit),
        contexts=await _older(connection, [(CONTEXTS, CONTEXTS.c.expires_at)], at),
        summaries=await _summaries(connection, at - retention.summaries),
    )


async def _contents(connection: AsyncConnection, before: datetime) -> int:
    rows = 0
    for table in (INBOX, OUTBOX):
        old = table.update().where(table.c.state.in_(OVER), table.c.changed_at <= before)
        rows += await changed(connection, old.where(table.c.payload.is_not(None)).values(NO_CONTENT))
    return rows


async def _letters(connection: AsyncConnection, before: datetime) -> int:
    rows = 0
    for table in (INBOX, OUTBOX):
        old = table.delete().where(table.c.state.in_(OVER), table.c.changed_at <= before)
        rows += await changed(connection, old)
    return rows


async def _texts(connection: AsyncConnection, before: datetime) -> int:
    old = ANSWERS.update().where(ANSWERS.c.at <= before, ~ANSWERS.c.reported)
    return await changed(connection, old.where(ANSWERS.c.question.is_not(None)).values(NO_TEXTS))


async def _older(
    connection: AsyncConnection,
    tables: Sequence[tuple[sa.Table, sa.ColumnElement[datetime]]],
    before: datetime,
) -> int:
    return sum([await changed(connection, table.delete().where(time <= before)) for table, time in tables])


async def _summaries(connection: AsyncConnection, before: datetime) -> int:
    """A topic is what a person wrote: it goes with its last summary."""
    rows = await _older(connection, [(SUMMARIES, SUMMARIES.c.made_at)], before)
    kept = sa.select(SUMMARIES.c.id).where(SUMMARIES.c.topic_row == TOPICS.c.row)
    await connection.execute(TOPICS.delete().where(~kept.exists()))
    return rows
