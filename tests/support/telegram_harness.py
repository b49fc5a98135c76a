"""Telegram for the shared suite: the adapter against the strict stand-in for its server."""

import asyncio
import base64
from collections.abc import Sequence
from typing import Any

from adapters.telegram.platform import TelegramPlatform
from tests.support.chat_harness import Shown, ShownFile, eventually
from tests.support.drawn_words import of_entities
from tests.support.stand_in import CLOCK, StandInHarness, as_files
from tests.support.telegram_server import TelegramServer

COMMANDS = {
    "en": [("ask", "Ask a question"), ("help", "What I can do")],
    "de": [("frage", "Eine Frage stellen"), ("hilfe", "Was ich kann")],
}
BOT_NAME = "fundstelle_bot"
ALIVE = ("mention", "text_mention", "bot_command", "hashtag", "cashtag", "email")
Json = dict[str, Any]


class TelegramHarness(StandInHarness):
    """People in chats of the stand-in. Groups are supergroups with the bot as administrator."""

    def made(self) -> TelegramPlatform:
        return platform(self.server)

    async def connected(self) -> None:
        """Reactions are only kept for bots that asked for them once."""
        while not any(call["method"] == "getUpdates" for call in await self.server.do("calls")):
            assert not self._running.done(), self._running.exception()
            await asyncio.sleep(0.01)

    async def direct(self) -> str:
        return str(await self.server.do("chat", kind="private"))

    async def group(self) -> str:
        return str(await self.server.do("chat", kind="supergroup", status="administrator"))

    def asking(self, question: str) -> str:
        return f"/ask@{BOT_NAME} {question}"

    async def say(
        self,
        chat: str,
        text: str,
        *,
        by: str = "ann",
        reply_to: str | None = None,
        thread: str | None = None,
        files: Sequence[tuple[str, bytes]] = (),
    ) -> str:
        said = await self.server.do(
            "say",
            chat=int(chat),
            text=text,
            by=by,
            reply_to=int(reply_to) if reply_to else None,
            thread=int(thread) if thread else None,
            files=as_files(files),
        )
        return str(said[0])

    async def edit(self, chat: str, message: str, text: str) -> None:
        await self.server.do("edit", chat=int(chat), message=int(message), text=text)

    async def take_back(self, chat: str, message: str) -> None:
        """Bots are not told of deleted messages, so the person addresses others instead."""
        await self.edit(chat, message, "Lunch?")

    async def press(self, chat: str, message: str, command: str, *, by: str = "ann") -> None:
        await self.server.do("press", chat=int(chat), message=int(message), data=command, by=by)

    async def inline(self, query: str, *, by: str = "ann", language: str = "") -> Json:
        """The offers to a person who types `query` after the bot's name."""
        number = await self.server.do("inline", query=query, by=by, language=language)
        found: list[Json] = []

        async def offered() -> bool:
            found[:] = [each] if (each := await self.server.do("offered", query=number)) else []
            return bool(found)

        await eventually(offered)
        return found[0] | {"query": number}

    async def react(self, chat: str, message: str, emoji: str, *, by: str = "ann") -> None:
        await self.server.do("react", chat=int(chat), message=int(message), emoji=[emoji], by=by)

    async def reacted(self, chat: str, message: str) -> list[str]:
        return list(await self.server.do("reactions", chat=int(chat), message=int(message)))

    async def shown(self, chat: str) -> list[Shown]:
        albums: dict[str, list[Json]] = {}
        for message in await self.server.do("shown", chat=int(chat)):
            albums.setdefault(message.get("media_group_id", str(message["message_id"])), []).append(message)
        return [await self._seen(messages) for messages in albums.values()]

    async def _seen(self, messages: list[Json]) -> Shown:
        first = messages[0]
        entities = [entity for message in messages for entity in _entities(message)]
        replied = first.get("reply_to_message")
        return Shown(
            ids=tuple(str(message["message_id"]) for message in messages),
            text=first.get("text", ""),
            files=tuple([await self._file(message) for message in messages if "document" in message]),
            buttons=_buttons(first),
            thread=str(first["message_thread_id"]) if "message_thread_id" in first else None,
            reply_to=str(replied["message_id"]) if replied else None,
            mentions=tuple(entity["type"] for entity in entities if entity["type"] in ALIVE),
            previews=not first.get("link_preview_options", {"is_disabled": True})["is_disabled"],
            drawn=of_entities(first.get("text", ""), first.get("entities", [])),
        )

    async def _file(self, message: Json) -> ShownFile:
        document = message["document"]
        content = base64.b64decode(await self.server.do("file", file_id=document["file_id"]))
        return ShownFile(name=document["file_name"], content=content, caption=message.get("caption", ""))

    async def busy_signs(self, chat: str) -> int:
        return int(await self.server.do("actions", chat=int(chat)))

    async def make_public(self, chat: str) -> None:
        await self.server.do("set", chat=int(chat), username="everybody_welcome")

    async def remove_bot(self, chat: str) -> None:
        await self.server.do("member", chat=int(chat), status="kicked")

    async def redeliver(self) -> None:
        await self.server.do("again", copies=4, seed=7)


def platform(server: TelegramServer, **other: Any) -> TelegramPlatform:
    """An adapter of the server's bot."""
    account = {"token": server.token, "api_base": server.api_base, "file_base": server.file_base}
    return TelegramPlatform(**{"commands": COMMANDS, "clock": CLOCK} | account | other)


def _entities(message: Json) -> list[Json]:
    return [*message.get("entities", []), *message.get("caption_entities", [])]


def _buttons(message: Json) -> tuple[tuple[str, ...], ...]:
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return tuple(tuple(button["callback_data"] for button in row) for row in rows)
