"""`serve` as a whole: it answers, tells how it stands, and ends when told to."""

import asyncio
import os
import signal
import socket
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest

from bot.chat.uploads import JOB, broken_jobs
from bot.library.sources.jobs import LEASE
from bot.library.upkeep import Reindexing
from bot.service import serving
from bot.settings.tree import Settings, load
from core.errors import Broken, Unavailable
from core.ports.sources import SourceJournal
from tests.support.chat_harness import eventually
from tests.support.fake_platform import FakePlatform
from tests.support.world import World, populated

CONFIG = """
open = true
[http]
port = {port}
"""
QUOTE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."


def settings_in(folder: Path, port: int = 0) -> Settings:
    (folder / "fundstelle.toml").write_text(CONFIG.format(port=port))
    return load(data=folder).settings


@pytest.fixture
async def world() -> World:
    return await populated()


@pytest.fixture
def platform(monkeypatch: pytest.MonkeyPatch) -> FakePlatform:
    found = FakePlatform()
    monkeypatch.setattr("bot.wiring.platforms.platforms", lambda *_: {"telegram": found})
    return found


async def begun(world: World, folder: Path) -> tuple["asyncio.Task[None]", str, list[str]]:
    """The task, the address of its health, and what it says."""
    said: list[str] = []
    task = asyncio.create_task(world.use(settings_in(folder)).server.run(said.append))

    async def ready() -> bool:
        return bool(said) or task.done()

    await eventually(ready)
    if task.done():
        task.result()
    return task, said[0].split()[-1], said


async def test_it_ends_to_begin_again_with_another_index(
    world: World, platform: FakePlatform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.service.serving.INDEX_S", 0.01)
    said: list[str] = []
    looks = iter([False, Unavailable("database.unavailable", "for a moment"), True])

    async def is_over() -> bool:
        found = next(looks)
        if isinstance(found, Unavailable):
            raise found
        return found

    server = world.use(settings_in(tmp_path)).server
    server.is_over = is_over
    await server.run(said.append)
    assert server.begins_again
    assert "beginning again" in said[-1]


async def test_it_answers_until_it_is_told_to_stop(
    world: World, platform: FakePlatform, tmp_path: Path
) -> None:
    task, address, said = await begun(world, tmp_path)
    await platform.say("Was sagt die Uferpartei zum Mindestlohn?")

    async def answered() -> bool:
        return any(QUOTE in text for text in platform.texts())

    await eventually(answered)
    async with aiohttp.ClientSession() as session, session.get(address) as response:
        assert (response.status, await response.text()) == (200, "ready\n")
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(task, 60)
    assert said[-1] == "stopped"
    assert platform.closed
    with pytest.raises(aiohttp.ClientError):
        async with aiohttp.ClientSession() as session, session.get(address):
            pass


async def test_what_it_is_working_on_is_ended_and_sent(
    world: World, platform: FakePlatform, tmp_path: Path
) -> None:
    gate = platform.held["c1"] = asyncio.Event()
    task, _, _ = await begun(world, tmp_path)
    await platform.say("/help")

    async def sending() -> bool:
        return (await world.journal.backlog()).sending == 1

    await eventually(sending)
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.sleep(0.05)
    assert not task.done()
    gate.set()
    await asyncio.wait_for(task, 60)
    assert platform.texts() != []


async def test_without_a_platform_it_says_what_to_set(world: World, tmp_path: Path) -> None:
    with pytest.raises(Broken, match="no platform is configured"):
        await world.use(settings_in(tmp_path)).server.run(print)


async def test_a_port_that_is_taken_is_said(world: World, platform: FakePlatform, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings = settings_in(tmp_path, taken.getsockname()[1])
        with pytest.raises(Broken, match="cannot listen"):
            await world.use(settings).server.run(print)
    assert platform.closed


async def test_where_no_platform_can_be_served_it_ends_with_the_reason(
    world: World, platform: FakePlatform, tmp_path: Path
) -> None:
    platform.failing = [Broken("platform.token", "take a new token")]
    say: Callable[[str], None] = lambda text: None  # noqa: E731
    with pytest.raises(Broken, match="take a new token"):
        await world.use(settings_in(tmp_path)).server.run(say)
    assert platform.closed


async def test_a_platform_that_does_not_close_is_left(
    world: World, platform: FakePlatform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "CLOSE_S", 0.05)
    monkeypatch.setattr(platform, "close", asyncio.Event().wait)
    task, _, said = await begun(world, tmp_path)
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(task, 60)
    assert said[-1] == "stopped"


async def test_nothing_that_recurs_ends_it(
    world: World, platform: FakePlatform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each recurring work fails in its own way, and files on the disk are damaged."""
    app = world.app

    def failing(owner: object, name: str, fault: Exception) -> None:
        async def fails(*_: object, **__: object) -> None:
            raise fault

        monkeypatch.setattr(owner, name, fails)

    failing(world.journal, "purge", OSError(28, "No space left on device"))
    failing(app.corrections, "cited", OSError(5, "Input/output error"))
    failing(world.library, "kept", RuntimeError("the index is closed"))
    failing(world.journal, "unsent_files", Broken("database.failed"))
    _no_lease_for_sources(monkeypatch, app.sources.jobs.journal)
    monkeypatch.setattr(Reindexing, "outdated", raising(OSError(13, "Permission denied")))
    once(monkeypatch, world.journal, "claim", RuntimeError("a row that nobody can read"))
    once(monkeypatch, world.journal, "claim_part", sqlite3.OperationalError("disk I/O error"))
    for name, content in (("empty", b""), ("half", b'{"id": "half", "mess'), ("other", b"[]")):
        (tmp_path / "uploads" / name).mkdir(parents=True)
        (tmp_path / "uploads" / name / JOB).write_bytes(content)
    (tmp_path / "uploads" / "folder" / JOB).mkdir(parents=True)
    task, address, _ = await begun(world, tmp_path)
    await platform.say("Was sagt die Uferpartei zum Mindestlohn?")

    async def answered() -> bool:
        return any(QUOTE in text for text in platform.texts())

    await eventually(answered)
    works = ("retention", "corrections", "collection", "tidying", "schedule", "reindexing")

    async def counted() -> bool:
        failed = world.app.supervisor.failures
        return all(failed[name] for name in (*works, "answering", "sending"))

    await eventually(counted)
    async with aiohttp.ClientSession() as session:
        async with session.get(address) as response:
            assert response.status == 200
        async with session.get(address.replace("readyz", "metrics")) as response:
            metrics = await response.text()
    for name in works:
        assert f'fundstelle_task_failures_total{{task="{name}"}} ' in metrics
    assert len(await broken_jobs(world.app.transit)) == 3
    assert not task.done()
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(task, 60)


def _no_lease_for_sources(monkeypatch: pytest.MonkeyPatch, journal: SourceJournal) -> None:
    plain = journal.take_lease

    async def take_lease(name: str, holder: str, *, term: timedelta) -> bool:
        if name == LEASE:
            raise ValueError("no lease")
        return await plain(name, holder, term=term)

    monkeypatch.setattr(journal, "take_lease", take_lease)


def raising(fault: Exception) -> Callable[[object], Awaitable[None]]:
    async def raises(_: object) -> None:
        raise fault

    return raises


def once(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, fault: Exception) -> None:
    """The first call fails."""
    plain, faults = getattr(owner, name), [fault]

    async def fails(*given: object, **named: object) -> object:
        if faults:
            raise faults.pop()
        return await plain(*given, **named)

    monkeypatch.setattr(owner, name, fails)
