"""Several processes on one server: one has a platform's session, others answer, and any may end."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from adapters.database.database import Database
from adapters.database.jobs import SqlSources
from adapters.database.journal import SqlJournal
from adapters.database.processes import SqlProcesses
from adapters.files.folder import FolderFiles
from bot.delivery.delivery import Delivery
from bot.delivery.several import PlatformElsewhere, Several
from bot.delivery.shared_files import SharedFiles
from bot.service.serving_lease import ServingRole
from bot.wiring.clocks import SharedClock
from core.domain.journal import Pseudonyms, Stop
from core.domain.messages import Attachment, IncomingMessage, Reply
from core.errors import Broken, Refused, Unavailable
from core.ports.chat import ChatPlatform
from tests.support.chat_harness import eventually
from tests.support.databases import postgresql_url
from tests.support.fake_journal import KEY
from tests.support.fake_platform import FakePlatform
from tests.support.scripted_conversation import ScriptedConversation, echo
from tests.support.world import populated


@dataclass
class Process:
    """One of them, in this process."""

    database: Database
    name: str
    several: Several
    delivery: Delivery
    conversation: ScriptedConversation
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    task: "asyncio.Task[None] | None" = None

    def start(self) -> None:
        async def works() -> None:
            running = asyncio.create_task(self.delivery.run())
            try:
                await self.stop.wait()
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)

        self.task = asyncio.create_task(self.several.run(works))

    async def end(self) -> None:
        """As a signal ends it."""
        self.stop.set()
        if self.task is not None:
            await asyncio.gather(self.task, return_exceptions=True)

    async def die(self) -> None:
        """Nothing of it goes on, and nothing is written down."""
        self.several.processes = self.several.leases = None  # type: ignore[assignment]
        self.delivery.journal = None  # type: ignore[assignment]
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)


class World:
    """The processes of a test, on one database and one platform."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.files = SharedFiles(FolderFiles(folder))
        self.platform = FakePlatform()
        self.processes: list[Process] = []

    async def process(self, role: str, platform: FakePlatform | None = None) -> Process:
        """A process that works until the end of the test."""
        database = await Database.open(self.url)
        name = f"{role}{len(self.processes)}"
        here = SqlProcesses(database, name)
        clock = SharedClock(UTC, await here.server_time())
        several = Several(
            processes=here,
            calls=here,
            leases=SqlSources(database),
            files=self.files,
            role=role,
            name=name,
            set_clock=clock.set,
            term=timedelta(seconds=2),
            renewed_s=0.4,
        )
        own: ChatPlatform = platform or self.platform
        seen = own if role == "front" else PlatformElsewhere(own, several)
        conversation = ScriptedConversation(others_answer=role == "front")
        delivery = Delivery(
            journal=SqlJournal(database, Pseudonyms(KEY), name),
            conversation=conversation,  # type: ignore[arg-type]
            platforms={"telegram": seen},
            clock=clock,
            files=self.files,
            workers=2 if role == "answers" else 0,
            max_waiting=100,
            several=several,
            fronts=role == "front",
        )
        made = Process(database, name, several, delivery, conversation)
        made.start()
        self.processes.append(made)

        async def begun() -> bool:
            return name in [each.name for each in await here.at_work()]

        await eventually(begun)
        return made

    def said(self) -> list[str]:
        return [part.text for part in self.platform.posts]


@pytest.fixture
async def world(postgresql: str, tmp_path: Path) -> AsyncIterator[World]:
    found = World(await postgresql_url(postgresql), tmp_path / "files")
    yield found
    for process in found.processes:
        await process.end()
        with contextlib.suppress(Exception):
            await process.database.close()


async def test_one_receives_and_sends_and_others_answer(world: World) -> None:
    await world.process("front")
    answering = [await world.process("answers") for _ in range(2)]
    for each in answering:
        each.conversation.held = {"a": asyncio.Event(), "b": asyncio.Event()}
    await world.platform.deliver(world.platform.message("one", "a"), world.platform.message("two", "b"))
    await eventually(lambda: _both_at_work(answering))
    for each in answering:
        for held in each.conversation.held.values():
            held.set()
    await eventually(lambda: _is(sorted(world.said()) == ["re one", "re two"]))


