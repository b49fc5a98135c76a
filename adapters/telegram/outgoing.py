"""What we send, in Telegram's terms: pure translation, no calls.

Texts go out as they are, without a parse mode: nothing in them is markup. Telegram makes mentions, hashtags,
commands and links of plain text by itself, but never inside `code`, which can hold no other entity
(core.telegram.org/bots/api#formatting-options): so what could come alive is set as code, and every
character of a quote stays what it was.
"""

import re
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
    recovery=Recovery.FLAG,
)
"""core.telegram.org/bots/api: sendMessage, sendDocument, sendMediaGroup, getFile. No previews: an album holds
documents or pictures, not both."""

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)

_LIVE = re.compile(
    r"(?:https?://)?(?<!\w)(?:t|telegram)\.(?:me|dog)/\S*"  # people and groups by link
    r"|(?:tg|ton|tonsite)://\S*"
    r"|(?:(?<![\w.+-])[\w.+-]+)?@\w+(?:[.-]\w+)*"  # mentions; addresses of mail as a whole
    r"|[#＃]\S+|\$\w+"  # hashtags, cashtags
    r"|(?<![0-9A-Za-zÄÖÜäöüßé_])/[0-9A-Za-z_]+(?:@\w+)?"  # commands
)
"""Wider than what Telegram looks for (github.com/tdlib/td, td/telegram/MessageEntity.cpp)."""

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


def length(text: str) -> int:
    """UTF-16 code units, as Telegram counts entities; its limits on texts are never stricter."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def still(text: str) -> list[MessageEntity]:
    """Entities that keep everything in `text`, as `kept` gives it, from coming alive; none where nothing
    would."""
    found = [*_LIVE.finditer(text)]
    if len(found) > MAX_ENTITIES:
        return [MessageEntity(MessageEntity.PRE, offset=0, length=length(text))]
    return [
        MessageEntity(MessageEntity.CODE, offset=length(text[: match.start()]), length=length(match[0]))
        for match in found
    ]


def keyboard(rows: tuple[tuple[Button, ...], ...]) -> InlineKeyboardMarkup | None:
    """Buttons below a message."""
    if not rows:
        return None
    return InlineKeyboardMarkup(
        [[InlineKeyboardButton(button.label, callback_data=button.command) for button in row] for row in rows]
    )


def replying_to(to: MessageRef) -> ReplyParameters | None:
    """A reply to the message; if that is gone, in the chat."""
    if not to.message.isdecimal():
        return None
    return ReplyParameters(message_id=int(to.message), allow_sending_without_reply=True)


def topic(to: MessageRef) -> int | None:
    """The topic of the forum."""
    return int(to.thread) if to.thread else None


def chat_id(to: MessageRef) -> int:
    """The chat. Raises Refused for what cannot be an id of Telegram's."""
    if not to.chat.removeprefix("-").isdecimal():
        raise Refused("chat.left", "ids of Telegram chats are numbers; /id in the chat says which")
    return int(to.chat)


def captions(part: Outgoing) -> list[str]:
    """A caption per file; the part's text stands over the first."""
    first, *others = [kept(file.caption) for file in part.files]
    return ["\n\n".join(text for text in (kept(part.text), first) if text), *others]


def album(files: list[tuple[ReplyFile, bytes, str]]) -> list[InputMediaDocument]:
    """Files with their contents and captions, to be shown as one."""
    return [
        InputMediaDocument(
            content,
            filename=file.name,
            caption=caption,
            caption_entities=still(caption),
            disable_content_type_detection=True,
        )
        for file, content, caption in files
    ]
