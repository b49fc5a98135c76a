"""The tables. Rows never leave this adapter; `mapping` turns them into domain types."""

from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlmodel import Field, SQLModel

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = sa.MetaData(naming_convention=NAMING)
"""All tables of the product, for migrations."""


class UtcDateTime(sa.types.TypeDecorator[datetime]):
    """Aware UTC times on databases with and without time zones."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Convert to UTC; a naive time is a mistake of the caller."""
        if value is not None and value.tzinfo is None:
            raise ValueError("times are aware")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """SQLite gives the naive UTC time back."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


KeyText = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Text that every database compares byte by byte, so that an index can find prefixes."""

UNSTORABLE = dict.fromkeys((0, *range(0xD800, 0xE000)), "\ufffd")


class SourceText(sa.types.TypeDecorator[str]):
    """Text that comes from a file. NUL (PostgreSQL) and lone surrogates (both) cannot be stored and
    become U+FFFD, one for one, so that offsets stay right."""

    impl = sa.Text()
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Replace characters that no database accepts; nearly all text passes the quick test."""
        if value is None or (value.isascii() and "\0" not in value):
            return value
        return value.translate(UNSTORABLE)


class TableModel(SQLModel):
    """Base of all tables; keeps them out of SQLModel's global metadata. Nothing validates rows, so Pydantic's
    validators are not built."""

    model_config = {"defer_build": True}

    metadata = metadata


class StatedFields(TableModel):
    """The columns of `core.domain.documents.DocumentFields`, for the tables that hold them."""

    title: str = Field(sa_type=SourceText)
    language: str = Field(sa_type=sa.Text)
    jurisdiction: str | None = Field(sa_type=sa.Text)
    parties: list[str] = Field(sa_type=sa.JSON)
    doc_type: str = Field(sa_type=sa.Text)
    valid_from: date | None
    valid_to: date | None
    series: str | None = Field(sa_type=sa.Text)
    reference: str | None = Field(sa_type=sa.Text)
    tags: list[str] = Field(sa_type=sa.JSON)
    aliases: list[str] | None = Field(sa_type=sa.JSON(none_as_null=True))
    max_pages: int | None
    derived_from: str | None = Field(sa_type=sa.Text)
    amends: str | None = Field(sa_type=sa.Text)
    source_uri: str | None = Field(sa_type=sa.Text)
    mirrors: list[str] = Field(sa_type=sa.JSON)
    schedule: str | None = Field(sa_type=sa.Text)


class JurisdictionRow(TableModel, table=True):
    """A place of the registry; `position` keeps the order of the manifests."""

    __tablename__ = "jurisdictions"
    position: int
    code: str = Field(sa_type=sa.Text, primary_key=True)
    name: str = Field(sa_type=sa.Text)
    aliases: list[str] = Field(sa_type=sa.JSON)
    parent: str | None = Field(sa_type=sa.Text)


class PartyRow(TableModel, table=True):
    """A party or a group of parties."""

    __tablename__ = "parties"
    position: int
    name: str = Field(sa_type=sa.Text, primary_key=True)
    aliases: list[str] = Field(sa_type=sa.JSON)
    members: list[str] = Field(sa_type=sa.JSON)
    jurisdictions: list[str] = Field(sa_type=sa.JSON)


class GovernmentRow(TableModel, table=True):
    """Who governs a place in a span of time."""

    __tablename__ = "governments"
    position: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    jurisdiction: str = Field(sa_type=sa.Text)
    parties: list[str] = Field(sa_type=sa.JSON)
    since: date
    until: date | None


class DerivationRow(TableModel, table=True):
    """A rule -> section pair that the text does not spell out."""

    __tablename__ = "derivations"
    position: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    document: str = Field(sa_type=sa.Text)
    section: str = Field(sa_type=sa.Text)
    source: str = Field(sa_type=sa.Text)
    source_section: str = Field(sa_type=sa.Text)


class ManifestRow(TableModel, table=True):
    """One manifest's places and parties, as JSON, and the collections that may know them. The tables above
    have all manifests' rows merged."""

    __tablename__ = "manifests"
    position: int
    name: str = Field(sa_type=SourceText, primary_key=True)
    collections: list[str] = Field(sa_type=sa.JSON)
    stated: dict[str, Any] = Field(sa_type=sa.JSON)


