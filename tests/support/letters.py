"""Rows of the in-memory `Journal`."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from core.domain.ids import TraceId
from core.domain.journal import ChatKey, DeadLetter, Mailbox, OutboxItem, Pseudonym, chat_key
from core.domain.messages import IncomingMessage, MessageRef, Outgoing
from core.domain.records import KeptText


@dataclass
class Letter:
    """A row of inbox or outbox; without its content, chat and person are gone too."""

    id: int
    platform: str
    workspace: str
    state: str
    at: datetime
    content: IncomingMessage | Outgoing | None
    chat: ChatKey | None
    person: Pseudonym | None
    attempts: int = 0
    claims: int = 0
    error: str = ""
    forgotten: bool = False
    turn: int = 0
    received_at: datetime | None = None
    due_at: datetime | None = None
    reply: str = ""
    trace: TraceId | None = None
    message_ids: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        return self.state in ("done", "dead", "sent", "failed", "unknown")

    def empty(self) -> None:
        self.content = self.chat = self.person = None

    def forget(self) -> int:
        """Returns the number of rows affected: one or none."""
        if not self.over:
            concerned, self.forgotten = not self.forgotten, True
            return int(concerned)
        self.empty()
        return 1


def pick(letters: Iterable[Letter], **fields: object) -> list[Letter]:
    return [item for item in letters if all(getattr(item, name) == value for name, value in fields.items())]


def same_message(one: MessageRef, other: MessageRef) -> bool:
    return chat_key(one) == chat_key(other) and one.message == other.message


def outbox_item(letter: Letter) -> OutboxItem:
    assert isinstance(letter.content, Outgoing)
    return OutboxItem(
        id=letter.id,
        part=letter.content,
        trace=letter.trace,
        attempts=letter.attempts,
        claim=letter.claims,
    )


def kept(letter: Letter) -> KeptText:
    content = letter.content
    files: tuple[str, ...] = ()
    if isinstance(content, IncomingMessage):
        files = tuple(item.name for item in content.attachments)
    elif content is not None:
        files = tuple(file.name for file in content.files)
    at = letter.received_at or letter.at
    return KeptText(at=at, state=letter.state, text=content.text if content else None, files=files)


def dead_letter(box: Mailbox, letter: Letter) -> DeadLetter:
    return DeadLetter(
        box=box,
        id=letter.id,
        platform=letter.platform,
        workspace=letter.workspace,
        state=letter.state,
        error=letter.error,
        attempts=letter.attempts,
        at=letter.at,
    )
