"""The tables. Rows never leave this adapter; `mapping` turns them into domain types."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

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
"""Text that is compared byte by byte by every database, so that an index finds what begins with something."""

UNSTORABLE = dict.fromkeys((0, *range(0xD800, 0xE000)), "\ufffd")


class SourceText(sa.types.TypeDecorator[str]):
    """Text that comes from a file. NUL (PostgreSQL) and lone surrogates (both) cannot be stored and
    become U+FFFD, one for one, so that offsets stay right."""

    impl = sa.Text()
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Replace what no database takes; nearly all text passes the quick test."""
        if value is None or (value.isascii() and "\0" not in value):
            return value
        return value.translate(UNSTORABLE)


def _filled(name: str, kind: Any, *constraints: Any, **options: Any) -> sa.Column[Any]:
    """A column that is never null."""
    return sa.Column(name, kind, *constraints, nullable=False, **options)


def _stated() -> list[sa.Column[Any]]:
    """The columns of `core.domain.documents.DocumentFields`, for the tables that hold them."""
    return [
        _filled("title", SourceText),
        _filled("language", sa.Text),
        sa.Column("jurisdiction", sa.Text),
        _filled("parties", sa.JSON),
        _filled("doc_type", sa.Text),
        sa.Column("valid_from", sa.Date),
        sa.Column("valid_to", sa.Date),
        sa.Column("series", sa.Text),
        sa.Column("reference", sa.Text),
        _filled("tags", sa.JSON),
        sa.Column("aliases", sa.JSON(none_as_null=True)),
        sa.Column("max_pages", sa.Integer),
        sa.Column("derived_from", sa.Text),
        sa.Column("amends", sa.Text),
        sa.Column("source_uri", sa.Text),
        _filled("mirrors", sa.JSON),
        sa.Column("schedule", sa.Text),
    ]


JURISDICTIONS = sa.Table(
    "jurisdictions",
    metadata,
    _filled("position", sa.Integer),
    sa.Column("code", sa.Text, primary_key=True),
    _filled("name", sa.Text),
    _filled("aliases", sa.JSON),
    sa.Column("parent", sa.Text),
)
"""A place of the registry; `position` keeps the order of the manifests."""

PARTIES = sa.Table(
    "parties",
    metadata,
    _filled("position", sa.Integer),
    sa.Column("name", sa.Text, primary_key=True),
    _filled("aliases", sa.JSON),
    _filled("members", sa.JSON),
    _filled("jurisdictions", sa.JSON),
)
"""A party or a group of parties."""

GOVERNMENTS = sa.Table(
    "governments",
    metadata,
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    _filled("jurisdiction", sa.Text),
    _filled("parties", sa.JSON),
    _filled("since", sa.Date),
    sa.Column("until", sa.Date),
)
"""Who governs a place in a span of time."""

DERIVATIONS = sa.Table(
    "derivations",
    metadata,
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    _filled("document", sa.Text),
    _filled("section", sa.Text),
    _filled("source", sa.Text),
    _filled("source_section", sa.Text),
)
"""A rule -> section pair that the text does not spell out."""

MANIFESTS = sa.Table(
    "manifests",
    metadata,
    _filled("position", sa.Integer),
    sa.Column("name", SourceText, primary_key=True),
    _filled("collections", sa.JSON),
    _filled("stated", sa.JSON),
)
"""What one manifest says of places and parties, as JSON, and the collections that may know of it. The
tables above have all manifests' rows merged."""

REGISTERED = sa.Table(
    "registered_documents",
    metadata,
    *_stated(),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    _filled("key", sa.Text),
    _filled("collection", sa.Text),
    sa.Column("file", sa.Text),
    sa.Column("url", sa.Text),
    sa.UniqueConstraint("collection", "key"),
)
"""A document that a manifest lists."""

