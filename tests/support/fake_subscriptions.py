"""Subscriptions in memory, beside an in-memory journal."""

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime

from core.domain.journal import ChatKey, OutgoingReply
from core.domain.subscriptions import Heard, Rhythm, Subscription, SubscriptionDraft
from tests.support.fake_journal import FakeJournal


class FakeSubscriptions:
    """The `Subscriptions` port. It asks the journal who was forgotten."""

    def __init__(self, journal: FakeJournal) -> None:
        self._journal = journal
        self._numbers = 0
        self._kept: dict[int, Subscription] = {}
        journal.subscriptions = self._kept

    async def add(self, draft: SubscriptionDraft) -> Subscription:
        for each in self._kept.values():
            if _same(each, draft):
                self._kept[each.id] = replace(
                    each, rhythm=draft.rhythm, due_at=draft.due_at, collections=draft.collections
                )
                return self._kept[each.id]
        self._numbers += 1
        values = {each.name: getattr(draft, each.name) for each in fields(SubscriptionDraft)}
        made = Subscription(id=self._numbers, **values)
        self._kept[made.id] = made
        return made

    async def of_chat(self, chat: ChatKey) -> list[Subscription]:
        return [each for each in self._kept.values() if each.chat == chat]

    async def set_rhythm(self, number: int, chat: ChatKey, rhythm: Rhythm, *, due_at: datetime) -> bool:
        own = self._own(number, chat)
        if own is not None:
            self._kept[number] = replace(own, rhythm=rhythm, due_at=due_at)
        return own is not None

    async def end(self, number: int, chat: ChatKey) -> bool:
        return self._own(number, chat) is not None and self._kept.pop(number) is not None

    async def due(self, *, at: datetime, limit: int) -> list[Subscription]:
        found = [each for each in self._kept.values() if each.due_at <= at]
        return sorted(found, key=lambda each: (each.due_at, each.id))[:limit]

    async def wait(self, numbers: Sequence[int], *, until: datetime) -> None:
        for number in self._kept.keys() & set(numbers):
            self._kept[number] = replace(self._kept[number], due_at=until)

    async def heard(
        self, settled: Sequence[Heard], replies: Sequence[OutgoingReply], *, at: datetime
    ) -> bool:
        for each in settled:
            now, was = self._kept.get(each.subscription.id), each.subscription
            if now is None or (now.revision, now.rhythm) != (was.revision, was.rhythm):
                return False
        for each in settled:
            was = each.subscription
            self._kept[was.id] = replace(
                self._kept[was.id], seen=each.seen, due_at=each.due_at, revision=was.revision + 1
            )
        await self._journal.enqueue(replies, at=at)
        return True

    def _own(self, number: int, chat: ChatKey) -> Subscription | None:
        found = self._kept.get(number)
        return found if found is not None and found.chat == chat else None


def _same(each: Subscription, draft: SubscriptionDraft) -> bool:
    names = ("chat", "thread", "kind", "subject")
    return all(getattr(each, name) == getattr(draft, name) for name in names)
