from collections.abc import Sequence

import pytest

from bot.answers.evaluation.rounds import Meter
from core.domain.models import MessageRole, ModelMessage
from core.errors import Unavailable
from core.evaluation import Usage
from tests.support.fake_model import FakeModel

MESSAGES: Sequence[ModelMessage] = [ModelMessage(speaker=MessageRole.USER, text="eins zwei drei")]


async def test_calls_are_counted_until_they_are_taken():
    meter = Meter()
    model = meter.over(FakeModel(answer=lambda prompt, schema: "vier fünf"))
    assert meter.take() is None
    for _ in range(2):
        await model.complete(MESSAGES, collections=["public"])
    assert meter.take() == Usage(prompt_tokens=6, completion_tokens=4, usd=None)
    assert meter.take() is None


async def test_what_failed_has_no_bill_and_still_fails():
    meter = Meter()
    model = meter.over(FakeModel(error=Unavailable("model.unavailable", "down")))
    with pytest.raises(Unavailable):
        await model.complete(MESSAGES, collections=["public"])
    assert meter.take() is None


async def test_a_metered_model_is_the_model_in_everything_else():
    said: list[str] = []
    model = Meter().over(FakeModel(name="named", max_context_tokens=77, answer=lambda prompt, schema: "so"))
    done = await model.complete(MESSAGES, collections=["public"], schema={}, on_text=said.append)
    await model.warm_up()
    assert (model.name, model.max_context_tokens) == ("named", 77)
    assert (done.text, done.structured, said[-1]) == ("so", True, "so")
