"""The `Summaries` port on SQL. One method, one transaction."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import Database
from adapters.database.mapping import AnyRow, Values
from adapters.database.queries import DOCUMENTS, VERSIONS, insert_all, to_edition
from adapters.database.summary_tables import SummaryCitationRow, SummaryRow, TopicCollectionRow, TopicRow
from adapters.database.tables import table_of
from core.domain.answers import Citation, Claim, Notice, Quote, Rejected, Verdict
from core.domain.documents import DocumentType
from core.domain.ids import DocumentId, PassageId, VersionId
from core.domain.journal import Pseudonym
from core.domain.pages import TextSource
from core.domain.passages import PassageKind, Section, Span
from core.domain.scope import Missing, Scope
from core.domain.summaries import Summary, SummaryDraft, SummaryEntry, Topic

TOPICS = table_of(TopicRow)
COLLECTIONS = table_of(TopicCollectionRow)
SUMMARIES = table_of(SummaryRow)
CITATIONS = table_of(SummaryCitationRow)


class SqlSummaries:
    """Summaries in an open database; the documents that they quote are in the same one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, draft: SummaryDraft, *, person: Pseudonym | None = None) -> Summary:
        """Keep a summary; it gets an id and its topic's next number."""
        async with self._database.write() as connection:
            topic, number = await _numbered(connection, draft.topic)
            values = {**summary_values(draft), "topic_row": topic, "number": number, "person": person}
            insert = SUMMARIES.insert().values(values).returning(SUMMARIES.c.id)
            summary = (await connection.execute(insert)).scalar_one()
            rows = [
                {"summary_id": summary, "position": position, **citation_values(citation)}
                for position, citation in enumerate(draft.citations)
            ]
            await insert_all(connection, CITATIONS, rows)
            row = (await connection.execute(_with_topic().where(SUMMARIES.c.id == summary))).one()
            return await _read(connection, row)

    async def entries(self, collections: Sequence[str] | None = None) -> list[SummaryEntry]:
        """All summaries within `collections`, newest first."""
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
        return [to_entry(row, tuple(versions.get(row.id, ()))) for row in rows]

    async def summary(self, summary: int, collections: Sequence[str] | None = None) -> Summary | None:
        """A summary as it was made, None where there is none within `collections`."""
        async with self._database.read() as connection:
            query = _visible(_with_topic(), collections).where(SUMMARIES.c.id == summary)
            row = (await connection.execute(query)).one_or_none()
            return await _read(connection, row) if row else None

    async def remove(self, summary: int) -> bool:
        """Forget a summary; whether there was one. Its number is not given again."""
        async with self._database.write() as connection:
            gone = await connection.execute(SUMMARIES.delete().where(SUMMARIES.c.id == summary))
        return bool(gone.rowcount)


