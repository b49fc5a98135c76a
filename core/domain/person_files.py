"""What is stored about a person, for requests under GDPR articles 15 and 17."""

from dataclasses import dataclass
from datetime import datetime

from core.domain.journal import AuditEntry, ChatKey, ChatState, Feedback, Pseudonym
from core.domain.records import AnswerRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user by their platform id, their pseudonym, and their private chat with the bot if known."""

    platform: str
    workspace: str
    user: str
    pseudonym: Pseudonym
    private_chat: ChatKey | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText:
    """A message or a part of a reply; `text` is None once its retention period has ended."""

    at: datetime
    state: str
    text: str | None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptThread:
    """What is remembered about a thread, until `until`."""

    until: datetime
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTopic:
    """A summary that the person requested, or what they have subscribed to."""

    at: datetime
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFile:
    """Everything stored under a person's pseudonym or for their private chat. `told_at` is when they were
    told what is stored, `state` the settings of their private chat."""

    messages: tuple[KeptText, ...]
    replies: tuple[KeptText, ...]
    answers: tuple[AnswerRecord, ...]
    feedback: tuple[Feedback, ...]
    threads: tuple[KeptThread, ...]
    summaries: tuple[KeptTopic, ...]
    subscriptions: tuple[KeptTopic, ...]
    actions: tuple[AuditEntry, ...]
    told_at: datetime | None
    state: ChatState | None

    @property
    def rows(self) -> int:
        """How many items are stored."""
        lists = (self.messages, self.replies, self.answers, self.feedback, self.threads, self.summaries)
        return (
            sum(map(len, (*lists, self.subscriptions, self.actions)))
            + (self.told_at is not None)
            + (self.state is not None)
        )
