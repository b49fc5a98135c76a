"""Chats, people, messages and files as the server sees them; objects as JSON of the Bot API."""

import itertools
import struct
import time
from dataclasses import dataclass, field
from typing import Any

from aiogram import types

from tests.servers.telegram.schema import sound
from tests.servers.telegram.updates import Updates

Json = dict[str, Any]
TOKEN = "7000001:AAtestTESTtestTESTtestTESTtestTEST12"
BOT: Json = {"id": 7000001, "is_bot": True, "first_name": "Fundstelle", "username": "fundstelle_bot"}
ANONYMOUS: Json = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
OTHER_BOT: Json = {"id": 7000002, "is_bot": True, "first_name": "Other", "username": "other_bot"}
OUTSIDE = {"left": "not a member of", "kicked": "kicked from"}
_RIGHTS = (
    "can_be_edited", "is_anonymous", "can_manage_chat", "can_delete_messages", "can_restrict_members",
    "can_manage_video_chats", "can_promote_members", "can_change_info", "can_invite_users",
    "can_post_stories", "can_edit_stories", "can_delete_stories", "can_send_welcome_messages",
)  # fmt: skip


@dataclass
class File:
    """A file that was uploaded; `size` may be a lie about the content."""

    id: str
    name: str
    content: bytes
    size: int
    thumbnail: "File | None" = None

    def document(self) -> Json:
        """As a message shows it."""
        return self._thumbnail() | {
            "file_id": self.id,
            "file_unique_id": f"u{self.id}",
            "file_name": self.name,
            "mime_type": "application/pdf" if self.name.endswith(".pdf") else "application/octet-stream",
            "file_size": self.size,
        }

    def _thumbnail(self) -> Json:
        if self.thumbnail is None:
            return {}
        width, height = jpeg_size(self.thumbnail.content)
        return {
            "thumbnail": {
                "file_id": self.thumbnail.id,
                "file_unique_id": f"u{self.thumbnail.id}",
                "width": width,
                "height": height,
                "file_size": self.thumbnail.size,
            }
        }


@dataclass
class Chat:
    """A chat. `status` is the bot's; topics by id, False where closed."""

    id: int
    type: str
    title: str
    username: str | None = None
    is_forum: bool = False
    status: str = "member"
    linked: int | None = None
    moved_to: int | None = None
    last_bot: int | None = None
    messages: dict[int, Json] = field(default_factory=dict)
    topics: dict[int, bool] = field(default_factory=dict)
    reactions: dict[int, list[str]] = field(default_factory=dict)
    ids: "itertools.count[int]" = field(default_factory=lambda: itertools.count(101))

    def json(self) -> Json:
        """As messages name it."""
        shown: Json = {"id": self.id, "type": self.type}
        shown |= {"first_name": self.title} if self.type == "private" else {"title": self.title}
        shown |= {"username": self.username} if self.username else {}
        return shown | ({"is_forum": True} if self.is_forum else {})