class RegisteredDocumentRow(StatedFields, table=True):
    """A document that a manifest lists."""

    __tablename__ = "registered_documents"
    __table_args__ = (sa.UniqueConstraint("collection", "key"),)
    position: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    key: str = Field(sa_type=sa.Text)
    collection: str = Field(sa_type=sa.Text)
    file: str | None = Field(sa_type=sa.Text)
    url: str | None = Field(sa_type=sa.Text)


class DocumentRow(StatedFields, table=True):
    """A document. A deleted one keeps its row, and its key may be reused; `withdrawn_at` says since when it
    has been withdrawn while all its data still exist."""

    __tablename__ = "documents"
    __table_args__ = (
        sa.Index(
            "uq_documents_collection_key_active",
            "collection",
            "key",
            unique=True,
            sqlite_where=sa.text("status = 'active'"),
            postgresql_where=sa.text("status = 'active'"),
        ),
    )
    id: str = Field(sa_type=sa.Text, primary_key=True)
    collection: str = Field(sa_type=sa.Text)
    key: str = Field(sa_type=SourceText)
    file: str = Field(sa_type=SourceText)
    status: str = Field(sa_type=sa.Text)
    withdrawn_at: datetime | None = Field(sa_type=UtcDateTime)


class VersionRow(TableModel, table=True):
    """A version. `row` is what pages and passages refer to: an integer instead of a long id."""

    __tablename__ = "versions"
    __table_args__ = (
        sa.Index(
            "uq_versions_document_id_active",
            "document_id",
            unique=True,
            sqlite_where=sa.text("status = 'active'"),
            postgresql_where=sa.text("status = 'active'"),
        ),
    )
    row: int | None = Field(default=None, primary_key=True)
    id: str = Field(sa_type=sa.Text, unique=True)
    document_id: str = Field(sa_type=sa.Text, foreign_key="documents.id", index=True)
    number: int
    sha256: str = Field(sa_type=sa.Text, index=True)
    pipeline: str = Field(sa_type=sa.Text)
    status: str = Field(sa_type=sa.Text)
    seen_from: datetime = Field(sa_type=UtcDateTime)
    seen_to: datetime | None = Field(sa_type=UtcDateTime)
    indexed_at: datetime | None = Field(sa_type=UtcDateTime)
    original: str = Field(sa_type=sa.Text)
    pages: int
    pages_without_text: int
    pages_ocr: int
    hidden_characters: int
    passages: int
    warnings: list[str] = Field(sa_type=sa.JSON)


class PageRow(TableModel, table=True):
    """A page; `content` is its text and words as `mapping` packs them."""

    __tablename__ = "pages"
    version_row: int = Field(foreign_key="versions.row", ondelete="CASCADE", primary_key=True)
    number: int = Field(primary_key=True)
    label: str | None = Field(sa_type=SourceText)
    width: float = Field(sa_type=sa.Double)
    height: float = Field(sa_type=sa.Double)
    rotation: int
    text_source: str = Field(sa_type=sa.Text)
    content: bytes


class PassageRow(TableModel, table=True):
    """A passage. `spans` is [[page, start, end], ...], `windows` and `others` [[start, end], ...],
    `picture` [page, x0, y0, x1, y1]."""

    __tablename__ = "passages"
    __table_args__ = (sa.Index(None, "version_row", "section_id"),)
    version_row: int = Field(foreign_key="versions.row", ondelete="CASCADE", primary_key=True)
    ordinal: int = Field(primary_key=True)
    id: str = Field(sa_type=sa.Text, unique=True)
    kind: str = Field(sa_type=sa.Text)
    heading: str = Field(sa_type=SourceText)
    text: str = Field(sa_type=SourceText)
    spans: list[tuple[int, int, int]] = Field(sa_type=sa.JSON)
    windows: list[tuple[int, int]] = Field(sa_type=sa.JSON)
    section_id: str | None = Field(sa_type=SourceText)
    section_title: str | None = Field(sa_type=SourceText)
    section_path: list[str] | None = Field(sa_type=sa.JSON(none_as_null=True))
    section_hierarchy: list[str] | None = Field(sa_type=sa.JSON(none_as_null=True))
    picture: list[float] | None = Field(sa_type=sa.JSON(none_as_null=True))
    others: list[tuple[int, int]] | None = Field(sa_type=sa.JSON(none_as_null=True))


