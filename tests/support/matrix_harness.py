"""Matrix for the shared suite: a real homeserver, and people using its API."""

import asyncio
import itertools
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from adapters.matrix.platform import MatrixPlatform
from adapters.matrix.session import Account as BotAccount
from core.domain.messages import MessageKind
from core.ports.clock import Clock
from tests.servers.matrix.homeserver import Account, Synapse
from tests.support.chat_harness import RecordingInbox, Shown, ShownFile, eventually
from tests.support.drawn_words import of_html
from tests.support.fake_reading import AsksByItsMark
from tests.support.matrix_child import RealClock
from tests.support.matrix_people import EncryptingPerson, Person

Event = dict[str, Any]


def bot_platform(
    server: Synapse, account: Account, folder: Path, *, clock: Clock | None = None, **more: Any
) -> MatrixPlatform:
    """The bot with this account, taking invitations from everybody on the server."""
    bot = BotAccount(homeserver=server.url, user_id=account.user_id, password=account.password)
    given = {"invites": (f"*:{server.server_name}",), "clock": clock or RealClock()}
    options: dict[str, Any] = {**given, "talk_reader": AsksByItsMark(), **more}
    return MatrixPlatform(bot, folder, **options)


class RunningBot:
    """An adapter that runs, and starts again with the same account, folder and inbox."""

    def __init__(self, server: Synapse, **options: Any) -> None:
        self.server = server
        self.account = server.account("bot")
        self.inbox = RecordingInbox()
        self.options = options
        self._folder = tempfile.TemporaryDirectory()
        self._running: asyncio.Task[None] | None = None
        self.platform = self._new()

    @property
    def user_id(self) -> str:
        return self.account.user_id

    @property
    def store(self) -> Path:
        """The folder where the adapter keeps login and keys."""
        return Path(self._folder.name) / "matrix"

    def _new(self) -> MatrixPlatform:
        return bot_platform(self.server, self.account, self.store, **self.options)

    @property
    def running(self) -> "asyncio.Task[None]":
        """The adapter while it receives."""
        assert self._running is not None
        return self._running

    async def start(self) -> None:
        self.platform = self._new()
        self._running = asyncio.create_task(self.platform.run(self.inbox))

        async def begun() -> bool:
            if self._running is not None and self._running.done():
                self._running.result()
            return self.platform._ready.is_set() and self.inbox.saved is not None

        await eventually(begun)

    async def stop(self) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
            self._running = None
        await self.platform.close()

    async def close(self) -> None:
        await self.stop()
        self._folder.cleanup()

    async def invited_to(self, host: Person, *others: Person, **content: Any) -> str:
        """A new room with the bot in it; the events leading to that are removed from the inbox."""
        room = await host.new_room(self.user_id, *(person.user_id for person in others), **content)
        for person in others:
            await person.join(room)
        await self.inbox.next(MessageKind.JOINED)
        said = [message for message in self.inbox.messages if message.kind is not MessageKind.JOINED]
        self.inbox.messages[:] = said
        return room


