"""Telegram's inline mode: queries in, offers out (core.telegram.org/bots/inline).

Titles and summaries are plain text, which Telegram draws without markup; the words that are said go out with
entities, as every message does (`adapters.telegram.outgoing`).
"""

import logging

from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQueryResultArticle,
    InlineQueryResultsButton,
    InputTextMessageContent,
    LinkPreviewOptions,
)
from telegram import InlineQuery as Query
from telegram.error import TelegramError

from adapters.telegram import outgoing
from core.domain.inline import InlineAnswer, InlineOffer, InlineQuery
from core.one_line import shortened

KIND = "inline_query"
"""Requested of Telegram where inline queries are answered."""

_TITLE, _SUMMARY, _BUTTON = 100, 200, 60
"""Characters of which clients show no more."""

_LOG = logging.getLogger(__name__)


def query_of(query: Query) -> InlineQuery:
    """Our terms for an inline query."""
    user = query.from_user
    return InlineQuery(
        id=query.id, person=str(user.id), text=query.query, language=(user.language_code or "")[:2]
    )


async def answer(bot: Bot, query: InlineQuery, said: InlineAnswer) -> None:
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
