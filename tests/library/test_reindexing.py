"""A new pipeline builds documents again, while questions are answered."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot.library.scoping import ScopeOptions
from core.domain.answers import Outcome
from core.library.lifecycle import Lifecycle
from core.ports.clock import Clock
from tests.support.world import NOW, World, populated

QUESTION = "Wie hoch ist der Mindestlohn der Uferpartei?"


class Later(Clock):
    """When no question of before is under way any more."""

    def now(self) -> datetime:
        return NOW + timedelta(minutes=10)


@pytest.fixture
async def world() -> World:
    found = await populated()
    found.ingester.pipeline = "another"
    return found


async def test_everything_is_built_anew_once(world: World) -> None:
    before = {name: await world.index.count(name) for name in ("public", "internal")}
    assert len(await world.app.reindexing.outdated()) == 6
    done = [
        document.key async for document, receipt in world.app.reindexing.rebuilt() if receipt.error is None
    ]
    assert len(done) == 6
    assert await world.app.reindexing.outdated() == []
    terms = {"library": world.library, "index": world.index, "originals": world.originals}
    assert (await Lifecycle(**terms, clock=Later()).collect()).orphans == 6  # type: ignore[arg-type]
    assert {name: await world.index.count(name) for name in ("public", "internal")} == before


async def test_questions_are_answered_meanwhile(world: World) -> None:
    built = 0
    async for _ in world.app.reindexing.rebuilt():
        built += 1
        answers = await asyncio.gather(*(world.app.questions.ask(QUESTION, ScopeOptions()) for _ in range(2)))
        assert all(answer.outcome is Outcome.GROUNDED for answer in answers)
    assert built == 6


async def test_what_cannot_be_read_any_more_stays_as_it_is(world: World) -> None:
    kept = world.pdf.documents["ufer25.pdf"]
    world.pdf.documents["ufer25.pdf"] = replace(kept, pages=())
    refused = [document.key async for document, receipt in world.app.reindexing.rebuilt() if receipt.error]
    assert refused == ["ufer25.pdf"]
    answer = await world.app.questions.ask(QUESTION, ScopeOptions())
    assert any("15 Taler" in citation.quote.text for citation in answer.citations)
