"""Other wordings from a model: searched beside the question, never more, and never a reason to fail."""

import asyncio
import json
from collections.abc import Mapping, Sequence

import pytest

from core.answering.asker import Asker, AskSettings
from core.answering.extractive.confidence import Calibration
from core.answering.extractive.sentences import Extractor
from core.answering.forms import EXTRACTIVE
from core.answering.generated.generation import GenerationSettings, Generator
from core.answering.generated.judge import Judge
from core.answering.generated.rewriter import Rewriter, RewriteSettings, read_wordings
from core.domain.answers import Answer, Outcome
from core.domain.ids import TraceId
from core.domain.models import Completion, ModelMessage
from core.domain.scope import Scope, ThreadContext
from core.errors import Unavailable
from tests.support.bad_models import written
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_model import FakeModel
from tests.support.scripted_answers import Prompt
from tests.support.world import FixedClock, World, populated

SCOPE = Scope(collections=("public",))
QUESTION = "Was will die Uferpartei beim Mindestlohn?"
NETS = "Die Maschenweite der Netze beträgt an jedem Ort des Flusses acht Zentimeter."
WAGES = [
    " ".join(f"Den {first}{last}machern zahlt die Uferpartei Mindestlohn." for last in "bdfgklmnprstvw")
    for first in (
        f"{guild}{vowel}" for guild in ("Boot", "Segel", "Fass", "Seil", "Ruder", "Kahn") for vowel in "aeio"
    )
]


async def with_nets() -> World:
    """The populated world with more passages on wages than a prompt holds, and one on something else."""
    world = await populated()
    await world.add("lohn.pdf", *WAGES, jurisdiction="xv", parties=("Uferpartei",))
    await world.add("netze.pdf", NETS, jurisdiction="xv", parties=("Uferpartei",))
    return world


WAGE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."


def wordings(*texts: str) -> FakeModel:
    return FakeModel(answer=lambda prompt, schema: json.dumps({"queries": list(texts)}))


SURE, UNSURE = Calibration(bias=30.0), Calibration(bias=-25.0, named=0.0)


def asker(
    world: World,
    writer: FakeModel,
    rewriting: FakeModel,
    settings: GenerationSettings | None = None,
    calibration: Calibration = UNSURE,
) -> Asker:
    patience_s = Hanging.patience_s if isinstance(rewriting, Hanging) else 60.0
    return Asker(
        searcher=world.app.searcher,
        library=world.library,
        extractor=Extractor(FakeEmbedder(64)),
        clock=FixedClock(),
        new_trace=lambda: TraceId("trace"),
        settings=AskSettings(threshold=0.0),
        calibration=calibration,
        generator=Generator(model=writer, judge=Judge(writer), library=world.library, settings=settings),
        rewriter=Rewriter(model=rewriting, settings=RewriteSettings(timeout_s=patience_s)),
    )


async def asked(
    rewriting: FakeModel, question: str = QUESTION, thread: ThreadContext | None = None
) -> Answer:
    world = await populated()
    writer = FakeModel(answer=lambda prompt, _: written([(WAGE, "S1", WAGE)]))
    return (await asker(world, writer, rewriting).answered(question, scope=SCOPE, thread=thread)).answer


async def test_other_wordings_are_searched_beside_the_question() -> None:
    model = wordings("Höhe der Lohnuntergrenze in Talern", "Uferpartei Stundenlohn")
    answer = await asked(model)
    assert answer.queries == (QUESTION, "Höhe der Lohnuntergrenze in Talern", "Uferpartei Stundenlohn")
    assert answer.outcome is Outcome.GROUNDED
    task = f"Language of the documents: German\nDocuments: ufer25 (manifesto)\nQuestion: {QUESTION}"
    assert model.asked[0][-1].text.endswith(task)


