"""What every language model must do: the fake, and LiteLLM asking a server that speaks OpenAI's protocol."""

import itertools
import json
from collections.abc import AsyncIterator

import pytest

from adapters.litellm.model import LiteLlmModel
from core.domain.models import MessageRole, ModelMessage
from core.errors import Refused
from core.ports.models import LanguageModel
from tests.support.fake_model import FakeModel
from tests.support.llm_fixtures import endpoint
from tests.support.scripted_model import ScriptedModel

PROMPT = """Passages:

[S1] Heath Party, programme, 2031, p. 4
We will lower the ferry toll to 3 crowns by 2033.

[S2] Fjord Party, programme, 2031, p. 9
Ferries remain free for islanders under eighteen.

Question: What do they say about ferries?"""
MESSAGES = (
    ModelMessage(speaker=MessageRole.SYSTEM, text="Answer from the passages only."),
    ModelMessage(speaker=MessageRole.USER, text=PROMPT),
)
SCHEMA = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "quote": {"type": "string"},
                    "label": {"type": "string"},
                },
            },
        },
        "answerable": {"type": "boolean"},
    },
}


@pytest.fixture(params=["fake", "litellm"])
async def model(request: pytest.FixtureRequest) -> AsyncIterator[LanguageModel]:
    if request.param == "fake":
        yield FakeModel()
        return
    with ScriptedModel() as server:
        made = LiteLlmModel([endpoint(server)])
        yield made
        await made.close()


async def test_answers_in_the_form_of_the_schema(model: LanguageModel) -> None:
    completion = await model.complete(MESSAGES, collections=["public"], schema=SCHEMA)
    answer = json.loads(completion.text)
    assert completion.structured
    assert [(claim["label"], claim["quote"]) for claim in answer["claims"]] == [
        ("S1", "We will lower the ferry toll to 3 crowns by 2033."),
        ("S2", "Ferries remain free for islanders under eighteen."),
    ]
    assert answer["answerable"] is True


async def test_answers_in_text_without_a_schema(model: LanguageModel) -> None:
    completion = await model.complete(MESSAGES, collections=["public"])
    assert not completion.structured
    assert "[S1]" in completion.text
    assert "3 crowns" in completion.text


async def test_counts_tokens_and_names_the_model(model: LanguageModel) -> None:
    completion = await model.complete(MESSAGES, collections=["public"])
    assert completion.model == model.name
    assert completion.prompt_tokens > completion.completion_tokens > 0
    assert completion.seconds >= 0
    assert model.max_context_tokens > 0


async def test_is_heard_while_it_writes(model: LanguageModel) -> None:
    heard: list[str] = []
    completion = await model.complete(MESSAGES, collections=["public"], schema=SCHEMA, on_text=heard.append)
    assert len(heard) > 2
    assert heard[-1] == completion.text
    assert all(later.startswith(sooner) for sooner, later in itertools.pairwise(heard))
    assert min(completion.prompt_tokens, completion.completion_tokens) > 0
    assert completion.structured


async def test_refuses_collections_it_is_not_approved_for(model: LanguageModel) -> None:
    with pytest.raises(Refused) as refused:
        await model.complete(MESSAGES, collections=["public", "internal"])
    assert refused.value.key == "model.not_approved"


async def test_what_needs_no_passages_needs_no_approval(model: LanguageModel) -> None:
    assert (await model.complete(MESSAGES, collections=[])).text
