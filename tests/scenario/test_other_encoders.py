"""The encoders, or how documents are read, change while the bot answers: from what was there before, until
what replaces it is whole."""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adapters.embedding.e5 import E5Embedder
from bot.library.scoping import ScopeOptions
from bot.library.upkeep import KEPT
from bot.settings.tree import Settings, load
from bot.wiring import services
from bot.wiring.composition import Composition
from core.domain.answers import Outcome
from core.domain.ingestion import Progress
from core.domain.search import Vector
from core.library.lifecycle import Lifecycle
from core.ports.clock import Clock
from tests.support.encoders import models_dir
from tests.support.qdrant_server import some_server

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(900)]

QUESTION = "Wie hoch soll der Mindestlohn sein?"
TOPIC = re.compile("Mindestlohn|minimum wage")
"""Which party's words come first may depend on the processor."""


class Turned:
    """The packaged encoder with its dimensions in another order: as good, but its vectors and those of the
    other one say nothing of each other."""

    name = "turned"

    def __init__(self) -> None:
        self._own = E5Embedder(models_dir())
        self.dimension, self.max_tokens = self._own.dimension, self._own.max_tokens
        self._order = np.random.default_rng(5).permutation(self.dimension)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._own.count_tokens(texts)

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vector:
        return (await self._own.passages(texts, progress))[:, self._order]

    async def query(self, text: str) -> Vector:
        return (await self._own.query(text))[self._order]

    async def warm_up(self) -> None:
        await self._own.warm_up()


@pytest.fixture
def turned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.wiring.plugins.embedder", lambda *_: Turned())


@pytest.fixture(params=["embedded", "server"])
async def settings(request: pytest.FixtureRequest, data: Path, tmp_path: Path) -> AsyncIterator[Settings]:
    """Of a copy of the example library, whose index is embedded or on a server."""
    folder = shutil.copytree(data, tmp_path / "data", symlinks=True)
    found = load(data=folder).settings
    if request.param == "embedded":
        yield found
        return
    async with some_server() as qdrant:
        settled = found.model_copy(update={"qdrant": qdrant.model_copy(update={"url": ""})})
        async with services.opened(settled) as app:
            await app.move_index(qdrant.url)
        yield found.model_copy(update={"qdrant": qdrant})


def with_others(settings: Settings) -> Settings:
    encoders = settings.encoders.model_copy(update={"primary": "plugin:turned"})
    return settings.model_copy(update={"encoders": encoders})


class Asking:
    """Somebody asks all the time; every answer has to be right and from a whole index."""

    def __init__(self, app: Composition) -> None:
        self._app = app
        self.answers = 0

    async def once(self) -> None:
        answer = await self._app.questions.ask(QUESTION, ScopeOptions())
        assert answer.outcome is Outcome.GROUNDED
        quotes = [each.quote.text for each in answer.citations]
        assert any(map(TOPIC.search, quotes)), quotes
        assert "notice.rebuilding" not in {each.key for each in answer.notices}
        self.answers += 1

    async def _go_on(self) -> None:
        while True:
            await self.once()

    @asynccontextmanager
    async def meanwhile(self) -> AsyncIterator[None]:
        await self.once()
        task = asyncio.create_task(self._go_on())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    while not await true():  # noqa: ASYNC110 - stores say so when they are asked
        await asyncio.sleep(0.05)


class Later(Clock):
    """The app's clock, later."""

    def __init__(self, clock: Clock, by: timedelta) -> None:
        self._clock, self._by = clock, by

    def now(self) -> Any:
        return self._clock.now() + self._by


@pytest.mark.usefixtures("turned")
async def test_other_encoders_answer_once_their_index_is_whole(settings: Settings) -> None:
    async with services.opened(with_others(settings)) as app:
        asking, upkeep, following = Asking(app), app.index_generations, app.next_index
        assert upkeep is not None
        assert following is not None
        assert app.primary.name != "turned"
        async with asking.meanwhile():
            made = following.completeness
            lacking = len(await made.lacking())
            building = asyncio.create_task(upkeep.build())

            async def some_is_there() -> bool:
                return len(await made.lacking()) < lacking

            await until(some_is_there)
            building.cancel()
            with suppress(asyncio.CancelledError):
                await building
        assert not await upkeep.is_over()
    async with services.opened(with_others(settings)) as app:
        asking, upkeep, following = Asking(app), app.index_generations, app.next_index
        assert upkeep is not None
        assert following is not None
        assert 0 < len(await following.completeness.lacking()) < lacking  # it goes on
        async with asking.meanwhile():
            await upkeep.build()
            assert await upkeep.is_over()
            await asking.once()  # who began before answers as before
    async with services.opened(with_others(settings)) as app:
        asking, upkeep = Asking(app), app.index_generations
        assert upkeep is not None
        assert (app.primary.name, app.next_index) == ("turned", None)
        assert not await upkeep.is_over()
        async with asking.meanwhile():
            await upkeep.build()
            assert len(await upkeep.generations.all()) == 2
            object.__setattr__(upkeep, "clock", Later(app.clock, KEPT + timedelta(hours=1)))
            await upkeep.build()
            assert [each.encoders for each in await upkeep.generations.all()] == [upkeep.generation.encoders]
            await asking.once()


async def test_documents_are_read_anew_while_questions_are_answered(settings: Settings) -> None:
    async with services.opened(settings) as app:
        asking = Asking(app)
        app.ingester.pipeline = f"another/{app.ingester.pipeline}"
        outdated = len(await app.reindexing.outdated())
        async with asking.meanwhile():
            working = asyncio.create_task(app.reindexing.once())

            async def some_is_new() -> bool:
                return len(await app.reindexing.outdated()) < outdated

            await until(some_is_new)
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working
            assert 0 < len(await app.reindexing.outdated()) < outdated
            await app.reindexing.once()
            assert await app.reindexing.outdated() == []
            await asking.once()
            later = Lifecycle(
                library=app.library,
                index=app.index,
                originals=app.originals,
                clock=Later(app.clock, timedelta(minutes=20)),
            )
            assert (await later.collect()).orphans >= outdated
            await asking.once()
        assert asking.answers > 3
