"""Telegram as others imitate it (the npm package telegram-test-api) in its own process, and its people."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from tests.support.stand_in import StandIn

BOT = "TestNameBot"
Json = dict[str, Any]


class TelegramTestApi(StandIn):
    """The server, and what people do in its chats: above 0 private ones, below groups."""

    module = "tests.servers.telegram_test_api"
    python = Path(sys.executable)

    def __enter__(self) -> Self:
        super().__enter__()
        self.token = self.begun["token"]
        return self

    @property
    def settings(self) -> str:
        """The section of the settings that leads a bot here."""
        return f'[telegram]\ntoken = "{self.token}"\napi_base = "{self.address}/bot"\n'

    def say(self, chat: int, text: str, **more: Any) -> Json:
        """Somebody's message, as others may reply to it. The package numbers it when it comes in."""
        command = text.startswith("/")
        entities = [{"type": "bot_command", "offset": 0, "length": len(text.split()[0])}] if command else []
        if (at := text.find(f"@{BOT}")) >= 0 and not command:
            entities.append({"type": "mention", "offset": at, "length": len(BOT) + 1})
        message = self._of(chat, 1000) | {"text": text, "entities": entities} | more
        self._people("sendCommand" if command else "sendMessage", message)
        said = [entry for entry in self._history() if entry["message"].get("text") == text]
        return message | {"message_id": said[-1]["messageId"]}

    def edit(self, said: Json, text: str) -> None:
        """They write something else instead."""
        more = {name: value for name, value in said.items() if name not in ("message_id", "entities", "date")}
        self._people(
            "sendMessage", more | {"date": int(time.time()), "text": text, "edits": said["message_id"]}
        )

    def press(self, chat: int, shown: Json, data: str) -> None:
        """They press a button of the bot's message."""
        message = {
            "message_id": shown["message_id"],
            "date": int(time.time()),
            "chat": self._of(chat, 1000)["chat"],
            "text": shown["text"],
        }
        query = {"botToken": self.token, "from": self._of(chat, 1000)["from"], "message": message}
        self._people("sendCallback", query | {"data": data, "date": int(time.time())})

    def shown(self, chat: int) -> list[Json]:
        """The bot's messages in a chat as they are now."""
        return [
            entry["message"] | {"message_id": entry["messageId"]}
            for entry in self._history()
            if str(entry["message"].get("chat_id")) == str(chat)
        ]

    def waits(self, chat: int, true: Callable[[list[Json]], object], within_s: float = 60) -> list[Json]:
        """The bot's messages in a chat once `true` holds of them."""
        until = time.monotonic() + within_s
        while not true(shown := self.shown(chat)):
            assert time.monotonic() < until, shown
            time.sleep(0.05)
        return shown

    def file(self, document: Json) -> bytes:
        """What the bot sent as a file."""
        return self.client.post("/control/file", json={"file_id": document["file_id"]}).content

    def calls(self, method: str) -> list[Json]:
        """The bot's calls of a method."""
        return [call["values"] for call in self.ask("calls") if call["method"] == method]

    def _of(self, chat: int, user: int) -> Json:
        person = {"id": user, "first_name": "Ann", "is_bot": False, "language_code": "de"}
        where = {"id": chat, "type": "private" if chat > 0 else "supergroup"}
        where |= {"first_name": "Ann"} if chat > 0 else {"title": "Neighbours"}
        return {"botToken": self.token, "date": int(time.time()), "from": person, "chat": where}

    def _people(self, method: str, said: Json) -> None:
        self.client.post(f"/{method}", json=said).raise_for_status()

    def _history(self) -> list[Json]:
        found: list[Json] = self.client.post("/getUpdatesHistory", json={"token": self.token}).json()[
            "result"
        ]
        return [entry for entry in found if "message" in entry]
