"""What is kept of a person, for those who ask for it (GDPR, articles 15 and 17)."""

from dataclasses import dataclass
from datetime import datetime

from core.domain.journal import AuditEntry, ChatKey, ChatState, Feedback, Pseudonym
from core.domain.records import AnswerRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user of a platform by the platform's id, the pseudonym that stands for them, and their private chat
    with the bot where it is known."""

    platform: str
    workspace: str
    user: str
    pseudonym: Pseudonym
    private_chat: ChatKey | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText:
    """A message, or a part of a reply, that passed through: `text` is None once it has gone with its term."""

    at: datetime
    state: str
    text: str | None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptThread:
    """What a thread is remembered by, `until` then."""

    until: datetime
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTopic:
    """A summary that the person had made."""

    at: datetime
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFile:
    """Everything that can be found by a person's pseudonym, or stands for their private chat. `told_at` is
    when they were told what is kept, `state` what their private chat has set."""

    messages: tuple[KeptText, ...]
    replies: tuple[KeptText, ...]
    answers: tuple[AnswerRecord, ...]
    feedback: tuple[Feedback, ...]
    threads: tuple[KeptThread, ...]
    summaries: tuple[KeptTopic, ...]
    actions: tuple[AuditEntry, ...]
    told_at: datetime | None
    state: ChatState | None

    @property
    def rows(self) -> int:
        """How many things are kept."""
        lists = (self.messages, self.replies, self.answers, self.feedback, self.threads, self.summaries)
        return sum(map(len, (*lists, self.actions))) + (self.told_at is not None) + (self.state is not None)