class MatrixHarness:
    """People of one homeserver and the bot's account on it."""

    groups = True
    editable = True
    reactions = True
    draws = frozenset({"quote", "bold", "struck", "cell"})
    people: type[Person] = Person

    def __init__(self, server: Synapse, **options: Any) -> None:
        self.bot = RunningBot(server, **options)
        self._people: dict[str, Person] = {}
        self._first: str | None = None

    @property
    def inbox(self) -> RecordingInbox:
        return self.bot.inbox

    @inbox.setter
    def inbox(self, inbox: RecordingInbox) -> None:
        self.bot.inbox = inbox

    @property
    def platform(self) -> MatrixPlatform:
        return self.bot.platform

    async def person(self, name: str) -> Person:
        if name not in self._people:
            self._people[name] = await self.people.arrive(self.bot.server, name)
        return self._people[name]

    async def start(self) -> None:
        await self.bot.start()
        self._first = self._first or self.inbox.saved

    async def stop(self) -> None:
        await self.bot.stop()

    async def close(self) -> None:
        for person in self._people.values():
            await person.leave()
        await self.bot.close()

    async def direct(self) -> str:
        return await self.bot.invited_to(await self.person("ann"))

    async def group(self) -> str:
        return await self.bot.invited_to(await self.person("ann"), await self.person("bob"))

    def asking(self, question: str) -> str:
        return f"{self.bot.user_id}: {question}"

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
        person = await self.person(by)
        relation = _relation(reply_to, thread)
        if not files:
            return await person.send(chat, {"msgtype": "m.text", "body": text, **relation})
        for name, content in files:
            file = {"msgtype": "m.file", "body": text or name, "filename": name}
            file |= await person.attach(content, name)
            said = await person.send(chat, {**file, "info": {"size": len(content)}, **relation})
        return said

    async def edit(self, chat: str, message: str, text: str) -> None:
        new = {"msgtype": "m.text", "body": text}
        relation = {"m.relates_to": {"rel_type": "m.replace", "event_id": message}}
        content = {"msgtype": "m.text", "body": f"* {text}", "m.new_content": new, **relation}
        await (await self.person("ann")).send(chat, content)

    async def take_back(self, chat: str, message: str) -> None:
        """Ann redacts it."""
        await (await self.person("ann")).redact(chat, message)

    async def press(self, chat: str, message: str, command: str, *, by: str = "ann") -> None:
        pytest.fail("there are no buttons")

    async def react(self, chat: str, message: str, emoji: str, *, by: str = "ann") -> None:
        relation = {"rel_type": "m.annotation", "event_id": message, "key": emoji + "\ufe0f"}
        await (await self.person(by)).send(chat, {"m.relates_to": relation}, "m.reaction")

    async def reacted(self, chat: str, message: str) -> list[str]:
        events = [
            event["content"]["m.relates_to"]
            for event in await (await self.person("ann")).history(chat)
            if event["sender"] == self.bot.user_id and event["type"] == "m.reaction"
        ]
        return [relation["key"] for relation in events if relation["event_id"] == message]

    async def shown(self, chat: str) -> list[Shown]:
        person = await self.person("ann")
        events = [event for event in await person.history(chat) if event["sender"] == self.bot.user_id]
        return await shown_events(person, events)

    async def busy_signs(self, chat: str) -> int:
        return (await (await self.person("ann")).typing(chat)).count(self.bot.user_id)

    async def make_public(self, chat: str) -> None:
        await (await self.person("ann")).set_state(chat, "m.room.join_rules", {"join_rule": "public"})

    async def remove_bot(self, chat: str) -> None:
        await (await self.person("ann")).kick(chat, self.bot.user_id)

    async def redeliver(self) -> None:
        await self.stop()
        self.inbox.saved = self._first
        await self.start()


class EncryptedMatrixHarness(MatrixHarness):
    """The same in encrypted rooms."""

    people = EncryptingPerson


def _relation(reply_to: str | None, thread: str | None) -> Event:
    relates: Event = {"m.in_reply_to": {"event_id": reply_to}} if reply_to else {}
    if thread:
        relates |= {"rel_type": "m.thread", "event_id": thread, "is_falling_back": False}
    return {"m.relates_to": relates} if relates else {}


async def shown_events(person: Person, events: Sequence[Event]) -> list[Shown]:
    """The bot's events as clients show them: edits in place, files that follow each other together."""
    edits = {
        event["content"]["m.relates_to"]["event_id"]: event["content"]["m.new_content"]
        for event in events
        if event["content"].get("m.relates_to", {}).get("rel_type") == "m.replace"
    }
    said = [
        event
        for event in events
        if event["type"] == "m.room.message"
        and event["content"].get("msgtype")
        and event["content"].get("m.relates_to", {}).get("rel_type") != "m.replace"
    ]
    found: list[Shown] = []
    for is_file, group in itertools.groupby(said, lambda event: event["content"]["msgtype"] != "m.notice"):
        messages = list(group)
        if is_file:
            files = [await _file(person, event["content"]) for event in messages]
            found.append(_shown(messages, messages[0]["content"], files=tuple(files)))
        else:
            for event in messages:
                found.append(_shown([event], edits.get(event["event_id"], event["content"])))
    return found


def _shown(events: Sequence[Event], content: Event, *, files: tuple[ShownFile, ...] = ()) -> Shown:
    relates = events[0]["content"].get("m.relates_to", {})
    mentions = content.get("m.mentions")
    pills = "matrix.to" in content.get("formatted_body", "").replace("&lt;https://matrix.to", "")
    alerted = ["everything"] if mentions is None or pills else list(mentions)
    return Shown(
        ids=tuple(event["event_id"] for event in events),
        text="" if files else content["body"],
        files=files,
        thread=relates.get("event_id") if relates.get("rel_type") == "m.thread" else None,
        reply_to=relates.get("m.in_reply_to", {}).get("event_id"),
        mentions=tuple(alerted),
        previews=content.get("com.beeper.linkpreviews") != [],
        drawn=of_html(content.get("formatted_body", "")),
    )


async def _file(person: Person, content: Event) -> ShownFile:
    body = await person.open(content)
    return ShownFile(name=content["filename"], content=body, caption=content["body"])
