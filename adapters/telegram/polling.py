"""Long polling that acknowledges nothing before it is stored.

Telegram forgets updates as soon as a later offset is asked for. The library's Updater does so while the
updates are still in memory, so a crash loses them; here the inbox stores them first.
"""

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQueryResultArticle,
    InlineQueryResultsButton,
    InputTextMessageContent,
    LinkPreviewOptions,
    Update,
)
from telegram import InlineQuery as Query
from telegram.error import TelegramError

from adapters.telegram import outgoing
from adapters.telegram.errors import translated
from adapters.telegram.incoming import ALLOWED, TelegramAccount, album_of, converted
from core.asides import Asides
from core.domain.messages import Contact, IncomingMessage, InlineAnswer, InlineOffer, InlineQuery, MessageKind
from core.errors import Broken
from core.one_line import shortened
from core.ports.chat import Inbox, InlineLane
from core.ports.clock import Clock
from core.retrying import until_available

# Telegram's inline mode: queries in, offers out (core.telegram.org/bots/inline).
#
# Titles and summaries are plain text, which Telegram draws without markup; the words that are said go out
# with entities, as every message does (`adapters.telegram.outgoing`).


INLINE_QUERY = "inline_query"
"""Requested of Telegram where inline queries are answered."""

_TITLE, _SUMMARY, _BUTTON = 100, 200, 60
"""Characters of which clients show no more."""


def query_of(query: Query) -> InlineQuery:
    """Our terms for an inline query."""
    user = query.from_user
    return InlineQuery(
        id=query.id, person=str(user.id), text=query.query, language=(user.language_code or "")[:2]
    )


async def answer_inline(bot: Bot, query: InlineQuery, said: InlineAnswer) -> None:
    """Answer a query. What comes too late is of no use to anybody, so nothing is tried again."""
    button = InlineQueryResultsButton(shortened(said.button, _BUTTON), start_parameter=said.start)
    try:
        await bot.answer_inline_query(
            query.id,
            [_article(bot, number, offer, said) for number, offer in enumerate(said.offers)],
            cache_time=said.keep_s,
            is_personal=not said.for_all,
            button=button if said.button and said.start else None,
        )
    except TelegramError as error:
        _LOG.info("an inline query was not answered (%s)", type(error).__name__)


def _article(bot: Bot, number: int, offer: InlineOffer, said: InlineAnswer) -> InlineQueryResultArticle:
    text, entities = outgoing.drawn(offer.text)
    rows = []
    if offer.link:
        rows.append(InlineKeyboardButton(said.page, url=offer.link))
    if offer.start:
        rows.append(
            InlineKeyboardButton(said.private, url=f"https://t.me/{bot.username}?start={offer.start}")
        )
    return InlineQueryResultArticle(
        id=str(number),
        title=shortened(outgoing.kept(offer.title), _TITLE),
        description=shortened(outgoing.kept(offer.summary), _SUMMARY),
        input_message_content=InputTextMessageContent(
            text, entities=entities, link_preview_options=_preview(offer)
        ),
        reply_markup=InlineKeyboardMarkup([rows]) if rows else None,
        thumbnail_url=offer.picture or None,
    )


def _preview(offer: InlineOffer) -> LinkPreviewOptions:
    """The picture of our own page, else none: no address that stands in a text is looked up."""
    if not offer.picture:
        return outgoing.NO_PREVIEW
    return LinkPreviewOptions(url=offer.link, prefer_large_media=True, show_above_text=True)


POLL_S = 30
MAX_AGE = timedelta(hours=24)
"""Messages older than this on arrival are no longer answered."""

AT_ONCE = 16
"""Updates requested at once: a hundred long messages are megabytes of JSON, which are slow to parse."""

LONGEST_ALBUM = 10

ALBUM_GAP_S = 0.3
"""The files of an album are separate updates; this is how long to wait for the next."""

INLINE_PAUSE_S = 0.1
"""Pause after inline queries alone: each pause in somebody's typing would be a poll of its own."""

MAX_CONFLICTS = 10
CONFLICT_PAUSE_S = 2.0
"""After a restart the previous process's poll may stay open a little longer."""
_LOG = logging.getLogger(__name__)


