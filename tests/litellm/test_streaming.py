"""Answers heard while they are written; silence that is noticed; calls that end when nobody wants them."""

import asyncio
import time
from pathlib import Path

import pytest

from adapters.litellm.budget import DailyBudget
from core.domain.models import MessageRole, ModelMessage
from core.errors import Unavailable
from tests.support.llm_fixtures import FAULTS, Build, connected, endpoint
from tests.support.scripted_model import Mode, ScriptedModel
from tests.support.world import FixedClock

MESSAGES = (
    ModelMessage(speaker=MessageRole.USER, text="[S1] A, p. 1\nBridges are repaired every ten years."),
)
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
SILENT_S = 0.3
PATIENT_S = 200.0
TOO_LATE = (Mode.HANGING, Mode.TRICKLING, Mode.STALLING)


@pytest.mark.parametrize("mode", FAULTS)
async def test_a_fault_in_a_stream_is_translated(mode: Mode, server: ScriptedModel, build: Build) -> None:
    model = build(endpoint(server, timeout_s=1.0 if mode in TOO_LATE else 60.0))
    await connected(model)
    server.mode = mode
    kind, key = FAULTS[mode]
    if mode is Mode.MALFORMED_BODY:
        key = "model.empty"  # a body that is no event stream holds no event
    with pytest.raises(kind) as caught:
        await model.complete(MESSAGES, collections=["public"], on_text=lambda _: None)
    assert caught.value.key == key  # type: ignore[attr-defined]


async def test_a_broken_stream_is_asked_for_once_more(server: ScriptedModel, build: Build) -> None:
    server.script(Mode.HALF)
    heard: list[str] = []
    completion = await build(endpoint(server)).complete(
        MESSAGES, collections=["public"], schema=SCHEMA, on_text=heard.append
    )
    assert heard[-1] == completion.text
    assert len(server.requests) == 2


async def test_the_fallback_begins_anew(server: ScriptedModel, second: ScriptedModel, build: Build) -> None:
    server.mode = Mode.HALF
    second.answer = lambda prompt, schema: "Another answer altogether, long enough for several pieces."
    heard: list[str] = []
    model = build(endpoint(server), endpoint(second, "openai/second"))
    completion = await model.complete(MESSAGES, collections=["public"], on_text=heard.append)
    assert completion.model == "openai/second"
    assert heard[-1] == completion.text == second.answer("", None)  # type: ignore[arg-type]
    assert len(server.requests) == 1


@pytest.mark.parametrize("mode", [Mode.HANGING, Mode.STALLING])
async def test_a_silent_primary_is_left_long_before_its_time(
    mode: Mode, server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    first = endpoint(server, timeout_s=PATIENT_S, silence_s=SILENT_S)
    model = build(first, endpoint(second, "openai/second"))
    await connected(model)
    server.mode = mode
    started = time.monotonic()
    completion = await model.complete(MESSAGES, collections=["public"], deadline_s=2 * PATIENT_S)
    assert completion.model == "openai/second"
    assert time.monotonic() - started < PATIENT_S / 2  # a bound of reason, not of speed


async def test_who_goes_on_speaking_is_not_silent(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    model = build(endpoint(server, silence_s=2.0), endpoint(second, "openai/second"))
    await connected(model)
    server.mode, server.chunk_s = Mode.TRICKLING, 0.5
    server.answer = lambda prompt, schema: "word " * 40
    assert (await model.complete(MESSAGES, collections=["public"])).model == "openai/scripted"


async def test_the_only_model_may_take_its_time(server: ScriptedModel, build: Build) -> None:
    def slowly(prompt: object, schema: object) -> str:
        time.sleep(2 * SILENT_S)
        return "At last."

    server.answer = slowly
    model = build(endpoint(server, silence_s=SILENT_S))
    completion = await model.complete(MESSAGES, collections=["public"], on_text=lambda _: None)
    assert completion.text == "At last."


async def test_the_endpoint_counts_the_tokens(server: ScriptedModel, build: Build) -> None:
    server.answer = lambda prompt, schema: "one two three"
    completion = await build(endpoint(server)).complete(
        MESSAGES, collections=["public"], on_text=lambda _: None
    )
    assert (completion.prompt_tokens, completion.completion_tokens) == (10, 3)


async def test_an_endpoint_that_does_not_count_is_remembered(server: ScriptedModel, build: Build) -> None:
    server.mode = Mode.REFUSES_USAGE
    model = build(endpoint(server))
    for _ in range(2):
        completion = await model.complete(
            MESSAGES, collections=["public"], schema=SCHEMA, on_text=lambda _: None
        )
        assert completion.structured
    assert ["stream_options" in request.body for request in server.requests][-2:] == [False, False]


@pytest.mark.parametrize("mode", [Mode.HANGING, Mode.STALLING])
@pytest.mark.parametrize("listening", [False, True])
async def test_a_cancelled_call_leaves_nothing_behind(
    mode: Mode, listening: bool, server: ScriptedModel, build: Build, tmp_path: Path
) -> None:
    budget = DailyBudget(file=tmp_path / "budget.json", now=FixedClock().now, tokens=100_000)
    model = build(endpoint(server, timeout_s=PATIENT_S), budget=budget)
    await model.complete(MESSAGES, collections=["public"])
    settled, before = await budget.spent(), asyncio.all_tasks()
    server.mode = mode
    asking = asyncio.create_task(
        model.complete(
            MESSAGES, collections=["public"], max_tokens=50, on_text=(lambda _: None) if listening else None
        )
    )
    await asyncio.to_thread(server.arrived, 2)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await asyncio.sleep(0.05)
    assert asyncio.all_tasks() <= before
    assert (await budget.spent()).tokens > settled.tokens  # who was asked may have to be paid
    server.mode = Mode.PROPER
    assert (await model.complete(MESSAGES, collections=["public"])).text


async def test_all_silent_ends_at_the_deadline(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    model = build(
        endpoint(server, timeout_s=PATIENT_S, silence_s=SILENT_S), endpoint(second, timeout_s=PATIENT_S)
    )
    await connected(model)
    server.mode, second.mode = Mode.HANGING, Mode.STALLING
    with pytest.raises(Unavailable) as caught:
        await model.complete(MESSAGES, collections=["public"], deadline_s=2.0)
    assert caught.value.key == "model.timeout"
