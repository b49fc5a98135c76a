"""The tables. Rows never leave this adapter; `mapping` turns them into domain types."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import JSON, BigInteger, Boolean, Date, Double, Integer, LargeBinary, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import SchemaItem

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


KeyText = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that every database compares byte by byte, so that an index can find prefixes."""

UNSTORABLE = dict.fromkeys((0, *range(0xD800, 0xE000)), "\ufffd")


class SourceText(sa.types.TypeDecorator[str]):
    """Text that comes from a file. NUL (PostgreSQL) and lone surrogates (both) cannot be stored and
    become U+FFFD, one for one, so that offsets stay right."""

    impl = Text()
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Replace characters that no database accepts; nearly all text passes the quick test."""
        if value is None or (value.isascii() and "\0" not in value):
            return value
        return value.translate(UNSTORABLE)


NullJson = JSON(none_as_null=True)


def of(
    kind: Any,
    *names: str,
    key: bool = False,
    null: bool = False,
    to: str = "",
    ondelete: str | None = None,
    **options: Any,
) -> list[SchemaItem]:
    """Columns of one kind, alike but for their names; `to`: the column that they refer to."""
    return [
        sa.Column(
            name,
            kind,
            *([sa.ForeignKey(to, ondelete=ondelete)] if to else ()),
            primary_key=key,
            nullable=null,
            **options,
        )
        for name in names
    ]


def only_one(name: str, *columns: str, where: str) -> SchemaItem:
    """The index that keeps rows with the same `columns` from being `where` at once."""
    condition = sa.text(where)
    return sa.Index(name, *columns, unique=True, sqlite_where=condition, postgresql_where=condition)


def table(name: str, *parts: SchemaItem | list[SchemaItem], **options: Any) -> sa.Table:
    """A table of these columns and indexes."""
    items = [item for part in parts for item in (part if isinstance(part, list) else [part])]
    return sa.Table(name, metadata, *items, **options)


def stated() -> list[SchemaItem]:
    """The columns of `core.domain.documents.DocumentFields`, for the tables that hold them."""
    return [
        *of(SourceText, "title"),
        *of(Text, "language"),
        *of(Text, "jurisdiction", null=True),
        *of(JSON, "parties"),
        *of(Text, "doc_type"),
        *of(Date, "valid_from", "valid_to", null=True),
        *of(Text, "series", "reference", null=True),
        *of(JSON, "tags"),
        *of(NullJson, "aliases", null=True),
        *of(Integer, "max_pages", null=True),
        *of(Text, "derived_from", "amends", "source_uri", null=True),
        *of(JSON, "mirrors"),
        *of(Text, "schedule", null=True),
    ]


JURISDICTIONS = table(
    "jurisdictions",
    of(Integer, "position"),
    of(Text, "code", key=True),
    of(Text, "name"),
    of(JSON, "aliases"),
    of(Text, "parent", null=True),
)
"""A place of the registry; `position` keeps the order of the manifests."""

PARTIES = table(
    "parties",
    of(Integer, "position"),
    of(Text, "name", key=True),
    of(JSON, "aliases", "members", "jurisdictions"),
)
"""A party or a group of parties."""

GOVERNMENTS = table(
    "governments",
    of(Integer, "position", key=True, autoincrement=False),
    of(Text, "jurisdiction"),
    of(JSON, "parties"),
    of(Date, "since"),
    of(Date, "until", null=True),
)
"""Who governs a place in a span of time."""

DERIVATIONS = table(
    "derivations",
    of(Integer, "position", key=True, autoincrement=False),
    of(Text, "document", "section", "source", "source_section"),
)
"""A rule -> section pair that the text does not spell out."""

MANIFESTS = table(
    "manifests", of(Integer, "position"), of(SourceText, "name", key=True), of(JSON, "collections", "stated")
)
"""One manifest's places and parties, as JSON, and the collections that may know them. The tables above
have all manifests' rows merged."""

REGISTERED = table(
    "registered_documents",
    stated(),
    of(Integer, "position", key=True, autoincrement=False),
    of(Text, "key", "collection"),
    of(Text, "file", "url", null=True),
    sa.UniqueConstraint("collection", "key"),
)
"""A document that a manifest lists."""