class World:
    """Everything the server knows."""

    def __init__(self) -> None:
        self.updates = Updates()
        self.privacy = True
        self.chats: dict[int, Chat] = {}
        self.users: dict[str, Json] = {}
        self.files: dict[str, File] = {}
        self.queries: dict[str, bool] = {}
        self.inline: dict[str, Json | None] = {}
        self.supports_inline = False
        self._inline_memory: dict[tuple[str, int], tuple[float, Json]] = {}
        self.commands: dict[str, list[Json]] = {}
        self.webhook = ""
        self.clock_ahead_s = 0
        self._numbers = itertools.count(1)

    def now(self) -> int:
        """Seconds since 1970, moved by the tests."""
        return int(time.time()) + self.clock_ahead_s

    def me(self) -> Json:
        """The bot as getMe shows it."""
        own = {"can_join_groups": True, "can_read_all_group_messages": not self.privacy}
        return BOT | own | {"supports_inline_queries": self.supports_inline}

    def remember(self, number: str, query: str, person: int, answer: Json) -> None:
        """The answer to an inline query, kept as its sender allows: for everybody or for the person
        (core.telegram.org/bots/api#answerinlinequery)."""
        self.inline[number] = answer
        until = self.now() + answer.get("cache_time", 300)
        whose = person if answer.get("is_personal", False) else 0
        self._inline_memory[query, whose] = (until, answer)

    def remembered(self, query: str, person: int) -> Json | None:
        """An answer that is kept for that query."""
        found = (self._inline_memory.get((query, whose)) for whose in (0, person))
        return next((answer for until, answer in filter(None, found) if until > self.now()), None)

    def user(self, name: str) -> Json:
        """A person; the special names are the accounts behind which Telegram hides people, and a bot."""
        if name in ("anonymous", "channel"):
            return ANONYMOUS
        if name == "bot":
            return OTHER_BOT
        if name not in self.users:
            self.users[name] = {"id": 5_000_000_001 + len(self.users), "is_bot": False, "first_name": name}
        return self.users[name]

    def new_chat(self, kind: str, **more: Any) -> Chat:
        """A chat that the bot is in, without an update about it."""
        number = next(self._numbers)
        person = self.user(more.pop("user", "ann"))
        identity = {
            "private": person["id"],
            "group": -4_000_000_000 - number,
        }.get(kind, -1_001_000_000_000 - number)
        title = person["first_name"] if kind == "private" else f"Group {number}"
        self.chats[identity] = Chat(identity, kind, title, **more)
        return self.chats[identity]

    def new_file(self, name: str, content: bytes, size: int | None = None) -> File:
        """A file that can be got from now on."""
        number = next(self._numbers)
        file = File(f"BQACAg{number:06}", name, content, len(content) if size is None else size)
        self.files[file.id] = file
        return file

    def post(self, chat: Chat, sender: Json, content: Json, thread: int | None = None) -> Json:
        """A message in the chat."""
        message = {"message_id": next(chat.ids), "date": self.now(), "chat": chat.json(), "from": sender}
        if sender is ANONYMOUS:
            message["sender_chat"] = chat.json()
        if thread is not None:
            message |= {"message_thread_id": thread, "is_topic_message": True}
        message |= content
        chat.messages[message["message_id"]] = sound(types.Message, message)
        if sender["is_bot"]:
            chat.last_bot = sender["id"]
        return message

    def topic(self, chat: Chat) -> int:
        """A new topic of a forum: its number is that of the message that opened it."""
        opened = {"forum_topic_created": {"name": "Topic", "icon_color": 7322096}}
        number = int(self.post(chat, self.user("ann"), opened)["message_id"])
        chat.messages[number] |= {"message_thread_id": number, "is_topic_message": True}
        chat.topics[number] = True
        return number

    def reaches_bot(self, chat: Chat, message: Json) -> bool:
        """Whether the bot gets to see what a person said (core.telegram.org/bots/features#privacy-mode)."""
        if chat.status in OUTSIDE or message["from"]["id"] == BOT["id"]:
            return False
        if chat.type == "private" or not self.privacy or chat.status == "administrator":
            return not message["from"]["is_bot"] or message["from"] is ANONYMOUS
        if message["from"]["is_bot"] and message["from"] is not ANONYMOUS:
            return False
        return self._is_reply_to_bot(message) or self._is_command_for_bot(chat, message)

    def _is_reply_to_bot(self, message: Json) -> bool:
        replied = message.get("reply_to_message") or {}
        return bool(replied.get("from", {}).get("id") == BOT["id"])

    def _is_command_for_bot(self, chat: Chat, message: Json) -> bool:
        text = message.get("text", message.get("caption", ""))
        entities = message.get("entities", message.get("caption_entities", []))
        first = next((e for e in entities if e["type"] == "bot_command" and e["offset"] == 0), None)
        if first is None:
            return False
        _, _, addressee = text[: first["length"]].partition("@")
        if addressee:
            return bool(addressee.lower() == BOT["username"])
        return chat.last_bot in (None, BOT["id"])


def jpeg_size(content: bytes) -> tuple[int, int]:
    """Width and height in pixels: from the frame header (ITU-T T.81, B.2.2), behind segments that say how
    long they are. Raises struct.error or IndexError for what is no JPEG."""
    at = 2
    while content[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + struct.unpack_from(">H", content, at + 2)[0]
    height, width = struct.unpack_from(">HH", content, at + 5)
    return width, height


def membership(status: str) -> Json:
    """The bot as a member with a status."""
    rights = _RIGHTS if status == "administrator" else ()
    until = {"until_date": 0} if status == "kicked" else {}
    return {"user": BOT, "status": status} | dict.fromkeys(rights, False) | until
