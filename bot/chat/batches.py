"""Files that one person sends one after the other: one receipt tells of them and grows."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.chat.receipts import FileReceipt
from core.domain.ids import DocumentId
from core.domain.journal import chat_key
from core.domain.messages import IncomingMessage, MessageRef
from core.domain.stamps import is_within

TOGETHER = timedelta(minutes=2)
"""How long after a file the next one belongs to it."""

MOST = 20
"""Files of one receipt at most."""

_KEPT = 1000


@dataclass(slots=True)
class Batch:
    """Files that belong together. `first` is the message whose answer tells of them, `last` when one was sent
    last, `sent` how many were."""

    first: IncomingMessage
    last: datetime
    sent: int = 0
    files: list[FileReceipt] = field(default_factory=list)

    @property
    def documents(self) -> tuple[DocumentId, ...]:
        """What was read of them, each document once."""
        return tuple(dict.fromkeys(each.document for each in self.files if each.document))


class Batches:
    """The batches of the last messages with files; in memory: a restart begins a new one."""

    def __init__(self) -> None:
        self._open: dict[Hashable, Batch] = {}
        self._newest: dict[Hashable, Batch] = {}
        self._told_in: dict[Hashable, Batch] = {}

    def joined(self, message: IncomingMessage) -> IncomingMessage | None:
        """Take the files of `message` in; the message whose receipt will tell of them, None where that is its
        own."""
        batch, count = self._open.get(_whose(message)), len(message.attachments)
        if batch is None or batch.sent + count > MOST or self._is_over(batch, message):
            self.begun_anew(message)
            return None
        batch.last, batch.sent = message.received_at, batch.sent + count
        return None if batch.first.ref == message.ref else batch.first

    def _is_over(self, batch: Batch, message: IncomingMessage) -> bool:
        return not is_within(batch.last, message.received_at, TOGETHER)

    def of(self, message: IncomingMessage, first: IncomingMessage | None) -> Batch:
        """The batch of a message that was taken in; a new one where the receipt of `first` is not known any
        more."""
        start = (first or message).ref
        return self._told_in.get(start) or self.begun_anew(message, start)

    def begun_anew(self, message: IncomingMessage, *starts: MessageRef) -> Batch:
        """A batch that `message` is the first of, which what belonged to `starts` belongs to from now on."""
        batch = Batch(first=message, last=message.received_at, sent=len(message.attachments))
        _keep(self._open, _whose(message), batch)
        _keep(self._newest, _where(message.ref), batch)
        _keep(self._newest, (chat_key(message.ref), message.ref.thread), batch)
        for start in (message.ref, *starts):
            _keep(self._told_in, start, batch)
        return batch

    def settle(self, document: DocumentId) -> None:
        """Somebody has looked at the receipt of `document`: the next file gets one of its own."""
        for key in [key for key, batch in self._open.items() if document in batch.documents]:
            del self._open[key]

    def newest(self, ref: MessageRef) -> tuple[DocumentId, ...]:
        """The documents of the last batch where `ref` stands."""
        batch = self._newest.get(_where(ref))
        return batch.documents if batch else ()


def _keep(known: dict[Hashable, Batch], key: Hashable, batch: Batch) -> None:
    known.pop(key, None)
    known[key] = batch
    while len(known) > _KEPT:
        del known[next(iter(known))]


def _where(ref: MessageRef) -> Hashable:
    """The thread of a message; where answers open one below each message, that is not yet one."""
    return chat_key(ref), None if ref.thread == ref.message else ref.thread


def _whose(message: IncomingMessage) -> Hashable:
    return _where(message.ref), message.sender
