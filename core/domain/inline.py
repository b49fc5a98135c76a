"""Inline queries: what somebody types behind the bot's name in any chat, and the quotes offered for it."""

from dataclasses import dataclass

from core.domain.rich_text import RichText


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineQuery:
    """`id` is what it is answered by, `person` a stable id; `language` that of the person's app, may be
    empty."""

    id: str
    person: str
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineOffer:
    """Something to choose. `title` and `summary` are seen while choosing, `text` is said in the chat when it
    is chosen. `start` opens it in a private chat; `link` is its public page, with the address of its
    `picture`."""

    title: str
    summary: str
    text: RichText
    start: str = ""
    link: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineAnswer:
    """What is offered for a query. The `button` above it opens a private chat by `start`. `for_all`: the
    answer is the same for whoever types the same words, so the platform may give it to others for `keep_s`
    seconds; else to the person alone. `page` and `private` are the words on the buttons of what was
    chosen."""

    offers: tuple[InlineOffer, ...] = ()
    button: str = ""
    start: str = ""
    for_all: bool = False
    keep_s: int = 0
    page: str = ""
    private: str = ""
