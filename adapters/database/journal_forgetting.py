"""Removes journal data: a person's at once, everybody's when its retention period has ended."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.mapping import (
    ANSWERS,
    AUDIT,
    CHATS,
    CONTEXTS,
    CORRECTIONS,
    FEEDBACK,
    INBOX,
    NOTICES,
    OUTBOX,
    POSTED,
    changed,
    in_chat,
    over,
)
from adapters.database.tables import (
    AdmissionRow,
    ChatMemoryRow,
    RequestRow,
    SubscriptionRow,
    SummaryRow,
    TopicRow,
    table_of,
)
from core.domain.journal import LONGEST_CONTEXT, ChatKey, Pseudonym, Purged, Retention
from core.ports.clock import SKEW

SUMMARIES = table_of(SummaryRow)
TOPICS = table_of(TopicRow)
ADMISSIONS = table_of(AdmissionRow)
REQUESTS = table_of(RequestRow)
MEMORIES = table_of(ChatMemoryRow)
SUBSCRIPTIONS = table_of(SubscriptionRow)

COUNTED = timedelta(days=1)
"""How long an admitted question counts for the limits, and the maximum time that something about a chat is
remembered."""

NO_CONTENT = {"chat": None, "person": None, "payload": None}
"""Columns emptied in an inbox or outbox row: its key and state stay."""

NO_TEXTS = {"question": sa.null(), "texts": sa.null()}
"""Columns emptied in an answer: what was found and shown stays."""

OVER = ("done", "dead", "sent", "failed", "unknown")
"""States of inbox and outbox rows that are finished."""


async def erase_person(connection: AsyncConnection, person: str | None) -> int:
    """Erase the pseudonym and every text of a person, except those of messages still to be answered or
    delivered: those are marked, and erased when that is done."""
    if person is None:
        return 0
    rows = 0
    for table in (INBOX, OUTBOX):
        of_person = table.update().where(table.c.person == person)
        finished = table.c.state.in_(OVER)
        rows += await changed(connection, of_person.where(finished).values(NO_CONTENT))
        rows += await changed(
            connection, of_person.where(~finished, ~table.c.forgotten).values(forgotten=True)
        )
    rows += await changed(
        connection, ANSWERS.update().where(ANSWERS.c.person == person).values(person=None, **NO_TEXTS)
    )
    rows += await changed(
        connection, FEEDBACK.update().where(FEEDBACK.c.person == person).values(person=None)
    )
    counted = ADMISSIONS.update().where(ADMISSIONS.c.person == person)
    rows += await changed(connection, counted.values(person=None))
    for table in (CONTEXTS, MEMORIES, NOTICES, SUMMARIES, SUBSCRIPTIONS):
        rows += await changed(connection, table.delete().where(table.c.person == person))
    await _drop_empty_topics(connection)
    return rows


async def erase_private_chat(connection: AsyncConnection, chat: ChatKey, pseudonym: Pseudonym) -> int:
    """Erase a chat with one person, whose id identifies that person."""
    rows = 0
    for table in (INBOX, OUTBOX):
        of_chat = table.update().where(in_chat(table, chat))
        finished = table.c.state.in_(OVER)
        rows += await changed(connection, of_chat.where(finished).values(NO_CONTENT))
        rows += await changed(connection, of_chat.where(~finished, ~table.c.forgotten).values(forgotten=True))
    for table in (POSTED, CHATS, CONTEXTS, MEMORIES, SUBSCRIPTIONS):
        rows += await changed(connection, table.delete().where(in_chat(table, chat)))
    told = CORRECTIONS.update().where(CORRECTIONS.c.chat == pseudonym)
    rows += await changed(connection, told.values(chat=None))
    rows += await changed(connection, ADMISSIONS.delete().where(ADMISSIONS.c.chat == pseudonym))
    of_chat = ANSWERS.update().where(ANSWERS.c.chat == pseudonym)
    return rows + await changed(connection, of_chat.values(chat=None, person=None, **NO_TEXTS))


async def purge(connection: AsyncConnection, retention: Retention, at: datetime) -> Purged:
    """Remove everything whose retention period has ended. Future timestamps count as expired too."""
    ends = _Ends(connection, at)
    await ends.rows(COUNTED, ADMISSIONS.c.at, REQUESTS.c.at)
    await ends.memories()
    return Purged(
        contents=await ends.contents(retention.delivery),
        dead_letters=await ends.dead_letters(retention.dead_letters),
        texts=await ends.texts(retention.texts),
        answers=await ends.rows(retention.answers, ANSWERS.c.at, POSTED.c.posted_at),
        feedback=await ends.rows(retention.feedback, FEEDBACK.c.at),
        audit=await ends.rows(retention.audit, AUDIT.c.at, NOTICES.c.at),
        contexts=await ends.contexts(),
        summaries=await ends.summaries(retention.summaries),
    )


@dataclass(frozen=True, slots=True)
class _Ends:
    """Removes what has expired at a moment."""

    connection: AsyncConnection
    at: datetime

    def _expired(self, stamp: sa.ColumnElement[datetime], term: timedelta) -> sa.ColumnElement[bool]:
        return over(stamp, before=self.at - term, after=self.at + SKEW)

    async def contents(self, term: timedelta) -> int:
        rows = 0
        for table in (INBOX, OUTBOX):
            old = table.update().where(table.c.state.in_(OVER), self._expired(table.c.changed_at, term))
            rows += await changed(self.connection, old.where(table.c.payload.is_not(None)).values(NO_CONTENT))
        return rows

    async def dead_letters(self, term: timedelta) -> int:
        rows = 0
        for table in (INBOX, OUTBOX):
            old = table.delete().where(table.c.state.in_(OVER), self._expired(table.c.changed_at, term))
            rows += await changed(self.connection, old)
        return rows

    async def texts(self, term: timedelta) -> int:
        old = ANSWERS.update().where(self._expired(ANSWERS.c.at, term), ~ANSWERS.c.reported)
        return await changed(self.connection, old.where(ANSWERS.c.question.is_not(None)).values(NO_TEXTS))

    async def contexts(self) -> int:
        ended = over(CONTEXTS.c.expires_at, before=self.at, after=self.at + LONGEST_CONTEXT + SKEW)
        return await changed(self.connection, CONTEXTS.delete().where(ended))

    async def memories(self) -> None:
        ended = over(MEMORIES.c.expires_at, before=self.at, after=self.at + COUNTED + SKEW)
        await self.connection.execute(MEMORIES.delete().where(ended))

    async def rows(self, term: timedelta, *stamps: sa.Column[datetime]) -> int:
        return sum([await self._old(stamp, term) for stamp in stamps])

    async def _old(self, stamp: sa.Column[datetime], term: timedelta) -> int:
        return await changed(self.connection, sa.delete(stamp.table).where(self._expired(stamp, term)))

    async def summaries(self, term: timedelta) -> int:
        """Remove expired summaries; a topic, which a person wrote, is removed with its last summary."""
        rows = await self.rows(term, SUMMARIES.c.made_at)
        await _drop_empty_topics(self.connection)
        return rows


async def _drop_empty_topics(connection: AsyncConnection) -> None:
    """Topics without a summary."""
    kept = sa.select(SUMMARIES.c.id).where(SUMMARIES.c.topic_row == TOPICS.c.row)
    await connection.execute(TOPICS.delete().where(~kept.exists()))
