"""The ports of the journal and of subscriptions. Each method is one transaction; times are arguments."""

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
    Stop,
    ThreadKey,
)
from core.domain.messages import Button, IncomingMessage, MessageRef
from core.domain.records import AnswerRecord, PersonFile
from core.domain.scope import ThreadContext
from core.domain.subscriptions import Heard, Rhythm, Subscription, SubscriptionDraft


class InboxJournal(Protocol):
    """Accepted messages. Within a chat they are handled one at a time in order of arrival. Only the latest
    claimant can finish a message: a process that was paused while another took over its work changes nothing
    when it wakes."""

    async def accept(
        self, messages: Sequence[IncomingMessage], *, at: datetime, cursor: Cursor | None = None
    ) -> list[str]:
        """Store `messages` and `cursor`; returns the new events. An event accepted before, even if done, is
        skipped. Raises ValueError for a message without an event."""

    async def cursor(self, platform: str, workspace: str) -> str | None:
        """The cursor last accepted."""

    async def claim(self, *, at: datetime) -> InboxItem | None:
        """The oldest waiting message of the least recently served chat, among chats without a message in
        progress; None if there is none."""

    async def decline(
        self, messages: Sequence[IncomingMessage], *, at: datetime, forget: bool = False
    ) -> int:
        """Mark those of `messages` that are still waiting as done without handling them: too many are
        waiting. `forget` erases their content. Returns how many there were."""

    async def finish(
        self, item: InboxItem, *, at: datetime, replies: Sequence[OutgoingReply] = (), forget: bool = False
    ) -> None:
        """Mark the message as done; `replies` are due from now on. Does nothing if this claim no longer holds
        it. `forget` erases its content, and that of the replies once they are sent, but nothing else about
        the person."""

    async def give_back(self, item: InboxItem, *, at: datetime) -> None:
        """Return the message to its place in the queue. Does nothing if this claim no longer holds it."""

    async def give_up(self, item: InboxItem, error: str, *, at: datetime, forget: bool = False) -> None:
        """Turn the message into a dead letter; `error` is a message key. Otherwise as `finish`."""

    async def stop(
        self, chat: ChatKey, why: Stop, *, person: Pseudonym | None = None, message: str | None = None
    ) -> int:
        """Ask for work on messages of `chat` to stop, only those of `person` and this `message` if given;
        returns how many there were."""

    async def stopped(self) -> list[tuple[IncomingMessage, Stop]]:
        """Messages that this process is handling and has been asked to stop."""

    async def edits(self, of: MessageRef | None = None) -> list[IncomingMessage]:
        """Accepted edits, of one message or all, whose content still exists, oldest first."""

    async def is_being_answered(self, message: MessageRef) -> bool:
        """Whether anything about `message` is waiting or being handled."""

    async def requeue_interrupted(self, *, at: datetime, max_attempts: int) -> Requeued:
        """Requeue messages that were being handled by processes that have ended, from attempt `SUSPICIOUS` on
        after a pause of `REST`, or give them up after `max_attempts`."""

    async def waiting_before(self, chat: ChatKey, *, without: int = 0) -> int:
        """How many messages to be answered (`ANSWERED`) come before the last one waiting in `chat`: all of
        its own, and as many from every other chat as go first when chats take turns. `without`: ignore this
        many of its last messages."""


class OutboxJournal(Protocol):
    """Replies to deliver. Within a chat, parts are sent one at a time in the order queued. Only the latest
    claimant can finish a part, as with messages."""

    async def enqueue(self, replies: Sequence[OutgoingReply], *, at: datetime, forget: bool = False) -> None:
        """Queue replies that answer no message. A part whose key is already known is skipped, so it is sent
        once. `forget` erases their content as soon as they are sent."""

    async def claim_part(self, platform: str, *, at: datetime) -> OutboxItem | None:
        """The next due part, now marked as being sent; only the first unfinished part of a chat qualifies."""

    async def sent(self, item: OutboxItem, message_ids: Sequence[str], *, at: datetime) -> None:
        """Record that a part arrived. If it shows an answer, its messages are linked to that answer and no
        longer to the one they showed before."""

    async def postpone(self, item: OutboxItem, *, until: datetime, error: str, at: datetime) -> None:
        """Postpone a part, and everything after it in its chat, until `until`."""

    async def fail(
        self, item: OutboxItem, error: str, *, at: datetime, unknown: bool = False, rest: bool = False
    ) -> None:
        """Give up a part; `unknown`: it may have arrived; `rest`: give up the remainder of its reply as well.
        The chat carries on."""

    async def give_up_others(self, served: Sequence[str], error: str, *, at: datetime) -> int:
        """Give up parts for platforms not in `served`; those being sent may have arrived. Returns how many
        there were."""

    async def interrupted_parts(self, platform: str) -> list[OutboxItem]:
        """Take over all parts that are being sent, once nobody else sends there, to be recovered by `sent`,
        `postpone` or `fail`."""

    async def last_reply(self, key: str) -> list[MessageRef]:
        """The messages of the last reply whose keys begin with `key`, in order: the current answer to a
        message that was edited."""

    async def delivered(self, key: str) -> Delivered:
        """The state of all parts whose keys begin with `key`, including earlier replies but not deletions."""

    async def unqueue(self, key: str) -> int:
        """Cancel waiting parts whose keys begin with `key`, except deletions; returns how many there were."""

    async def posted(self, trace: TraceId) -> list[Posted]:
        """The messages that show an answer, in order."""

    async def trace_of(self, message: MessageRef) -> TraceId | None:
        """The trace of the answer that one of the bot's messages shows."""

    async def buttons_of(self, message: MessageRef) -> tuple[Button, ...]:
        """The buttons of a message that shows an answer, in order; none once its content is gone."""

    async def withdrawn(self, messages: Sequence[MessageRef]) -> None:
        """Record that these messages were deleted and no longer show an answer."""

    async def dead_letters(self, *, limit: int = 50) -> list[DeadLetter]:
        """What could not be handled or sent, newest first."""

    async def revive(self, box: Mailbox, item: int, *, at: datetime) -> bool:
        """Requeue a dead letter whose content still exists; returns whether there was one."""

    async def unsent_files(self) -> set[Path]:
        """The files of all parts that are due or could be retried."""

    async def backlog(self) -> Backlog:
        """How much waits, how long, and what went wrong."""


