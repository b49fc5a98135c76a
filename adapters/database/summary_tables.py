"""The tables of summaries. A topic's collections stand in rows, so that a query can tell who may see it."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field

from adapters.database.tables import SourceText, TableModel, UtcDateTime


class TopicRow(TableModel, table=True):
    """A topic. `key` is what makes it the same as another, `last` the number of its newest summary."""

    __tablename__ = "summary_topics"
    row: int | None = Field(default=None, primary_key=True)
    key: str = Field(sa_type=SourceText, unique=True)
    name: str = Field(sa_type=SourceText)
    scope: dict[str, Any] = Field(sa_type=sa.JSON)
    last: int


class TopicCollectionRow(TableModel, table=True):
    """A collection that a topic's summaries may quote from."""

    __tablename__ = "summary_topic_collections"
    topic_row: int = Field(foreign_key="summary_topics.row", ondelete="CASCADE", primary_key=True)
    collection: str = Field(sa_type=sa.Text, primary_key=True)


class SummaryRow(TableModel, table=True):
    """A summary; its id is never given again. `scope` is the one searched, `person` a pseudonym."""

    __tablename__ = "summaries"
    __table_args__ = (sa.UniqueConstraint("topic_row", "number"), {"sqlite_autoincrement": True})
    id: int | None = Field(default=None, primary_key=True)
    topic_row: int = Field(foreign_key="summary_topics.row", ondelete="CASCADE")
    number: int
    made_at: datetime = Field(sa_type=UtcDateTime)
    language: str = Field(sa_type=sa.Text)
    scope: dict[str, Any] = Field(sa_type=sa.JSON)
    claims: list[dict[str, Any]] = Field(sa_type=sa.JSON)
    missing: list[dict[str, Any]] = Field(sa_type=sa.JSON)
    notices: list[dict[str, Any]] = Field(sa_type=sa.JSON)
    rejected: list[dict[str, Any]] = Field(sa_type=sa.JSON)
    confidence: float = Field(sa_type=sa.Double)
    answerer: str = Field(sa_type=sa.Text)
    prompt: str | None = Field(sa_type=sa.Text)
    person: str | None = Field(default=None, sa_type=sa.Text, index=True)


class SummaryCitationRow(TableModel, table=True):
    """A quote of a summary. `spans` is [[page, start, end], ...]. Its version's row may be replaced within a
    transaction (a deleted one that is read again), so the reference is checked when that ends."""

    __tablename__ = "summary_citations"
    summary_id: int = Field(foreign_key="summaries.id", ondelete="CASCADE", primary_key=True)
    position: int = Field(primary_key=True)
    label: str = Field(sa_type=sa.Text)
    version_id: str = Field(
        sa_column=sa.Column(
            sa.Text,
            sa.ForeignKey("versions.id", deferrable=True, initially="DEFERRED"),
            nullable=False,
            index=True,
        )
    )
    passage_id: str | None = Field(sa_type=sa.Text)
    passage_kind: str | None = Field(sa_type=sa.Text)
    section: dict[str, Any] | None = Field(sa_type=sa.JSON(none_as_null=True))
    spans: list[tuple[int, int, int]] = Field(sa_type=sa.JSON)
    quote: str = Field(sa_type=SourceText)
    verdict: str = Field(sa_type=sa.Text)
    text_source: str = Field(sa_type=sa.Text)
    printed_labels: list[str | None] = Field(sa_type=sa.JSON)
