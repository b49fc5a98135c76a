"""What every reranker must do: the fake, a language model over real HTTP, a cross encoder, and the
packaged reader."""

import json
import re
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from adapters.embedding.fastembed_models import CrossEncoderReranker
from adapters.embedding.reader import PackagedReader
from adapters.litellm.model import LiteLlmModel
from core.answering.generated.listwise import ListwiseReranker
from core.ports.models import Reranker
from tests.support.cross_encoder import tiny_cross_encoder
from tests.support.encoders import models_dir
from tests.support.fake_reranker import FakeReranker
from tests.support.llm_fixtures import endpoint
from tests.support.scripted_answers import Prompt
from tests.support.scripted_model import ScriptedModel

QUESTION = "Who wants to lower the toll of the ferry?"
TEXTS = (
    "Every school gets a garden.",
    "We will lower the ferry toll to 3 crowns.",
    "Ferries remain free for islanders.",
)


def judged(prompt: Prompt, schema: Mapping[str, object] | None) -> str:
    """Who has the word is good; who has not is not."""
    passages = re.findall(r"^\[(\d+)\]\n(.+)$", prompt.last, re.MULTILINE)
    scores = {int(number): 0.9 if "toll" in text else 0.1 for number, text in passages}
    best = sorted(scores, key=lambda number: -scores[number])
    return json.dumps({"ranking": [{"id": number, "score": scores[number]} for number in best]})


@pytest.fixture(params=["fake", "llm", "cross_encoder", "packaged"])
async def reranker(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Reranker]:
    if request.param == "fake":
        yield FakeReranker()
    elif request.param == "packaged":
        yield PackagedReader(models_dir())
    elif request.param == "cross_encoder":
        yield CrossEncoderReranker(str(tiny_cross_encoder(tmp_path / "tiny")), cache_dir=tmp_path)
    else:
        with ScriptedModel() as server:
            server.answer = judged
            model = LiteLlmModel([endpoint(server)])
            yield ListwiseReranker(model)
            await model.close()


async def test_the_best_comes_first(reranker: Reranker) -> None:
    await reranker.warm_up()
    found = await reranker.rank(QUESTION, TEXTS, collections=["public"], deadline_s=60)
    assert found[0].index == 1
    assert sorted(item.index for item in found) == [0, 1, 2]
    scores = [item.score for item in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert scores[0] > scores[-1]


async def test_nothing_to_rank(reranker: Reranker) -> None:
    assert await reranker.rank(QUESTION, [], collections=["public"], deadline_s=60) == []


async def test_the_same_every_time(reranker: Reranker) -> None:
    asked = [await reranker.rank(QUESTION, TEXTS, collections=["public"], deadline_s=60) for _ in range(2)]
    assert asked[0] == asked[1]


async def test_has_a_name(reranker: Reranker) -> None:
    assert reranker.name
    assert "/" not in reranker.name.removeprefix("llm:openai/")
