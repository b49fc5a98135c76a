"""What a day may cost: reserved, settled, kept in a file, new the next day."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.litellm.budget import DailyBudget, Price
from core.domain.models import MessageRole, ModelMessage, Spending
from core.errors import Broken, FundstelleError, Refused
from tests.support.llm_fixtures import Build, endpoint
from tests.support.scripted_model import Mode, ScriptedModel

MESSAGES = (
    ModelMessage(speaker=MessageRole.USER, text="[S1] A, p. 1\nBridges are repaired every ten years."),
)
NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)


class Day:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.time = NOON

    def now(self) -> datetime:
        return self.time


@pytest.fixture
def day() -> Day:
    return Day()


def budget(folder: Path, day: Day, **limits: float) -> DailyBudget:
    return DailyBudget(file=folder / "spent.json", now=day.now, **limits)  # type: ignore[arg-type]


async def test_reserved_then_settled(tmp_path: Path, day: Day) -> None:
    book = budget(tmp_path, day, tokens=100)
    reservation = await book.reserve(Spending(tokens=80))
    with pytest.raises(Refused) as caught:
        await book.reserve(Spending(tokens=30))
    assert caught.value.key == "model.budget"
    await book.settle(reservation, Spending(tokens=20))
    assert await book.spent() == Spending(tokens=20)
    await book.reserve(Spending(tokens=80))


async def test_a_restart_does_not_forget_and_a_new_day_does(tmp_path: Path, day: Day) -> None:
    await budget(tmp_path, day, tokens=100).reserve(Spending(tokens=90))
    with pytest.raises(Refused):
        await budget(tmp_path, day, tokens=100).reserve(Spending(tokens=20))
    day.time += timedelta(days=1)
    await budget(tmp_path, day, tokens=100).reserve(Spending(tokens=20))


async def test_settling_yesterdays_call_leaves_today_alone(tmp_path: Path, day: Day) -> None:
    book = budget(tmp_path, day, tokens=100)
    yesterday = await book.reserve(Spending(tokens=90))
    day.time += timedelta(days=1)
    await book.reserve(Spending(tokens=50))
    await book.settle(yesterday, Spending(tokens=10))
    assert await book.spent() == Spending(tokens=50)


async def test_many_at_once_never_exceed_the_limit(tmp_path: Path, day: Day) -> None:
    books = [budget(tmp_path, day, tokens=100) for _ in range(4)]
    calls = [book.reserve(Spending(tokens=9)) for book in books for _ in range(6)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(not isinstance(result, BaseException) for result in results) == 11
    assert await books[0].spent() == Spending(tokens=99)


async def test_a_damaged_file_stops_spending(tmp_path: Path, day: Day) -> None:
    for content in ("", "[]", '{"day": "2031-05-01"}'):
        (tmp_path / "spent.json").write_text(content)
        with pytest.raises(Broken) as caught:
            await budget(tmp_path, day, tokens=100).reserve(Spending(tokens=1))
        assert caught.value.key == "model.budget_file"


async def test_calls_are_settled_by_what_the_endpoint_counted(
    tmp_path: Path, day: Day, server: ScriptedModel, build: Build
) -> None:
    book = budget(tmp_path, day, tokens=5000)
    completion = await build(endpoint(server), budget=book).complete(MESSAGES, collections=["public"])
    used = completion.prompt_tokens + completion.completion_tokens
    assert (await book.spent()).tokens == used
    assert 0 < used < 100


async def test_a_spent_budget_asks_nobody(
    tmp_path: Path, day: Day, server: ScriptedModel, build: Build
) -> None:
    model = build(endpoint(server), budget=budget(tmp_path, day, tokens=500))
    with pytest.raises(Refused) as caught:
        await model.complete(MESSAGES, collections=["public"], max_tokens=1024)
    assert caught.value.key == "model.budget"
    assert server.requests == []


async def test_money(
    tmp_path: Path, day: Day, server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    """The dear model is over the budget, the one that costs nothing is not."""
    book = budget(tmp_path, day, usd=0.5)
    dear = endpoint(server, price=Price(prompt=0.0, completion=0.001))
    free = endpoint(second, "openai/own", price=Price(prompt=0.0, completion=0.0))
    model = build(dear, free, budget=book)
    cheap_call = await model.complete(MESSAGES, collections=["public"], max_tokens=400)
    assert cheap_call.model == "openai/scripted"
    assert cheap_call.cost_usd == pytest.approx(cheap_call.completion_tokens * 0.001)
    assert (await book.spent()).usd == pytest.approx(cheap_call.cost_usd)
    dear_call = await model.complete(MESSAGES, collections=["public"], max_tokens=1000)
    assert (dear_call.model, dear_call.cost_usd) == ("openai/own", 0.0)


async def test_an_unknown_price_cannot_keep_a_budget_of_money(
    tmp_path: Path, day: Day, server: ScriptedModel, build: Build
) -> None:
    with pytest.raises(Broken) as caught:
        await build(endpoint(server), budget=budget(tmp_path, day, usd=1.0)).complete(
            MESSAGES, collections=["public"]
        )
    assert caught.value.key == "model.price_unknown"
    assert server.requests == []


async def test_an_unknown_price_is_no_cost(server: ScriptedModel, build: Build) -> None:
    assert (await build(endpoint(server)).complete(MESSAGES, collections=["public"])).cost_usd is None


async def test_known_prices_are_litellms(server: ScriptedModel, build: Build) -> None:
    model = build(endpoint(server, "openai/gpt-4o-mini"))
    completion = await model.complete(MESSAGES, collections=["public"])
    assert completion.cost_usd is not None
    assert 0 < completion.cost_usd < 0.01


@pytest.mark.parametrize(("mode", "kept"), [(Mode.FAILING, False), (Mode.HALF, True), (Mode.HANGING, True)])
async def test_what_may_have_been_billed_stays_reserved(
    mode: Mode, kept: bool, tmp_path: Path, day: Day, server: ScriptedModel, build: Build
) -> None:
    book = budget(tmp_path, day, tokens=50_000)
    model = build(endpoint(server), budget=book)
    await model.complete(MESSAGES, collections=["public"])
    before = (await book.spent()).tokens
    server.mode = mode
    with pytest.raises(FundstelleError):
        await model.complete(MESSAGES, collections=["public"], deadline_s=3.0 if kept else 30.0)
    assert ((await book.spent()).tokens > before) is kept