DOCUMENTS = table(
    "documents",
    stated(),
    of(Text, "id", key=True),
    of(Text, "collection"),
    of(SourceText, "key", "file"),
    of(Text, "status"),
    of(UtcDateTime, "withdrawn_at", null=True),
    only_one("uq_documents_collection_key_active", "collection", "key", where="status = 'active'"),
)
"""A document. A deleted one keeps its row, and its key may be reused; `withdrawn_at` says since when it
has been withdrawn while all its data still exist."""

VERSIONS = table(
    "versions",
    of(Integer, "row", key=True),
    of(Text, "id", unique=True),
    of(Text, "document_id", to="documents.id", index=True),
    of(Integer, "number"),
    of(Text, "sha256", index=True),
    of(Text, "pipeline", "status"),
    of(UtcDateTime, "seen_from"),
    of(UtcDateTime, "seen_to", "indexed_at", null=True),
    of(Text, "original"),
    of(Integer, "pages", "pages_without_text", "pages_ocr", "hidden_characters", "passages"),
    of(JSON, "warnings"),
    only_one("uq_versions_document_id_active", "document_id", where="status = 'active'"),
)
"""A version. `row` is what pages and passages refer to: an integer instead of a long id."""

PAGES = table(
    "pages",
    of(Integer, "version_row", to="versions.row", ondelete="CASCADE", key=True),
    of(Integer, "number", key=True),
    of(SourceText, "label", null=True),
    of(Double, "width", "height"),
    of(Integer, "rotation"),
    of(Text, "text_source"),
    of(LargeBinary, "content"),
)
"""A page; `content` is its text and words as `mapping` packs them."""

PASSAGES = table(
    "passages",
    of(Integer, "version_row", to="versions.row", ondelete="CASCADE", key=True),
    of(Integer, "ordinal", key=True),
    of(Text, "id", unique=True),
    of(Text, "kind"),
    of(SourceText, "heading", "text"),
    of(JSON, "spans", "windows"),
    of(SourceText, "section_id", "section_title", null=True),
    of(NullJson, "section_path", "section_hierarchy", "picture", "others", null=True),
    sa.Index(None, "version_row", "section_id"),
)
"""A passage. `spans` is [[page, start, end], ...], `windows` and `others` [[start, end], ...],
`picture` [page, x0, y0, x1, y1]."""

REFERENCES = table(
    "cross_references",
    of(Integer, "version_row", to="versions.row", ondelete="CASCADE", key=True),
    of(Integer, "position", key=True),
    of(Integer, "ordinal"),
    of(SourceText, "section", null=True),
    of(JSON, "path"),
    of(Text, "kind", "instrument"),
    of(SourceText, "name", null=True),
    of(SourceText, "target"),
    of(JSON, "target_path"),
    of(Integer, "start", "end"),
    sa.Index(None, "target", "version_row"),
    sa.Index(None, "version_row", "section"),
)
"""A reference in a passage of a version; `start` and `end` are characters of the passage's text."""

RECOGNISED = table(
    "recognised",
    of(Integer, "version_row", to="versions.row", ondelete="CASCADE", key=True),
    of(Integer, "recogniser"),
)
"""A version that was searched for references, and by which recogniser: it may have none."""

LIBRARY_ID = table(
    "library_id",
    of(Integer, "row", key=True, autoincrement=False),
    of(Text, "id"),
    of(BigInteger, "generation", default=0, server_default="0"),
)
"""The id of this library, in a single row, and its generation, which every change increases."""

# The tables of the journal: what came in, what goes out, what was answered, and who did what.
#
# Ids of people and chats are only in the delivery tables (`inbox`, `outbox`, `posted`, `chat_states`,
# `thread_contexts`), and expire; everything else uses pseudonyms.

INBOX = table(
    "inbox",
    of(Integer, "row", key=True),
    of(Text, "platform", "workspace", "event"),
    of(Text, "chat", null=True),
    of(Text, "person", null=True, index=True),
    of(NullJson, "payload", null=True),
    of(UtcDateTime, "received_at"),
    of(Text, "state"),
    of(UtcDateTime, "changed_at"),
    of(Integer, "turn", "attempts"),
    of(Integer, "claims", server_default="0"),
    of(Text, "process", "stopped", "error", null=True),
    of(Boolean, "forgotten"),
    sa.UniqueConstraint("platform", "workspace", "event"),
    sa.Index(None, "state", "changed_at"),
    sa.Index(None, "platform", "workspace", "chat", "turn"),
    sa.Index(None, "turn"),
    only_one("uq_inbox_working", "platform", "workspace", "chat", where="state = 'working'"),
)
"""An accepted message. `chat`, `person` and `payload` are erased when they expire, the event's id stays a
while longer. `turn` counts the claims of all chats, `claims` those of this message: unlike `attempts` it
is never reset. `process` claimed it last; `stopped`: why the answer that it makes is no longer wanted
(`core.domain.journal.Stop`)."""

