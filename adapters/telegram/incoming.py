"""Telegram's updates as messages: pure translation, no calls."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from telegram import (
    CallbackQuery,
    ChatMember,
    ChatMemberUpdated,
    Message,
    MessageEntity,
    MessageReactionUpdated,
    ReactionTypeEmoji,
    Update,
)
from telegram.constants import ChatType

from core.domain.messages import Attachment, IncomingMessage, MessageKind, MessageRef
from core.search.group_talk import HeardLine, calls_bot, is_for_bot

PLATFORM = "telegram"
ALLOWED = ("message", "edited_message", "callback_query", "message_reaction", "my_chat_member")
"""Kinds of updates requested; channel posts are not included."""

_GONE = (ChatMember.LEFT, ChatMember.BANNED)
_COLOURED = dict.fromkeys([0xFE0F, *range(0x1F3FB, 0x1F400)])  # variation selector, skin tones


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramAccount:
    """The bot's own account. `username` without @."""

    id: int
    username: str


def converted(updates: Iterable[Update], me: TelegramAccount, now: datetime) -> list[IncomingMessage]:
    """The messages in `updates`, in order. Files of one album that arrive together form one message."""
    said: list[IncomingMessage] = []
    albums: dict[str, int] = {}
    for update in updates:
        message = converted_one(update, me, now)
        if message is None:
            continue
        album = album_of(update)
        if album is not None and album in albums:
            said[albums[album]] = _together(said[albums[album]], message)
            continue
        if album is not None:
            albums[album] = len(said)
        said.append(message)
    return said


def converted_one(update: Update, me: TelegramAccount, now: datetime) -> IncomingMessage | None:
    """The message in one update; None if it is not for the bot."""
    event = str(update.update_id)
    if update.message is not None:
        return _moved(update.message, event) or _message(update.message, me, event, MessageKind.MESSAGE)
    if update.edited_message is not None:
        return _message(update.edited_message, me, event, MessageKind.EDIT)
    if update.callback_query is not None:
        return _pressed(update.callback_query, event, now)
    if update.message_reaction is not None:
        return _reaction(update.message_reaction, event)
    if update.my_chat_member is not None:
        return _membership(update.my_chat_member, event)
    return None


def album_of(update: Update) -> str | None:
    """The album that the update's message belongs to."""
    return update.message.media_group_id if update.message is not None else None


def _message(message: Message, me: TelegramAccount, event: str, kind: MessageKind) -> IncomingMessage | None:
    if message.is_automatic_forward or _by_another_bot(message):
        return None
    text, command, line = _addressed_text(message, me)
    direct = message.chat.type == ChatType.PRIVATE
    reply_to = _reply_to(message)
    line = replace(line, replies_to_bot=_replies_to(message, me))
    addressed = direct or command or is_for_bot(line)
    attachments = _attachments(message)
    shown = _shown(message, me)
    if direct and message.forward_origin is not None and not command:
        text, shown = "", text  # said by others, to be checked
    called = kind is MessageKind.MESSAGE and calls_bot(line)
    if message.document is None and not (addressed or called):
        attachments = ()  # photos and voice messages are conversation among people
    if not (text or shown or attachments) or not (addressed or called or attachments):
        if kind is not MessageKind.EDIT or (message.text or message.caption) is None:
            return None
        text, addressed = "", True  # it no longer asks anything
    return IncomingMessage(
        ref=_ref(message.chat.id, message.message_id, _topic(message)),
        sender=_sender(message),
        text=text,
        addressed=addressed,
        received_at=message.edit_date or message.date,
        event=event,
        kind=kind,
        called=called,
        direct=direct,
        reply_to=reply_to,
        shown=shown,
        shown_files=_shown_files(message, me),
        attachments=attachments,
    )


def _by_another_bot(message: Message) -> bool:
    """Whether another bot wrote it; anonymous administrators and channels also write through Telegram's bots
    but are people."""
    return message.sender_chat is None and message.from_user is not None and message.from_user.is_bot


def _sender(message: Message) -> str:
    if message.sender_chat is not None or message.from_user is None:
        return ""
    return str(message.from_user.id)


def _topic(message: Message) -> str | None:
    """The forum topic. Groups without topics also number their reply threads, which are not topics."""
    return str(message.message_thread_id) if message.is_topic_message and message.message_thread_id else None


def _reply_to(message: Message) -> str | None:
    replied = message.reply_to_message
    # said in the topic, to nobody in particular
    if replied is None or replied.forum_topic_created is not None:
        return None
    return str(replied.message_id)


def _shown(message: Message, me: TelegramAccount) -> str:
    """Somebody else's words that a message replies to, or the part that it quotes."""
    replied = message.reply_to_message
    if _replies_to(message, me):
        return ""
    if message.quote is not None:
        return message.quote.text
    return (replied.text or replied.caption or "") if replied is not None else ""


def _shown_files(message: Message, me: TelegramAccount) -> tuple[Attachment, ...]:
    """The file of somebody else's message that is replied to, unless a part of its words is quoted."""
    replied = message.reply_to_message
    others = replied is not None and message.quote is None and not _replies_to(message, me)
    return _attachments(replied) if replied is not None and others else ()


def _replies_to(message: Message, me: TelegramAccount) -> bool:
    replied = message.reply_to_message
    return (
        _reply_to(message) is not None
        and replied is not None
        and replied.from_user is not None
        and replied.from_user.id == me.id
    )