DOCUMENTS = sa.Table(
    "documents",
    metadata,
    *_stated(),
    sa.Column("id", sa.Text, primary_key=True),
    _filled("collection", sa.Text),
    _filled("key", SourceText),
    _filled("file", SourceText),
    _filled("status", sa.Text),
    sa.Column("withdrawn_at", UtcDateTime),
    sa.Index(
        "uq_documents_collection_key_active",
        "collection",
        "key",
        unique=True,
        sqlite_where=sa.text("status = 'active'"),
        postgresql_where=sa.text("status = 'active'"),
    ),
)
"""A document. A deleted one keeps its row, and its key may be taken again; `withdrawn_at` says since when
it is out of sight while everything of it is still there."""

VERSIONS = sa.Table(
    "versions",
    metadata,
    sa.Column("row", sa.Integer, primary_key=True),
    _filled("id", sa.Text, unique=True),
    _filled("document_id", sa.Text, sa.ForeignKey("documents.id"), index=True),
    _filled("number", sa.Integer),
    _filled("sha256", sa.Text, index=True),
    _filled("pipeline", sa.Text),
    _filled("status", sa.Text),
    _filled("seen_from", UtcDateTime),
    sa.Column("seen_to", UtcDateTime),
    sa.Column("indexed_at", UtcDateTime),
    _filled("original", sa.Text),
    _filled("pages", sa.Integer),
    _filled("pages_without_text", sa.Integer),
    _filled("pages_ocr", sa.Integer),
    _filled("hidden_characters", sa.Integer),
    _filled("passages", sa.Integer),
    _filled("warnings", sa.JSON),
    sa.Index(
        "uq_versions_document_id_active",
        "document_id",
        unique=True,
        sqlite_where=sa.text("status = 'active'"),
        postgresql_where=sa.text("status = 'active'"),
    ),
)
"""A version. `row` is what pages and passages refer to: an integer instead of a long id."""

