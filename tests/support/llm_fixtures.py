"""A scripted server for each test, and models that ask it."""

from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from adapters.litellm.budget import DailyBudget
from adapters.litellm.endpoint import Endpoint
from adapters.litellm.model import LiteLlmModel
from tests.support.scripted_model import ScriptedModel

KEY = "sk-canary-0123456789abcdef"
Build = Callable[..., LiteLlmModel]


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture
def second() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture
async def build() -> AsyncIterator[Build]:
    """Makes models of endpoints and closes them again."""
    made: list[LiteLlmModel] = []

    def make(*endpoints: Endpoint, budget: DailyBudget | None = None, **options: object) -> LiteLlmModel:
        made.append(LiteLlmModel(endpoints, budget=budget, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for model in made:
        await model.close()


def endpoint(server: ScriptedModel, name: str = "openai/scripted", **options: object) -> Endpoint:
    stated: dict[str, object] = {"api_key": KEY, "timeout_s": 30.0} | options
    return Endpoint(model=name, api_base=server.url, **stated)  # type: ignore[arg-type]
