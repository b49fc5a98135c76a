"""The `Summaries` port on SQL. One method, one transaction."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import Database
from adapters.database.mapping import Codec, Values, upsert
from adapters.database.queries import DOCUMENTS, VERSIONS, insert_all, part, to_edition
from adapters.database.tables import SummaryCitationRow, SummaryRow, TopicCollectionRow, TopicRow, table_of
from core.domain.answers import Citation, Notice, Quote
from core.domain.ids import VersionId
from core.domain.journal import Pseudonym
from core.domain.passages import PassageKind, Section, Span
from core.domain.scope import Scope
from core.domain.summaries import Summary, SummaryDraft, SummaryEntry, Topic

TOPICS = table_of(TopicRow)
COLLECTIONS = table_of(TopicCollectionRow)
SUMMARIES = table_of(SummaryRow)
CITATIONS = table_of(SummaryCitationRow)

DRAFTS = Codec(SummaryDraft)
SUMMARY = Codec(Summary)
ENTRIES = Codec(SummaryEntry)
SCOPES = Codec(Scope)
SECTIONS = Codec(Section)
QUOTED = Codec(Citation)


class SqlSummaries:
    """Summaries in an open database; the documents that they quote are in the same one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, draft: SummaryDraft, *, person: Pseudonym | None = None) -> Summary:
        async with self._database.write() as connection:
            topic, number = await _numbered(connection, draft.topic)
            values = {**_summary_values(draft), "topic_row": topic, "number": number, "person": person}
            insert = SUMMARIES.insert().values(values).returning(SUMMARIES.c.id)
            summary = (await connection.execute(insert)).scalar_one()
            rows = [
                {"summary_id": summary, "position": position, **_citation_values(citation)}
                for position, citation in enumerate(draft.citations)
            ]
            await insert_all(connection, CITATIONS, rows)
            row = (await connection.execute(_with_topic().where(SUMMARIES.c.id == summary))).one()
            return await _read(connection, row)

    async def entries(self, collections: Sequence[str] | None = None) -> list[SummaryEntry]:
        query = _visible(_with_topic(), collections).order_by(SUMMARIES.c.id.desc())
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
            wanted = _visible(
                sa.select(CITATIONS.c.summary_id, CITATIONS.c.version_id).select_from(
                    sa.join(CITATIONS, SUMMARIES).join(TOPICS)
                ),
                collections,
            ).order_by(CITATIONS.c.summary_id, CITATIONS.c.position)
            versions: dict[int, dict[VersionId, None]] = {}
            for summary, version in await connection.execute(wanted):
                versions.setdefault(summary, {})[VersionId(version)] = None
        return [
            ENTRIES.read(row, topic=_topic(row), versions=tuple(versions.get(row.id, ()))) for row in rows
        ]

    async def summary(self, summary: int, collections: Sequence[str] | None = None) -> Summary | None:
        async with self._database.read() as connection:
            query = _visible(_with_topic(), collections).where(SUMMARIES.c.id == summary)
            row = (await connection.execute(query)).one_or_none()
            return await _read(connection, row) if row else None

    async def remove(self, summary: int) -> bool:
        """Delete a summary; returns whether there was one. Its number is not reused."""
        async with self._database.write() as connection:
            result = await connection.execute(SUMMARIES.delete().where(SUMMARIES.c.id == summary))
        return bool(result.rowcount)


async def _numbered(connection: AsyncConnection, topic: Topic) -> tuple[int, int]:
    """The topic's row and its next number, in one statement: whoever is second waits."""
    values = {"key": topic.key, "name": topic.name, "scope": _scope_values(topic.scope), "last": 1}
    counted = (
        upsert(connection, TOPICS)
        .values(values)
        .on_conflict_do_update(index_elements=["key"], set_={"last": TOPICS.c.last + 1})
    )
    row, number = (await connection.execute(counted.returning(TOPICS.c.row, TOPICS.c.last))).one()
    if number == 1:
        names = sorted(set(topic.scope.collections))
        await insert_all(connection, COLLECTIONS, [{"topic_row": row, "collection": name} for name in names])
    return row, number


async def _read(connection: AsyncConnection, row: sa.Row[Any]) -> Summary:
    """A summary from its row, with its citations."""
    joined = sa.join(CITATIONS, VERSIONS, CITATIONS.c.version_id == VERSIONS.c.id)
    joined = joined.join(DOCUMENTS, DOCUMENTS.c.id == VERSIONS.c.document_id)
    query = sa.select(*CITATIONS.c, *DOCUMENTS.c, *VERSIONS.c).select_from(joined)
    query = query.where(CITATIONS.c.summary_id == row.id).order_by(CITATIONS.c.position)
    return _to_summary(row, tuple(_to_citation(each) for each in await connection.execute(query)))


def _with_topic() -> sa.Select[Any]:
    """Summaries with their topics' names and scopes."""
    columns = (*SUMMARIES.c, TOPICS.c.name.label("topic_name"), TOPICS.c.scope.label("topic_scope"))
    return sa.select(*columns).select_from(sa.join(SUMMARIES, TOPICS))


def _visible(query: sa.Select[Any], collections: Sequence[str] | None) -> sa.Select[Any]:
    """Only topics all of whose collections are among `collections`; every topic has at least one."""
    if collections is None:
        return query
    beyond = sa.select(COLLECTIONS.c.collection).where(
        COLLECTIONS.c.topic_row == TOPICS.c.row, COLLECTIONS.c.collection.not_in(collections)
    )
    return query.where(~beyond.exists())


def _summary_values(draft: SummaryDraft) -> Values:
    """A row of `summaries`, without its id, topic and number."""
    packed = DRAFTS.pack(replace(draft, citations=()))
    del packed["topic"], packed["citations"]
    return {**packed, "made_at": draft.made_at, "scope": _scope_values(draft.scope)}


def _scope_values(scope: Scope) -> Values:
    """A scope as JSON; whose parties are the usual ones is the chat's affair."""
    return SCOPES.pack(replace(scope, usual_parties=()))


def _to_summary(row: sa.Row[Any], citations: tuple[Citation, ...]) -> Summary:
    """A summary from its row with its topic's columns."""
    notices = [Notice(**item | {"labels": tuple(item["labels"])}) for item in row.notices]  # of whatever key
    return SUMMARY.read(row, topic=_topic(row), citations=citations, notices=notices)


def _topic(row: sa.Row[Any]) -> Values:
    return {"name": row.topic_name, "scope": row.topic_scope}


def _citation_values(citation: Citation) -> Values:
    """A row of `summary_citations`, without its place."""
    return {
        "label": citation.label,
        "version_id": citation.edition.version.id,
        "passage_id": citation.passage,
        "passage_kind": citation.kind.value,
        "section": SECTIONS.pack(citation.section) if citation.section else None,
        "spans": [(span.page, span.start, span.end) for span in citation.quote.spans],
        "quote": citation.quote.text,
        "verdict": citation.verdict.value,
        "text_source": citation.text_source.value,
        "printed_labels": list(citation.printed_labels),
    }


def _to_citation(row: sa.Row[Any]) -> Citation:
    """A citation from its row joined with its document and version as they are now."""
    own = part(row, CITATIONS)
    return QUOTED.read(
        own,
        edition=to_edition(row),
        passage=own["passage_id"] or None,
        quote=Quote(spans=tuple(Span(*span) for span in own["spans"]), text=own["quote"]),
        kind=own["passage_kind"] or PassageKind.PROSE,
    )
