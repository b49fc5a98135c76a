"""Tells chats about changes to their subscriptions. Pending news is never kept in memory: it is whatever a
subscription has not seen. It is settled in one transaction with the message, so that it is sent once,
whichever process finds it.
"""

import hashlib
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from bot.answers.subscriptions import Looked, Watching
from bot.chat.guard import Guard, bound_to, check_exposure
from bot.chat.subscriptions import end_button
from bot.delivery.outbox import in_parts
from bot.delivery.shared_files import SharedFiles
from bot.periodic import Supervisor
from bot.presentation.attachments import Attacher
from bot.presentation.presenter import Presenter
from bot.presentation.wording.corrections import news_blocks
from bot.service.corrections import pages_of_quotes
from core.domain.answers import Citation
from core.domain.journal import ChatKey, OutgoingReply
from core.domain.messages import Button, MessageRef, Reply
from core.domain.rich_text import Block, bold, small
from core.domain.subscriptions import EVERY, Heard, News, Rhythm, Subscription
from core.errors import Refused, Unavailable
from core.ports.chat import ChatPlatform
from core.ports.clock import Clock
from core.ports.journal import Subscriptions

EVERY_S = 60.0
"""Seconds between two checks for due subscriptions."""

AT_ONCE = 500
"""Maximum subscriptions checked in one round."""

SOON = timedelta(minutes=1)
"""Interval for checking immediate subscriptions again if the library has not changed."""

