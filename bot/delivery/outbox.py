"""Replies into the durable outbox: in parts that fit their platform, under keys that are sent once."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.delivery.fitting import fit
from bot.delivery.sender import OutboxSender
from bot.presentation import Presenter
from core.domain.ids import TraceId
from core.domain.journal import OutgoingReply
from core.domain.messages import IncomingMessage, Reply
from core.ports.chat import ChatPlatform
from core.ports.clock import Clock
from core.ports.journal import Journal


@dataclass(frozen=True, slots=True)
class Outbox:
    """Where replies go. `senders` by platform, those that this process has."""

    journal: Journal
    clock: Clock
    presenter: Presenter
    senders: Mapping[str, OutboxSender] = field(default_factory=dict)

    def outgoing(self, platform: ChatPlatform, message: IncomingMessage, reply: Reply) -> OutgoingReply:
        """The reply to a message, whose sender can have it forgotten."""
        ref, people = message.ref, self.journal.pseudonyms
        person = people.person(ref.platform, ref.workspace, message.sender) if message.sender else None
        found = in_parts(reply, platform, self.presenter, key=reply_key(message), recipient=message.sender)
        return replace(found, person=person)

    async def enqueue(self, platform: ChatPlatform, reply: Reply, key: str, *, forget: bool = False) -> None:
        """Words beside the reply to a message; the same key is said once. `forget`: once they are sent."""
        queued = in_parts(reply, platform, self.presenter, key=key)
        await self.journal.enqueue([queued], at=self.clock.now(), forget=forget)
        self.wake()

    def wake(self) -> None:
        """Something is due; a reply may take messages back on other platforms than its own."""
        for sender in self.senders.values():
            sender.wake()


def in_parts(
    reply: Reply, platform: ChatPlatform, presenter: Presenter, *, key: str, recipient: str | None = None
) -> OutgoingReply:
    """A reply as the parts that its platform carries; the one way into the outbox. A file that is too
    large becomes a line, in the language of the reply."""
    words = presenter.texts(reply.language)
    parts = fit(
        reply,
        platform.capabilities,
        platform.length,
        key=key,
        recipient=recipient,
        too_large=lambda file: words("command.file_too_large", name=file.name),
    )
    return OutgoingReply(parts=tuple(parts), trace=TraceId(reply.trace) if reply.trace else None)


def reply_key(message: IncomingMessage, *kind: str, every: bool = False) -> str:
    """What the keys of the parts that answer a message begin with; with `every`, of all its edits too."""
    ref = message.ref
    first = _digest(ref.platform, ref.workspace, ref.chat, ref.message, *kind)[:20]
    return first if every else f"{first}-{_digest(message.event)[:8]}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
