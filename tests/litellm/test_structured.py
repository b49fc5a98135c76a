"""Structured output where the endpoint takes it, text where it does not; asked for in vain only once."""

import json

from core.domain.models import MessageRole, ModelMessage
from tests.support.llm_fixtures import Build, endpoint
from tests.support.scripted_model import Mode, ScriptedModel

MESSAGES = (
    ModelMessage(speaker=MessageRole.USER, text="[S1] A, p. 1\nBridges are repaired every ten years."),
)
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


async def test_the_schema_travels(server: ScriptedModel, build: Build) -> None:
    completion = await build(endpoint(server)).complete(MESSAGES, collections=["public"], schema=SCHEMA)
    assert completion.structured
    assert json.loads(completion.text) == {"text": "Bridges are repaired every ten years."}
    assert server.requests[0].schema == SCHEMA
    assert server.requests[0].body["temperature"] == 0


async def test_a_refused_schema_is_remembered(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    server.mode = Mode.REFUSES_SCHEMA
    model = build(endpoint(server), endpoint(second, "openai/second"))
    for _ in range(2):
        completion = await model.complete(MESSAGES, collections=["public"], schema=SCHEMA)
        assert not completion.structured
        assert completion.text.endswith("[S1]")
    assert [request.schema for request in server.requests] == [SCHEMA, None, None]
    assert second.requests == []


async def test_a_passing_fault_is_no_refusal(server: ScriptedModel, build: Build) -> None:
    model = build(endpoint(server))
    server.script(Mode.FAILING)
    assert (await model.complete(MESSAGES, collections=["public"], schema=SCHEMA)).structured
    assert [request.schema for request in server.requests] == [SCHEMA, SCHEMA]


async def test_each_endpoint_is_remembered_for_itself(
    server: ScriptedModel, second: ScriptedModel, build: Build
) -> None:
    model = build(endpoint(server), endpoint(second, "openai/second"))
    server.script(Mode.REFUSES_SCHEMA)
    assert not (await model.complete(MESSAGES, collections=["public"], schema=SCHEMA)).structured
    server.mode = Mode.RATE_LIMITED
    completion = await model.complete(MESSAGES, collections=["public"], schema=SCHEMA)
    assert completion.structured
    assert completion.model == "openai/second"


async def test_a_model_without_temperature_is_not_sent_one(server: ScriptedModel, build: Build) -> None:
    await build(endpoint(server, "openai/o3-mini")).complete(MESSAGES, collections=["public"], max_tokens=77)
    body = server.requests[0].body
    assert "temperature" not in body
    assert 77 in (body.get("max_completion_tokens"), body.get("max_tokens"))