PAGES, ENDED_BY = 3, 3
"""Maximum pages with a message, and buttons under it that end a subscription."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Notifying:
    """Checks due subscriptions, and tells their chats. Pages are written to `folder` and stored in `files`
    with the message."""

    kept: Subscriptions
    watching: Watching
    clock: Clock
    presenter: Presenter
    attacher: Attacher
    supervisor: Supervisor
    guard: Guard
    platforms: Mapping[str, ChatPlatform]
    folder: Path
    files: SharedFiles

    async def round(self) -> int:
        """Check everything that is due; returns the number of messages queued."""
        now = self.clock.now()
        self.watching.begin()
        waiting: dict[timedelta, list[int]] = defaultdict(list)
        told: dict[tuple[ChatKey, str | None], list[tuple[Subscription, Looked]]] = defaultdict(list)
        for each in await self.kept.due(at=now, limit=AT_ONCE):
            try:
                looked = await self._looked(each)
            except Exception as error:  # a failure of one must not stop the others
                self.supervisor.failed("subscriptions", error)
                waiting[EVERY[Rhythm.AT_ONCE]].append(each.id)
                continue
            if looked is None:
                waiting[SOON if each.rhythm is Rhythm.AT_ONCE else EVERY[each.rhythm]].append(each.id)
            else:
                told[each.chat, each.thread].append((each, looked))
        for pause, numbers in waiting.items():
            await self.kept.wait(numbers, until=now + pause)
        return sum([await self._settled(bundle) for bundle in told.values()])

    async def _looked(self, subscription: Subscription) -> Looked | None:
        """What is new for a chat with its current settings; None if there is nothing, or nobody may be told.
        Changes that a chat may no longer see are not reported."""
        chat = self.guard.chat(_place(subscription))
        if chat is None or subscription.chat.platform not in self.platforms:
            return None
        within = tuple(name for name in subscription.collections if name in chat.collections)
        return await self.watching.look(subscription, within) if within else None

    async def _settled(self, bundle: Sequence[tuple[Subscription, Looked]]) -> int:
        """Tell one chat, in one message; changes that need no message are only settled."""
        now, news = self.clock.now(), [each for each in bundle if each[1].news]
        try:
            if news and not await self._may_tell(news[0][0]):
                pause = EVERY[Rhythm.AT_ONCE]
                await self.kept.wait([each.id for each, _ in bundle], until=now + pause)
                return 0
            heard = [
                Heard(subscription=each, seen=looked.seen, due_at=now + EVERY[each.rhythm])
                for each, looked in bundle
            ]
            replies = [await self._message(news)] if news else []
            return len(replies) if await self.kept.heard(heard, replies, at=now) else 0
        except Exception as error:  # a failure of one chat must not stop the others
            self.supervisor.failed("subscriptions", error)
            await self.kept.wait([each.id for each, _ in bundle], until=now + EVERY[Rhythm.AT_ONCE])
            return 0

    async def _may_tell(self, subscription: Subscription) -> bool:
        """Whether the chat is still entitled."""
        to = _place(subscription)
        chat = self.guard.chat(to)
        if chat is None:
            return False
        if not bound_to(chat):
            return True
        try:
            check_exposure(await self.platforms[subscription.chat.platform].exposure(to))
        except (Refused, Unavailable) as error:
            _LOG.warning("a subscription waits: %s", error.key)
            return False
        return True

    async def news(self, chat: ChatKey) -> list[Reply]:
        """All pending news of a chat, due or not, for somebody who reads it immediately: it counts as
        told."""
        self.watching.begin()
        looked = [(each, await self._looked(each)) for each in await self.kept.of_chat(chat)]
        found = [(each, what) for each, what in looked if what is not None]
        now, told = self.clock.now(), [each for each in found if each[1].news]
        heard = [
            Heard(subscription=each, seen=what.seen, due_at=now + EVERY[each.rhythm]) for each, what in found
        ]
        replies = [await self._reply(told)] if told else []
        return replies if await self.kept.heard(heard, [], at=now) else []

    async def _message(self, told: Sequence[tuple[Subscription, Looked]]) -> OutgoingReply:
        first = told[0][0]
        platform, reply = self.platforms[first.chat.platform], await self._reply(told)
        parts = in_parts(reply, _place(first), platform, self.presenter, key=key_of(told))
        return await self.files.kept(parts)

    async def _reply(self, told: Sequence[tuple[Subscription, Looked]]) -> Reply:
        first, key = told[0][0], key_of(told)
        platform = self.platforms[first.chat.platform]
        chat, texts = self.guard.chat(_place(first)), self.presenter.texts(first.language)
        within = chat.collections if chat else ()
        presenter = self.presenter.within(within)
        blocks: list[Block] = [bold(texts("subscription.head"))]
        ends = list[Button]()
        for each, looked in told:
            name = each.name if await self.watching.may_name(each, within) else texts("subscription.unseen")
            blocks += news_blocks(name, looked.news, presenter, texts)
            ends.append(end_button(replace(each, name=name), self.presenter.texts(each.language)))
        buttons: tuple[tuple[Button, ...], ...] = ()
        if platform.capabilities.buttons:
            buttons = tuple((each,) for each in ends[:ENDED_BY])
        else:
            blocks.append(small(texts("subscription.manage", prefix=platform.capabilities.command_prefix)))
        quoted = _quoted([news for _, looked in told for news in looked.news])
        files = await pages_of_quotes(self.attacher, quoted, self.folder / f"subscription-{key}", texts)
        return Reply(
            blocks=tuple(blocks),
            files=files,
            buttons=buttons,
            language=texts.language,
            collections=bound_to(chat) if chat else (),
        )


def _place(each: Subscription) -> MessageRef:
    """The place where a subscription is reported."""
    chat = each.chat
    return MessageRef(
        platform=chat.platform, workspace=chat.workspace, chat=chat.chat, thread=each.thread, message=""
    )


def _quoted(news: Sequence[News]) -> list[Citation]:
    """The current quotes, whose pages are attached."""
    found = [each.citation or (each.rechecked.now if each.rechecked else None) for each in news]
    return [each for each in found if each is not None][:PAGES]


def key_of(told: Sequence[tuple[Subscription, Looked]]) -> str:
    """A key that is the same for the same news, whichever process finds them."""
    named = sorted(f"{each.id}\n{each.revision}" for each, _ in told)
    return "s" + hashlib.sha256("\n".join(named).encode()).hexdigest()[:24]
