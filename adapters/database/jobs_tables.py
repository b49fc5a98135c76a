"""The tables of scheduled re-ingestion. A source may be known before its document is, so no foreign keys."""

from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Field

from adapters.database.tables import SourceText, TableModel, UtcDateTime


class SourceRow(TableModel, table=True):
    """The source of a document, and the change of it that waits for approval (`held_...`)."""

    __tablename__ = "sources"
    document: str = Field(sa_type=sa.Text, primary_key=True)
    url: str | None = Field(sa_type=SourceText)
    etag: str | None = Field(sa_type=SourceText)
    last_modified: str | None = Field(sa_type=SourceText)
    checked_at: datetime | None = Field(sa_type=UtcDateTime)
    result: str | None = Field(sa_type=sa.Text)
    error: str | None = Field(sa_type=sa.Text)
    failures: int = Field(default=0)
    next_run: datetime | None = Field(sa_type=UtcDateTime)
    held_reason: str | None = Field(sa_type=sa.Text)
    held_at: datetime | None = Field(sa_type=UtcDateTime)
    held_sha256: str | None = Field(sa_type=sa.Text)
    held_original: str | None = Field(sa_type=sa.Text)
    held_values: dict[str, str | int] | None = Field(sa_type=sa.JSON(none_as_null=True))
    approved: bool = Field(default=False)
    dismissed: str | None = Field(sa_type=sa.Text)


class WatchedFileRow(TableModel, table=True):
    """A file of a watched folder as it was when last seen."""

    __tablename__ = "watched_files"
    folder: str = Field(sa_type=SourceText, primary_key=True)
    path: str = Field(sa_type=SourceText, primary_key=True)
    size: int = Field(sa_type=sa.BigInteger)
    mtime_ns: int = Field(sa_type=sa.BigInteger)


class LeaseRow(TableModel, table=True):
    """Who has a task that only one process may have."""

    __tablename__ = "leases"
    name: str = Field(sa_type=sa.Text, primary_key=True)
    holder: str = Field(sa_type=sa.Text)
    until: datetime = Field(sa_type=UtcDateTime)
