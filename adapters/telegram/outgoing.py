"""Translates outgoing messages to Telegram's terms; pure, no calls.

Texts go out as they are, and beside them how they are drawn (`entities`, which Telegram takes in place of
HTML with a parse mode): nothing in a text is markup, nothing has to be escaped. Telegram makes mentions,
hashtags, commands and links of plain text by itself, but never inside `code`, which can hold no other entity
(core.telegram.org/bots/api#formatting-options): so what could come alive is set as code, and every
character of a quote stays what it was.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple
from unicodedata import normalize

from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaDocument,
    LinkPreviewOptions,
    MessageEntity,
    ReplyParameters,
)

from core.domain.messages import Button, Capabilities, MessageRef, Outgoing, Recovery, ReplyFile
from core.domain.rich_text import Block, Mark, RichText, Run, Style, joined, rich, runs
from core.errors import Refused

MAX_ENTITIES = 100
"""Telegram ignores further ones (limits.tginfo.me)."""

CAPABILITIES = Capabilities(
    max_text=4096,
    max_caption=1024,
    max_file_bytes=50_000_000,
    threads=True,
    edits=True,
    buttons=True,
    typing=True,
    max_files=10,
    max_download_bytes=20_000_000,
    deletes=True,
    reactions=True,
    thumbnails=True,
    recovery=Recovery.FLAG,
)
"""core.telegram.org/bots/api: sendMessage, sendDocument, sendMediaGroup, getFile. No previews: an album holds
documents or pictures, not both."""

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)

_LIVE = re.compile(
    r"(?:https?://)?(?<!\w)(?:t|telegram)\.(?:me|dog)/\S*"  # links to people and groups
    r"|(?:tg|ton|tonsite)://\S*"
    r"|(?:(?<![\w.+-])[\w.+-]+)?@\w+(?:[.-]\w+)*"  # mentions; complete e-mail addresses
    r"|[#＃]\S+|\$\w+"  # hashtags, cashtags
    r"|(?<![0-9A-Za-zÄÖÜäöüßé_])/[0-9A-Za-z_]+(?:@\w+)?"  # commands
)
"""Broader than Telegram's own patterns (github.com/tdlib/td, td/telegram/MessageEntity.cpp)."""

_Range = tuple[str, int, int, str]
"""An entity: its kind, character range (end exclusive) and link target."""

_KINDS: dict[str, frozenset[Style]] = {
    MessageEntity.BLOCKQUOTE: frozenset({Style.QUOTE}),
    MessageEntity.TEXT_LINK: frozenset({Style.LINK}),
    MessageEntity.STRIKETHROUGH: frozenset({Style.STRUCK}),
    MessageEntity.BOLD: frozenset({Style.HEADING, Style.BOLD}),
    MessageEntity.ITALIC: frozenset({Style.SMALL}),
}
"""Telegram has no small type, headings or tables."""

_RING = "\u030a"
_NOT_KEPT: dict[int, str | None] = {
    **dict.fromkeys((code for code in range(32) if chr(code) != "\n"), " "),
    **dict.fromkeys((0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x333, 0x33F, ord(_RING), ord("\r"))),
    **dict.fromkeys((0x2028, 0x2029), "\n"),
}


def kept(text: str) -> str:
    """What Telegram keeps of `text`: it drops some signs of no width (clean_input_string in the source
    above), and a mention that one of them parts would come alive behind our back."""
    composed = re.sub(rf".{_RING}", lambda found: normalize("NFC", found[0]), text)
    return composed.translate(_NOT_KEPT)


def length(text: Block) -> int:
    """UTF-16 code units, as Telegram counts entities; its limits are on texts without how they are drawn,
    and never stricter."""
    return len(str(text).encode("utf-16-le", "surrogatepass")) // 2


