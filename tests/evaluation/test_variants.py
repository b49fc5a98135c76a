import pytest

from bot.answers.evaluation.rounds import variant
from bot.settings.tree import Settings
from core.errors import Refused


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("FUNDSTELLE_ANSWER__CITATIONS", "4")
    return Settings()


def test_a_name_alone_is_the_settings_as_they_are(settings):
    found = variant("now", settings)
    assert (found.name, found.answerer, found.settings, found.changes) == ("now", None, settings, {})


def test_the_names_of_answerers_mean_them_unless_something_else_is_said(settings):
    assert variant("extractive", settings).answerer == "extractive"
    assert variant("llm", settings).answerer == "llm"
    assert variant("llm:answerer=extractive", settings).answerer == "extractive"
    assert variant("small: answerer=llm", settings).answerer == "llm"


def test_changes_go_before_the_environment_and_leave_the_rest(settings):
    found = variant("few:answer.citations=2,answer.threshold=0.5", settings).settings
    assert (found.answer.citations, found.answer.threshold) == (2, 0.5)
    assert found.answer.max_question == settings.answer.max_question
    assert settings.answer.citations == 4


def test_values_may_hold_commas_colons_and_equals_signs(settings):
    text = 'm:llm.model=openai/a:b,llm.collections=["public","staff"],llm.api_base=http://127.0.0.1:1/v1?x=1'
    found = variant(text, settings)
    assert found.settings.llm.model == "openai/a:b"
    assert found.settings.llm.collections == ("public", "staff")
    assert found.settings.llm.api_base == "http://127.0.0.1:1/v1?x=1"


def test_secrets_are_not_shown(settings):
    found = variant("m:llm.api_key=sk-canary,llm.model=openai/x", settings)
    assert found.settings.llm.api_key.get_secret_value() == "sk-canary"
    assert "canary" not in repr(found.changes)
    assert found.changes["llm.model"] == "openai/x"


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":answer.citations=2",
        "x:answer.citations",
        "x:answer.citation=2",
        "x:citations=2",
        "x:answer=2",
        "x:answer.citations.more=2",
        "x:answer.citations=0",
        "x:data=/tmp",
        "x:answerer=oracle",
    ],
)
def test_what_is_no_variant_is_refused(text, settings):
    with pytest.raises(Refused) as caught:
        variant(text, settings)
    assert caught.value.key == "variant.invalid"
    assert caught.value.detail
