"""Rewriting over real HTTP: whatever the endpoint does, there are wordings or none, and soon."""

import json

import pytest

from core.answering.generated.rewriter import Rewriter, RewriteSettings
from core.domain.search import QuestionKind
from core.search.rewrites import Rewritable
from tests.support.llm_fixtures import Build, endpoint
from tests.support.scripted_model import Mode, ScriptedModel

QUESTION = "Wie hoch ist die Gebühr?"
ASKED = Rewritable(
    question=QUESTION,
    kind=QuestionKind.FACT,
    language="de",
    languages=("en", "de"),
    collections=("public",),
)


def rewriter(build: Build, server: ScriptedModel, timeout_s: float = 20.0) -> Rewriter:
    return Rewriter(model=build(endpoint(server)), settings=RewriteSettings(timeout_s=timeout_s))


async def test_wordings_by_schema(server: ScriptedModel, build: Build) -> None:
    server.answer = lambda prompt, schema: json.dumps({"queries": ["Fee payable", "Gebührensatz"]})
    assert await rewriter(build, server).wordings(ASKED, question=QUESTION) == ("Fee payable", "Gebührensatz")
    [request] = server.requests
    assert request.schema is not None
    assert list(request.schema["properties"]) == ["queries"]  # type: ignore[call-overload]
    assert "Language of the documents: English and German" in request.prompt.last


async def test_an_endpoint_without_schemas_is_asked_for_text(server: ScriptedModel, build: Build) -> None:
    server.mode = Mode.REFUSES_SCHEMA
    server.answer = lambda prompt, schema: '```json\n{"queries": ["Fee payable"]}\n```'
    assert await rewriter(build, server).wordings(ASKED, question=QUESTION) == ("Fee payable",)


@pytest.mark.parametrize(
    "mode",
    [
        Mode.UNAUTHORISED,
        Mode.UNPAID,
        Mode.EMPTY,
        Mode.PROSE,
        Mode.MALFORMED_BODY,
        Mode.HANGING,
        Mode.TRICKLING,
    ],
)
async def test_no_wordings_where_the_endpoint_fails(server: ScriptedModel, build: Build, mode: Mode) -> None:
    server.mode = mode
    assert await rewriter(build, server, timeout_s=2.0).wordings(ASKED, question=QUESTION) == ()
