"""A real language model, a small and unreliable one: whatever it writes, what is shown is proven."""

import shutil
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from adapters.litellm.budget import Endpoint
from adapters.litellm.model import LiteLlmModel
from bot.library.scoping import ScopeOptions
from bot.settings.sections import LlmSettings
from bot.settings.tree import AnswerSettings, Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.answering.forms import EXTRACTIVE, LLM
from core.answering.generated.drafts import SCHEMA, read_draft
from core.domain.answers import Answer, Outcome
from core.domain.models import MessageRole, ModelMessage
from tests.scenario.conftest import data, manifest
from tests.servers.smollm.model_server import MODEL, missing, smollm_server
from tests.support.shown_answers import exact_in_print, faults

__all__ = ["data", "manifest"]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

QUESTIONS = (
    ("Was will die Uferpartei gegen steigende Mieten tun?", None),
    ("What would the Riverside Party charge for a month of public transport?", None),
    ("Wie hoch soll der Mindestlohn nach dem Willen der Lighthouse List sein?", None),
    ("Do the Millers want to ban oil heating?", None),
    ("What does it cost to register a houseboat?", "xv-ho"),
    ("Wie früh muss ich die Verlängerung für mein Hausboot beantragen?", "xv-se"),
    ("What happens to someone who lives on an unregistered houseboat?", None),
    ("Wie hoch darf die Kaution für einen Liegeplatz sein?", None),
    ("Which parties want people to vote at sixteen?", None),
    ("Welche Partei will die Hundesteuer abschaffen?", None),
)
"""Questions in both languages on the example library, and where they are asked; the last has no answer."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with smollm_server(max_tokens=160) as server:
        yield server


@pytest.fixture
async def app(address: str, data: Path, tmp_path: Path) -> AsyncIterator[Composition]:
    """On a copy of the example library, with times for a slow machine."""
    folder = tmp_path / "library"
    shutil.copytree(data, folder, symlinks=True)
    llm = LlmSettings(model=MODEL, api_base=address, timeout_s=120, max_context_tokens=600)
    answer = AnswerSettings(retries=0, deadline_s=120, rewriting_s=0)
    async with opened(Settings(data=folder, llm=llm, answer=answer)) as wired:
        yield wired


@pytest.mark.timeout(1500)
async def test_what_a_small_model_makes_of_questions_is_proven_or_quoted(
    app: Composition, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = []
    started = time.monotonic()
    for question, place in QUESTIONS:
        answer = await app.questions.ask(question, ScopeOptions(jurisdiction=place))
        assert await faults(answer, app.library, exact_in_print) == [], question
        answers.append(answer)
    with capsys.disabled():
        counted = ", ".join(f"{number} {how}" for how, number in Counter(map(how_made, answers)).items())
        sys.stdout.write(f"\n{len(answers)} questions in {time.monotonic() - started:.0f} s: {counted}\n")
    assert all(answer.outcome in (Outcome.GROUNDED, Outcome.NO_EVIDENCE) for answer in answers)
    written = [answer for answer in answers if answer.drafting and any(answer.drafting.outputs)]
    assert len(written) >= len(QUESTIONS) // 2, "the model was asked and has answered"


def how_made(answer: Answer) -> str:
    """Whether a model's own sentences are shown, and why not."""
    if answer.outcome is not Outcome.GROUNDED:
        return answer.outcome
    if answer.answerer == f"{LLM}:{MODEL}":
        return "generated"
    assert answer.answerer == EXTRACTIVE
    assert any(notice.key.startswith("notice.model") for notice in answer.notices), "a fallback says so"
    return "fallback"


@pytest.mark.timeout(300)
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_real_server_keeps_to_the_schema(address: str, streamed: bool) -> None:
    model = LiteLlmModel([Endpoint(model=MODEL, api_base=address, timeout_s=250)])
    heard: list[str] = []
    try:
        completion = await model.complete(
            [
                ModelMessage(
                    speaker=MessageRole.USER, text="[S1] The bridge opens in May.\n\nWhen does it open?"
                )
            ],
            collections=["public"],
            schema=SCHEMA,
            deadline_s=250,
            on_text=heard.append if streamed else None,
        )
    finally:
        await model.close()
    assert completion.structured
    assert read_draft(completion.text).answerable is not None
    assert completion.completion_tokens > 0
    assert not streamed or (len(heard) > 1 and heard[-1] == completion.text)