class CrossReferenceRow(TableModel, table=True):
    """A reference in a passage of a version; `start` and `end` are characters of the passage's text."""

    __tablename__ = "cross_references"
    __table_args__ = (sa.Index(None, "target", "version_row"), sa.Index(None, "version_row", "section"))
    version_row: int = Field(foreign_key="versions.row", ondelete="CASCADE", primary_key=True)
    position: int = Field(primary_key=True)
    ordinal: int
    section: str | None = Field(sa_type=SourceText)
    path: list[str] = Field(sa_type=sa.JSON)
    kind: str = Field(sa_type=sa.Text)
    instrument: str = Field(sa_type=sa.Text)
    name: str | None = Field(sa_type=SourceText)
    target: str = Field(sa_type=SourceText)
    target_path: list[str] = Field(sa_type=sa.JSON)
    start: int
    end: int


class RecognisedRow(TableModel, table=True):
    """A version that was searched for references, and by which recogniser: it may have none."""

    __tablename__ = "recognised"
    version_row: int = Field(foreign_key="versions.row", ondelete="CASCADE", primary_key=True)
    recogniser: int


class LibraryIdRow(TableModel, table=True):
    """The id of this library, in a single row, and its generation, which every change increases."""

    __tablename__ = "library_id"
    row: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    id: str = Field(sa_type=sa.Text)
    generation: int = Field(default=0, sa_type=sa.BigInteger, sa_column_kwargs={"server_default": "0"})


def table_of(model: type[TableModel]) -> sa.Table:
    """The SQL table of a row class."""
    return metadata.tables[str(model.__tablename__)]


# The tables of the journal: what came in, what goes out, what was answered, and who did what.
#
# Ids of people and chats are only in the delivery tables (`inbox`, `outbox`, `posted`, `chat_states`,
# `thread_contexts`), and expire; everything else uses pseudonyms.


class InboxRow(TableModel, table=True):
    """An accepted message. `chat`, `person` and `payload` are erased when they expire, the event's id stays a
    while longer. `turn` counts the claims of all chats, `claims` those of this message: unlike `attempts` it
    is never reset. `process` claimed it last; `stopped`: why the answer that it makes is no longer wanted
    (`core.domain.journal.Stop`)."""

    __tablename__ = "inbox"
    __table_args__ = (
        sa.UniqueConstraint("platform", "workspace", "event"),
        sa.Index(None, "state", "changed_at"),
        sa.Index(None, "platform", "workspace", "chat", "turn"),
        sa.Index(None, "turn"),
        sa.Index(
            "uq_inbox_working",
            *("platform", "workspace", "chat"),
            unique=True,
            sqlite_where=sa.text("state = 'working'"),
            postgresql_where=sa.text("state = 'working'"),
        ),
    )
    row: int | None = Field(default=None, primary_key=True)
    platform: str = Field(sa_type=sa.Text)
    workspace: str = Field(sa_type=sa.Text)
    event: str = Field(sa_type=sa.Text)
    chat: str | None = Field(sa_type=sa.Text)
    person: str | None = Field(sa_type=sa.Text, index=True)
    payload: dict[str, Any] | None = Field(sa_type=sa.JSON(none_as_null=True))
    received_at: datetime = Field(sa_type=UtcDateTime)
    state: str = Field(sa_type=sa.Text)
    changed_at: datetime = Field(sa_type=UtcDateTime)
    turn: int
    attempts: int
    claims: int = Field(sa_column_kwargs={"server_default": "0"})
    process: str | None = Field(default=None, sa_type=sa.Text)
    stopped: str | None = Field(default=None, sa_type=sa.Text)
    error: str | None = Field(sa_type=sa.Text)
    forgotten: bool


class CursorRow(TableModel, table=True):
    """How far a platform's event stream has been read."""

    __tablename__ = "platform_cursors"
    platform: str = Field(sa_type=sa.Text, primary_key=True)
    workspace: str = Field(sa_type=sa.Text, primary_key=True)
    cursor: str = Field(sa_type=sa.Text)