def _addressed_text(message: Message, me: TelegramAccount) -> tuple[str, bool, HeardLine]:
    """The text without mentions of the bot, whether it begins with a command not for another bot, and whom it
    names."""
    text = message.text or message.caption or ""
    own = f"@{me.username}".casefold()
    command, before, others = False, None, False
    cuts: list[tuple[int, int]] = []
    for entity in message.entities or message.caption_entities:
        word = _units(text, entity.offset, entity.offset + entity.length)
        if entity.type == MessageEntity.BOT_COMMAND and entity.offset == 0:
            name, _, addressee = word.partition("@")
            if addressee and f"@{addressee}".casefold() != own:
                continue
            command = True
            cuts.append((len(name), len(word)))
        elif _names(entity, word, me, own):
            before = _units(text, 0, entity.offset) if before is None else before
            cuts.append((entity.offset, entity.offset + entity.length))
        elif entity.type in (MessageEntity.MENTION, MessageEntity.TEXT_MENTION):
            others = True
    said = _without(text, cuts).strip()
    return said, command, HeardLine(text=said, before_name=before, names_others=others)


def _names(entity: MessageEntity, word: str, me: TelegramAccount, own: str) -> bool:
    if entity.type == MessageEntity.TEXT_MENTION:
        return entity.user is not None and entity.user.id == me.id
    return entity.type == MessageEntity.MENTION and word.casefold() == own


def _units(text: str, start: int, end: int) -> str:
    units = text.encode("utf-16-le")  # entities count in UTF-16 code units
    return units[2 * start : 2 * end].decode("utf-16-le", "replace")


def _without(text: str, cuts: Sequence[tuple[int, int]]) -> str:
    units = text.encode("utf-16-le")
    for start, end in sorted(cuts, reverse=True):
        before = units[: 2 * start].decode("utf-16-le", "replace")
        after = units[2 * end :].decode("utf-16-le", "replace")
        units = _joined(before, after).encode("utf-16-le")
    return units.decode("utf-16-le")


def _joined(before: str, after: str) -> str:
    """The text around a mention: without the comma after it at the beginning, without a gap elsewhere."""
    if not before.strip():
        return after.lstrip(",: ")
    return before.rstrip(" ") + after


def _attachments(message: Message) -> tuple[Attachment, ...]:
    """The file of a message; for a photo, which has no name, the largest size."""
    document, spoken = message.document, message.voice or message.video_note or message.audio
    if document is not None:
        name = document.file_name or document.file_unique_id
        return (Attachment(id=document.file_id, name=name, size=document.file_size),)
    if message.photo:
        photo = message.photo[-1]
        name = f"{photo.file_unique_id}.jpg"
        return (Attachment(id=photo.file_id, name=name, size=photo.file_size),)
    if spoken is not None:
        name = f"{spoken.file_unique_id}.ogg"
        return (Attachment(id=spoken.file_id, name=name, size=spoken.file_size),)
    return ()


def _moved(message: Message, event: str) -> IncomingMessage | None:
    if message.migrate_to_chat_id is None:
        return None
    return _happened(
        MessageKind.MOVED,
        ref=_ref(message.chat.id, message.message_id),
        event=event,
        at=message.date,
        text=str(message.migrate_to_chat_id),
    )


def _pressed(query: CallbackQuery, event: str, now: datetime) -> IncomingMessage | None:
    if query.message is None or query.data is None:
        return None
    topic = _topic(query.message) if isinstance(query.message, Message) else None
    ref = _ref(query.message.chat.id, query.message.message_id, topic)
    pressed = _happened(
        MessageKind.BUTTON, ref=ref, event=event, at=now, text=query.data, sender=str(query.from_user.id)
    )
    return replace(pressed, reply_to=ref.message, direct=query.message.chat.type == ChatType.PRIVATE)


def _reaction(update: MessageReactionUpdated, event: str) -> IncomingMessage | None:
    before = {_emoji(reaction) for reaction in update.old_reaction}
    added = [emoji for reaction in update.new_reaction if (emoji := _emoji(reaction)) not in before]
    if not added or not added[0]:
        return None
    ref = _ref(update.chat.id, update.message_id)
    reaction = _happened(
        MessageKind.REACTION,
        ref=ref,
        event=event,
        at=update.date,
        text=added[0],
        sender=str(update.user.id) if update.user is not None else "",
    )
    return replace(reaction, reply_to=ref.message, direct=update.chat.type == ChatType.PRIVATE)


def _emoji(reaction: object) -> str:
    return reaction.emoji.translate(_COLOURED) if isinstance(reaction, ReactionTypeEmoji) else ""


def _membership(update: ChatMemberUpdated, event: str) -> IncomingMessage | None:
    was, now = (_inside(member) for member in (update.old_chat_member, update.new_chat_member))
    if was == now:
        return None
    happened = _happened(
        MessageKind.JOINED if now else MessageKind.LEFT,
        ref=_ref(update.chat.id, ""),
        event=event,
        at=update.date,
        sender=str(update.from_user.id),
    )
    return replace(happened, direct=update.chat.type == ChatType.PRIVATE)


def _inside(member: ChatMember) -> bool:
    return member.status not in _GONE and getattr(member, "is_member", True)


def _happened(
    kind: MessageKind, *, ref: MessageRef, event: str, at: datetime, text: str = "", sender: str = ""
) -> IncomingMessage:
    return IncomingMessage(
        ref=ref, sender=sender, text=text, addressed=True, received_at=at, event=event, kind=kind
    )


def _ref(chat: int, message: int | str, topic: str | None = None) -> MessageRef:
    return MessageRef(platform=PLATFORM, workspace="", chat=str(chat), thread=topic, message=str(message))


def _together(first: IncomingMessage, further: IncomingMessage) -> IncomingMessage:
    return replace(
        first,
        text=first.text or further.text,
        addressed=first.addressed or further.addressed,
        attachments=first.attachments + further.attachments,
    )
