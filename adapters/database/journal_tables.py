"""The tables of the journal: what came in, what goes out, what was answered, and who did what.

Ids of people and chats stand in the delivery tables (`inbox`, `outbox`, `posted`, `chat_states`,
`thread_contexts`) only, and go with their term; everything else names pseudonyms.
"""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field

from adapters.database.tables import KeyText, SourceText, TableModel, UtcDateTime


class InboxRow(TableModel, table=True):
    """A message that was taken over. `chat`, `person` and `payload` go with their term, the event's id
    stays a while longer. `turn` counts the claims of all chats."""

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
    error: str | None = Field(sa_type=sa.Text)
    forgotten: bool


class CursorRow(TableModel, table=True):
    """How far a platform's stream of events was read."""

    __tablename__ = "platform_cursors"
    platform: str = Field(sa_type=sa.Text, primary_key=True)
    workspace: str = Field(sa_type=sa.Text, primary_key=True)
    cursor: str = Field(sa_type=sa.Text)


class OutboxRow(TableModel, table=True):
    """A part of a reply. `key` is the platform's transaction id: it never changes. `message_ids` are the
    platform's, once it is sent."""

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
    error: str | None = Field(sa_type=sa.Text)
    message_ids: list[str] = Field(sa_type=sa.JSON)
    forgotten: bool


class PostedRow(TableModel, table=True):
    """A platform message that shows an answer; not who asked for it."""

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
    """What a chat has set for itself."""

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
    """A citation that was held against another version, the active one `since` then; `said` and `reply` where
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
    """What a person thought of an answer; the last word counts. It stays without its person."""

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


class NoticeRow(TableModel, table=True):
    """A person who was told what is kept of them."""

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
