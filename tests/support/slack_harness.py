"""Slack for the shared suite: the adapter against the strict stand-in for Slack."""

import base64
from collections.abc import Sequence
from typing import Any

from adapters.slack.manifest import COMMANDS
from adapters.slack.platform import SlackPlatform
from tests.support.chat_harness import Shown, ShownFile, eventually
from tests.support.drawn_words import of_blocks
from tests.support.fake_reading import AsksByItsMark
from tests.support.slack_server import SlackServer
from tests.support.stand_in import CLOCK, StandInHarness, as_files

BOT = "U0FUNDSTELLE"
INVITE = "Please /invite me first."
WORKING = "is looking it up"
NAMES = {"👎": "-1", "👍": "+1", "👀": "eyes"}
Json = dict[str, Any]


class SlackHarness(StandInHarness):
    """People in channels of the stand-in, over Socket Mode. Groups are private channels."""

    workspace = "T0WORKSPACE"
    draws = frozenset({"quote", "bold", "struck", "cell"})

    def made(self) -> SlackPlatform:
        return platform(self.server)

    async def connected(self) -> None:
        """Wait until Slack has a receiver for events, and missed ones are caught up on."""

        async def there() -> bool:
            assert not self._running.done(), self._running.exception()
            return self.inbox.saved is not None and await self.server.do("connections") > 0

        await eventually(there)

    async def direct(self) -> str:
        return str(await self.server.do("chat", kind="im"))

    async def group(self) -> str:
        return str(await self.server.do("chat", kind="group"))

    def asking(self, question: str) -> str:
        return f"<@{BOT}> {escaped(question)}"

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
        if text.startswith("/") and (thread or reply_to):  # no commands in threads: people name the app
            text = self.asking(f"/{text.removeprefix(COMMANDS[0]).strip(' /')}")
        elif text.startswith("/"):  # clients send no message that begins so
            command, _, rest = text.partition(" ")
            if command not in COMMANDS:
                command, rest = COMMANDS[0], text.removeprefix("/")
            await self.server.do("command", chat=chat, command=command, text=rest, by=by)
            return ""
        said = await self.server.do(
            "say", chat=chat, text=text, by=by, thread=thread or reply_to, files=as_files(files)
        )
        return str(said)

    async def edit(self, chat: str, message: str, text: str) -> None:
        await self.server.do("edit", chat=chat, message=message, text=text)

    async def take_back(self, chat: str, message: str) -> None:
        """The person deletes it."""
        await self.server.do("remove_message", chat=chat, message=message)

    async def press(self, chat: str, message: str, command: str, *, by: str = "ann") -> None:
        await self.server.do("press", chat=chat, message=message, value=command, by=by)

    async def react(self, chat: str, message: str, emoji: str, *, by: str = "ann") -> None:
        await self.server.do("react", chat=chat, message=message, name=NAMES[emoji], by=by)

    async def reacted(self, chat: str, message: str) -> list[str]:
        standing = (await self.server.do("signs", chat=chat))["reactions"]
        found = [each["name"] for each in standing if each["timestamp"] == message]
        return [emoji for emoji, name in NAMES.items() if name in found]

    async def shown(self, chat: str) -> list[Shown]:
        return [await self._seen(message) for message in await self.server.do("shown", chat=chat)]

    async def _seen(self, message: Json) -> Shown:
        return Shown(
            ids=(message["ts"],),
            text=message["seen"],
            files=tuple([await self._file(file) for file in message.get("files", [])]),
            buttons=tuple(tuple(button["value"] for button in row) for row in message["rows"]),
            thread=message.get("thread_ts"),
            mentions=tuple(message["alerted"]),
            drawn=of_blocks(message["blocks"]),
        )

    async def _file(self, file: Json) -> ShownFile:
        content = base64.b64decode(await self.server.do("file", file_id=file["id"]))
        return ShownFile(name=file["name"], content=content)

    async def busy_signs(self, chat: str) -> int:
        signs = await self.server.do("signs", chat=chat)
        return len(signs["statuses"]) + len(signs["reactions"])

    async def make_public(self, chat: str) -> None:
        await self.server.do("set", chat=chat, private=False)

    async def remove_bot(self, chat: str) -> None:
        await self.server.do("leave", chat=chat)

    async def redeliver(self) -> None:
        await self.server.do("again", copies=4, seed=7)


def platform(server: SlackServer, **other: Any) -> SlackPlatform:
    """An adapter of the stand-in's app, in Socket Mode."""
    account = {"bot_token": server.bot_token, "app_token": server.app_token, "signing_secret": ""}
    words = {"invite": INVITE, "working": WORKING}
    given = {"clock": CLOCK, "api_base": server.api_base, "talk_reader": AsksByItsMark()}
    return SlackPlatform(**account | words | given | other)


def escaped(text: str) -> str:
    """Text as clients send it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
