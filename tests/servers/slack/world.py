"""A workspace: people, channels, messages, files."""

import asyncio
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.servers.slack.refusals import Refusal
from tests.servers.slack.rules import METHODS

Json = dict[str, Any]
TEAM, APP, BOT_USER, BOT_ID = "T0WORKSPACE", "A0FUNDSTELLE", "U0FUNDSTELLE", "B0FUNDSTELLE"
BOT_TOKEN, APP_TOKEN = "xoxb-1-2-strictstandin", "xapp-1-A0-strictstandin"
SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
KINDS = {"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}


def all_scopes() -> set[str]:
    """Every scope that a modelled method may need, and those of events and commands."""
    named = {method.scope for method in METHODS.values() if method.scope and ":" in method.scope}
    kinds = {f"{kind}:{what}" for kind in KINDS.values() for what in ("history", "read")}
    return (named | kinds | {"app_mentions:read", "commands", "links:read", "reactions:read"}) - {
        "connections:write"
    }


@dataclass
class File:
    """An uploaded file; `content` None until it arrives."""

    id: str
    name: str
    length: int
    user: str
    title: str = ""
    content: bytes | None = None
    shared: bool = False

    def json(self, address: str) -> Json:
        """As messages and files.info show it."""
        pdf = self.name.endswith(".pdf")
        link = f"{address}/files-pri/{TEAM}-{self.id}/download/{'file.pdf' if pdf else 'file'}"
        return {
            "id": self.id,
            "name": self.name,
            "title": self.title or self.name,
            "mimetype": "application/pdf" if pdf else "application/octet-stream",
            "mode": "hosted",
            "size": self.length,
            "user": self.user,
            "url_private": link,
            "url_private_download": link,
        }


@dataclass
class Channel:
    """A channel; `kind` as in KINDS. `user` is the other one of a direct chat."""

    id: str
    kind: str
    private: bool
    members: list[str]
    user: str = ""
    flags: Json = field(default_factory=dict)
    messages: dict[str, Json] = field(default_factory=dict)
    ephemeral: list[Json] = field(default_factory=list)
    statuses: list[Json] = field(default_factory=list)
    reactions: list[Json] = field(default_factory=list)
    archived: bool = False

    def json(self) -> Json:
        """As conversations.info shows it."""
        if self.kind == "im":
            return {"id": self.id, "is_im": True, "user": self.user, "is_archived": False} | self.flags
        return {
            "id": self.id,
            "name": self.id.lower(),
            "is_channel": self.kind == "channel",
            "is_group": self.kind == "group",
            "is_im": False,
            "is_mpim": self.kind == "mpim",
            "is_private": self.private,
            "is_member": BOT_USER in self.members,
            "is_archived": self.archived,
            "is_shared": False,
            "is_ext_shared": False,
            "is_org_shared": False,
            "is_pending_ext_shared": False,
        } | self.flags


@dataclass
class Limit:
    """So many `calls` in `per_s` seconds of the time that the test lets pass."""

    calls: int
    per_s: float
    _began: float = 0.0
    _made: int = 0

    def wait_s(self, now: float) -> float:
        """Seconds until one more call may be made; 0 counts it."""
        if now >= self._began + self.per_s:
            self._began, self._made = now, 0
        if self._made >= self.calls:
            return self._began + self.per_s - now
        self._made += 1
        return 0.0


class World:
    """Everything the server knows."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.channels: dict[str, Channel] = {}
        self.users: dict[str, Json] = {}
        self.files: dict[str, File] = {}
        self.scopes = all_scopes()
        self.has_status = True
        self.sharing_s = 0.02
        self.limits: dict[str, Limit] = {}
        self.passed_s = 0.0
        self.homes: dict[str, Json] = {}
        self.forms: dict[str, Json] = {}
        self.triggers: set[str] = set()
        self.has_pictures = True
        self._numbers = itertools.count(1)
        self._last = 0

    def number(self) -> str:
        """Something unique."""
        return f"{next(self._numbers):07}"

    def trigger(self) -> str:
        """What opens one form, within 3 seconds."""
        made = f"{self.number()}.1.abc"
        self.triggers.add(made)
        return made

    def stamp(self, age_s: float = 0) -> str:
        """A ts that no other message has, later than all of its time."""
        self._last = max(self._last + 1, int(time.time() * 1e6))
        now = self._last - int(age_s * 1e6)
        return f"{now // 10**6}.{now % 10**6:06}"

    def user(self, name: str, **more: Any) -> str:
        """The id of a person, whom a first mention creates."""
        for found in self.users.values():
            if found["name"] == name:
                found.update(more)
                return str(found["id"])
        identity = f"U0{len(self.users):04}{name.upper()}"[:11]
        own = {"id": identity, "name": name, "team_id": TEAM, "is_bot": False, "deleted": False}
        guest = {"is_restricted": False, "is_ultra_restricted": False, "is_stranger": False}
        self.users[identity] = own | guest | more
        return identity

    def new_channel(self, kind: str, *, private: bool, members: list[str], user: str = "") -> Channel:
        letter = {"im": "D", "mpim": "G", "group": "C", "channel": "C"}[kind]
        channel = Channel(f"{letter}0{self.number()}", kind, private, members, user)
        self.channels[channel.id] = channel
        return channel

    def channel(self, identity: str) -> Channel:
        """A channel that the app can see. Private ones that it is not in do not exist for it."""
        channel = self.channels.get(identity)
        if channel is None or (channel.private and BOT_USER not in channel.members):
            raise Refusal("channel_not_found")
        return channel

    def joined(self, identity: str) -> Channel:
        """A channel that the app is in."""
        channel = self.channel(identity)
        if BOT_USER not in channel.members:
            raise Refusal("not_in_channel")
        return channel

    def post(self, channel: Channel, user: str, content: Json, age_s: float = 0) -> Json:
        """A message in the channel."""
        message = {"type": "message", "user": user, "ts": self.stamp(age_s), "team": TEAM, **content}
        channel.messages[message["ts"]] = message
        root = channel.messages.get(message.get("thread_ts", ""))
        if root is not None:
            root.setdefault("thread_ts", root["ts"])
            root["reply_count"] = root.get("reply_count", 0) + 1
            root["latest_reply"] = message["ts"]
        return message

    def shared(self, place: Json) -> Json | None:
        """The message whose links are to unfold, where Slack has told the app of them."""
        for channel in self.channels.values():
            for message in channel.messages.values():
                if "unfurl_id" not in message:
                    continue
                told = (place.get("channel"), place.get("ts")) == (channel.id, message["ts"])
                if told or message["unfurl_id"] == place.get("unfurl_id"):
                    return message
        return None

    def share_later(self, share: Callable[[], object]) -> None:
        """Slack shares uploaded files a moment after it has said yes."""
        asyncio.get_running_loop().call_later(self.sharing_s, share)

    def new_file(self, name: str, length: int, user: str) -> File:
        file = File(f"F0{self.number()}", name, length, user)
        self.files[file.id] = file
        return file