class AnswerJournal(Protocol):
    """Records of answers and what people thought of them."""

    async def record(self, record: AnswerRecord) -> None:
        """Store a record, replacing one with the same trace."""

    async def answer(self, trace: TraceId) -> AnswerRecord | None:
        """A record, without what has expired."""

    async def unanswered(self, *, since: datetime, limit: int = 50) -> list[AnswerRecord]:
        """Records of questions without evidence, newest first."""

    async def citing(self, versions: Sequence[VersionId]) -> list[TraceId]:
        """The recorded answers that cite one of `versions`, oldest first."""

    async def give_feedback(self, feedback: Feedback) -> bool:
        """Store a person's verdict, replacing their earlier one; "wrong" reports the answer, whose texts are
        then kept longer. Returns False if there is no such record."""

    async def feedback(self) -> list[Feedback]:
        """Feedback, oldest first."""


class ChatJournal(Protocol):
    """Chats' settings, what threads are about, who did what, and erasure."""

    @property
    def pseudonyms(self) -> Pseudonyms:
        """The pseudonyms made with this journal's key."""

    async def chat_state(self, chat: ChatKey) -> ChatState | None:
        """A chat's own settings."""

    async def save_chat_state(self, chat: ChatKey, state: ChatState, *, at: datetime) -> None:
        """Replace a chat's settings."""

    async def drop_chat(self, chat: ChatKey) -> None:
        """Forget a chat's settings, threads and subscriptions: the bot left it, or it starts over."""

    async def context(self, thread: ThreadKey, *, at: datetime) -> ThreadContext | None:
        """What a thread is about, or None once that has expired."""

    async def save_context(
        self, thread: ThreadKey, context: ThreadContext, *, person: Pseudonym | None, expires_at: datetime
    ) -> None:
        """Replace what a thread is about."""

    async def drop_context(self, chat: ChatKey, thread: str) -> None:
        """Forget what a thread is about, under every scope."""

    async def audit(self, entry: AuditEntry) -> None:
        """Record who did what."""

    async def audit_entries(self, *, since: datetime | None = None, limit: int = 100) -> list[AuditEntry]:
        """Who did what, newest first."""

    async def first_notice(self, person: Pseudonym, *, at: datetime) -> bool:
        """Whether the person had not been told yet what is stored about them; marks them as told."""

    async def person_file(self, person: Pseudonym, *, private_chat: ChatKey | None) -> PersonFile:
        """Everything stored about a person and their private chat, each kind oldest first."""

    async def forget(self, person: Pseudonym, *, private_chat: ChatKey | None, at: datetime) -> int:
        """Remove what is stored about a person: texts of their messages, replies, questions and threads, and
        their pseudonym everywhere. A message waiting or in progress is still answered, then forgotten.
        Everything about a private chat is removed, including its id. Returns the number of rows affected."""

    async def purge(self, retention: Retention, *, at: datetime) -> Purged:
        """Permanently remove everything whose retention period has ended."""


class Journal(InboxJournal, OutboxJournal, AnswerJournal, ChatJournal, Protocol):
    """All four parts in one store."""

    async def close(self) -> None:
        """Release connections."""


class Subscriptions(Protocol):
    """What chats have subscribed to. Forgetting a person or a private chat (`ChatJournal.forget`), and
    dropping a chat, ends theirs."""

    async def add(self, draft: SubscriptionDraft) -> Subscription:
        """Store a subscription. One on the same subject in the same thread is replaced, with the new rhythm
        and collections."""

    async def of_chat(self, chat: ChatKey) -> list[Subscription]:
        """A chat's subscriptions, oldest first."""

    async def set_rhythm(self, number: int, chat: ChatKey, rhythm: Rhythm, *, due_at: datetime) -> bool:
        """Change the rhythm of one of a chat's subscriptions; returns whether there was one."""

    async def end(self, number: int, chat: ChatKey) -> bool:
        """End one of a chat's subscriptions; returns whether there was one."""

    async def due(self, *, at: datetime, limit: int) -> list[Subscription]:
        """The subscriptions that are due, longest due first."""

    async def wait(self, numbers: Sequence[int], *, until: datetime) -> None:
        """Postpone these: there is nothing to tell, or nobody to tell it to."""

    async def heard(
        self, settled: Sequence[Heard], replies: Sequence[OutgoingReply], *, at: datetime
    ) -> bool:
        """In one transaction: replace what was last seen, and queue the messages about it. Does nothing and
        returns False if one of them was ended, changed or told in the meantime."""
