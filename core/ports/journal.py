"""The port of the journal, in four parts. One method, one transaction; times are arguments."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from core.domain.ids import TraceId, VersionId
from core.domain.journal import (
    AuditEntry,
    Backlog,
    ChatKey,
    ChatState,
    Cursor,
    DeadLetter,
    Delivered,
    Feedback,
    InboxItem,
    Mailbox,
    OutboxItem,
    OutgoingReply,
    Posted,
    Pseudonym,
    Pseudonyms,
    Purged,
    Requeued,
    Retention,
    ThreadKey,
)
from core.domain.messages import Button, IncomingMessage, MessageRef
from core.domain.person_files import PersonFile
from core.domain.records import AnswerRecord
from core.domain.threads import ThreadContext


class InboxJournal(Protocol):
    """Messages taken over. Within a chat they are handled one after the other in the order of arrival.
    Who claimed a message last ends it: a process that was paused while another took its work over changes
    nothing when it wakes."""

    async def accept(
        self, messages: Sequence[IncomingMessage], *, at: datetime, cursor: Cursor | None = None
    ) -> list[str]:
        """Take `messages` over, and keep `cursor`; returns the events that are new. An event that was
        accepted before, even if it is done, is left out. Raises ValueError for a message without one."""
        ...

    async def cursor(self, platform: str, workspace: str) -> str | None:
        """The cursor last accepted."""
        ...

    async def claim(self, *, at: datetime) -> InboxItem | None:
        """The oldest waiting message of the chat that was served the longest ago, among the chats without
        a message being handled; None if there is none."""
        ...

    async def decline(
        self, messages: Sequence[IncomingMessage], *, at: datetime, forget: bool = False
    ) -> int:
        """Those of `messages` that are waiting are done without having been worked on: too many wait.
        `forget` their content. Returns how many these were."""
        ...

    async def finish(
        self, item: InboxItem, *, at: datetime, replies: Sequence[OutgoingReply] = (), forget: bool = False
    ) -> None:
        """The message is done: `replies` are due from now on. Nothing happens if it is not being
        handled by this claim. `forget` its content, and theirs once they are sent; nothing else of its
        person."""
        ...

    async def give_back(self, item: InboxItem, *, at: datetime) -> None:
        """The message waits again, at its place. Nothing happens if it is not being handled by this claim."""
        ...

    async def give_up(
        self,
        item: InboxItem,
        error: str,
        *,
        at: datetime,
        replies: Sequence[OutgoingReply] = (),
        forget: bool = False,
    ) -> None:
        """The message becomes a dead letter; `error` is a message key. Otherwise as `finish`."""
        ...

    async def edits(self) -> list[IncomingMessage]:
        """Edits that were taken over and whose content is still there, oldest first."""
        ...

    async def is_being_answered(self, message: MessageRef) -> bool:
        """Whether anything about `message` waits or is being handled."""
        ...

    async def requeue_interrupted(self, *, at: datetime, max_attempts: int) -> Requeued:
        """At the start: what was being handled waits again, from the attempt `SUSPICIOUS` on for `REST`, or
        is given up after `max_attempts`."""
        ...

    async def waiting_before(self, chat: ChatKey, *, without: int = 0) -> int:
        """Messages of all chats to be answered (`ANSWERED`) that wait or are handled before the last one
        waiting of `chat`: of every other chat as many as come first by turns, of its own all. `without`: as
        if so many of its last ones were not there."""
        ...


class OutboxJournal(Protocol):
    """Replies to deliver. Within a chat parts are sent one after the other in the order queued. Who
    claimed a part last ends it, as with messages."""

    async def enqueue(self, replies: Sequence[OutgoingReply], *, at: datetime, forget: bool = False) -> None:
        """Replies that answer no message. A part with a known key is left out: it goes out once. `forget`
        their content as soon as they are sent."""
        ...

    async def claim_part(
        self, platform: str, workspace: str | None = None, *, at: datetime
    ) -> OutboxItem | None:
        """Of one workspace or of all: the next part that is due, now being sent; of a chat only the first
        one that is not done."""
        ...

    async def sent(self, item: OutboxItem, message_ids: Sequence[str], *, at: datetime) -> None:
        """A part has arrived. Where it shows an answer, its messages are remembered as such, and no more
        for the answer that they showed before."""
        ...

    async def postpone(self, item: OutboxItem, *, until: datetime, error: str, at: datetime) -> None:
        """A part could not be sent yet; it waits until `until`, and what follows in its chat with it."""
        ...

    async def fail(
        self, item: OutboxItem, error: str, *, at: datetime, unknown: bool = False, rest: bool = False
    ) -> None:
        """A part is given up, with `unknown` since it may have arrived; `rest`: and what follows of its
        reply. The chat goes on."""
        ...

    async def give_up_others(self, served: Sequence[str], error: str, *, at: datetime) -> int:
        """Parts of platforms that are none of `served` are given up; those that were being sent may have
        arrived. Returns how many these were."""
        ...

    async def interrupted_parts(self, platform: str, workspace: str | None = None) -> list[OutboxItem]:
        """At the start, of one workspace or of all: parts that were being sent, for the platform's way of
        recovery: `sent`, `postpone` or `fail`."""
        ...

    async def last_reply(self, key: str) -> list[MessageRef]:
        """The messages of the last reply whose parts' keys begin with `key`, in order: what answers a
        message now, after it was edited."""
        ...

    async def delivered(self, key: str) -> Delivered:
        """What became of all parts whose keys begin with `key`, of earlier replies too; not of those that
        take messages back."""
        ...

    async def unqueue(self, key: str) -> int:
        """Parts whose keys begin with `key` and that wait are not sent any more; how many these were. Parts
        that take messages back stay."""
        ...

    async def posted(self, trace: TraceId) -> list[Posted]:
        """The messages that show an answer, in order."""
        ...

    async def trace_of(self, message: MessageRef) -> TraceId | None:
        """The answer that a message of the bot shows."""
        ...

    async def buttons_of(self, message: MessageRef) -> tuple[Button, ...]:
        """The buttons of a message that shows an answer, in order; none once its content is gone."""
        ...

    async def withdrawn(self, messages: Sequence[MessageRef]) -> None:
        """These messages show no answer any more: they were taken back."""
        ...

    async def dead_letters(self, *, limit: int = 50) -> list[DeadLetter]:
        """What could not be handled or sent, newest first."""
        ...

    async def revive(self, box: Mailbox, item: int, *, at: datetime) -> bool:
        """Try a dead letter again, whose content is still there; whether there was one."""
        ...

    async def unsent_files(self) -> set[Path]:
        """The files of all parts that are due, or could be tried again."""
        ...

    async def backlog(self) -> Backlog:
        """How much waits, how long, and what went wrong."""
        ...


class AnswerJournal(Protocol):
    """Records of answers and what people thought of them."""

    async def record(self, record: AnswerRecord) -> None:
        """Keep a record, in the place of one with the same trace."""
        ...

    async def answer(self, trace: TraceId) -> AnswerRecord | None:
        """A record, without what has gone with its term."""
        ...

    async def unanswered(self, *, since: datetime, limit: int = 50) -> list[AnswerRecord]:
        """Records of questions without evidence, newest first."""
        ...

    async def citing(self, versions: Sequence[VersionId]) -> list[TraceId]:
        """The recorded answers that cite one of `versions`, oldest first."""
        ...

    async def give_feedback(self, feedback: Feedback) -> bool:
        """Keep a person's word in the place of their earlier one; "wrong" reports the answer, whose texts
        stay longer. False if there is no such record."""
        ...

    async def feedback(self, *, since: datetime | None = None) -> list[Feedback]:
        """Feedback, oldest first."""
        ...


class ChatJournal(Protocol):
    """What chats have set, what threads are about, who did what, and what is forgotten."""

    @property
    def pseudonyms(self) -> Pseudonyms:
        """Whose key this journal's pseudonyms are made with."""
        ...

    async def chat_state(self, chat: ChatKey) -> ChatState | None:
        """What a chat has set for itself."""
        ...

    async def save_chat_state(self, chat: ChatKey, state: ChatState, *, at: datetime) -> None:
        """Replace what a chat has set."""
        ...

    async def drop_chat(self, chat: ChatKey) -> None:
        """Forget settings and threads of a chat: it was left, or started over."""
        ...

    async def context(self, thread: ThreadKey, *, at: datetime) -> ThreadContext | None:
        """What a thread is about, unless that has expired."""
        ...

    async def save_context(
        self, thread: ThreadKey, context: ThreadContext, *, person: Pseudonym | None, expires_at: datetime
    ) -> None:
        """Replace what a thread is about."""
        ...

    async def drop_context(self, chat: ChatKey, thread: str) -> None:
        """Forget what a thread is about, under every scope."""
        ...

    async def audit(self, entry: AuditEntry) -> None:
        """Keep who did what."""
        ...

    async def audit_entries(self, *, since: datetime | None = None, limit: int = 100) -> list[AuditEntry]:
        """Who did what, newest first."""
        ...

    async def first_notice(self, person: Pseudonym, *, at: datetime) -> bool:
        """Whether the person was never told what is kept of them; from now on they were."""
        ...

    async def person_file(self, person: Pseudonym, *, private_chat: ChatKey | None) -> PersonFile:
        """Everything that is kept of a person, and of their private chat, each kind oldest first."""
        ...

    async def forget(self, person: Pseudonym, *, private_chat: ChatKey | None, at: datetime) -> int:
        """Remove what is kept of a person: texts of their messages, replies, questions and threads, and
        the pseudonym from everything. A message in work or waiting is still answered and forgotten then.
        Of a private chat everything goes, its id included. Returns how many rows were concerned."""
        ...

    async def purge(self, retention: Retention, *, at: datetime) -> Purged:
        """Remove everything whose term has ended, for good."""
        ...


class Journal(InboxJournal, OutboxJournal, AnswerJournal, ChatJournal, Protocol):
    """All four parts in one store."""

    async def close(self) -> None:
        """Release connections."""
        ...
