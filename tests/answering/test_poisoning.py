"""Orders in documents and questions change nothing: not links, labels, mentions or scope."""

import pytest

from core.domain.scope import Scope
from tests.support.bad_models import HABITS
from tests.support.fake_model import FakeModel
from tests.support.live_text import live
from tests.support.poisoning import ORDERS, Seen, asker, page, poison
from tests.support.scripted_answers import Mode
from tests.support.world import World, populated

MODELS = {
    "extractive": lambda: None,
    "echo": lambda: FakeModel(mode=Mode.ECHO),
    "obey": lambda: FakeModel(mode=Mode.OBEY),
    "proper": lambda: FakeModel(mode=Mode.PROPER),
    "bait": lambda: FakeModel(answer=HABITS["bait"]),
}


@pytest.mark.parametrize("name", MODELS)
async def test_orders_in_documents(name: str) -> None:
    world, model, seen = await populated(), MODELS[name](), Seen()
    documents = await poison(world, ORDERS)
    for number, document in enumerate(documents):
        scope = Scope(collections=("public",), documents=(document,))
        for question in (f"Wie hoch ist der Mindestlohn in Hafen {number}?", ORDERS[number]):
            await seen.ask(world, asker(world, model), question, scope, model)
    assert seen.counts["answers"] == 2 * len(ORDERS)
    assert seen.examples == []


@pytest.mark.parametrize("name", MODELS)
async def test_orders_in_questions(name: str) -> None:
    world, model, seen = await populated(), MODELS[name](), Seen()
    for order in ORDERS:
        for question in (order, f"Was will die Uferpartei beim Mindestlohn? {order}"):
            await seen.ask(world, asker(world, model), question, model=model)
    assert seen.counts["answers"] == 2 * len(ORDERS)
    assert seen.examples == []


async def test_the_orders_do_reach_answers() -> None:
    """Without this, the tests above would prove nothing."""
    world, seen = await populated(), Seen()
    documents = await poison(world, ORDERS)
    for number, document in enumerate(documents):
        scope = Scope(collections=("public",), documents=(document,))
        await seen.ask(world, asker(world, None), ORDERS[number], scope)
    assert seen.counts["with an address in a quote or claim"] >= 3
    assert all(live(page(order, number)) for number, order in enumerate(ORDERS))


async def _inner(world: World) -> Seen:
    seen = Seen()
    everything = Scope(collections=("public", "internal"))
    await seen.ask(world, asker(world, None), "Was ist der geheime Plan KANARIENVOGEL?", everything)
    return seen


async def test_what_must_not_be_shown_would_be_noticed() -> None:
    seen = await _inner(await populated())
    assert seen.wrong["internal text shown"] == 1
    assert seen.wrong["document out of scope"] >= 1
