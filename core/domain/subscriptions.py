"""Subscriptions: things whose changes a chat wants to hear about."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from core.domain.answers import Citation
from core.domain.documents import Document
from core.domain.ids import DocumentId
from core.domain.journal import ChatKey, Pseudonym
from core.domain.records import CitationRecord, Rechecked


class SubjectKind(StrEnum):
    """What is watched."""

    DOCUMENT = "document"  # a document, and the other editions of its series
    PARTY = "party"  # every document of a party
    TOPIC = "topic"  # what answers a question; provisions, too


class Rhythm(StrEnum):
    """How often, at most, a chat is told about changes."""

    AT_ONCE = "at_once"
    DAILY = "daily"
    WEEKLY = "weekly"


EVERY: dict[Rhythm, timedelta] = {
    Rhythm.AT_ONCE: timedelta(minutes=10),
    Rhythm.DAILY: timedelta(days=1),
    Rhythm.WEEKLY: timedelta(days=7),
}
"""The shortest time from one message to the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The state of a subject `at` a time. `documents` are those it consisted of, each with the SHA-256 of its
    bytes, empty if it was reported as withdrawn (for a topic only those are listed); `quotes` are those that
    answered, including those from documents withdrawn since. `library` is a digest of all that was visible
    then."""

    at: datetime
    library: str = ""
    documents: dict[DocumentId, str] = field(default_factory=dict)
    quotes: tuple[CitationRecord, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionDraft:
    """A subscription before it is kept. `subject` is a document's id, a party's name or the words of a topic;
    `name` is how it is listed. `collections` are those its chat could see when it was made; it never searches
    others. `jurisdiction` is the chat's at that time. `seen` is what the chat was last told; the next check
    is due at `due_at`."""

    chat: ChatKey
    thread: str | None
    person: Pseudonym
    kind: SubjectKind
    subject: str
    name: str
    collections: tuple[str, ...]
    jurisdiction: str | None
    language: str
    rhythm: Rhythm
    created_at: datetime
    due_at: datetime
    seen: Seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription(SubscriptionDraft):
    """A kept subscription. `revision` counts how often `seen` was replaced."""

    id: int
    revision: int = 0


class NewsKind(StrEnum):
    """What happened."""

    NEW = "new"  # a document has come
    CHANGED = "changed"  # a document has a new version
    GONE = "gone"  # a document was withdrawn
    BACK = "back"  # a withdrawn document is visible again
    QUOTE = "quote"  # a quote reads otherwise, or is gone
    ANSWER = "answer"  # there is a new quote


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A change to report: of a `document`, of a quote that was `rechecked`, or a new `citation`."""

    kind: NewsKind
    document: Document | None = None
    rechecked: Rechecked | None = None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A subscription whose chat has been told its subject's new state."""

    subscription: Subscription
    seen: Seen
    due_at: datetime
