"""The port of subscriptions. Each method is one transaction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from core.domain.journal import ChatKey, OutgoingReply
from core.domain.subscriptions import Heard, Rhythm, Subscription, SubscriptionDraft


class Subscriptions(Protocol):
    """What chats want to hear of. Forgetting a person or a private chat (`ChatJournal.forget`), and dropping
    a chat, ends theirs."""

    async def add(self, draft: SubscriptionDraft) -> Subscription:
        """Keep a subscription. The same subject in the same thread stays one, with the new rhythm and
        collections."""
        ...

    async def of_chat(self, chat: ChatKey) -> list[Subscription]:
        """Those of a chat, oldest first."""
        ...

    async def set_rhythm(self, number: int, chat: ChatKey, rhythm: Rhythm, *, due_at: datetime) -> bool:
        """Change how often a chat hears of one of its own; whether there was one."""
        ...

    async def end(self, number: int, chat: ChatKey) -> bool:
        """End one of a chat's own; whether there was one."""
        ...

    async def due(self, *, at: datetime, limit: int) -> list[Subscription]:
        """Those to be looked at, longest due first."""
        ...

    async def wait(self, numbers: Sequence[int], *, until: datetime) -> None:
        """Look at these again then: there is nothing to tell, or nobody to tell it to."""
        ...

    async def heard(
        self, settled: Sequence[Heard], replies: Sequence[OutgoingReply], *, at: datetime
    ) -> bool:
        """In one transaction: replace what is seen, and queue what is said of it. Does nothing and returns
        False if one of them was ended, changed or heard meanwhile."""
        ...
