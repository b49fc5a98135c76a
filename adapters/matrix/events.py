"""Reads what people do in rooms from the JSON of Matrix events. Pure.

Everything in an event is claimed by its sender: only the fields set by a homeserver (event_id, sender,
origin_server_ts, type) are trusted.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

from core.domain.messages import Attachment, IncomingMessage, MessageKind, MessageRef

PREFIX = "!"
"""Prefix of a command: clients reserve `/`."""

Json = Mapping[str, Any]

_FALLBACK = re.compile(r"(?:^> .*\n?)+\n?", re.MULTILINE)
_PILL = re.compile(r"https://matrix\.to/#/(@[^\"'<>\s/?]+)")
_USER = r"https://matrix\.to/#/((?:@|%40)[^)\"\s?<>]{1,800})(?:\?[^)\"\s<>]{0,800})?"
_LINKED = re.compile(
    rf"\[([^\[\]\n]{{0,300}})\]\({_USER}\)|<a\b[^<>\n]{{0,300}}?\bhref=\"{_USER}\"[^<>\n]*>([^<\n]*)</a>"
)
"""Bounded, so that no text of a stranger takes long; a user's id has at most 255 bytes."""

_NOTHING: dict[str, Any] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """The bot as seen by people in a room."""

    user_id: str
    name: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which a text may begin to address it, longest first."""
        local = self.user_id.partition(":")[0].removeprefix("@")
        found = {name for name in (self.user_id, self.name, local, f"@{local}", f"@{self.name}") if name}
        return tuple(sorted(found - {"@"}, key=lambda name: (-len(name), name)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """The events an event relates to: the root of its thread, the message it answers, the one it replaces,
    the one it reacts to."""

    thread: str | None = None
    reply_to: str | None = None
    replaces: str | None = None
    reacts_to: str | None = None
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageContent:
    """Text and files of a message. `mentions`: it names the bot in m.mentions or begins with its name;
    `before_name` is what stood in front of that name, None where the text has it nowhere; `others`: whom
    else it mentions ("@room": everybody), `linked`: whom of them by a link in the text."""

    text: str
    mentions: bool
    before_name: str | None = None
    others: frozenset[str] = frozenset()
    linked: frozenset[str] = frozenset()
    attachments: tuple[Attachment, ...] = ()


def content_of(event: Json) -> Json:
    """The content, {} if it is not an object."""
    return _object(event.get("content"))


def related(event: Json) -> Related:
    """The relations of an event (specification 1.15, "Forming relationships between events")."""
    relates = _object(content_of(event).get("m.relates_to"))
    kind, target = relates.get("rel_type"), _text(relates.get("event_id"))
    answered = _text(_object(relates.get("m.in_reply_to")).get("event_id"))
    if kind == "m.thread":
        real = None if relates.get("is_falling_back") is True else answered
        return Related(thread=target, reply_to=real)
    if kind == "m.replace":
        return Related(replaces=target)
    if kind == "m.annotation":
        return Related(reacts_to=target, key=_text(relates.get("key")) or "")
    return Related(reply_to=answered)


def said(content: Json, bot: Bot) -> MessageContent | None:
    """The content of a message; None if it is neither text nor file, or from a bot (m.notice)."""
    kind, body = content.get("msgtype"), _named(_text(content.get("body")) or "", bot)
    attachments: tuple[Attachment, ...] = ()
    if kind in ("m.file", "m.image", "m.audio"):
        attachment = _attachment(content, body)
        if attachment is None:
            return None
        attachments = (attachment,)
        body = body if _text(content.get("filename")) not in (None, body) else ""
    elif kind != "m.text":
        return None
    elif _object(_object(content.get("m.relates_to")).get("m.in_reply_to")):
        body = _FALLBACK.sub("", body, count=1) if body.startswith("> ") else body
    linked = _linked(content)
    mentioned = _mentioned(content, linked)
    text, named = without_name(body, bot, mentioned=bot.user_id in mentioned)
    others = mentioned - {bot.user_id}
    return MessageContent(
        text=text,
        mentions=named or bot.user_id in mentioned,
        before_name="" if named else _before_name(body, bot),
        others=others,
        linked=others & linked,
        attachments=attachments,
    )


def _named(body: str, bot: Bot) -> str:
    """The text with a name for each link to somebody: Element X writes mentions as Markdown into the plain
    text, the rich text editor of Element Web as HTML."""

    def name(link: re.Match[str]) -> str:
        is_bot = unquote(link[2] or link[3]) == bot.user_id
        return (bot.name or bot.user_id) if is_bot else link[1] or link[4] or ""

    return _LINKED.sub(name, body)


def without_name(body: str, bot: Bot, *, mentioned: bool = False) -> tuple[str, bool]:
    """The text without the bot's name at its start, and whether it was there. Unless the bot is `mentioned`,
    a colon or comma must follow the name, which may be an ordinary word."""
    text = body.strip()
    for name in bot.names:
        if not text.lower().startswith(name.lower()):
            continue
        rest = text[len(name) :]
        if rest[:1] in (":", ","):
            return rest[1:].strip(), True
        if mentioned and not rest[:1].strip():
            return rest.strip(), True
    return text, False


def unnamed(text: str, bot: Bot) -> str:
    """`text` without the bot's names anywhere."""
    for name in bot.names:
        text = _word(name).sub("", text)
    return text.strip()