@pytest.mark.parametrize(
    "said",
    [
        "Lohn der Windmüller",
        "Mindestlohn in Hochau",
        "see https://evil.example/?q=secret",
        "@everyone Mindestlohn",
        QUESTION.upper(),
        "M" * 400,
        "",
    ],
)
async def test_what_is_no_other_wording_is_dropped(said: str) -> None:
    assert (await asked(wordings(said))).queries == (QUESTION,)


async def test_three_at_most() -> None:
    texts = [f"Lohn nach Regel {letter} im Land" for letter in "abcdefgh"]
    assert (await asked(wordings(*texts))).queries == (QUESTION, *texts[:3])


@pytest.mark.parametrize(
    "model",
    [
        FakeModel(error=Unavailable("model.unavailable", "nobody there")),
        FakeModel(collections=frozenset({"internal"})),
        FakeModel(answer=lambda prompt, schema: "no JSON at all"),
        FakeModel(answer=lambda prompt, schema: '{"queries": "text"}'),
        FakeModel(answer=lambda prompt, schema: '{"queries": [1, null, {}]}'),
        FakeModel(answer=lambda prompt, schema: '{"queries": ["cut of'),
    ],
)
async def test_without_a_usable_wording_the_question_is_searched_alone(model: FakeModel) -> None:
    answer = await asked(model)
    assert answer.queries == (QUESTION,)
    assert answer.outcome is Outcome.GROUNDED
    assert answer.answerer == "llm:fake"


class Hanging(FakeModel):
    """Never answers."""

    patience_s = 0.5

    async def complete(self, messages: Sequence[ModelMessage], **_: object) -> Completion:
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_model_that_hangs_is_not_waited_for() -> None:
    answer = await asked(Hanging())
    assert answer.queries == (QUESTION,)
    assert Hanging.patience_s <= answer.seconds["rewrite"] < answer.seconds["total"]


async def test_a_question_for_quotes_alone_is_sent_nowhere() -> None:
    model = wordings("Stundenlohn")
    answer = (
        await asker(await populated(), FakeModel(), model).answered(
            QUESTION, scope=SCOPE, answerer=EXTRACTIVE
        )
    ).answer
    assert (answer.queries, model.asked) == ((QUESTION,), [])


async def test_personal_data_is_kept_back() -> None:
    model = wordings("Stundenlohn")
    await asked(model, "Ich bin max.muster@example.org: was will die Uferpartei beim Mindestlohn?")
    assert "max.muster" not in model.asked[0][-1].text
    assert "Mindestlohn" in model.asked[0][-1].text


async def test_a_follow_up_is_rewritten_with_what_it_continues() -> None:
    model = wordings("Haltung der Windmüller zum Mindestlohn", "Uferpartei Mindestlohn")
    thread = ThreadContext(questions=("Frage davor?", QUESTION), language="de")
    answer = await asked(model, "und die Windmüller?", thread)
    assert answer.queries == (
        "Was wollen die Windmüller beim Mindestlohn?",
        "Haltung der Windmüller zum Mindestlohn",
    )
    task = model.asked[0][-1].text
    assert f"Earlier question: {QUESTION}\nQuestion: und die Windmüller?" in task
    assert "Frage davor?" not in task


async def test_a_whole_question_takes_nothing_of_the_thread_along() -> None:
    model = wordings("Stundenlohn")
    await asked(model, QUESTION, ThreadContext(questions=("Etwas ganz anderes?",), language="de"))
    assert "Etwas ganz anderes" not in model.asked[0][-1].text


def never(prompt: Prompt, _: Mapping[str, object] | None) -> str:
    return written([], answerable=False)


async def test_an_ordinary_question_takes_one_call() -> None:
    rewriting = wordings("Stundenlohn")
    writer = FakeModel(answer=lambda prompt, _: written([(WAGE, "S1", WAGE)]))
    answer = (
        await asker(await populated(), writer, rewriting, calibration=SURE).answered(QUESTION, scope=SCOPE)
    ).answer
    assert (answer.answerer, answer.queries) == ("llm:fake", (QUESTION,))
    assert (len(writer.asked), rewriting.asked) == (1, [])