PAGES = sa.Table(
    "pages",
    metadata,
    sa.Column("version_row", sa.Integer, sa.ForeignKey("versions.row", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("label", SourceText),
    _filled("width", sa.Double),
    _filled("height", sa.Double),
    _filled("rotation", sa.Integer),
    _filled("text_source", sa.Text),
    _filled("content", sa.LargeBinary),
)
"""A page; `content` is its text and words as `mapping` packs them."""

PASSAGES = sa.Table(
    "passages",
    metadata,
    sa.Column("version_row", sa.Integer, sa.ForeignKey("versions.row", ondelete="CASCADE"), primary_key=True),
    sa.Column("ordinal", sa.Integer, primary_key=True),
    _filled("id", sa.Text, unique=True),
    _filled("kind", sa.Text),
    _filled("heading", SourceText),
    _filled("text", SourceText),
    _filled("spans", sa.JSON),
    _filled("windows", sa.JSON),
    sa.Column("section_id", SourceText),
    sa.Column("section_title", SourceText),
    sa.Column("section_path", sa.JSON(none_as_null=True)),
    sa.Column("section_hierarchy", sa.JSON(none_as_null=True)),
    sa.Column("picture", sa.JSON(none_as_null=True)),
    sa.Column("others", sa.JSON(none_as_null=True)),
    sa.Index(None, "version_row", "section_id"),
)
"""A passage. `spans` is [[page, start, end], ...], `windows` and `others` [[start, end], ...],
`picture` [page, x0, y0, x1, y1]."""

REFERENCES = sa.Table(
    "cross_references",
    metadata,
    sa.Column("version_row", sa.Integer, sa.ForeignKey("versions.row", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    _filled("ordinal", sa.Integer),
    sa.Column("section", SourceText),
    _filled("path", sa.JSON),
    _filled("kind", sa.Text),
    _filled("instrument", sa.Text),
    sa.Column("name", SourceText),
    _filled("target", SourceText),
    _filled("target_path", sa.JSON),
    _filled("start", sa.Integer),
    _filled("end", sa.Integer),
    sa.Index(None, "target", "version_row"),
    sa.Index(None, "version_row", "section"),
)
"""A reference in a passage of a version; `start` and `end` are characters of the passage's text."""

RECOGNISED = sa.Table(
    "recognised",
    metadata,
    sa.Column("version_row", sa.Integer, sa.ForeignKey("versions.row", ondelete="CASCADE"), primary_key=True),
    _filled("recogniser", sa.Integer),
)
"""A version whose references were looked for, and by which recogniser: there may be none."""

LIBRARY_ID = sa.Table(
    "library_id",
    metadata,
    sa.Column("row", sa.Integer, primary_key=True, autoincrement=False),
    _filled("id", sa.Text),
    _filled("generation", sa.BigInteger, server_default="0"),
)
"""The id of this library, in the one row there is, and the number that every change of it raises."""

# The tables of the journal: what came in, what goes out, what was answered, and who did what.
#
# Ids of people and chats stand in the delivery tables (`inbox`, `outbox`, `posted`, `chat_states`,
# `thread_contexts`) only, and go with their term; everything else names pseudonyms.

INBOX = sa.Table(
    "inbox",
    metadata,
    sa.Column("row", sa.Integer, primary_key=True),
    _filled("platform", sa.Text),
    _filled("workspace", sa.Text),
    _filled("event", sa.Text),
    sa.Column("chat", sa.Text),
    sa.Column("person", sa.Text, index=True),
    sa.Column("payload", sa.JSON(none_as_null=True)),
    _filled("received_at", UtcDateTime),
    _filled("state", sa.Text),
    _filled("changed_at", UtcDateTime),
    _filled("turn", sa.Integer),
    _filled("attempts", sa.Integer),
    _filled("claims", sa.Integer, server_default="0"),
    sa.Column("error", sa.Text),
    _filled("forgotten", sa.Boolean),
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
"""A message that was taken over. `chat`, `person` and `payload` go with their term, the event's id
stays a while longer. `turn` counts the claims of all chats, `claims` those of this message: unlike
`attempts` it never begins anew."""

CURSORS = sa.Table(
    "platform_cursors",
    metadata,
    sa.Column("platform", sa.Text, primary_key=True),
    sa.Column("workspace", sa.Text, primary_key=True),
    _filled("cursor", sa.Text),
)
"""How far a platform's stream of events was read."""

OUTBOX = sa.Table(
    "outbox",
    metadata,
    sa.Column("row", sa.Integer, primary_key=True),
    _filled("key", KeyText, unique=True),
    _filled("reply", sa.Text, index=True),
    _filled("platform", sa.Text),
    _filled("workspace", sa.Text),
    sa.Column("chat", sa.Text),
    sa.Column("person", sa.Text, index=True),
    sa.Column("trace", sa.Text),
    sa.Column("payload", sa.JSON(none_as_null=True)),
    _filled("state", sa.Text),
    _filled("changed_at", UtcDateTime),
    _filled("due_at", UtcDateTime),
    _filled("attempts", sa.Integer),
    _filled("claims", sa.Integer, server_default="0"),
    sa.Column("error", sa.Text),
    _filled("message_ids", sa.JSON),
    _filled("forgotten", sa.Boolean),
    sa.Index(None, "state", "changed_at"),
    sa.Index(None, "platform", "state", "workspace"),
)
"""A part of a reply. `key` is the platform's transaction id: it never changes. `message_ids` are the
platform's, once it is sent; `claims` as in the inbox."""

POSTED = sa.Table(
    "posted",
    metadata,
    sa.Column("row", sa.Integer, primary_key=True),
    _filled("trace", sa.Text, index=True),
    _filled("platform", sa.Text),
    _filled("workspace", sa.Text),
    _filled("chat", sa.Text),
    sa.Column("thread", sa.Text),
    _filled("message", sa.Text),
    _filled("posted_at", UtcDateTime, index=True),
    sa.Index(None, "platform", "workspace", "chat", "message"),
)
"""A platform message that shows an answer; not who asked for it."""

CHATS = sa.Table(
    "chat_states",
    metadata,
    sa.Column("platform", sa.Text, primary_key=True),
    sa.Column("workspace", sa.Text, primary_key=True),
    sa.Column("chat", sa.Text, primary_key=True),
    sa.Column("jurisdiction", sa.Text),
    _filled("parties", sa.JSON),
    _filled("language", sa.Text),
    _filled("corrections", sa.Boolean),
    sa.Column("files", sa.Text),
    _filled("changed_at", UtcDateTime),
)
"""What a chat has set for itself."""

CONTEXTS = sa.Table(
    "thread_contexts",
    metadata,
    sa.Column("platform", sa.Text, primary_key=True),
    sa.Column("workspace", sa.Text, primary_key=True),
    sa.Column("chat", sa.Text, primary_key=True),
    sa.Column("thread", sa.Text, primary_key=True),
    sa.Column("scope", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, index=True),
    _filled("content", sa.JSON),
    _filled("expires_at", UtcDateTime, index=True),
)
"""What a thread is about, for the next question in it. `scope` names the collections it may show."""

ANSWERS = sa.Table(
    "answers",
    metadata,
    sa.Column("trace", sa.Text, primary_key=True),
    _filled("at", UtcDateTime, index=True),
    sa.Column("person", sa.Text, index=True),
    sa.Column("chat", sa.Text),
    sa.Column("question", SourceText),
    sa.Column("texts", sa.JSON(none_as_null=True)),
    _filled("record", sa.JSON),
    _filled("reported", sa.Boolean),
)
"""An answer's record. `question` and `texts` (every other text of or from the question) go first,
`record` stays longer. `chat` and `person` are pseudonyms."""

ANSWER_VERSIONS = sa.Table(
    "answer_versions",
    metadata,
    sa.Column("trace", sa.Text, sa.ForeignKey("answers.trace", ondelete="CASCADE"), primary_key=True),
    sa.Column("version", sa.Text, primary_key=True, index=True),
)
"""A document version that an answer cites."""

CORRECTIONS = sa.Table(
    "corrections",
    metadata,
    sa.Column("trace", sa.Text, sa.ForeignKey("answers.trace", ondelete="CASCADE"), primary_key=True),
    sa.Column("label", sa.Text, primary_key=True),
    sa.Column("version", sa.Text, primary_key=True),
    sa.Column("since", UtcDateTime, primary_key=True),
    _filled("at", UtcDateTime),
    _filled("outcome", sa.Text),
    sa.Column("said", SourceText),
    sa.Column("chat", sa.Text),
    sa.Column("reply", sa.Text),
    sa.Index(None, "chat", "at"),
)
"""A citation that was held against another version, the active one `since` then; `said` and `reply` where
its chat (a pseudonym) was told something."""

FEEDBACK = sa.Table(
    "feedback",
    metadata,
    sa.Column("row", sa.Integer, primary_key=True),
    _filled("trace", sa.Text),
    sa.Column("person", sa.Text, index=True),
    _filled("verdict", sa.Text),
    _filled("at", UtcDateTime, index=True),
    sa.UniqueConstraint("trace", "person"),
)
"""What a person thought of an answer; the last word counts. It stays without its person."""

AUDIT = sa.Table(
    "audit",
    metadata,
    sa.Column("row", sa.Integer, primary_key=True),
    _filled("at", UtcDateTime, index=True),
    _filled("actor", sa.Text),
    _filled("action", sa.Text),
    _filled("subject", sa.Text),
    _filled("values", sa.JSON),
)
"""Who did what. `actor` is a pseudonym, `subject` an id: of a document, an answer, a setting."""

NOTICES = sa.Table(
    "privacy_notices",
    metadata,
    sa.Column("person", sa.Text, primary_key=True),
    _filled("at", UtcDateTime),
)
"""A person who was told what is kept of them."""

UPKEEP = sa.Table(
    "upkeep",
    metadata,
    sa.Column("job", sa.Text, primary_key=True),
    _filled("at", UtcDateTime),
)
"""When a recurring job was last done."""

PSEUDONYM_KEYS = sa.Table(
    "pseudonym_keys",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    _filled("fingerprint", sa.Text),
    _filled("since", UtcDateTime),
)
"""A key that pseudonyms were made with, by its fingerprint; the one with the highest number is in use."""

# The tables of scheduled re-ingestion. A source may be known before its document is, so no foreign keys.

SOURCES = sa.Table(
    "sources",
    metadata,
    sa.Column("document", sa.Text, primary_key=True),
    sa.Column("url", SourceText),
    sa.Column("etag", SourceText),
    sa.Column("last_modified", SourceText),
    sa.Column("checked_at", UtcDateTime),
    sa.Column("result", sa.Text),
    sa.Column("error", sa.Text),
    _filled("failures", sa.Integer, default=0),
    sa.Column("next_run", UtcDateTime),
    sa.Column("held_reason", sa.Text),
    sa.Column("held_at", UtcDateTime),
    sa.Column("held_sha256", sa.Text),
    sa.Column("held_original", sa.Text),
    sa.Column("held_values", sa.JSON(none_as_null=True)),
    _filled("approved", sa.Boolean, default=False),
    sa.Column("dismissed", sa.Text),
)
"""The source of a document, and the change of it that waits for approval (`held_...`)."""

WATCHED = sa.Table(
    "watched_files",
    metadata,
    sa.Column("folder", SourceText, primary_key=True),
    sa.Column("path", SourceText, primary_key=True),
    _filled("size", sa.BigInteger),
    _filled("mtime_ns", sa.BigInteger),
)
"""A file of a watched folder as it was when last seen."""

LEASES = sa.Table(
    "leases",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    _filled("holder", sa.Text),
    _filled("until", UtcDateTime),
)
"""Who has a task that only one process may have."""

# The tables of summaries. A topic's collections stand in rows, so that a query can tell who may see it.

TOPICS = sa.Table(
    "summary_topics",
    metadata,
    sa.Column("row", sa.Integer, primary_key=True),
    _filled("key", SourceText, unique=True),
    _filled("name", SourceText),
    _filled("scope", sa.JSON),
    _filled("last", sa.Integer),
)
"""A topic. `key` is what makes it the same as another, `last` the number of its newest summary."""

TOPIC_COLLECTIONS = sa.Table(
    "summary_topic_collections",
    metadata,
    sa.Column(
        "topic_row", sa.Integer, sa.ForeignKey("summary_topics.row", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("collection", sa.Text, primary_key=True),
)
"""A collection that a topic's summaries may quote from."""

SUMMARIES = sa.Table(
    "summaries",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _filled("topic_row", sa.Integer, sa.ForeignKey("summary_topics.row", ondelete="CASCADE")),
    _filled("number", sa.Integer),
    _filled("made_at", UtcDateTime),
    _filled("language", sa.Text),
    _filled("scope", sa.JSON),
    _filled("claims", sa.JSON),
    _filled("missing", sa.JSON),
    _filled("notices", sa.JSON),
    _filled("rejected", sa.JSON),
    _filled("confidence", sa.Double),
    _filled("answerer", sa.Text),
    sa.Column("prompt", sa.Text),
    sa.Column("person", sa.Text, index=True),
    sa.UniqueConstraint("topic_row", "number"),
    sqlite_autoincrement=True,
)
"""A summary; its id is never given again. `scope` is the one searched, `person` a pseudonym."""

SUMMARY_CITATIONS = sa.Table(
    "summary_citations",
    metadata,
    sa.Column("summary_id", sa.Integer, sa.ForeignKey("summaries.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    _filled("label", sa.Text),
    _filled(
        "version_id", sa.Text, sa.ForeignKey("versions.id", deferrable=True, initially="DEFERRED"), index=True
    ),
    sa.Column("passage_id", sa.Text),
    sa.Column("passage_kind", sa.Text),
    sa.Column("section", sa.JSON(none_as_null=True)),
    _filled("spans", sa.JSON),
    _filled("quote", SourceText),
    _filled("verdict", sa.Text),
    _filled("text_source", sa.Text),
    _filled("printed_labels", sa.JSON),
)
"""A quote of a summary. `spans` is [[page, start, end], ...]. Its version's row may be replaced within a
transaction (a deleted one that is read again), so the reference is checked when that ends."""
