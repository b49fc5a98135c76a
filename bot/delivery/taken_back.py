"""Messages that their authors have deleted, or edited into something that asks nothing."""

from collections.abc import Sequence

from core.domain.journal import ChatKey, chat_key
from core.domain.messages import IncomingMessage, MessageKind, MessageRef
from core.recent import Recent

MOST = 20_000


class TakenBack:
    """What nobody wants an answer to any more. In memory: the journal's edits make it after a start."""

    def __init__(self) -> None:
        self._last = Recent[tuple[ChatKey, str], bool](MOST)

    def hear(self, messages: Sequence[IncomingMessage]) -> None:
        """Edits that were taken over, oldest first: a later one may ask something again."""
        for message in messages:
            if message.kind is MessageKind.EDIT:
                self._last[_place(message.ref)] = message.taken_back

    def __contains__(self, message: MessageRef) -> bool:
        return self._last.get(_place(message), False)


def _place(message: MessageRef) -> tuple[ChatKey, str]:
    """Not every platform says of a deleted message which thread it stood in."""
    return chat_key(message), message.message
