"""The journal: messages taken over, replies to deliver, what chats have set, who did what."""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from core.domain.ids import TraceId
from core.domain.messages import IncomingMessage, MessageRef, Outgoing

Pseudonym = NewType("Pseudonym", str)
"""Stands for a person or a chat; whoever has not the key cannot tell for which."""

MIN_KEY_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatKey:
    """A chat, the same in every thread of it."""

    platform: str
    workspace: str
    chat: str


def chat_key(ref: MessageRef) -> ChatKey:
    """The chat that a message stands in."""
    return ChatKey(platform=ref.platform, workspace=ref.workspace, chat=ref.chat)


class Pseudonyms:
    """Pseudonyms by HMAC-SHA256 (RFC 2104): the same id gives the same pseudonym as long as the key lives."""

    def __init__(self, key: bytes) -> None:
        if len(key) < MIN_KEY_BYTES:
            raise ValueError(f"a key of {MIN_KEY_BYTES} bytes at least")
        self._key = key

    @property
    def fingerprint(self) -> str:
        """Tells the key from others, and nothing about it: an HMAC of its own kind under it."""
        return self._of("fingerprint")

    def person(self, platform: str, workspace: str, user: str) -> Pseudonym:
        """Of a user of a platform."""
        return self._of("person", platform, workspace, user)

    def chat(self, chat: ChatKey) -> Pseudonym:
        """Of a chat, for the records that name no platform's ids."""
        return self._of("chat", chat.platform, chat.workspace, chat.chat)

    def _of(self, *parts: str) -> Pseudonym:
        said = b"".join(len(part.encode()).to_bytes(4) + part.encode() for part in parts)
        return Pseudonym(hmac.new(self._key, said, hashlib.sha256).hexdigest()[:32])


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """How far a platform's stream of events was read: an offset, a sync token."""

    platform: str
    workspace: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxItem:
    """A message that is being worked on. `id` is the journal's; `attempts` counts this one, and `claim` tells
    it from every other attempt: what was claimed again since is no longer its own to end."""

    id: int
    message: IncomingMessage
    attempts: int
    claim: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingReply:
    """A reply in the parts that its platform carries, in order. `trace` names the answer it shows,
    `person` is whom it answers (a pseudonym)."""

    parts: tuple[Outgoing, ...]
    trace: TraceId | None = None
    person: Pseudonym | None = None


SUSPICIOUS, REST = 5, timedelta(seconds=60)
"""A message or part that the process has ended with so often rests between two tries: it may be the reason,
and all others must not wait for it."""


class SendState(StrEnum):
    """Where a part of a reply is. UNKNOWN: it may have arrived or not, and must not be sent again."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxItem:
    """A part of a reply on its way. `id` is the journal's; `attempts` counts this one, `claim` tells it
    from every other attempt."""

    id: int
    part: Outgoing
    trace: TraceId | None
    attempts: int
    claim: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """What became of the parts under a key: `messages` show or showed them, `waiting` are to be sent,
    `sending` are on their way."""

    messages: tuple[MessageRef, ...]
    waiting: int
    sending: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Requeued:
    """Messages found in work after a stop: given back, or given up after too many tries."""

    waiting: int
    dead: int


class Mailbox(StrEnum):
    """Where a letter lies."""

    INBOX = "inbox"
    OUTBOX = "outbox"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """What could not be handled or sent, for the operator; not what it says."""

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
    """How the journal stands. `unknown` parts may have been sent twice or not at all."""

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
    """A platform message that shows an answer."""

    trace: TraceId
    ref: MessageRef
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatState:
    """What a chat has set for itself. `corrections`: it hears of mended answers. `files` that come with an
    answer: pdf, picture, both or request; empty: as the settings say."""

    jurisdiction: str | None = None
    parties: tuple[str, ...] = ()
    language: str = ""
    corrections: bool = True
    files: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadKey:
    """A thread under one scope: what was said under another one is not remembered here."""

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
    """The last word of a person on an answer; `person` is None once they are forgotten."""

    trace: TraceId
    person: Pseudonym | None
    verdict: FeedbackVerdict
    at: datetime


class AuditAction(StrEnum):
    """What is kept of who did it."""

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
"""How long a thread may be remembered at most without a question in it."""

MIN_EVENT_IDS = timedelta(hours=24)
"""How long an event's id is kept at least, whatever becomes of its message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long each kind of data is kept. `texts` is the question and every text made of it; they stay as
    long as the record if the person reported the answer. `dead_letters` is the rest of a row of inbox or
    outbox without what it says: the event's id, the state."""

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
    """What a purge took away: contents of messages, rows, texts of answers, records and the rest; summaries
    with their topics."""

    contents: int
    dead_letters: int
    texts: int
    answers: int
    feedback: int
    audit: int
    contexts: int
    summaries: int = 0
