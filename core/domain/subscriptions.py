"""Subscriptions: what a chat wants to hear of when it changes."""

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
    """How often a chat hears of changes, at most."""

    AT_ONCE = "at_once"
    DAILY = "daily"
    WEEKLY = "weekly"


EVERY: dict[Rhythm, timedelta] = {
    Rhythm.AT_ONCE: timedelta(minutes=10),
    Rhythm.DAILY: timedelta(days=1),
    Rhythm.WEEKLY: timedelta(days=7),
}
"""Time from one message to the next, at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """How a subject stood `at` a time. `documents` are those it consisted of, each with the SHA-256 of its
    bytes, empty for those told as withdrawn (of a topic these alone); `quotes` those that answered, of
    documents withdrawn since as well. `library` is a digest of all that was visible then."""

    at: datetime
    library: str = ""
    documents: dict[DocumentId, str] = field(default_factory=dict)
    quotes: tuple[CitationRecord, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionDraft:
    """A subscription before it is kept. `subject` is a document's id, a party's name or the words of a topic;
    `name` is what it is listed as. `collections` are those its chat saw when it was made; it never looks at
    others. `jurisdiction` is that of the chat then. `seen` is what the chat last heard; it is looked at again
    from `due_at` on."""

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
    """What has happened."""

    NEW = "new"  # a document has come
    CHANGED = "changed"  # a document has a new version
    GONE = "gone"  # a document was withdrawn
    BACK = "back"  # a withdrawn document is visible again
    QUOTE = "quote"  # a quote reads otherwise, or is gone
    ANSWER = "answer"  # there is a new quote


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Something to tell: of a `document`, a quote that was `rechecked`, or a new `citation`."""

    kind: NewsKind
    document: Document | None = None
    rechecked: Rechecked | None = None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A subscription whose chat has heard how its subject stands now."""

    subscription: Subscription
    seen: Seen
    due_at: datetime