async def _numbered(connection: AsyncConnection, topic: Topic) -> tuple[int, int]:
    """The topic's row and its next number, in one statement: whoever is second waits."""
    values = {"key": topic.key, "name": topic.name, "scope": scope_values(topic.scope), "last": 1}
    server = connection.dialect.name == "postgresql"
    insert: postgresql.Insert | sqlite.Insert = (postgresql if server else sqlite).insert(TOPICS)
    counted = insert.values(values).on_conflict_do_update(
        index_elements=["key"], set_={"last": TOPICS.c.last + 1}
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
    return to_summary(row, tuple(to_citation(each) for each in await connection.execute(query)))


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


def scope_values(scope: Scope) -> Values:
    """A scope as JSON."""
    return {
        "collections": list(scope.collections),
        "jurisdictions": list(scope.jurisdictions),
        "parties": list(scope.parties),
        "doc_types": [kind.value for kind in scope.doc_types],
        "documents": list(scope.documents),
        "editions": list(scope.editions),
        "as_of": scope.as_of.isoformat() if scope.as_of else None,
    }


def to_scope(values: Values) -> Scope:
    """A scope from its JSON."""
    return Scope(
        collections=tuple(values["collections"]),
        jurisdictions=tuple(values["jurisdictions"]),
        parties=tuple(values["parties"]),
        doc_types=tuple(DocumentType(kind) for kind in values["doc_types"]),
        documents=tuple(DocumentId(document) for document in values["documents"]),
        editions=tuple(values["editions"]),
        as_of=date.fromisoformat(values["as_of"]) if values["as_of"] else None,
    )


def summary_values(draft: SummaryDraft) -> Values:
    """A row of `summaries`, without its id, topic and number."""
    return {
        "made_at": draft.made_at,
        "language": draft.language,
        "scope": scope_values(draft.scope),
        "claims": [{"text": item.text, "labels": list(item.labels)} for item in draft.claims],
        "missing": [{"kind": item.kind, "name": item.name} for item in draft.missing],
        "notices": [
            {"key": item.key, "values": item.values, "labels": list(item.labels)} for item in draft.notices
        ],
        "rejected": [{"what": item.what, "text": item.text, "why": item.why} for item in draft.rejected],
        "confidence": draft.confidence,
        "answerer": draft.answerer,
        "prompt": draft.prompt,
    }


def to_summary(row: AnyRow, citations: tuple[Citation, ...]) -> Summary:
    """A summary from its row with its topic's columns."""
    return Summary(
        id=row.id,
        number=row.number,
        topic=Topic(name=row.topic_name, scope=to_scope(row.topic_scope)),
        language=row.language,
        made_at=row.made_at,
        scope=to_scope(row.scope),
        claims=tuple(Claim(text=item["text"], labels=tuple(item["labels"])) for item in row.claims),
        citations=citations,
        missing=tuple(Missing(**item) for item in row.missing),
        confidence=row.confidence,
        notices=tuple(
            Notice(key=item["key"], values=item["values"], labels=tuple(item["labels"]))
            for item in row.notices
        ),
        rejected=tuple(Rejected(**item) for item in row.rejected),
        answerer=row.answerer,
        prompt=row.prompt,
    )


def to_entry(row: AnyRow, versions: tuple[VersionId, ...]) -> SummaryEntry:
    """A line of a listing from the same row."""
    return SummaryEntry(
        id=row.id,
        number=row.number,
        topic=Topic(name=row.topic_name, scope=to_scope(row.topic_scope)),
        scope=to_scope(row.scope),
        made_at=row.made_at,
        answerer=row.answerer,
        versions=versions,
    )


def citation_values(citation: Citation) -> Values:
    """A row of `summary_citations`, without its place."""
    section = citation.section
    return {
        "label": citation.label,
        "version_id": citation.edition.version.id,
        "passage_id": citation.passage,
        "passage_kind": citation.kind.value,
        "section": {
            "id": section.id,
            "title": section.title,
            "path": list(section.path),
            "hierarchy": list(section.hierarchy),
        }
        if section
        else None,
        "spans": [(span.page, span.start, span.end) for span in citation.quote.spans],
        "quote": citation.quote.text,
        "verdict": citation.verdict.value,
        "text_source": citation.text_source.value,
        "printed_labels": list(citation.printed_labels),
    }


def to_citation(row: sa.Row[Any]) -> Citation:
    """A citation from its row joined with its document and version as they are now."""
    own = {column.name: row._mapping[column] for column in CITATIONS.c}
    section = own["section"]
    return Citation(
        label=own["label"],
        edition=to_edition(row),
        passage=PassageId(own["passage_id"]) if own["passage_id"] else None,
        section=Section(
            id=section["id"],
            title=section["title"],
            path=tuple(section["path"]),
            hierarchy=tuple(section["hierarchy"]),
        )
        if section
        else None,
        quote=Quote(spans=tuple(Span(*span) for span in own["spans"]), text=own["quote"]),
        verdict=Verdict(own["verdict"]),
        text_source=TextSource(own["text_source"]),
        printed_labels=tuple(own["printed_labels"]),
        kind=PassageKind(own["passage_kind"] or PassageKind.PROSE),
    )
