"""The index of other encoders is made beside the one that answers, and answers once it is whole."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.database.database import Database
from adapters.database.jobs import SqlIndexGenerations
from bot.library.scoping import ScopeOptions
from bot.library.upkeep import KEPT, IndexGenerationsUpkeep
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.models import Encoders, encoders
from core.domain.answers import Outcome
from core.domain.search import IndexPoint
from core.errors import Broken, Unavailable
from core.ports.index import IndexGeneration, answering
from core.ports.models import Embedder
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.fake_embedder import FakeEmbedder, FakeLexicalEncoder
from tests.support.fake_index import FakeIndex
from tests.support.world import FixedClock, World, populated

QUESTION = "Wie hoch ist der Mindestlohn der Uferpartei?"
OLD = IndexGeneration(encoders="old", setting="packaged", place="")
NEW = IndexGeneration(encoders="new", setting="plugin:new", place="-new")


class FailingIndex(FakeIndex):
    """Fails after so many writes."""

    writes = 10**6

    async def upsert(self, collection: str, points: Sequence[IndexPoint]) -> None:
        if self.writes <= 0:
            raise Unavailable("index.unreachable", "it went")
        self.writes -= 1
        await super().upsert(collection, points)


@dataclass
class Growing:
    """A small world whose settings name other encoders than those that answer."""

    world: World
    generations: SqlIndexGenerations
    index: FailingIndex
    dropped: list[str]

    async def app(self) -> Composition:
        """The services of a process that begins now."""
        old, new = [
            next(each for each in await self.generations.all() if each.encoders == name)
            for name in ("old", "new")
        ]
        following = Encoders(primary=FakeEmbedder(32, name="new"), secondary=FakeEmbedder(32), generation=new)

        async def drop(place: str) -> None:
            self.dropped.append(place)

        app = replace(self.world.app, generations=self.generations, generation=old, drop_index=drop)
        app.following = following, self.index
        return app


def upkeep_of(app: Composition) -> IndexGenerationsUpkeep:
    assert app.index_generations is not None
    return app.index_generations


@pytest.fixture(params=["sqlite", "postgresql"])
async def generations(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SqlIndexGenerations]:
    if request.param == "sqlite":
        url = sqlite_url(tmp_path / "a.db")
    else:
        url = await postgresql_url(request.getfixturevalue("postgresql"))
    database = await Database.open(url)
    yield SqlIndexGenerations(database)
    await database.close()


@pytest.fixture
async def growing(generations: SqlIndexGenerations) -> Growing:
    world = await populated()
    await generations.begin(OLD)
    await generations.answer_from("old", at=world.clock.now())
    await generations.begin(NEW)
    world.clock.at += timedelta(minutes=1)
    return Growing(world, generations, FailingIndex(), [])


async def is_answered(app: Composition) -> None:
    answer = await app.questions.ask(QUESTION, ScopeOptions())
    assert answer.outcome is Outcome.GROUNDED
    assert any("15 Taler" in citation.quote.text for citation in answer.citations)


async def test_it_answers_once_it_is_whole_and_questions_are_answered_all_the_while(
    growing: Growing,
) -> None:
    app = await growing.app()
    upkeep = upkeep_of(app)
    assert not await upkeep.is_over()
    growing.index.writes = 3
    with pytest.raises(Unavailable):
        await upkeep.build()
    assert app.next_index is not None
    lacking = await app.next_index.completeness.lacking()
    assert 0 < len(lacking) < len(await app.library.holdings())
    assert not await upkeep.is_over()
    await is_answered(app)

    growing.index.writes = len(lacking)  # what is there is not made again
    building = asyncio.create_task(upkeep.build())
    await asyncio.gather(building, *(is_answered(app) for _ in range(3)))
    assert await upkeep.is_over()
    await is_answered(app)  # as before, for who began before
    assert await app.next_index.completeness.lacking() == ()
    assert growing.dropped == []


async def test_what_comes_meanwhile_is_waited_for(growing: Growing) -> None:
    app = await growing.app()
    upkeep = upkeep_of(app)
    await upkeep.build()
    await growing.generations.forget("new")
    await growing.generations.begin(NEW)
    await growing.world.add("neu.pdf", "Der Hafen bleibt in öffentlicher Hand.", jurisdiction="xv")
    growing.index.writes = 0
    with suppress(Unavailable):
        await upkeep.build()
    assert not await upkeep.is_over()
    growing.index.writes = 10
    await upkeep.build()
    assert await upkeep.is_over()


async def test_the_former_index_goes_when_nobody_can_use_it_any_more(growing: Growing) -> None:
    await upkeep_of(await growing.app()).build()
    later = await growing.app()
    later.generation = (await growing.generations.all())[0]
    later.following = None
    await upkeep_of(later).build()
    assert growing.dropped == []
    growing.world.clock.at += KEPT + timedelta(seconds=1)
    await upkeep_of(later).build()
    assert growing.dropped == [OLD.place]
    assert [each.encoders for each in await growing.generations.all()] == ["new"]


async def test_a_process_with_other_settings_goes_on_and_takes_nothing_back(growing: Growing) -> None:
    app = await growing.app()
    await upkeep_of(app).build()
    other = await growing.app()
    other.following = None  # it wants what it has
    assert not await upkeep_of(other).is_over()
    await upkeep_of(other).build()
    returning = await growing.app()
    new, old = await growing.generations.all()
    returning.generation = new
    returning.following = (replace(returning.following[0], generation=old), growing.index)  # type: ignore[index]
    await upkeep_of(returning).build()  # the former one, which it wants, was chosen before
    found = answering(await growing.generations.all())
    assert found is not None
    assert found.encoders == "new"


# Which encoders a process answers with.


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The names of the encoders by their setting."""
    found = {"packaged": "first", "plugin:other": "second"}

    def primary(settings: Settings, models: Path) -> Embedder:
        if settings.encoders.primary not in found:
            raise Broken("plugin.missing", "no package is installed that has it", name="other")
        return FakeEmbedder(name=found[settings.encoders.primary])

    monkeypatch.setattr("bot.wiring.models.primary_embedder", primary)
    monkeypatch.setattr("bot.wiring.models.secondary_embedder", lambda *_: FakeEmbedder())
    return found


