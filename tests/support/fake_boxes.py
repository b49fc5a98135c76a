"""The inbox and the outbox of the in-memory `Journal`."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from core.domain.ids import TraceId
from core.domain.journal import (
    REST,
    SUSPICIOUS,
    Backlog,
    ChatKey,
    Cursor,
    DeadLetter,
    Delivered,
    InboxItem,
    Mailbox,
    OutboxItem,
    OutgoingReply,
    Posted,
    Pseudonym,
    Pseudonyms,
    Requeued,
    SendState,
    Stop,
    chat_key,
)
from core.domain.messages import ANSWERED, Button, IncomingMessage, MessageKind, MessageRef, Outgoing
from core.errors import LONGEST_WAIT_S
from core.ports.clock import SKEW
from tests.support.letters import Letter, dead_letter, outbox_item, pick, same_message
from tests.support.stamps import is_over


class FakeBoxes:
    """Keeps messages in dictionaries."""

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self.pseudonyms = pseudonyms
        self._ids = itertools.count(1)
        self._turns = itertools.count(1)
        self._inbox: dict[tuple[str, str, str], Letter] = {}
        self._outbox: dict[str, Letter] = {}
        self._cursors: dict[tuple[str, str], str] = {}
        self._posted: list[Posted] = []
        self._purged_at: datetime | None = None
        self._stops: dict[int, Stop] = {}

    def _erase_person(self, person: Pseudonym | None) -> int:
        """Returns the number of rows affected."""
        return sum(letter.forget() for letter in pick(self._letters(), person=person)) if person else 0

    def _letters(self) -> list[Letter]:
        return [letter for _, letters in self._boxes() for letter in letters]

    # inbox

    async def accept(
        self, messages: Sequence[IncomingMessage], *, at: datetime, cursor: Cursor | None = None
    ) -> list[str]:
        if not all(message.event for message in messages):
            raise ValueError("a message is accepted under its event's id")
        new = [message for message in messages if self._accepted(message, at)]
        if cursor is not None:
            self._cursors[cursor.platform, cursor.workspace] = cursor.value
        return [message.event for message in new]

    def _accepted(self, message: IncomingMessage, at: datetime) -> bool:
        ref, sender = message.ref, message.sender
        key = (ref.platform, ref.workspace, message.event)
        if key in self._inbox:
            return False
        self._inbox[key] = Letter(
            id=next(self._ids),
            platform=ref.platform,
            workspace=ref.workspace,
            state="waiting",
            at=at,
            content=message,
            chat=chat_key(ref),
            person=self.pseudonyms.person(ref.platform, ref.workspace, sender) if sender else None,
            received_at=message.received_at,
        )
        return True

    async def cursor(self, platform: str, workspace: str) -> str | None:
        return self._cursors.get((platform, workspace))

    async def claim(self, *, at: datetime) -> InboxItem | None:
        letters = self._inbox.values()
        busy = {item.chat for item in pick(letters, state="working")}
        heads: dict[ChatKey | None, Letter] = {}
        for item in pick(letters, state="waiting"):
            if item.chat not in busy:
                heads.setdefault(item.chat, item)
        heads = {
            chat: item
            for chat, item in heads.items()
            if item.attempts < SUSPICIOUS or is_over(item.at, before=at - REST, after=at + SKEW)
        }
        if not heads:
            return None
        served = {chat: max(item.turn for item in pick(letters, chat=chat)) for chat in heads}
        chosen = min(heads.values(), key=lambda item: (served[item.chat], item.id))
        chosen.state, chosen.at, chosen.turn = "working", at, next(self._turns)
        chosen.attempts += 1
        chosen.claims += 1
        self._stops.pop(chosen.id, None)
        assert isinstance(chosen.content, IncomingMessage)
        return InboxItem(id=chosen.id, message=chosen.content, attempts=chosen.attempts, claim=chosen.claims)

    async def decline(
        self, messages: Sequence[IncomingMessage], *, at: datetime, forget: bool = False
    ) -> int:
        declined = 0
        for message in messages:
            letter = self._inbox.get((message.ref.platform, message.ref.workspace, message.event))
            if letter is not None and letter.state == "waiting":
                letter.state, letter.at = "done", at
                if forget:
                    letter.empty()
                declined += 1
        return declined

    async def finish(
        self, item: InboxItem, *, at: datetime, replies: Sequence[OutgoingReply] = (), forget: bool = False
    ) -> None:
        self._end(item, "done", "", at, replies, forget)

    async def give_up(self, item: InboxItem, error: str, *, at: datetime, forget: bool = False) -> None:
        self._end(item, "dead", error, at, (), forget)

    def _end(
        self,
        item: InboxItem,
        state: str,
        error: str,
        at: datetime,
        replies: Sequence[OutgoingReply],
        forget: bool,
    ) -> None:
        for letter in pick(self._inbox.values(), id=item.id, claims=item.claim, state="working"):
            letter.state, letter.error, letter.at = state, error, at
            self._queue(replies, at, letter.forgotten or forget)
            if forget and not letter.forgotten:
                letter.empty()
            if letter.forgotten:
                person = letter.person
                letter.empty()
                self._erase_person(person)

    async def give_back(self, item: InboxItem, *, at: datetime) -> None:
        for letter in pick(self._inbox.values(), id=item.id, claims=item.claim, state="working"):
            letter.state, letter.at = "waiting", at

    async def stop(
        self, chat: ChatKey, why: Stop, *, person: Pseudonym | None = None, message: str | None = None
    ) -> int:
        found = [
            item
            for item in pick(self._inbox.values(), chat=chat, state="working")
            if isinstance(item.content, IncomingMessage)
            and (person is None or item.person == person)
            and (message is None or item.content.ref.message == message)
        ]
        self._stops.update({item.id: why for item in found})
        return len(found)

    async def stopped(self) -> list[tuple[IncomingMessage, Stop]]:
        working = pick(self._inbox.values(), state="working")
        return [
            (item.content, self._stops[item.id])
            for item in working
            if item.id in self._stops and isinstance(item.content, IncomingMessage)
        ]

    async def edits(self, of: MessageRef | None = None) -> list[IncomingMessage]:
        contents = [item.content for item in self._inbox.values()]
        messages = [content for content in contents if isinstance(content, IncomingMessage)]
        edits = [message for message in messages if message.kind is MessageKind.EDIT]
        return [message for message in edits if of is None or same_message(message.ref, of)]

    async def is_being_answered(self, message: MessageRef) -> bool:
        letters = [item for item in pick(self._inbox.values(), chat=chat_key(message)) if not item.over]
        contents = [item.content for item in letters]
        return any(isinstance(c, IncomingMessage) and c.ref.message == message.message for c in contents)

    async def requeue_interrupted(self, *, at: datetime, max_attempts: int) -> Requeued:
        working = pick(self._inbox.values(), state="working")
        for letter in working:
            tired = letter.attempts >= max_attempts
            letter.state, letter.at = "dead" if tired else "waiting", at
            letter.error = "journal.interrupted" if tired else ""
        dead = len(pick(working, state="dead"))
        return Requeued(waiting=len(working) - dead, dead=dead)

    async def waiting_before(self, chat: ChatKey, *, without: int = 0) -> int:
        sizes: dict[ChatKey | None, int] = {}
        for item in self._inbox.values():
            if not item.over and _in_line(item):
                sizes[item.chat] = sizes.get(item.chat, 0) + 1
        own = filter(_in_line, pick(self._inbox.values(), chat=chat, state="waiting"))
        waiting = len(list(own)) - without
        if waiting <= 0:
            return 0
        return sizes.pop(chat) - without - 1 + sum(min(other, waiting) for other in sizes.values())

    # outbox

    async def enqueue(self, replies: Sequence[OutgoingReply], *, at: datetime, forget: bool = False) -> None:
        self._queue(replies, at, forgotten=forget)

    def _queue(self, replies: Sequence[OutgoingReply], at: datetime, forgotten: bool) -> None:
        for reply in replies:
            for part in reply.parts:
                letter = Letter(
                    id=next(self._ids),
                    platform=part.to.platform,
                    workspace=part.to.workspace,
                    state=SendState.PENDING,
                    at=at,
                    content=part,
                    chat=chat_key(part.to),
                    person=None if forgotten else reply.person,
                    forgotten=forgotten,
                    due_at=at,
                    reply=reply.parts[0].key,
                    trace=reply.trace,
                )
                self._outbox.setdefault(part.key, letter)

    async def claim_part(self, platform: str, *, at: datetime) -> OutboxItem | None:
        heads: dict[ChatKey | None, Letter] = {}
        for letter in pick(self._outbox.values(), platform=platform):
            if not letter.over:
                heads.setdefault(letter.chat, letter)
        for letter in pick(heads.values(), state=SendState.PENDING):
            latest = at + timedelta(seconds=LONGEST_WAIT_S) + SKEW
            if letter.due_at is not None and is_over(letter.due_at, before=at, after=latest):
                letter.state, letter.at = SendState.SENDING, at
                letter.attempts += 1
                letter.claims += 1
                return outbox_item(letter)
        return None

    def _sending(self, item: OutboxItem) -> list[Letter]:
        return pick(self._outbox.values(), id=item.id, claims=item.claim, state=SendState.SENDING)

    async def sent(self, item: OutboxItem, message_ids: Sequence[str], *, at: datetime) -> None:
        for letter in self._sending(item):
            letter.state, letter.at, letter.message_ids = SendState.SENT, at, tuple(message_ids)
            assert isinstance(letter.content, Outgoing)
            if letter.trace is not None and not letter.forgotten:
                refs = [replace(letter.content.to, message=message) for message in message_ids]
                await self.withdrawn(refs)
                self._posted += [Posted(trace=letter.trace, ref=ref, at=at) for ref in refs]
            if letter.forgotten:
                letter.empty()

    async def postpone(self, item: OutboxItem, *, until: datetime, error: str, at: datetime) -> None:
        for letter in self._sending(item):
            letter.state, letter.due_at, letter.at = SendState.PENDING, until, at
            letter.error = error

    async def fail(
        self, item: OutboxItem, error: str, *, at: datetime, unknown: bool = False, rest: bool = False
    ) -> None:
        for letter in self._sending(item):
            letter.state, letter.at = SendState.UNKNOWN if unknown else SendState.FAILED, at
            letter.error = error
            for other in pick(self._outbox.values(), reply=letter.reply, over=False) if rest else ():
                if other.id > item.id:
                    other.state, other.error, other.at = SendState.FAILED, error, at

    async def give_up_others(self, served: Sequence[str], error: str, *, at: datetime) -> int:
        lost = {SendState.PENDING: SendState.FAILED, SendState.SENDING: SendState.UNKNOWN}
        others = [item for item in self._outbox.values() if item.platform not in served and not item.over]
        for letter in others:
            letter.state, letter.error, letter.at = lost[SendState(letter.state)], error, at
        return len(others)

    async def interrupted_parts(self, platform: str) -> list[OutboxItem]:
        sending = pick(self._outbox.values(), platform=platform, state=SendState.SENDING)
        for letter in sending:
            letter.claims += 1
        return [outbox_item(letter) for letter in sending]

    async def last_reply(self, key: str) -> list[MessageRef]:
        found = [item for name, item in self._outbox.items() if name.startswith(key)]
        found = [item for item in pick(found, state=SendState.SENT) if item.content is not None]
        return [
            replace(item.content.to, message=message)
            for item in found
            if isinstance(item.content, Outgoing) and item.reply == found[-1].reply
            for message in item.message_ids
        ]

    async def delivered(self, key: str) -> Delivered:
        found = [
            (item.content, item)
            for name, item in self._outbox.items()
            if name.startswith(key) and isinstance(item.content, Outgoing)
        ]
        states = [item.state for part, item in found if not part.deletes]
        shown = [replace(part.to, message=name) for part, item in found for name in item.message_ids]
        return Delivered(
            messages=tuple(dict.fromkeys(shown)),
            waiting=states.count(SendState.PENDING),
            sending=states.count(SendState.SENDING),
        )

    async def unqueue(self, key: str) -> int:
        waiting = [
            name
            for name, item in self._outbox.items()
            if name.startswith(key) and item.state == SendState.PENDING
            if isinstance(item.content, Outgoing) and not item.content.deletes
        ]
        for name in waiting:
            del self._outbox[name]
        return len(waiting)

    async def posted(self, trace: TraceId) -> list[Posted]:
        return [item for item in self._posted if item.trace == trace]

    async def trace_of(self, message: MessageRef) -> TraceId | None:
        found = [item.trace for item in self._posted if same_message(item.ref, message)]
        return found[-1] if found else None

    async def buttons_of(self, message: MessageRef) -> tuple[Button, ...]:
        if await self.trace_of(message) is None:
            return ()
        parts = [
            item.content
            for item in self._outbox.values()
            if message.message in item.message_ids and isinstance(item.content, Outgoing)
        ]
        here = [part for part in parts if same_message(replace(part.to, message=message.message), message)]
        return tuple(button for part in here for row in part.buttons for button in row)

    async def withdrawn(self, messages: Sequence[MessageRef]) -> None:
        self._posted = [
            item for item in self._posted if not any(same_message(item.ref, ref) for ref in messages)
        ]

    async def dead_letters(self, *, limit: int = 50) -> list[DeadLetter]:
        found = [
            dead_letter(box, item)
            for box, letters in self._boxes()
            for item in letters
            if item.state in ("dead", SendState.FAILED, SendState.UNKNOWN)
        ]
        return sorted(found, key=lambda letter: letter.at, reverse=True)[:limit]

    def _boxes(self) -> tuple[tuple[Mailbox, list[Letter]], ...]:
        return (Mailbox.INBOX, list(self._inbox.values())), (Mailbox.OUTBOX, list(self._outbox.values()))

    async def revive(self, box: Mailbox, item: int, *, at: datetime) -> bool:
        for letter in pick(dict(self._boxes())[box], id=item):
            if letter.state in ("dead", SendState.FAILED, SendState.UNKNOWN) and letter.content is not None:
                letter.state = "waiting" if box is Mailbox.INBOX else SendState.PENDING
                letter.at = letter.due_at = at
                letter.attempts, letter.error = 0, ""
                return True
        return False

    async def unsent_files(self) -> set[Path]:
        unsent = [item.content for item in self._outbox.values() if item.state != SendState.SENT]
        return {file.path for part in unsent if isinstance(part, Outgoing) for file in part.files}

    async def backlog(self) -> Backlog:
        letters = [item for _, items in self._boxes() for item in items]
        names = ("waiting", "working", "dead", "pending", "sending", "failed", "unknown")
        received = [item.received_at for item in pick(letters, state="waiting") if item.received_at]
        due = [item.due_at for item in pick(letters, state=SendState.PENDING) if item.due_at]
        return Backlog(
            **{name: len(pick(letters, state=name)) for name in names},
            oldest_waiting=min(received, default=None),
            oldest_pending=min(due, default=None),
            purged_at=self._purged_at,
        )


def _in_line(letter: Letter) -> bool:
    return isinstance(letter.content, IncomingMessage) and letter.content.kind in ANSWERED
