"""The journal: accepted messages, replies to deliver, chats' settings, and who did what."""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from core.domain.ids import TraceId
from core.domain.messages import IncomingMessage, MessageRef, Outgoing

Pseudonym = NewType("Pseudonym", str)
"""Stands for a person or a chat; without the key nobody can tell which one."""

MIN_KEY_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatKey:
    """A chat, the same in every thread of it."""

    platform: str
    workspace: str
    chat: str


def chat_key(ref: MessageRef) -> ChatKey:
    """The chat that a message belongs to."""
    return ChatKey(platform=ref.platform, workspace=ref.workspace, chat=ref.chat)


class Pseudonyms:
    """Pseudonyms by HMAC-SHA256 (RFC 2104): the same id always gives the same pseudonym under the same
    key."""

    def __init__(self, key: bytes) -> None:
        if len(key) < MIN_KEY_BYTES:
            raise ValueError(f"a key of {MIN_KEY_BYTES} bytes at least")
        self._key = key

    @property
    def fingerprint(self) -> str:
        """Identifies the key without revealing anything about it: an HMAC computed with it, in a domain of
        its own."""
        return self._of("fingerprint")

    def person(self, platform: str, workspace: str, user: str) -> Pseudonym:
        """Pseudonym of a user on a platform."""
        return self._of("person", platform, workspace, user)

    def chat(self, chat: ChatKey) -> Pseudonym:
        """Pseudonym of a chat, for records that must not contain platform ids."""
        return self._of("chat", chat.platform, chat.workspace, chat.chat)

    def _of(self, *parts: str) -> Pseudonym:
        said = b"".join(len(part.encode()).to_bytes(4) + part.encode() for part in parts)
        return Pseudonym(hmac.new(self._key, said, hashlib.sha256).hexdigest()[:32])


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """How far a platform's event stream has been read: an offset or a sync token."""

    platform: str
    workspace: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxItem:
    """A message being processed. `id` is the journal's; `attempts` includes this one, and `claim`
    distinguishes it from every other attempt: once somebody else has claimed the message, this attempt can no
    longer finish it."""

    id: int
    message: IncomingMessage
    attempts: int
    claim: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingReply:
    """A reply split into parts that fit its platform, in order. `trace` names the answer it shows, `person`
    is the pseudonym of the person it answers."""

    parts: tuple[Outgoing, ...]
    trace: TraceId | None = None
    person: Pseudonym | None = None


SUSPICIOUS, REST = 5, timedelta(seconds=60)
"""A message or part that was in progress when the process died this many times rests between attempts: it may
be the cause, and the others must not wait for it."""


class SendState(StrEnum):
    """Delivery state of a part of a reply. UNKNOWN: it may or may not have arrived, and must not be sent
    again."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxItem:
    """A part of a reply being delivered. `id` is the journal's; `attempts` includes this one, and `claim`
    distinguishes it from every other attempt."""

    id: int
    part: Outgoing
    trace: TraceId | None
    attempts: int
    claim: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """The state of the parts under a key: `messages` show or showed them, `waiting` are still to be sent,
    `sending` are in flight."""

    messages: tuple[MessageRef, ...]
    waiting: int
    sending: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Requeued:
    """Messages that were in progress at a restart: requeued, or given up after too many attempts."""

    waiting: int
    dead: int


class Stop(StrEnum):
    """Why an answer in progress is no longer wanted: its person cancelled it, or withdrew the message."""

    CANCELLED = "cancelled"
    TAKEN_BACK = "taken_back"


class Mailbox(StrEnum):
    """Where a dead letter came from."""

    INBOX = "inbox"
    OUTBOX = "outbox"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """Something that could not be handled or sent, for the operator; its content is not included."""

    box: Mailbox
    id: int
    platform: str
    workspace: str
    state: str
    error: str
    attempts: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """The journal's backlog. `unknown` parts may have been sent twice or not at all."""

    waiting: int
    working: int
    dead: int
    pending: int
    sending: int
    failed: int
    unknown: int
    oldest_waiting: datetime | None
    oldest_pending: datetime | None
    purged_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """A platform message showing an answer."""

    trace: TraceId
    ref: MessageRef
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatState:
    """A chat's own settings. `corrections`: it is told when answers are corrected. `files` that accompany an
    answer: pdf, picture, both or request; empty: the configured default."""

    jurisdiction: str | None = None
    parties: tuple[str, ...] = ()
    language: str = ""
    corrections: bool = True
    files: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadKey:
    """A thread under one scope; what was said under another scope is not included."""

    chat: ChatKey
    thread: str
    collections: tuple[str, ...]


class FeedbackVerdict(StrEnum):
    """What a person thought of an answer."""

    USEFUL = "useful"
    WRONG = "wrong"
    WRONG_PAGE = "wrong_page"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """A person's latest opinion of an answer; `person` is None once they are forgotten."""

    trace: TraceId
    person: Pseudonym | None
    verdict: FeedbackVerdict
    at: datetime


class AuditAction(StrEnum):
    """Actions whose author is recorded."""

    INGEST = "ingest"
    PUBLISH = "publish"
    REMOVE = "remove"
    RESTORE = "restore"
    RETRACT = "retract"
    APPROVE = "approve"
    REJECT = "reject"
    SETTING = "setting"
    EXPORT = "export"
    ERASE = "erase"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """Who did what, to which document, answer or setting."""

    at: datetime
    actor: Pseudonym
    action: AuditAction
    subject: str
    values: dict[str, str]


LONGEST_CONTEXT = timedelta(days=1)
"""Longest time that a thread may be remembered without a new question."""

MIN_EVENT_IDS = timedelta(hours=24)
"""Shortest time that an event's id is kept, whatever happens to its message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long each kind of data is kept. `texts` is the question and every text made of it; they stay as
    long as the record if the person reported the answer. `dead_letters` covers what is left of an inbox or
    outbox row without its content: the event's id and the state."""

    delivery: timedelta = timedelta(hours=24)
    dead_letters: timedelta = timedelta(days=7)
    texts: timedelta = timedelta(hours=24)
    answers: timedelta = timedelta(days=90)
    feedback: timedelta = timedelta(days=90)
    audit: timedelta = timedelta(days=365)
    summaries: timedelta = timedelta(days=365)

    def __post_init__(self) -> None:
        if self.dead_letters < max(MIN_EVENT_IDS, self.delivery):
            raise ValueError("events' ids are kept for a day, and no shorter than their messages")


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """What a purge removed: contents of messages, rows, texts of answers, records and so on; summaries with
    their topics."""

    contents: int
    dead_letters: int
    texts: int
    answers: int
    feedback: int
    audit: int
    contexts: int
    summaries: int = 0