class OutboxRow(TableModel, table=True):
    """A part of a reply. `key` is the platform's transaction id: it never changes. `message_ids` are the
    platform's, once it is sent; `claims` and `process` as in the inbox."""

    __tablename__ = "outbox"
    __table_args__ = (sa.Index(None, "state", "changed_at"), sa.Index(None, "platform", "state", "workspace"))
    row: int | None = Field(default=None, primary_key=True)
    key: str = Field(sa_type=KeyText, unique=True)
    reply: str = Field(sa_type=sa.Text, index=True)
    platform: str = Field(sa_type=sa.Text)
    workspace: str = Field(sa_type=sa.Text)
    chat: str | None = Field(sa_type=sa.Text)
    person: str | None = Field(sa_type=sa.Text, index=True)
    trace: str | None = Field(sa_type=sa.Text)
    payload: dict[str, Any] | None = Field(sa_type=sa.JSON(none_as_null=True))
    state: str = Field(sa_type=sa.Text)
    changed_at: datetime = Field(sa_type=UtcDateTime)
    due_at: datetime = Field(sa_type=UtcDateTime)
    attempts: int
    claims: int = Field(sa_column_kwargs={"server_default": "0"})
    process: str | None = Field(default=None, sa_type=sa.Text)
    error: str | None = Field(sa_type=sa.Text)
    message_ids: list[str] = Field(sa_type=sa.JSON)
    forgotten: bool


class PostedRow(TableModel, table=True):
    """A platform message that shows an answer, without who asked for it."""

    __tablename__ = "posted"
    __table_args__ = (sa.Index(None, "platform", "workspace", "chat", "message"),)
    row: int | None = Field(default=None, primary_key=True)
    trace: str = Field(sa_type=sa.Text, index=True)
    platform: str = Field(sa_type=sa.Text)
    workspace: str = Field(sa_type=sa.Text)
    chat: str = Field(sa_type=sa.Text)
    thread: str | None = Field(sa_type=sa.Text)
    message: str = Field(sa_type=sa.Text)
    posted_at: datetime = Field(sa_type=UtcDateTime, index=True)


class ChatStateRow(TableModel, table=True):
    """A chat's own settings."""

    __tablename__ = "chat_states"
    platform: str = Field(sa_type=sa.Text, primary_key=True)
    workspace: str = Field(sa_type=sa.Text, primary_key=True)
    chat: str = Field(sa_type=sa.Text, primary_key=True)
    jurisdiction: str | None = Field(sa_type=sa.Text)
    parties: list[str] = Field(sa_type=sa.JSON)
    language: str = Field(sa_type=sa.Text)
    corrections: bool
    files: str | None = Field(sa_type=sa.Text, default=None)
    changed_at: datetime = Field(sa_type=UtcDateTime)


class ThreadContextRow(TableModel, table=True):
    """What a thread is about, for the next question in it. `scope` names the collections it may show."""

    __tablename__ = "thread_contexts"
    platform: str = Field(sa_type=sa.Text, primary_key=True)
    workspace: str = Field(sa_type=sa.Text, primary_key=True)
    chat: str = Field(sa_type=sa.Text, primary_key=True)
    thread: str = Field(sa_type=sa.Text, primary_key=True)
    scope: str = Field(sa_type=sa.Text, primary_key=True)
    person: str | None = Field(sa_type=sa.Text, index=True)
    content: dict[str, Any] = Field(sa_type=sa.JSON)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)


class AnswerRow(TableModel, table=True):
    """An answer's record. `question` and `texts` (every other text of or from the question) go first,
    `record` stays longer. `chat` and `person` are pseudonyms."""

    __tablename__ = "answers"
    trace: str = Field(sa_type=sa.Text, primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime, index=True)
    person: str | None = Field(sa_type=sa.Text, index=True)
    chat: str | None = Field(sa_type=sa.Text)
    question: str | None = Field(sa_type=SourceText)
    texts: dict[str, Any] | None = Field(sa_type=sa.JSON(none_as_null=True))
    record: dict[str, Any] = Field(sa_type=sa.JSON)
    reported: bool


class AnswerVersionRow(TableModel, table=True):
    """A document version that an answer cites."""

    __tablename__ = "answer_versions"
    trace: str = Field(sa_type=sa.Text, foreign_key="answers.trace", ondelete="CASCADE", primary_key=True)
    version: str = Field(sa_type=sa.Text, primary_key=True, index=True)


class CorrectionRow(TableModel, table=True):
    """A citation that was checked against another version, active `since` then; `said` and `reply` are set if
    its chat (a pseudonym) was told something."""

    __tablename__ = "corrections"
    __table_args__ = (sa.Index(None, "chat", "at"),)
    trace: str = Field(sa_type=sa.Text, foreign_key="answers.trace", ondelete="CASCADE", primary_key=True)
    label: str = Field(sa_type=sa.Text, primary_key=True)
    version: str = Field(sa_type=sa.Text, primary_key=True)
    since: datetime = Field(sa_type=UtcDateTime, primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime)
    outcome: str = Field(sa_type=sa.Text)
    said: str | None = Field(sa_type=SourceText)
    chat: str | None = Field(sa_type=sa.Text)
    reply: str | None = Field(sa_type=sa.Text)