async def _both_at_work(answering: list[Process]) -> bool:
    return sum(len(each.conversation.handled) for each in answering) == 2


async def _is(found: bool) -> bool:
    return found


async def test_who_answers_dies_and_another_goes_on(world: World) -> None:
    await world.process("front")
    first = await world.process("answers")
    first.conversation.held = {"a": asyncio.Event()}
    await world.platform.deliver(world.platform.message("one", "a"))
    await eventually(lambda: _is(first.conversation.handled == ["one"]))
    second = await world.process("answers")
    await first.die()
    await eventually(lambda: _is(world.said() == ["re one"]))
    assert second.conversation.handled == ["one"]


@pytest.mark.parametrize("how", ["ends", "dies"])
async def test_a_session_is_taken_over(world: World, how: str) -> None:
    first = await world.process("front")
    await eventually(lambda: _is(first.several.leads("session of telegram")))
    await world.process("answers")
    standing_by = FakePlatform(shown=world.platform.shown, posts=world.platform.posts)
    second = await world.process("front", standing_by)
    await world.platform.deliver(world.platform.message("one", "a"))
    await eventually(lambda: _is(world.said() == ["re one"]))
    assert standing_by.inbox is None or not standing_by.inbox.done()
    await (first.end() if how == "ends" else first.die())
    await eventually(lambda: _is(second.several.leads("session of telegram")))
    await standing_by.deliver(world.platform.message("two", "a"))
    await eventually(lambda: _is(world.said() == ["re one", "re two"]))


async def test_what_is_asked_of_the_platform_is_asked_where_its_session_is(
    world: World, tmp_path: Path
) -> None:
    await world.process("front")
    asker = await world.process("answers")
    elsewhere = asker.delivery.platforms["telegram"]
    message = world.platform.message("one", "a")
    assert await elsewhere.exposure(message.ref) == world.platform.exposure_now
    world.platform.files["f"] = b"%PDF"
    found = await elsewhere.fetch(Attachment(id="f", name="f.pdf"), tmp_path, max_bytes=100)
    assert found.read_bytes() == b"%PDF"
    world.platform.fault = lambda _: Refused("chat.gone", "it is gone", chat="a")
    with pytest.raises(Refused) as caught:
        await elsewhere.delete(message.ref)
    assert (caught.value.key, caught.value.values) == ("chat.gone", {"chat": "a"})


async def test_nobody_has_the_session(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.delivery.several.PATIENCE_S", 0.5)
    asker = await world.process("answers")
    elsewhere = asker.delivery.platforms["telegram"]
    with pytest.raises(Unavailable, match="--role front"):
        await elsewhere.react(world.platform.message("one", "a").ref, "👍")


async def test_what_is_taken_back_is_not_answered_elsewhere(world: World) -> None:
    await world.process("front")
    answering = await world.process("answers")
    held = asyncio.Event()

    async def slow(message: IncomingMessage) -> Reply:
        await held.wait()
        return await echo(message)

    answering.conversation.answers = slow
    question = world.platform.message("one", "a")
    await world.platform.deliver(question)
    await eventually(lambda: _is(answering.conversation.handled == ["one"]))
    await world.platform.edit(question, "")
    await eventually(lambda: _is(answering.conversation.stopped == [("one", Stop.TAKEN_BACK)]))
    held.set()
    await world.platform.deliver(world.platform.message("two", "a"))
    await eventually(lambda: _is("re two" in world.said()))
    assert world.said() == ["re two"]


@pytest.mark.parametrize("role", ["front", "answers", "library"])
async def test_beside_sqlite_one_process_does_all_of_it(role: str) -> None:
    app = (await populated()).app
    with pytest.raises(Broken, match=r"PostgreSQL.*leave --role out") as caught:
        app.serving(ServingRole(role))
    assert caught.value.key == "serve.role"
    assert app.serving(ServingRole.ALL).several is None
