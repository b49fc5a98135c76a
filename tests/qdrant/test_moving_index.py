"""An embedded index is taken to a server while it is read and written."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.qdrant.edge import EdgeIndex
from adapters.qdrant.server import ServerIndex
from core.domain.ids import VersionId
from core.domain.search import IndexPoint, Space
from core.errors import FundstelleError, Unavailable
from core.library.indexing import MovableStore, keys_of
from core.search.scoped_index import ScopedIndex
from tests.support.index_points import LIBRARY, PRIMARY, SECONDARY, points, question, version
from tests.support.library_examples import document
from tests.support.qdrant_server import QdrantStandIn, serving

KEYS = keys_of(document().fields)
NAMES = ("public", "internal")


async def names() -> Sequence[str]:
    return NAMES


async def nothing() -> None:
    return None


class Moving:
    """An embedded index that holds something, and a server."""

    def __init__(self, folder: Path, stand_in: QdrantStandIn, url: str) -> None:
        edge = EdgeIndex(folder / "index", library=LIBRARY, primary=PRIMARY, secondary=SECONDARY)
        self.store = MovableStore(edge)
        self.index = ScopedIndex(self.store)
        self.stand_in = stand_in
        self.url = url

        self.servers: list[ServerIndex] = []

    def server(self) -> ServerIndex:
        made = ServerIndex.connect(
            self.url, api_key=None, prefix="test", library=LIBRARY, primary=PRIMARY, secondary=SECONDARY
        )
        self.servers.append(made)
        return made

    async def fill(self, versions: int, size: int = 30) -> None:
        for number in range(versions):
            await self.index.upsert(NAMES[number % 2], _points(f"v{number}", size))


def _points(name: str, size: int) -> list[IndexPoint]:
    return [replace(point, keys=KEYS) for point in points(size, of=version(name))]


@pytest.fixture
async def moving(tmp_path: Path) -> AsyncIterator[Moving]:
    stand_in = QdrantStandIn()
    async with serving(stand_in) as url:
        made = Moving(tmp_path, stand_in, url)
        yield made
        await made.index.close()
        for each in made.servers:
            await each.close()


async def content(store: MovableStore | ServerIndex | EdgeIndex) -> dict[str, object]:
    return {name: await store.held(name) for name in NAMES}


async def test_all_of_it_is_there_and_answers(moving: Moving) -> None:
    await moving.fill(6)
    before = await content(moving.store)
    asked = [question(1)], [version("v0"), version("v2")]
    (found,) = await moving.index.candidates("public", *asked, limit=100)
    assert await moving.store.move(moving.server(), names, settle=nothing) == 180
    assert await content(moving.store) == before
    moving.stand_in.requests.clear()
    (again,) = await moving.index.candidates("public", *asked, limit=100)
    assert moving.stand_in.requests
    scores = {each.passage: each.scores[Space.PRIMARY] for each in found}
    assert {each.passage: each.scores[Space.PRIMARY] for each in again} == pytest.approx(scores, abs=1e-3)


async def test_it_is_read_and_written_all_the_while(moving: Moving) -> None:
    """Whoever asks finds every point of the version that stays, before, meanwhile and after."""
    await moving.fill(8)
    dice, stop, rounds = random.Random(3), asyncio.Event(), 0
    expected: dict[str, set[VersionId]] = {
        name: {version(f"v{n}") for n in range(8) if NAMES[n % 2] == name} for name in NAMES
    }

    async def read() -> int:
        searches = 0
        while not stop.is_set():
            (found,) = await moving.index.candidates("public", [question(1)], [version("v0")], limit=100)
            assert len(found) == 30
            searches += 1
        return searches

    async def write() -> None:
        nonlocal rounds
        while not stop.is_set():
            rounds += 1
            name, some = dice.choice(NAMES), version(f"w{dice.randrange(4)}")
            if dice.random() < 0.6:
                await moving.index.upsert(name, _points(some, dice.randint(1, 40)))
                expected[name].add(version(some))
            else:
                await moving.index.remove_version(name, version(some))
                expected[name].discard(version(some))
            if dice.random() < 0.3:
                keys = {**KEYS, "place": (str(rounds),)}
                await moving.index.set_keys("public", {version("v2"): keys})
            await asyncio.sleep(dice.uniform(0, 0.02))

    async def move() -> None:
        await asyncio.sleep(0.1)
        await moving.store.move(moving.server(), names, settle=nothing)
        await asyncio.sleep(0.2)
        stop.set()

    searches, *_ = await asyncio.gather(read(), write(), move())
    assert searches > 1
    assert rounds > 1
    assert {name: set(await moving.store.held(name)) for name in NAMES} == expected


async def test_a_move_that_was_interrupted_goes_on(moving: Moving) -> None:
    await moving.fill(6)
    before = await content(moving.store)
    task = asyncio.create_task(moving.store.move(moving.server(), names, settle=nothing))
    while not any("/points" in path for _, path, _ in moving.stand_in.requests):  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await content(moving.store) == before  # the embedded one answers as before
    await moving.index.remove_version("public", version("v0"))  # and the server is not told
    before["public"] = await moving.store.held("public")
    await moving.store.move(moving.server(), names, settle=nothing)
    assert await content(moving.store) == before


@pytest.mark.parametrize("at", ["copying", "writing"])
async def test_where_the_server_fails_the_embedded_one_goes_on(
    moving: Moving, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await moving.fill(4)
    server = moving.server()

    async def settle() -> None:
        raise AssertionError("it was taken for whole")

    async def refused(*_: object, **__: object) -> None:
        raise Unavailable("index.busy", "not now")

    if at == "copying":
        monkeypatch.setattr(server, "upsert", refused)
    else:
        monkeypatch.setattr(server, "remove_version", refused)
        own = server.upsert

        async def written_meanwhile(collection: str, points: Sequence[IndexPoint]) -> None:
            await own(collection, points)
            await asyncio.create_task(moving.index.remove_version("public", version("v2")))

        monkeypatch.setattr(server, "upsert", written_meanwhile)
    with pytest.raises(FundstelleError):
        await moving.store.move(server, names, settle=settle)
    await moving.index.upsert("public", _points("later", 3))
    assert version("later") in await moving.store.held("public")