def drawn(block: Block) -> tuple[str, list[MessageEntity]]:
    """A text as Telegram keeps it, and the entities that draw it. What would come alive in it is code, in
    which nothing else is drawn; where there is too much of that, all of it is."""
    text = _kept(rich(block))
    live = [Mark(style=Style.CODE, start=hit.start(), end=hit.end()) for hit in _LIVE.finditer(text.text)]
    if len(live) > MAX_ENTITIES:
        return text.text, [MessageEntity(MessageEntity.PRE, offset=0, length=length(text))]
    text = RichText(text.text, (*text.marks, *live))
    found = [(_code(text, *place), *place, "") for place in text.ranges(Style.CODE)]
    styled = [each for kind in _KINDS for each in _ranges(text, kind)]
    found += styled[: max(0, MAX_ENTITIES - len(found))]
    entities = [
        MessageEntity(
            kind, offset=length(text.text[:start]), length=length(text.text[start:end]), url=to or None
        )
        for kind, start, end, to in sorted(found, key=lambda each: (each[1], -each[2]))
    ]
    return text.text, entities


def _kept(text: RichText) -> RichText:
    """What Telegram keeps of a text, with its marks adjusted."""
    marks = (
        replace(mark, start=len(kept(text.text[: mark.start])), end=len(kept(text.text[: mark.end])))
        for mark in text.marks
    )
    whole = kept(text.text)
    return RichText(whole, tuple(mark for mark in marks if mark.start < mark.end <= len(whole)))


def _code(text: RichText, start: int, end: int) -> str:
    return MessageEntity.PRE if "\n" in text.text[start:end] else MessageEntity.CODE


def _ranges(text: RichText, kind: str) -> Iterator[_Range]:
    """The ranges of `kind` in `text`; only a quotation may contain code."""

    def drawn_to(run: Run) -> str | None:
        if not run.styles & _KINDS[kind] or (Style.CODE in run.styles and kind != MessageEntity.BLOCKQUOTE):
            return None
        return run.to or None if kind == MessageEntity.TEXT_LINK else ""

    at = 0
    for to, group in groupby(runs(text), drawn_to):
        start, at = at, at + sum(len(run.text) for run in group)
        if to is not None:
            yield kind, start, at, to


def keyboard(rows: tuple[tuple[Button, ...], ...]) -> InlineKeyboardMarkup | None:
    """Buttons below a message."""
    if not rows:
        return None
    return InlineKeyboardMarkup(
        [[InlineKeyboardButton(button.label, callback_data=button.command) for button in row] for row in rows]
    )


def replying_to(to: MessageRef) -> ReplyParameters | None:
    """Parameters for replying to the message or, if that is gone, posting in the chat."""
    if not to.message.isdecimal():
        return None
    return ReplyParameters(message_id=int(to.message), allow_sending_without_reply=True)


def topic(to: MessageRef) -> int | None:
    """The forum topic."""
    return int(to.thread) if to.thread else None


def chat_id(to: MessageRef) -> int:
    """The chat's id. Raises Refused if it cannot be a Telegram id."""
    if not to.chat.removeprefix("-").isdecimal():
        raise Refused("chat.left", "ids of Telegram chats are numbers; /id in the chat says which")
    return int(to.chat)


class Contents(NamedTuple):
    """The bytes of a file and of its thumbnail."""

    file: bytes
    thumbnail: bytes | None

    @classmethod
    def of(cls, file: ReplyFile) -> "Contents":
        """Read the files at its paths; the thumbnail is optional."""
        with suppress(OSError):
            return cls(file.path.read_bytes(), file.thumbnail.read_bytes() if file.thumbnail else None)
        return cls(file.path.read_bytes(), None)


def captions(part: Outgoing) -> list[tuple[str, list[MessageEntity]]]:
    """One caption per file; the part's text precedes the first."""
    first, *others = [file.said for file in part.files]
    return [drawn(said) for said in (joined([text for text in (part.said, first) if text], "\n\n"), *others)]


def album(part: Outgoing, contents: Sequence[Contents]) -> list[InputMediaDocument]:
    """The files of a part with their contents and captions, to be shown as one."""
    return [
        InputMediaDocument(
            content.file,
            filename=file.name,
            caption=caption,
            caption_entities=entities,
            disable_content_type_detection=True,
            thumbnail=content.thumbnail,
        )
        for file, content, (caption, entities) in zip(part.files, contents, captions(part), strict=True)
    ]
