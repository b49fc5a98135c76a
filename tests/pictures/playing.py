"""Conversations with the whole bot over the example library: the real encoders, stores, PDFs and client
libraries, and a clock that stands still."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from adapters.database.mapping import INBOX, OUTBOX
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.domain.messages import MessageKind
from tests.pictures.posts import Post, PostedFile, matrix_posts, slack_posts, telegram_posts
from tests.support.chat_harness import ChatHarness
from tests.support.telegram_harness import TelegramHarness
from tests.support.whole_bot import ServedChats
from tests.support.world import FixedClock

NOW = datetime(2026, 1, 12, 9, tzinfo=UTC)
PATIENCE_S, LOOKS, EVERY_S = 600.0, 5, 0.1
"""How long a reply may take on a busy machine; looks in a row, and their distance, that find no work."""

BUSY = ("waiting", "working", "pending", "sending")
READERS: dict[str, Callable[[Any, str], Awaitable[list[Post]]]] = {
    "telegram": telegram_posts,
    "slack": slack_posts,
    "matrix": matrix_posts,
}


@dataclass
class Talk:
    """A chat in which somebody talks with the bot, and all that stands in it."""

    harness: ChatHarness
    app: Composition
    chat: str
    uploads: Path
    person: str = "ann"
    private: bool = False
    _said: dict[str, Post] = field(default_factory=dict)
    _thread: str | None = None

    @property
    def platform(self) -> str:
        return self.harness.platform.name

    async def say(
        self, text: str, *, addressed: bool = True, files: Sequence[tuple[str, bytes]] = ()
    ) -> None:
        """Somebody says something, and the bot has answered. A thread goes on where there is one."""
        typed = text
        if addressed and not self.private:
            prefixed = text.replace("/", "!", 1) if self.platform == "matrix" else text
            typed = prefixed if prefixed.startswith("!") else self.harness.asking(text)
        if self.platform == "telegram" and text.startswith("/"):
            typed = text
        thread = self._thread if addressed else None
        taken, _ = await asyncio.to_thread(self._works)
        message = await self.harness.say(self.chat, typed, by=self.person, thread=thread, files=files)
        shown = tuple(PostedFile(name=name, content=content) for name, content in files)
        name = f"said {len(self._said)}"
        self._said[name] = Post(id=name, body=text, files=shown, threaded=thread is not None, by="Ann")
        if addressed and self.platform != "telegram":
            self._thread = self._thread or message
        await self.settled(taken + 1)

    async def send(self, *files: tuple[str, bytes]) -> None:
        """Somebody sends files one right after the other, and all are answered."""
        taken, _ = await asyncio.to_thread(self._works)
        for name, content in files:
            await self.harness.say(self.chat, "", by=self.person, files=[(name, content)])
            said, shown = f"said {len(self._said)}", PostedFile(name=name, content=content)
            self._said[said] = Post(id=said, body="", files=(shown,), by="Ann")
        await self.settled(taken + len(files))

    async def press(self, number: int = 0) -> None:
        """Somebody presses a button of the last message with buttons."""
        shown = [each for each in await self.harness.shown(self.chat) if each.buttons][-1]
        taken, _ = await asyncio.to_thread(self._works)
        await self.harness.press(self.chat, shown.ids[0], shown.buttons[0][number])
        await self.settled(taken + 1)

    async def correct(self) -> None:
        """The bot holds its answers against the documents as they are now."""
        await self.app.correcting.round()
        await self.settled()

    async def settled(self, messages: int = 0) -> None:
        """Until so many messages were taken over, and nothing is in work any more."""
        calm = 0
        async with asyncio.timeout(PATIENCE_S):
            while calm < LOOKS:
                taken, busy = await asyncio.to_thread(self._works)
                calm = 0 if busy or taken < messages else calm + 1
                await asyncio.sleep(EVERY_S)
        for each in await READERS[self.platform](self.harness, self.chat):
            self._said.setdefault(each.id, each)

    def _works(self) -> tuple[int, bool]:
        """How many messages there were, and whether something is in work."""
        database = sa.create_engine(f"sqlite:///{self.app.settings.data}/fundstelle.sqlite3")
        rows = [
            sa.select(sa.func.count(), sa.func.count().filter(table.c.state.in_(BUSY))).select_from(table)
            for table in (INBOX, OUTBOX)
        ]
        with database.connect() as connection:
            (taken, waiting), (_, unsent) = [connection.execute(each).one() for each in rows]
        database.dispose()
        return taken, bool(waiting or unsent or any(self.uploads.glob("*/*.json")))

    async def posts(self) -> list[Post]:
        """What stands there in the end, in order."""
        now = {each.id: each for each in await READERS[self.platform](self.harness, self.chat)}
        return [now.get(name, each) for name, each in self._said.items() if each.by or name in now]


Play = Callable[[Talk], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is played in a chat of its own. `staff`: in one of theirs."""

    name: str
    language: str
    play: Play
    staff: bool = False


@asynccontextmanager
async def example_bot(library: Path, folder: Path) -> AsyncIterator[Composition]:
    """The services over a copy, in `folder`, of the data folder `library`."""
    shutil.copytree(library, folder, symlinks=True, dirs_exist_ok=True)
    async with opened(Settings(data=folder)) as app:
        await app.questions.warm_up()
        yield app


async def played(
    app: Composition, harness: ChatHarness, folder: Path, scenes: Sequence[Scene]
) -> dict[str, list[Post]]:
    """What stands in the chat of each scene in the end, by the scene's name."""
    served = ServedChats(harness, folder)
    await harness.start()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(harness.close)
        stack.push_async_callback(served.stop)
        talks = {scene.name: await _room(served, app, scene, folder) for scene in scenes}
        people = [await _sender(harness, talks[scene.name].chat) for scene in scenes if scene.staff][:1]
        chats: list[Any] = []
        named: dict[str, Any] = {}
        for scene in scenes:
            where = "staff" if scene.staff else "public"
            named = served.named(
                **{where: [talks[scene.name].chat], "people": people}, language=scene.language
            )
            chats += named["chat"]
        settings = app.settings.model_copy(update={**named, "chat": tuple(chats)})
        services = replace(
            app,
            settings=settings,
            registry=app.scoping.registry,
            clock=FixedClock(NOW),
            registry_changed=app.registry_has_changed,
        )
        services.platforms = {harness.platform.name: served.attached}  # type: ignore[dict-item]
        services.outgoing = folder / "corrections"
        await served.begin(services)
        for scene in scenes:
            talks[scene.name].app = services
            await scene.play(talks[scene.name])
        return {name: await talk.posts() for name, talk in talks.items()}


async def _room(served: ServedChats, app: Composition, scene: Scene, folder: Path) -> Talk:
    """On Telegram a private chat of somebody's own, elsewhere and for staff a group."""
    harness, uploads = served.harness, folder / "uploads"
    if isinstance(harness, TelegramHarness) and not scene.staff:
        chat = str(await harness.server.do("chat", kind="private", user=scene.name))
        return Talk(harness, app, chat, uploads, person=scene.name, private=True)
    return Talk(harness, app, await harness.group(), uploads)


async def _sender(harness: ChatHarness, chat: str) -> str:
    """The id of the person who speaks, before the bot serves the chat."""
    before = len(harness.inbox.messages)
    await harness.say(chat, harness.asking("id"))
    return (await harness.inbox.next(MessageKind.MESSAGE, after=before)).sender
