"""Fallbacks: who is asked when, who never is, and that nobody waits for ever."""

import contextlib
import socket

import pytest

from adapters.litellm.budget import Endpoint
from adapters.litellm.model import REST_S
from bot.answers.records.recorder import record_of
from core.domain.answers import Outcome
from core.domain.models import MessageRole, ModelMessage
from core.domain.scope import Scope
from core.errors import FundstelleError, Refused, Unavailable
from tests.support.bad_models import writing_asker
from tests.support.llm_fixtures import Build, endpoint
from tests.support.scripted_model import Mode, ScriptedModel
from tests.support.world import NOW, populated

MESSAGES = (
    ModelMessage(speaker=MessageRole.USER, text="[S1] A, p. 1\nBridges are repaired every ten years."),
)
DOWN = (
    Mode.RATE_LIMITED,
    Mode.FAILING,
    Mode.HALF,
    Mode.MALFORMED_BODY,
    Mode.UNAUTHORISED,
    Mode.EMPTY,
    Mode.FILTERED,
)


@pytest.mark.parametrize("mode", DOWN)
async def test_the_fallback_answers_at_once(
    mode: Mode, server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    model = build(endpoint(server), endpoint(second, "openai/second"))
    server.mode = mode
    completion = await model.complete(MESSAGES, collections=["public"])
    assert completion.model == "openai/second"
    assert "Bridges" in completion.text
    assert (len(server.requests), len(second.requests)) == (1, 1)


async def test_a_primary_that_is_gone(server: ScriptedModel, second: ScriptedModel, build: Build) -> None:
    model = build(endpoint(server), endpoint(second, "openai/second"))
    server.__exit__(None, None, None)
    assert (await model.complete(MESSAGES, collections=["public"])).model == "openai/second"


async def test_a_primary_that_does_not_accept_connections(second: ScriptedModel, build: Build) -> None:
    """A queue for one that is full: Linux drops what comes then, as a dead host would."""
    with socket.socket() as listener, contextlib.ExitStack() as queue:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            waiting = queue.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        port = listener.getsockname()[1]
        dead = Endpoint(model="openai/dead", api_base=f"http://127.0.0.1:{port}/v1", timeout_s=300)
        model = build(dead, endpoint(second, "openai/second"))
        completion = await model.complete(MESSAGES, collections=["public"], deadline_s=280)
    assert completion.model == "openai/second"


async def test_a_primary_that_hangs_leaves_time_for_the_fallback(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    """Of 8 s the one that hangs has 4, though its own timeout is 30."""
    model = build(endpoint(server), endpoint(second, "openai/second"))
    await model.warm_up()
    server.mode = Mode.HANGING
    assert (await model.complete(MESSAGES, collections=["public"], deadline_s=8.0)).model == "openai/second"


async def test_what_failed_is_asked_last_for_a_while(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    clock = [0.0]
    model = build(endpoint(server), endpoint(second, "openai/second"), monotonic=lambda: clock[0])
    server.script(Mode.FAILING)
    models = []
    for now in (0.0, REST_S / 2, REST_S + 1):
        clock[0] = now
        models.append((await model.complete(MESSAGES, collections=["public"])).model)
    assert models == ["openai/second", "openai/second", "openai/scripted"]
    assert len(server.requests) == 2


async def test_one_that_rests_is_still_better_than_none(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    model = build(endpoint(server), endpoint(second, "openai/second"), monotonic=lambda: 0.0)
    server.script(Mode.FAILING)
    await model.complete(MESSAGES, collections=["public"])
    second.mode = Mode.FAILING
    assert (await model.complete(MESSAGES, collections=["public"])).model == "openai/scripted"


async def test_all_down_is_unavailable_and_names_each(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    server.mode, second.mode = Mode.UNAUTHORISED, Mode.FAILING
    with pytest.raises(Unavailable) as caught:
        await build(endpoint(server), endpoint(second, "openai/second")).complete(
            MESSAGES, collections=["public"]
        )
    assert caught.value.key == "model.failed"
    assert "openai/scripted at 127.0.0.1" in caught.value.detail
    assert "openai/second at 127.0.0.1" in caught.value.detail


async def test_all_hanging_ends_at_the_deadline(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    """Without the deadline the endpoints' own timeouts outlast the test's."""
    model = build(endpoint(server, timeout_s=300), endpoint(second, timeout_s=300))
    await model.complete(MESSAGES, collections=["public"])
    server.mode = second.mode = Mode.HANGING
    with pytest.raises(Unavailable) as caught:
        await model.complete(MESSAGES, collections=["public"], deadline_s=2.0)
    assert caught.value.key == "model.timeout"


async def test_internal_passages_never_cross_by_fallback(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    both = frozenset({"public", "internal"})
    model = build(endpoint(server, collections=both), endpoint(second, "openai/second"))
    for mode in DOWN:
        server.mode = mode
        with pytest.raises(FundstelleError) as caught:
            await model.complete(MESSAGES, collections=["public", "internal"])
        assert "openai/second" not in str(caught.value)
    assert second.requests == []


async def test_only_the_fallback_may_be_approved(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    model = build(endpoint(server), endpoint(second, "openai/own", collections=frozenset({"internal"})))
    assert (await model.complete(MESSAGES, collections=["internal"])).model == "openai/own"
    assert server.requests == []


async def test_nothing_is_sent_without_approval(server: ScriptedModel, build: Build) -> None:
    with pytest.raises(Refused) as caught:
        await build(endpoint(server)).complete(MESSAGES, collections=["public", "internal"])
    assert caught.value.key == "model.not_approved"
    assert server.requests == []


def test_a_prompt_fits_every_endpoint(server: ScriptedModel, build: Build) -> None:
    model = build(endpoint(server, context_tokens=9000), endpoint(server, "openai/b", context_tokens=4000))
    assert model.max_context_tokens == 4000
    assert model.name == "openai/scripted"


async def test_the_answer_and_its_record_name_the_fallback_that_wrote(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    model = build(endpoint(server), endpoint(second, "openai/second"))
    server.mode = Mode.FAILING
    asker = writing_asker(await populated(), model)
    scope = Scope(collections=("public",))
    answered = await asker.answered("Was sagen die Windmüller zum Mindestlohn?", scope=scope)
    assert answered.answer.outcome is Outcome.GROUNDED
    assert answered.answer.answerer == "llm:openai/second"
    record = record_of(answered, at=NOW)
    assert record.model is not None
    assert (record.answerer, record.model.model) == ("llm:openai/second", "openai/second")
