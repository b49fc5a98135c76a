"""The language that a person writes in: doubtful words are taken for one of the usual languages."""

import pytest
from py3langid.langid import LanguageIdentifier

from core.language import identification
from core.language.identification import detect
from core.question.language import FIRST, spoken_language


@pytest.mark.parametrize("text", ["jurisdiction=xv-se", "Rente", "plan.pdf", "xv-se", "/", "42"])
def test_a_doubtful_text_is_in_one_of_the_usual_languages(text: str) -> None:
    assert spoken_language(text) in FIRST


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("und die FDP?", "de"),
        ("What does the act say about wells?", "en"),
        ("tempolimit", "de"),
        ("minimum wage", "en"),
        ("loyer", "fr"),
        ("Que dit le programme sur les loyers ?", "fr"),
    ],
)
def test_what_is_plain_is_said(text: str, language: str) -> None:
    assert spoken_language(text) == language


def test_a_doubtful_word_is_in_the_language_of_the_chat() -> None:
    assert {spoken_language("Inflation", spoken) for spoken in ("de", "fr")} == {"de", "fr"}


def test_every_choice_of_languages_uses_the_one_model(monkeypatch: pytest.MonkeyPatch) -> None:
    identification.load()
    monkeypatch.setattr(LanguageIdentifier, "from_model_file", None)
    sets = [("de", "en"), ("en", "fr"), ("de", "fr"), ("es", "it"), ("nl", "pl"), ("pt", "tr")]
    assert [detect("Wie hoch ist der Mindestlohn?", among=among)[0] in among for among in sets] == [True] * 6
    assert detect("Quel est le salaire minimum en France ?", among=())[0] == "fr"
