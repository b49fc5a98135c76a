"""What is wrong out there becomes one of our errors, in time, and says nothing it should not."""

import logging
import traceback

import pytest

from adapters.litellm import package
from adapters.litellm.model import known_kind, translate
from core.domain.models import MessageRole, ModelMessage
from core.errors import Broken, FundstelleError, Refused, Unavailable
from tests.support.llm_fixtures import FAULTS, KEY, Build, connected, endpoint
from tests.support.scripted_model import Mode, ScriptedModel

PROMPT_CANARY = "tunnelbananensaft"
MESSAGES = (
    ModelMessage(
        speaker=MessageRole.USER, text=f"[S1] A, p. 1\nThe {PROMPT_CANARY} shall be free for everybody."
    ),
)
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}

EXCEPTIONS = package.load().exceptions
FOREIGN = [
    item
    for item in vars(EXCEPTIONS).values()
    if isinstance(item, type) and issubclass(item, Exception) and item.__module__ == EXCEPTIONS.__name__
]


def test_there_are_exceptions_to_translate() -> None:
    assert len(FOREIGN) >= 25


@pytest.mark.parametrize("foreign", FOREIGN, ids=lambda item: item.__name__)
def test_every_exception_of_litellm_is_classed(foreign: type[Exception], server: ScriptedModel) -> None:
    assert known_kind(foreign) is not None
    error = translate(foreign.__new__(foreign), endpoint(server))
    assert isinstance(error, Refused | Unavailable | Broken)
    assert error.key.startswith("model.")
    assert error.detail.startswith("openai/scripted at 127.0.0.1: ")


def test_an_exception_that_nobody_knows_is_a_passing_fault(server: ScriptedModel) -> None:
    error = translate(ArithmeticError(KEY), endpoint(server))
    assert (type(error), error.key) == (Unavailable, "model.failed")
    assert KEY not in error.detail


@pytest.mark.parametrize("mode", FAULTS)
async def test_each_fault_is_translated_and_keeps_secrets(
    mode: Mode,
    server: ScriptedModel,
    build: Build,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The server repeats the key in its messages; neither key nor prompt shows anywhere."""
    caplog.set_level(logging.DEBUG)
    slow = mode in (Mode.HANGING, Mode.TRICKLING, Mode.STALLING)
    model = build(endpoint(server, timeout_s=2.0 if slow else 30.0))
    if slow:
        await connected(model)
    server.mode = mode
    with pytest.raises(FundstelleError) as caught:
        await model.complete(MESSAGES, collections=["public"], schema=SCHEMA)
    assert (type(caught.value), caught.value.key) == FAULTS[mode]
    assert server.requests[0].key == KEY
    shown = "".join(traceback.format_exception(caught.value, chain=True)) + repr(caught.value.values)
    out, err = capfd.readouterr()
    for place in (caught.value.detail, shown, caplog.text, out, err, repr(model.endpoints)):
        assert KEY not in place
        assert PROMPT_CANARY not in place
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


async def test_a_rate_limit_says_how_long_to_wait(server: ScriptedModel, build: Build) -> None:
    server.mode = Mode.RATE_LIMITED
    with pytest.raises(Unavailable) as caught:
        await build(endpoint(server)).complete(MESSAGES, collections=["public"])
    assert caught.value.retry_after_s == 1.0
    assert len(server.requests) == 1


async def test_a_server_error_is_tried_once_more_and_no_oftener(server: ScriptedModel, build: Build) -> None:
    model = build(endpoint(server))
    server.script(Mode.FAILING)
    assert (await model.complete(MESSAGES, collections=["public"])).text
    assert len(server.requests) == 2
    server.mode = Mode.FAILING
    with pytest.raises(Unavailable):
        await model.complete(MESSAGES, collections=["public"])
    assert len(server.requests) == 4


async def test_a_name_without_provider_is_the_operators_to_mend(server: ScriptedModel, build: Build) -> None:
    with pytest.raises(Broken) as caught:
        await build(endpoint(server, "nobody-knows-this")).complete(MESSAGES, collections=["public"])
    assert caught.value.key == "model.unusable"
    assert "openai/NAME" in caught.value.detail
    assert not server.requests


async def test_nobody_listening(server: ScriptedModel, build: Build) -> None:
    gone = endpoint(server)
    server.__exit__(None, None, None)
    with pytest.raises(Unavailable) as caught:
        await build(gone).complete(MESSAGES, collections=["public"])
    assert caught.value.key == "model.unreachable"
