"""A scripted server for each test, and models that ask it."""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from adapters.litellm.budget import DailyBudget, Endpoint
from adapters.litellm.model import LiteLlmModel
from core.domain.models import MessageRole, ModelMessage
from core.errors import Broken, FundstelleError, Refused, Unavailable
from tests.support.scripted_model import Mode, ScriptedModel

KEY = "sk-canary-0123456789abcdef"
Build = Callable[..., LiteLlmModel]

FAULTS: dict[Mode, tuple[type[FundstelleError], str]] = {
    Mode.RATE_LIMITED: (Unavailable, "model.busy"),
    Mode.FAILING: (Unavailable, "model.failed"),
    Mode.OVERLOADED: (Unavailable, "model.failed"),
    Mode.HANGING: (Unavailable, "model.timeout"),
    Mode.TRICKLING: (Unavailable, "model.timeout"),
    Mode.STALLING: (Unavailable, "model.timeout"),
    Mode.HALF: (Unavailable, "model.broken_off"),
    Mode.MALFORMED_BODY: (Unavailable, "model.failed"),
    Mode.EMPTY: (Unavailable, "model.empty"),
    Mode.UNAUTHORISED: (Broken, "model.key"),
    Mode.FORBIDDEN: (Broken, "model.key"),
    Mode.UNPAID: (Broken, "model.unpaid"),
    Mode.MISSING: (Broken, "model.missing"),
    Mode.TOO_LONG: (Broken, "model.too_long"),
    Mode.FILTERED: (Refused, "model.declined"),
}
"""The error for each way of failing."""


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


async def connected(model: LiteLlmModel) -> None:
    """Do everything that is slow the first time, so that short timeouts measure the server."""
    with contextlib.suppress(Unavailable):
        await model.complete([ModelMessage(speaker=MessageRole.USER, text="Hello.")], collections=["public"])
