"""Messages that their authors have deleted, or edited into something that asks nothing."""

from collections.abc import Sequence
from datetime import datetime

from core.domain.journal import ChatKey, chat_key
from core.domain.messages import IncomingMessage, MessageKind, MessageRef
from core.recent import Recent

MOST = 20_000


class TakenBack:
    """What nobody wants an answer to any more. In memory: the journal's edits make it after a start."""

    def __init__(self) -> None:
        self._last = Recent[tuple[ChatKey, str], tuple[datetime, bool]](MOST)

    def hear(self, messages: Sequence[IncomingMessage]) -> None:
        """Edits: a later one may ask something again."""
        for message in messages:
            if message.kind is MessageKind.EDIT and not self.is_stale(message):
                self._last[_place(message.ref)] = message.received_at, message.taken_back

    def is_stale(self, message: IncomingMessage) -> bool:
        """Whether an edit came late, after one that was made after it."""
        last = self._last.get(_place(message.ref))
        return last is not None and message.received_at < last[0]

    def __contains__(self, message: MessageRef) -> bool:
        last = self._last.get(_place(message))
        return last is not None and last[1]


def _place(message: MessageRef) -> tuple[ChatKey, str]:
    """Not every platform says of a deleted message which thread it stood in."""
    return chat_key(message), message.message
