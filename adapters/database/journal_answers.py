"""The answers' part of the journal: records and feedback."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row

from adapters.database.codec import field_values
from adapters.database.database import Database
from adapters.database.journal_rows import (
    ANSWER_VERSIONS,
    ANSWERS,
    FEEDBACK,
    OPINIONS,
    RECORDS,
    TEXTS,
    changed,
    put,
)
from core.domain.answers import Outcome
from core.domain.ids import TraceId, VersionId
from core.domain.journal import Feedback, FeedbackVerdict, Pseudonym
from core.domain.records import AnswerRecord

REPORTS = (FeedbackVerdict.WRONG, FeedbackVerdict.WRONG_PAGE)
"""Words on an answer that keep its texts for those who look into it."""


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