CURSORS = table("platform_cursors", of(Text, "platform", "workspace", key=True), of(Text, "cursor"))
"""How far a platform's event stream has been read."""

OUTBOX = table(
    "outbox",
    of(Integer, "row", key=True),
    of(KeyText, "key", unique=True),
    of(Text, "reply", index=True),
    of(Text, "platform", "workspace"),
    of(Text, "chat", null=True),
    of(Text, "person", null=True, index=True),
    of(Text, "trace", null=True),
    of(NullJson, "payload", null=True),
    of(Text, "state"),
    of(UtcDateTime, "changed_at", "due_at"),
    of(Integer, "attempts"),
    of(Integer, "claims", server_default="0"),
    of(Text, "process", "error", null=True),
    of(JSON, "message_ids"),
    of(Boolean, "forgotten"),
    sa.Index(None, "state", "changed_at"),
    sa.Index(None, "platform", "state", "workspace"),
)
"""A part of a reply. `key` is the platform's transaction id: it never changes. `message_ids` are the
platform's, once it is sent; `claims` and `process` as in the inbox."""

POSTED = table(
    "posted",
    of(Integer, "row", key=True),
    of(Text, "trace", index=True),
    of(Text, "platform", "workspace", "chat"),
    of(Text, "thread", null=True),
    of(Text, "message"),
    of(UtcDateTime, "posted_at", index=True),
    sa.Index(None, "platform", "workspace", "chat", "message"),
)
"""A platform message that shows an answer, without who asked for it."""

CHATS = table(
    "chat_states",
    of(Text, "platform", "workspace", "chat", key=True),
    of(Text, "jurisdiction", null=True),
    of(JSON, "parties"),
    of(Text, "language"),
    of(Boolean, "corrections"),
    of(Text, "files", null=True),
    of(UtcDateTime, "changed_at"),
)
"""A chat's own settings."""

CONTEXTS = table(
    "thread_contexts",
    of(Text, "platform", "workspace", "chat", "thread", "scope", key=True),
    of(Text, "person", null=True, index=True),
    of(JSON, "content"),
    of(UtcDateTime, "expires_at", index=True),
)
"""What a thread is about, for the next question in it. `scope` names the collections it may show."""

ANSWERS = table(
    "answers",
    of(Text, "trace", key=True),
    of(UtcDateTime, "at", index=True),
    of(Text, "person", null=True, index=True),
    of(Text, "chat", null=True),
    of(SourceText, "question", null=True),
    of(NullJson, "texts", null=True),
    of(JSON, "record"),
    of(Boolean, "reported"),
)
"""An answer's record. `question` and `texts` (every other text of or from the question) go first,
`record` stays longer. `chat` and `person` are pseudonyms."""

ANSWER_VERSIONS = table(
    "answer_versions",
    of(Text, "trace", to="answers.trace", ondelete="CASCADE", key=True),
    of(Text, "version", key=True, index=True),
)
"""A document version that an answer cites."""

CORRECTIONS = table(
    "corrections",
    of(Text, "trace", to="answers.trace", ondelete="CASCADE", key=True),
    of(Text, "label", "version", key=True),
    of(UtcDateTime, "since", key=True),
    of(UtcDateTime, "at"),
    of(Text, "outcome"),
    of(SourceText, "said", null=True),
    of(Text, "chat", "reply", null=True),
    sa.Index(None, "chat", "at"),
)
"""A citation that was checked against another version, active `since` then; `said` and `reply` are set if
its chat (a pseudonym) was told something."""

FEEDBACK = table(
    "feedback",
    of(Integer, "row", key=True),
    of(Text, "trace"),
    of(Text, "person", null=True, index=True),
    of(Text, "verdict"),
    of(UtcDateTime, "at", index=True),
    sa.UniqueConstraint("trace", "person"),
)
"""A person's latest opinion of an answer; it outlives the person's pseudonym."""