class Poller:
    """Receives updates for `bot` into `inbox`, starting at its cursor; inline queries, where there is a
    `lane` for them, are stored nowhere."""

    def __init__(
        self,
        bot: Bot,
        inbox: Inbox,
        clock: Clock,
        me: TelegramAccount,
        contact: Contact,
        lane: InlineLane | None = None,
    ) -> None:
        self._bot = bot
        self._inbox = inbox
        self._clock = clock
        self._me = me
        self._contact = contact
        self._lane = lane
        self._allowed = ALLOWED if lane is None else (*ALLOWED, INLINE_QUERY)
        self._offset: int | None = None
        self._limit: int | None = None
        self._conflicts = 0
        self._presses = Asides()

    async def run(self) -> None:
        """Until cancelled. Raises Broken where the operator must act."""
        cursor = await until_available("receiving from Telegram", self._inbox.cursor)
        self._offset = int(cursor) if cursor else None
        try:
            while True:
                await until_available("receiving from Telegram", self._once)
        finally:
            await self._presses.end(within_s=0.0)
            if self._lane is not None:
                await self._lane.end()

    async def _once(self) -> None:
        updates = await self._received()
        if updates and album_of(updates[-1]) is not None:
            await asyncio.sleep(ALBUM_GAP_S)
            # the same offset: nothing is acknowledged
            updates = await self._received(AT_ONCE + LONGEST_ALBUM) or updates
        if not updates:
            return
        offset = max(update.update_id for update in updates) + 1
        if self._only_asked_inline(updates):
            self._offset = offset  # Telegram keeps it; a flood of them would write it each time
            if len(updates) < AT_ONCE:
                await asyncio.sleep(INLINE_PAUSE_S)
            return
        messages = self._fresh(converted(updates, self._me, self._clock.now()))
        await self._inbox.accept(messages, cursor=str(offset))
        self._offset = offset
        self._presses.start(self._answer_presses(updates))

    def _only_asked_inline(self, updates: Sequence[Update]) -> bool:
        """Hand inline queries on; whether there is nothing else in `updates`."""
        asked = [update.inline_query for update in updates if update.inline_query is not None]
        if self._lane is not None:
            for query in map(query_of, asked):
                self._lane.take(query, partial(answer_inline, self._bot, query))
        return len(asked) == len(updates)

    async def _received(self, most: int = AT_ONCE) -> Sequence[Update]:
        try:
            with self._contact.tried(self._clock.now), translated():
                updates = await self._bot.get_updates(
                    offset=self._offset,
                    limit=self._limit or most,
                    timeout=POLL_S,
                    allowed_updates=self._allowed,
                )
        except Broken as broken:
            await self._after_conflict(broken)
            return ()
        except (TypeError, ValueError, KeyError, AttributeError):
            self._past_unreadable()
            return ()
        self._conflicts, self._limit = 0, None
        return updates

    async def _after_conflict(self, broken: Broken) -> None:
        self._conflicts += 1
        if broken.key != "platform.conflict" or self._conflicts > MAX_CONFLICTS:
            raise broken
        await asyncio.sleep(CONFLICT_PAUSE_S)

    def _past_unreadable(self) -> None:
        """Skip an update that the library cannot read, so that it does not block all others: updates are
        requested one by one, and the unreadable one is skipped."""
        if self._limit == 1 and self._offset is not None:
            _LOG.error("an update was dropped: the Telegram library cannot read it")
            self._offset += 1
        elif self._limit == 1:
            raise Broken("platform.unexpected", "the Telegram library cannot read the first update")
        self._limit = 1

    def _fresh(self, messages: Sequence[IncomingMessage]) -> list[IncomingMessage]:
        oldest = self._clock.now() - MAX_AGE
        fresh = [message for message in messages if not _is_question(message) or message.received_at > oldest]
        if len(fresh) < len(messages):
            _LOG.warning("%d messages older than a day were dropped", len(messages) - len(fresh))
        return fresh

    async def _answer_presses(self, updates: Sequence[Update]) -> None:
        """End the waiting indicator of pressed buttons; being late does no harm."""
        for update in updates:
            if update.callback_query is not None:
                try:
                    await self._bot.answer_callback_query(update.callback_query.id)
                except TelegramError as error:
                    _LOG.info("a pressed button was not acknowledged (%s)", type(error).__name__)


def _is_question(message: IncomingMessage) -> bool:
    return message.kind in (MessageKind.MESSAGE, MessageKind.EDIT)