class FeedbackRow(TableModel, table=True):
    """A person's latest opinion of an answer; it outlives the person's pseudonym."""

    __tablename__ = "feedback"
    __table_args__ = (sa.UniqueConstraint("trace", "person"),)
    row: int | None = Field(default=None, primary_key=True)
    trace: str = Field(sa_type=sa.Text)
    person: str | None = Field(sa_type=sa.Text, index=True)
    verdict: str = Field(sa_type=sa.Text)
    at: datetime = Field(sa_type=UtcDateTime, index=True)


class AuditRow(TableModel, table=True):
    """Who did what. `actor` is a pseudonym, `subject` an id: of a document, an answer, a setting."""

    __tablename__ = "audit"
    row: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime, index=True)
    actor: str = Field(sa_type=sa.Text)
    action: str = Field(sa_type=sa.Text)
    subject: str = Field(sa_type=sa.Text)
    values: dict[str, str] = Field(sa_type=sa.JSON)


class AccessTokenRow(TableModel, table=True):
    """A token of the HTTP interface. `digest` is the SHA-256 of its secret, which is not stored."""

    __tablename__ = "access_tokens"
    name: str = Field(sa_type=sa.Text, primary_key=True)
    digest: str = Field(sa_type=sa.Text, unique=True)
    role: str = Field(sa_type=sa.Text)
    collections: list[str] = Field(sa_type=sa.JSON)
    per_minute: int
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime | None = Field(sa_type=UtcDateTime)


class PageLinkRow(TableModel, table=True):
    """A public link to a cited page. `digest` is that of the citation, so that each has one link."""

    __tablename__ = "page_links"
    id: str = Field(sa_type=sa.Text, primary_key=True)
    digest: str = Field(sa_type=sa.Text, unique=True)
    given_at: datetime = Field(sa_type=UtcDateTime, index=True)
    citation: dict[str, Any] = Field(sa_type=sa.JSON)


class AnswerLinkRow(TableModel, table=True):
    """Quotes that an inline query found, to be opened in a private chat: ids of page links. `digest` is that
    of the list, so that each has one row."""

    __tablename__ = "answer_links"
    id: str = Field(sa_type=sa.Text, primary_key=True)
    digest: str = Field(sa_type=sa.Text, unique=True)
    given_at: datetime = Field(sa_type=UtcDateTime, index=True)
    links: list[str] = Field(sa_type=sa.JSON)
    language: str = Field(sa_type=sa.Text)


class SubscriptionRow(TableModel, table=True):
    """A chat's subscription. `person` is a pseudonym, `subject` an id or the words of a topic, `name` how it
    is listed; `seen` is its state when the chat was last told, `revision` counts these."""

    __tablename__ = "subscriptions"
    __table_args__ = (sa.Index(None, "platform", "workspace", "chat"), {"sqlite_autoincrement": True})
    id: int | None = Field(default=None, primary_key=True)
    platform: str = Field(sa_type=sa.Text)
    workspace: str = Field(sa_type=sa.Text)
    chat: str = Field(sa_type=sa.Text)
    thread: str | None = Field(sa_type=sa.Text)
    person: str = Field(sa_type=sa.Text, index=True)
    kind: str = Field(sa_type=sa.Text)
    subject: str = Field(sa_type=SourceText)
    name: str = Field(sa_type=SourceText)
    collections: list[str] = Field(sa_type=sa.JSON)
    jurisdiction: str | None = Field(sa_type=sa.Text)
    language: str = Field(sa_type=sa.Text)
    rhythm: str = Field(sa_type=sa.Text)
    created_at: datetime = Field(sa_type=UtcDateTime)
    due_at: datetime = Field(sa_type=UtcDateTime, index=True)
    seen: dict[str, Any] = Field(sa_type=sa.JSON)
    revision: int


class IndexGenerationRow(TableModel, table=True):
    """An index of the library, by the encoders that made it; the one with the latest `since` answers."""

    __tablename__ = "index_generations"
    encoders: str = Field(sa_type=sa.Text, primary_key=True)
    setting: str = Field(sa_type=sa.Text)
    place: str = Field(sa_type=sa.Text)
    since: datetime | None = Field(default=None, sa_type=UtcDateTime)


class NoticeRow(TableModel, table=True):
    """A person who was told what is stored about them."""

    __tablename__ = "privacy_notices"
    person: str = Field(sa_type=sa.Text, primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime)