AUDIT = table(
    "audit",
    of(Integer, "row", key=True),
    of(UtcDateTime, "at", index=True),
    of(Text, "actor", "action", "subject"),
    of(JSON, "values"),
)
"""Who did what. `actor` is a pseudonym, `subject` an id: of a document, an answer, a setting."""

TOKENS = table(
    "access_tokens",
    of(Text, "name", key=True),
    of(Text, "digest", unique=True),
    of(Text, "role"),
    of(JSON, "collections"),
    of(Integer, "per_minute"),
    of(UtcDateTime, "created_at"),
    of(UtcDateTime, "expires_at", null=True),
)
"""A token of the HTTP interface. `digest` is the SHA-256 of its secret, which is not stored."""

PAGE_LINKS = table(
    "page_links",
    of(Text, "id", key=True),
    of(Text, "digest", unique=True),
    of(UtcDateTime, "given_at", index=True),
    of(JSON, "citation"),
)
"""A public link to a cited page. `digest` is that of the citation, so that each has one link."""

ANSWER_LINKS = table(
    "answer_links",
    of(Text, "id", key=True),
    of(Text, "digest", unique=True),
    of(UtcDateTime, "given_at", index=True),
    of(JSON, "links"),
    of(Text, "language"),
)
"""Quotes that an inline query found, to be opened in a private chat: ids of page links. `digest` is that
of the list, so that each has one row."""

SUBSCRIPTIONS = table(
    "subscriptions",
    of(Integer, "id", key=True),
    of(Text, "platform", "workspace", "chat"),
    of(Text, "thread", null=True),
    of(Text, "person", index=True),
    of(Text, "kind"),
    of(SourceText, "subject", "name"),
    of(JSON, "collections"),
    of(Text, "jurisdiction", null=True),
    of(Text, "language", "rhythm"),
    of(UtcDateTime, "created_at"),
    of(UtcDateTime, "due_at", index=True),
    of(JSON, "seen"),
    of(Integer, "revision"),
    sa.Index(None, "platform", "workspace", "chat"),
    sqlite_autoincrement=True,
)
"""A chat's subscription. `person` is a pseudonym, `subject` an id or the words of a topic, `name` how it
is listed; `seen` is its state when the chat was last told, `revision` counts these."""

GENERATIONS = table(
    "index_generations",
    of(Text, "encoders", key=True),
    of(Text, "setting", "place"),
    of(UtcDateTime, "since", null=True),
)
"""An index of the library, by the encoders that made it; the one with the latest `since` answers."""

NOTICES = table("privacy_notices", of(Text, "person", key=True), of(UtcDateTime, "at"))
"""A person who was told what is stored about them."""

UPKEEP = table("upkeep", of(Text, "job", key=True), of(UtcDateTime, "at"))
"""When a recurring job was last done."""

KEYS = table(
    "pseudonym_keys",
    of(Integer, "number", key=True, autoincrement=False),
    of(Text, "fingerprint"),
    of(UtcDateTime, "since"),
)
"""A key that pseudonyms were made with, by its fingerprint; the one with the highest number is in use."""

# The tables of scheduled re-ingestion. A source may be known before its document is, so no foreign keys.

SOURCES = table(
    "sources",
    of(Text, "document", key=True),
    of(SourceText, "url", "etag", "last_modified", null=True),
    of(UtcDateTime, "checked_at", null=True),
    of(Text, "result", "error", null=True),
    of(Integer, "failures", default=0),
    of(UtcDateTime, "next_run", null=True),
    of(Text, "held_reason", null=True),
    of(UtcDateTime, "held_at", null=True),
    of(Text, "held_sha256", "held_original", null=True),
    of(NullJson, "held_values", null=True),
    of(Boolean, "approved", default=False),
    of(Text, "dismissed", null=True),
)
"""The source of a document, and its change that is waiting for approval (`held_...`)."""

WATCHED = table(
    "watched_files", of(SourceText, "folder", "path", key=True), of(BigInteger, "size", "mtime_ns")
)
"""A file of a watched folder as it was when last seen."""

LEASES = table("leases", of(Text, "name", key=True), of(Text, "holder"), of(UtcDateTime, "until"))
"""The holder of a task that only one process may have."""

