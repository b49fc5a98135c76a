from dataclasses import replace

import pytest

from bot.cli import batch
from bot.cli.frame import USAGE, status_of
from bot.presentation.i18n import Texts, languages
from core.answering.generated.session import Generated, confidence_of, fallback_notice, silence_notices
from core.answering.generated.sources import sources_of
from core.domain.answers import Claim, Notice
from core.domain.passages import PassageKind
from core.domain.scope import Scope
from core.errors import Refused
from tests.support.bad_models import saying, writing_asker
from tests.support.fake_model import FakeModel
from tests.support.world import populated

SCOPE = Scope(collections=("public",))
WAGE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."


async def test_a_paraphrase_stands_under_its_quote_and_is_said_to_be_one() -> None:
    world = await populated()
    model = FakeModel(answer=saying(("Es sollen 15 Taler Mindestlohn werden.", "S1", WAGE)))
    answer = (
        await writing_asker(world, model).answered("Was will die Uferpartei beim Mindestlohn?", scope=SCOPE)
    ).answer
    text = world.app.presenter.answer_text(answer)
    assert f"„{WAGE}“ [S1]\nMit anderen Worten: Es sollen 15 Taler Mindestlohn werden. [S1]" in text
    assert text.count(WAGE) == 1


async def test_claims_that_are_quotes_are_quoted_once() -> None:
    world = await populated()
    model = FakeModel(answer=saying((WAGE, "S1", WAGE)))
    answer = (
        await writing_asker(world, model).answered("Was will die Uferpartei beim Mindestlohn?", scope=SCOPE)
    ).answer
    text = world.app.presenter.answer_text(answer)
    assert text.count(WAGE) == 1
    assert f"„{WAGE}“ [S1]" in text


@pytest.mark.parametrize("language", languages())
def test_every_notice_has_words(language: str) -> None:
    failures = ("model.not_approved", "model.budget", "model.unavailable", "model.timeout", None)
    notices = [fallback_notice(Generated(failure=failure)) for failure in failures]
    notices += [fallback_notice(Generated(abstained=True)), *silence_notices(Generated(silent=("Hochau",)))]
    texts = Texts(language)
    assert all(texts.has(notice.key) for notice in notices)
    assert "Hochau" in texts(notices[-1].key, **notices[-1].values)


def test_less_proven_is_less_sure() -> None:
    whole, half = (Generated(claims=(Claim(text="x", labels=("S1",)),), share=share) for share in (1.0, 0.5))
    assert confidence_of(0.8, whole) == 0.8
    assert confidence_of(0.8, half) == pytest.approx(0.6)


def test_a_failure_goes_before_what_else_went_wrong() -> None:
    assert fallback_notice(Generated(failure="model.budget", abstained=True)) == Notice(
        key="notice.model_budget"
    )


async def test_tables_have_labels_of_their_own() -> None:
    world = await populated()
    result = await world.app.searcher.search("Mindestlohn", scope=SCOPE, today=world.app.clock.now().date())
    hit = result.context[0]
    table = replace(hit, passage=replace(hit.passage, kind=PassageKind.TABLE))
    assert [source.label for source in sources_of((hit, table, hit))] == ["S1", "F1", "S2"]


def test_a_missing_model_is_a_mistake_of_the_command_line() -> None:
    assert status_of(Refused("answerer.no_model", "none")) == USAGE


def test_a_line_may_choose() -> None:
    assert batch.choice_of({"answerer": "llm"}, "answerer", ("extractive", "llm")) == "llm"
    assert batch.choice_of({}, "answerer", ("extractive", "llm")) is None
    with pytest.raises(Refused, match="extractive or llm"):
        batch.choice_of({"answerer": "oracle"}, "answerer", ("extractive", "llm"))