async def test_what_was_surely_found_in_another_language_takes_one_call() -> None:
    rewriting = wordings("Höhe der Lohnuntergrenze")
    writer = FakeModel(answer=lambda prompt, _: written([(WAGE, "S1", WAGE)]))
    question = "What does the Riverside Party want for the minimum wage of fishermen?"
    found = await asker(await populated(), writer, rewriting, calibration=SURE).answered(
        question, scope=SCOPE
    )
    assert (found.answer.answerer, found.answer.queries) == ("llm:fake", (question,))
    assert (len(writer.asked), rewriting.asked) == (1, [])


async def test_what_a_model_does_not_find_in_another_language_is_searched_in_its_words() -> None:
    rewriting = wordings("Höhe der Lohnuntergrenze")
    writer = FakeModel(answer=never)
    question = "What does the Riverside Party want for the minimum wage of fishermen?"
    found = await asker(await populated(), writer, rewriting, calibration=SURE).answered(
        question, scope=SCOPE
    )
    assert (found.answer.outcome, len(rewriting.asked)) == (Outcome.NO_EVIDENCE, 1)


async def test_what_looks_weak_is_searched_again_once() -> None:
    rewriting, writer = wordings("Stundenlohn der Fischer"), FakeModel(answer=never)
    answer = (await asker(await populated(), writer, rewriting).answered(QUESTION, scope=SCOPE)).answer
    assert (len(rewriting.asked), len(writer.asked)) == (1, 1)
    assert answer.queries == (QUESTION, "Stundenlohn der Fischer")
    assert answer.outcome is Outcome.NO_EVIDENCE


async def test_after_a_no_one_more_search() -> None:
    """And the model is asked again only about passages that it has not seen."""
    world = await with_nets()
    rewriting, writer = wordings("Maschenweite der Netze"), FakeModel(answer=never)
    answer = (await asker(world, writer, rewriting, calibration=SURE).answered(QUESTION, scope=SCOPE)).answer
    assert (len(rewriting.asked), len(writer.asked)) == (1, 2)
    assert answer.outcome is Outcome.NO_EVIDENCE
    assert answer.drafting is not None
    assert len(answer.drafting.outputs) == 2


async def test_a_later_round_that_proves_something_counts() -> None:
    world = await with_nets()
    answers = iter([written([], answerable=False), written([(NETS, "S1", NETS)])])
    writer = FakeModel(answer=lambda prompt, schema: next(answers))
    rewriting = wordings("Maschenweite der Netze")
    answer = (await asker(world, writer, rewriting, calibration=SURE).answered(QUESTION, scope=SCOPE)).answer
    assert (answer.outcome, answer.answerer) == (Outcome.GROUNDED, "llm:fake")
    assert answer.queries == (QUESTION, "Maschenweite der Netze")


@pytest.mark.parametrize(
    ("said", "settings", "calls"),
    [
        ((), None, 1),
        (("Stundenlohn",), None, 2),
        (("Stundenlohn",), GenerationSettings(retries=0), 1),
    ],
)
async def test_rounds_end(said: tuple[str, ...], settings: GenerationSettings | None, calls: int) -> None:
    writer = FakeModel(answer=never)
    rewriting = wordings(*said)
    await asker(await populated(), writer, rewriting, settings, SURE).answered(QUESTION, scope=SCOPE)
    assert len(writer.asked) <= calls
    assert len(rewriting.asked) <= 1


def test_wordings_are_read_from_any_form() -> None:
    listed = '["„Lohn [S1] im Land“", "  ", "http://evil.example", "zwei\\nZeilen"]'
    text = f'Sure!\n```json\n{{"queries": {listed}}}\n```'
    assert read_wordings(text) == ("Lohn im Land", "zwei Zeilen")
    assert read_wordings("") == ()