class UpkeepRow(TableModel, table=True):
    """When a recurring job was last done."""

    __tablename__ = "upkeep"
    job: str = Field(sa_type=sa.Text, primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime)


class PseudonymKeyRow(TableModel, table=True):
    """A key that pseudonyms were made with, by its fingerprint; the one with the highest number is in use."""

    __tablename__ = "pseudonym_keys"
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    fingerprint: str = Field(sa_type=sa.Text)
    since: datetime = Field(sa_type=UtcDateTime)


# The tables of scheduled re-ingestion. A source may be known before its document is, so no foreign keys.


class SourceRow(TableModel, table=True):
    """The source of a document, and its change that is waiting for approval (`held_...`)."""

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
    """The holder of a task that only one process may have."""

    __tablename__ = "leases"
    name: str = Field(sa_type=sa.Text, primary_key=True)
    holder: str = Field(sa_type=sa.Text)
    until: datetime = Field(sa_type=UtcDateTime)


# The tables of several processes on one server: who is at work, and what they tell each other.


class ProcessRow(TableModel, table=True):
    """A serving process, until its term ends by the server's clock. Claims of processes without a row are
    free. `schema_known` is the newest schema that it knows, null for older processes that do not state it,
    which know 0022."""

    __tablename__ = "processes"
    name: str = Field(sa_type=sa.Text, primary_key=True)
    role: str = Field(sa_type=sa.Text)
    schema_known: str | None = Field(default=None, sa_type=sa.Text)
    since: datetime = Field(sa_type=UtcDateTime)
    until: datetime = Field(sa_type=UtcDateTime)


class AdmissionRow(TableModel, table=True):
    """An admitted question, for the limits: `person` and `chat` are pseudonyms."""

    __tablename__ = "admissions"
    __table_args__ = (sa.Index(None, "person", "at"), sa.Index(None, "chat", "at"))
    row: int | None = Field(default=None, primary_key=True)
    person: str | None = Field(sa_type=sa.Text)
    chat: str = Field(sa_type=sa.Text)
    at: datetime = Field(sa_type=UtcDateTime, index=True)


class RequestRow(TableModel, table=True):
    """A request over HTTP, counted for the rate limit of a token or network; `whose` is its pseudonym."""

    __tablename__ = "http_requests"
    __table_args__ = (sa.Index(None, "whose", "at"),)
    row: int | None = Field(default=None, primary_key=True)
    whose: str = Field(sa_type=sa.Text)
    at: datetime = Field(sa_type=UtcDateTime, index=True)


class ChatMemoryRow(TableModel, table=True):
    """A memory of a chat that processes share for a while: `what` kind it is, and whose or where in the chat
    (`key`). `person` is the pseudonym of whom it is about."""

    __tablename__ = "chat_memories"
    platform: str = Field(sa_type=sa.Text, primary_key=True)
    workspace: str = Field(sa_type=sa.Text, primary_key=True)
    chat: str = Field(sa_type=sa.Text, primary_key=True)
    what: str = Field(sa_type=sa.Text, primary_key=True)
    key: str = Field(sa_type=sa.Text, primary_key=True)
    person: str | None = Field(sa_type=sa.Text, index=True)
    content: Any = Field(sa_type=sa.JSON)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)


class SpendingRow(TableModel, table=True):
    """The usage of language models on a day: used and reserved."""

    __tablename__ = "model_spending"
    day: date = Field(primary_key=True)
    tokens: int = Field(sa_type=sa.BigInteger)
    usd: float = Field(sa_type=sa.Double)


class PlatformCallRow(TableModel, table=True):
    """A call by `asker` of a platform whose session another process has; that `process` is set once it takes
    the call. `result` is set once `done`."""

    __tablename__ = "platform_calls"
    __table_args__ = (sa.Index(None, "platform", "done"),)
    row: int | None = Field(default=None, primary_key=True)
    platform: str = Field(sa_type=sa.Text)
    asker: str = Field(sa_type=sa.Text)
    process: str | None = Field(default=None, sa_type=sa.Text)
    name: str = Field(sa_type=sa.Text)
    arguments: dict[str, Any] = Field(sa_type=sa.JSON)
    done: bool = Field(default=False)
    result: dict[str, Any] | None = Field(default=None, sa_type=sa.JSON(none_as_null=True))


# The tables of summaries. A topic's collections are rows, so that a query can tell who may see it.


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
