"""People in chats of all platforms, and when they saw the bot's messages: by the clock of the platform's
server (the stand-ins), or of a client that receives everything at once (Matrix)."""

import asyncio
import base64
import os
import signal
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self
from urllib.parse import quote

from tests.servers.matrix.homeserver import Synapse
from tests.support.chat_harness import eventually
from tests.support.matrix_people import Person
from tests.support.slack_harness import BOT, escaped
from tests.support.slack_server import SlackServer
from tests.support.telegram_harness import BOT_NAME
from tests.support.telegram_server import TelegramServer

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A message of the bot that people saw `at` (seconds since 1970), with its `files`."""

    at: float
    what: Literal["sign", "text", "files"]
    text: str = ""
    files: int = 0


class TimedChats(Protocol):
    """People of one platform. Everybody asks in a chat of their own, where nobody else does."""

    name: str
    settings: str

    async def group(self) -> str:
        """A new group with the bot in it; returns its id."""

    async def direct(self) -> str:
        """A new private chat with the bot; returns its id."""

    async def ask(self, chat: str, text: str) -> None:
        """The person of a chat asks the bot."""

    async def attach(self, chat: str, text: str, name: str, content: bytes) -> None:
        """The person of a private chat sends a file."""

    async def seen(self, chat: str) -> list[Seen]:
        """All that was seen of the bot in a chat, in order."""

    async def hold(self, pid: int) -> None:
        """Let nothing reach the bot, whose process is `pid`, from now on."""

    async def release(self, pid: int) -> None:
        """Deliver everything that was said meanwhile."""


class OnTelegram:
    """Members of supergroups who use the command, as privacy mode has it."""

    name = "telegram"

    def __init__(self, server: TelegramServer) -> None:
        self._server = server
        self._people: dict[str, str] = {}
        account = (
            f'token = "{server.token}"\napi_base = "{server.api_base}"\nfile_base = "{server.file_base}"'
        )
        self.settings = f"[telegram]\n{account}\n"

    async def group(self) -> str:
        return self._settled(str(await self._server.do("chat", kind="supergroup")))

    async def direct(self) -> str:
        name = f"person{len(self._people)}"
        return self._settled(str(await self._server.do("chat", kind="private", user=name)))

    def _settled(self, chat: str) -> str:
        self._people[chat] = f"person{len(self._people)}"
        return chat

    async def ask(self, chat: str, text: str) -> None:
        said = f"/ask@{BOT_NAME} {text}" if chat.startswith("-") else text
        await self._server.do("say", chat=int(chat), text=said, by=self._people[chat])

    async def attach(self, chat: str, text: str, name: str, content: bytes) -> None:
        files = [_file(name, content)]
        await self._server.do("say", chat=int(chat), text=text, by=self._people[chat], files=files)

    async def seen(self, chat: str) -> list[Seen]:
        calls = await self._server.do("calls")
        here = [call for call in calls if str(call.get("values", {}).get("chat_id")) == chat]
        return [_telegram_seen(call) for call in here if "at" in call]

    async def hold(self, pid: int) -> None:
        await self._server.do("hold", held=True)

    async def release(self, pid: int) -> None:
        await self._server.do("hold", held=False)


def _telegram_seen(call: Json) -> Seen:
    if call["method"] == "sendChatAction":
        return Seen(at=call["at"], what="sign")
    text = call["values"].get("text", "")
    return Seen(at=call["at"], what="text" if text else "files", text=text, files=len(call["files"]))


class OnSlack:
    """Members of private channels who name the app, over Socket Mode."""

    name = "slack"

    def __init__(self, server: SlackServer) -> None:
        self._server = server
        self._people: dict[str, str] = {}
        tokens = f'bot_token = "{server.bot_token}"\napp_token = "{server.app_token}"'
        self.settings = f'[slack]\n{tokens}\napi_base = "{server.api_base}"\n'

    async def ready(self) -> None:
        """Until the app is connected. Slack waits longer for it than tests have time."""

        async def connected() -> bool:
            return await self._server.do("connections") > 0

        await eventually(connected)
        await self._server.do("delivery", ack_s=3.0)

    async def group(self) -> str:
        return await self._chat("group")

    async def direct(self) -> str:
        return await self._chat("im")

    async def _chat(self, kind: str) -> str:
        person = f"p{len(self._people)}"
        chat = str(await self._server.do("chat", kind=kind, people=[person]))
        self._people[chat] = person
        return chat

    async def ask(self, chat: str, text: str) -> None:
        said = escaped(text) if chat.startswith("D") else f"<@{BOT}> {escaped(text)}"
        await self._server.do("say", chat=chat, text=said, by=self._people[chat])

    async def attach(self, chat: str, text: str, name: str, content: bytes) -> None:
        files = [_file(name, content)]
        await self._server.do("say", chat=chat, text=escaped(text), by=self._people[chat], files=files)

    async def seen(self, chat: str) -> list[Seen]:
        calls = [call for call in await self._server.do("calls") if "at" in call]
        signs = [
            Seen(at=call["at"], what="sign")
            for call in calls
            if (call["method"] == "reactions.add" and call["values"]["channel"] == chat)
            or (call["method"] == "assistant.threads.setStatus" and call["values"]["channel_id"] == chat)
        ]
        shown = [_slack_seen(message) for message in await self._server.do("shown", chat=chat)]
        return sorted((*signs, *shown), key=lambda item: item.at)

    async def hold(self, pid: int) -> None:
        await self._server.do("hold")

    async def release(self, pid: int) -> None:
        await self._server.do("release")


def _slack_seen(message: Json) -> Seen:
    files = len(message.get("files", []))
    return Seen(at=float(message["ts"]), what="text", text=message["seen"], files=files)


class OnMatrix:
    """People with a room each, who name the bot. A guest in every group sees what is new by /sync."""

    name = "matrix"

    def __init__(self, server: Synapse) -> None:
        self._server = server
        self._account = server.account("bot")
        self._rooms: dict[str, Person] = {}
        self._seen: dict[str, list[Seen]] = defaultdict(list)
        login = f'user_id = "{self._account.user_id}"\npassword = "{self._account.password}"'
        invites = f'invites = ["*:{server.server_name}"]'
        self.settings = f'[matrix]\nhomeserver = "{server.url}"\n{login}\n{invites}\n'

    async def __aenter__(self) -> Self:
        self._guest = await Person.arrive(self._server, "guest")
        self._watching = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)
        for person in (self._guest, *self._rooms.values()):
            await person.leave()

    async def _watch(self) -> None:
        since = (await self._guest.call("GET", "v3/sync", timeout="0"))["next_batch"]
        while True:
            news = await self._guest.call("GET", "v3/sync", timeout="10000", since=since)
            now, since = time.time(), news["next_batch"]
            for room, joined in news.get("rooms", {}).get("join", {}).items():
                events = [*joined["ephemeral"]["events"], *joined["timeline"]["events"]]
                self._seen[room] += [item for event in events if (item := self._saw(event, now))]

    def _saw(self, event: Json, now: float) -> Seen | None:
        content = event["content"]
        if event["type"] == "m.typing" and self._account.user_id in content["user_ids"]:
            return Seen(at=now, what="sign")
        if event["type"] != "m.room.message" or event["sender"] != self._account.user_id:
            return None
        if content["msgtype"] == "m.notice":
            return Seen(at=now, what="text", text=content["body"])
        return Seen(at=now, what="files", files=1)

    async def group(self) -> str:
        return await self._room(self._guest)

    async def direct(self) -> str:
        return await self._room(is_direct=True)

    async def _room(self, *others: Person, **content: Any) -> str:
        person = await Person.arrive(self._server, "person")
        room = await person.new_room(self._account.user_id, *(each.user_id for each in others), **content)
        for each in others:
            await each.join(room)
        self._rooms[room] = person

        async def joined() -> bool:
            return self._account.user_id in await person.members(room)

        await eventually(joined)
        return room

    async def ask(self, chat: str, text: str) -> None:
        mention = {"m.mentions": {"user_ids": [self._account.user_id]}}
        await self._rooms[chat].send(chat, {"msgtype": "m.text", "body": text, **mention})

    async def attach(self, chat: str, text: str, name: str, content: bytes) -> None:
        person = self._rooms[chat]
        mention = {"m.mentions": {"user_ids": [self._account.user_id]}}
        file = await person.attach(content, "file")
        await person.send(chat, {"msgtype": "m.file", "body": text, "filename": name, **file, **mention})

    async def seen(self, chat: str) -> list[Seen]:
        """Of a private chat, by the clock of the homeserver: the guest is not in it."""
        if self._seen[chat]:
            return self._seen[chat]
        address = f"v3/rooms/{quote(chat)}/messages"
        page = await self._rooms[chat].call("GET", address, dir="b", limit="1000")
        found = [self._saw(event, event["origin_server_ts"] / 1000) for event in reversed(page["chunk"])]
        return [item for item in found if item]

    async def hold(self, pid: int) -> None:
        """The homeserver cannot be told to hold messages back, so the bot is stopped."""
        os.kill(pid, signal.SIGSTOP)

    async def release(self, pid: int) -> None:
        os.kill(pid, signal.SIGCONT)


def _file(name: str, content: bytes) -> Json:
    """A file in the form for the stand-ins."""
    return {"name": name, "content": base64.b64encode(content).decode()}
