"""What has changed of what a chat has subscribed to, in words."""

from collections.abc import Iterator, Sequence

from bot.presentation.i18n import Texts
from bot.presentation.presenter import Presenter
from bot.presentation.wording.answers import AnswerMessages, Speaker
from bot.presentation.wording.corrections import block
from core.domain.rich_text import Block, joined, small
from core.domain.subscriptions import News

SHOWN = 8
"""Changes told of one subscription; further ones are counted."""


def news_blocks(name: str, news: Sequence[News], presenter: Presenter, texts: Texts) -> Iterator[Block]:
    """What is new about `name`, in pieces that may be sent apart."""
    first, *rest = [_told(each, presenter, texts) for each in news[:SHOWN]]
    yield joined([texts("subscription.about", name=name), first])
    yield from rest
    if len(news) > SHOWN:
        yield small(texts("subscription.more", count=len(news) - SHOWN))


def _told(news: News, presenter: Presenter, texts: Texts) -> Block:
    if news.rechecked is not None:
        return block(news.rechecked, texts)
    if news.citation is not None:
        quotes = AnswerMessages(presenter).quotes([news.citation], texts, Speaker(), labelled=False)
        return joined([texts("subscription.answer"), *quotes])
    title = presenter.document_line(news.document, texts) if news.document else ""
    return texts(f"subscription.{news.kind.value}", title=title)