def _before_name(body: str, bot: Bot) -> str | None:
    found = [place.start() for name in bot.names if (place := _word(name).search(body))]
    return body[: min(found)] if found else None


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)


def is_command(text: str) -> bool:
    """Whether a text is a command."""
    return text.startswith(PREFIX) and text[1:2].isalpha()


def normalised_emoji(key: str) -> str:
    """A reaction without variation selectors: clients differ in whether they send U+FE0F."""
    return key.replace("\ufe0f", "").replace("\ufe0e", "").strip()


def time_of(event: Json) -> datetime:
    """When the sender's homeserver took the event."""
    stamp = event.get("origin_server_ts")
    milliseconds = stamp if isinstance(stamp, int) and 0 <= stamp < 10**14 else 0
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC)


def ref(room: str, message: str, thread: str | None = None) -> MessageRef:
    """A place in a room; room ids are unique without a workspace."""
    return MessageRef(platform="matrix", workspace="", chat=room, thread=thread, message=message)


def incident(event: Json, room: str, kind: MessageKind, *, text: str = "") -> IncomingMessage:
    """Something that happened to the room: joined, left, moved."""
    return IncomingMessage(
        ref=ref(room, str(event["event_id"])),
        sender=str(event["sender"]),
        text=text,
        addressed=False,
        received_at=time_of(event),
        event=str(event["event_id"]),
        kind=kind,
    )


def membership(event: Json) -> tuple[str, str]:
    """Membership before and after a member event."""
    before = _object(_object(event.get("unsigned")).get("prev_content")).get("membership")
    return _text(before) or "leave", _text(content_of(event).get("membership")) or "leave"


def _attachment(content: Json, body: str) -> Attachment | None:
    file = _object(content.get("file"))
    uri = _text(file.get("url")) or _text(content.get("url"))
    if uri is None or not uri.startswith("mxc://"):
        return None
    where = {
        "url": uri,
        "key": _text(_object(file.get("key")).get("k")),
        "iv": _text(file.get("iv")),
        "sha256": _text(_object(file.get("hashes")).get("sha256")),
    }
    size = _object(content.get("info")).get("size")
    name = _text(content.get("filename")) or body or "file"
    if content.get("msgtype") == "m.audio" and "." not in name:  # "Voice message"
        name = f"{name}.ogg"
    return Attachment(
        id=json.dumps({key: value for key, value in where.items() if value}),
        name=name,
        size=size if isinstance(size, int) and size >= 0 else None,
    )


def _mentioned(content: Json, linked: frozenset[str]) -> frozenset[str]:
    """Whom m.mentions names; a client that does not know it (before 1.7) mentions by links."""
    mentions = content.get("m.mentions")
    if not isinstance(mentions, dict):
        return linked
    users = mentions.get("user_ids")
    named = {user for user in users if isinstance(user, str)} if isinstance(users, list) else set[str]()
    return frozenset(named | {"@room"} if mentions.get("room") is True else named)


def _linked(content: Json) -> frozenset[str]:
    """Whom the text links to, without the words that it replies to."""
    own = (_text(content.get("formatted_body")) or "").rpartition("</mx-reply>")[2]
    return frozenset(_PILL.findall(unquote(own)))


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else _NOTHING


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