async def chosen(generations: SqlIndexGenerations, primary: str) -> tuple[Encoders, Encoders | None]:
    plain = Settings(data=Path("no folder"))
    stated = plain.encoders.model_copy(update={"primary": primary})
    settings = plain.model_copy(update={"encoders": stated})
    return await encoders(settings, Path("none"), FakeLexicalEncoder(), generations, FixedClock())


async def test_those_of_the_index_answer(generations: SqlIndexGenerations, installed: dict[str, str]) -> None:
    first, none = await chosen(generations, "packaged")
    assert (first.primary.name, first.generation.place, none) == ("first", "", None)
    assert (await chosen(generations, "packaged"))[0].generation == first.generation
    still, following = await chosen(generations, "plugin:other")
    assert (still.primary.name, still.generation) == ("first", first.generation)
    assert following is not None
    assert (following.primary.name, following.generation.since) == ("second", None)
    assert following.generation.place not in ("", None)
    await generations.answer_from(following.generation.encoders, at=FixedClock().now() + timedelta(hours=1))
    second, none = await chosen(generations, "plugin:other")
    assert (second.primary.name, second.generation.place, none) == (
        "second",
        following.generation.place,
        None,
    )


@pytest.mark.parametrize("change", ["gone", "another version"])
async def test_where_those_of_the_index_are_gone_others_answer_and_nobody_else_is_told(
    generations: SqlIndexGenerations, installed: dict[str, str], change: str
) -> None:
    first, _ = await chosen(generations, "packaged")
    installed["plugin:other"] = "second"
    if change == "gone":
        del installed["packaged"]
    else:
        installed["packaged"] = "first, improved"
    now, following = await chosen(generations, "plugin:other")
    assert (now.primary.name, following) == ("second", None)
    assert now.generation.place != first.generation.place
    found = answering(await generations.all())
    assert found is not None
    assert found.encoders == first.generation.encoders