# The tables of several processes on one server: who is at work, and what they tell each other.

PROCESSES = table(
    "processes",
    of(Text, "name", key=True),
    of(Text, "role"),
    of(Text, "schema_known", null=True),
    of(UtcDateTime, "since", "until"),
)
"""A serving process, until its term ends by the server's clock. Claims of processes without a row are
free. `schema_known` is the newest schema that it knows, null for older processes that do not state it,
which know 0022."""

ADMISSIONS = table(
    "admissions",
    of(Integer, "row", key=True),
    of(Text, "person", null=True),
    of(Text, "chat"),
    of(UtcDateTime, "at", index=True),
    sa.Index(None, "person", "at"),
    sa.Index(None, "chat", "at"),
)
"""An admitted question, for the limits: `person` and `chat` are pseudonyms."""

REQUESTS = table(
    "http_requests",
    of(Integer, "row", key=True),
    of(Text, "whose"),
    of(UtcDateTime, "at", index=True),
    sa.Index(None, "whose", "at"),
)
"""A request over HTTP, counted for the rate limit of a token or network; `whose` is its pseudonym."""

MEMORIES = table(
    "chat_memories",
    of(Text, "platform", "workspace", "chat", "what", "key", key=True),
    of(Text, "person", null=True, index=True),
    of(JSON, "content"),
    of(UtcDateTime, "expires_at", index=True),
)
"""A memory of a chat that processes share for a while: `what` kind it is, and whose or where in the chat
(`key`). `person` is the pseudonym of whom it is about."""

SPENDING = table("model_spending", of(Date, "day", key=True), of(BigInteger, "tokens"), of(Double, "usd"))
"""The usage of language models on a day: used and reserved."""

CALLS = table(
    "platform_calls",
    of(Integer, "row", key=True),
    of(Text, "platform", "asker"),
    of(Text, "process", null=True),
    of(Text, "name"),
    of(JSON, "arguments"),
    of(Boolean, "done", default=False),
    of(NullJson, "result", null=True),
    sa.Index(None, "platform", "done"),
)
"""A call by `asker` of a platform whose session another process has; that `process` is set once it takes
the call. `result` is set once `done`."""

# The tables of summaries. A topic's collections are rows, so that a query can tell who may see it.

TOPICS = table(
    "summary_topics",
    of(Integer, "row", key=True),
    of(SourceText, "key", unique=True),
    of(SourceText, "name"),
    of(JSON, "scope"),
    of(Integer, "last"),
)
"""A topic. `key` is what makes it the same as another, `last` the number of its newest summary."""

TOPIC_COLLECTIONS = table(
    "summary_topic_collections",
    of(Integer, "topic_row", to="summary_topics.row", ondelete="CASCADE", key=True),
    of(Text, "collection", key=True),
)
"""A collection that a topic's summaries may quote from."""

SUMMARIES = table(
    "summaries",
    of(Integer, "id", key=True),
    of(Integer, "topic_row", to="summary_topics.row", ondelete="CASCADE"),
    of(Integer, "number"),
    of(UtcDateTime, "made_at"),
    of(Text, "language"),
    of(JSON, "scope", "claims", "missing", "notices", "rejected"),
    of(Double, "confidence"),
    of(Text, "answerer"),
    of(Text, "prompt", null=True),
    of(Text, "person", null=True, index=True),
    sa.UniqueConstraint("topic_row", "number"),
    sqlite_autoincrement=True,
)
"""A summary; its id is never given again. `scope` is the one searched, `person` a pseudonym."""

CITATIONS = table(
    "summary_citations",
    of(Integer, "summary_id", to="summaries.id", ondelete="CASCADE", key=True),
    of(Integer, "position", key=True),
    of(Text, "label"),
    sa.Column(
        "version_id",
        Text,
        sa.ForeignKey("versions.id", deferrable=True, initially="DEFERRED"),
        nullable=False,
        index=True,
    ),
    of(Text, "passage_id", "passage_kind", null=True),
    of(NullJson, "section", null=True),
    of(JSON, "spans"),
    of(SourceText, "quote"),
    of(Text, "verdict", "text_source"),
    of(JSON, "printed_labels"),
)
"""A quote of a summary. `spans` is [[page, start, end], ...]. Its version's row may be replaced within a
transaction (a deleted one that is read again), so the reference is checked when that ends."""
