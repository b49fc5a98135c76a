import re
from itertools import product

import pytest

from core.domain.scope import Scope
from core.language.languages import every, of, tags
from core.question.parsed import nameless
from core.question.usual_words import in_words_of_documents
from core.search.scope import Group
from tests.support.search_world import EDITIONS, TODAY, passage, world

BY_FILE = {item.document.file: item for item in EDITIONS}


@pytest.mark.parametrize(
    ("question", "own", "languages", "expected"),
    [
        ("Was ist mit Öffis?", "de", ["de"], {"de": "Was ist mit ÖPNV?"}),
        ("ÖFFIS?", "de", ["de", "fr"], {"de": "ÖPNV?", "fr": "transport public?"}),
        ("Quel salaire minimum ?", "fr", ["de", "fr"], {"de": "Quel Mindestlohn ?"}),
        ("Rent freeze or rents", "en", ["de"], {"de": "Mietendeckel or Mieten"}),
        ("Wie hoch ist der Mindestlohn?", "de", ["de"], {}),
        ("Mindestlohnkommission", "de", ["en"], {}),
        ("Was ist mit Atomenergie?", "de", ["de"], {"de": "Was ist mit Kernkraft (Atomkraft)?"}),
        ("Salaire minimum ?", "xx", ["de"], {}),
        ("Salaire minimum ?", "fr", ["xx"], {}),
    ],
)
def test_a_question_is_put_in_the_words_of_documents(
    question: str, own: str, languages: list[str], expected: dict[str, str]
) -> None:
    assert in_words_of_documents(question, own, languages) == expected


def test_every_language_has_the_same_subjects() -> None:
    assert len({tuple(language.subjects) for language in every()}) == 1


@pytest.mark.parametrize("language", tags())
def test_what_people_say_is_found_and_captures_nothing(language: str) -> None:
    rows = [phrase for _, *said in of(language).subjects.values() for phrase in said]
    for phrase in [*of(language).everyday, *rows]:
        compiled = re.compile(phrase)
        assert compiled.groups == 0, phrase
        assert not compiled.fullmatch(""), phrase


@pytest.mark.parametrize(("own", "other"), [pair for pair in product(tags(), tags()) if pair[0] != pair[1]])
def test_each_subject_is_said_in_every_other_language(own: str, other: str) -> None:
    everyday = "|".join(of(own).everyday)
    for name, (word, *_) in of(own).subjects.items():
        if re.search(rf"\b(?:{everyday})\b", word, re.IGNORECASE):
            continue
        said = in_words_of_documents(f"x {word} y", own, [other]).get(other, f"x {word} y")
        assert said == f"x {of(other).subjects[name][0]} y"


async def test_documents_in_another_language_are_asked_in_their_words() -> None:
    spd = BY_FILE["SPD-2025-de"]
    texts = ["Der Mindestlohn soll steigen.", "Die Ufer werden sauber.", "Der Rat tagt im Herbst."]
    searcher, _, _ = await world({spd.document.file: [passage(spd, n, text) for n, text in enumerate(texts)]})
    scope = Scope(collections=("public",), parties=("SPD",))
    found = await searcher.search("Que dit-on du salaire minimum ?", scope=scope, today=TODAY)
    assert found.subject.text == "Que dit-on du Mindestlohn?"
    assert found.subject.as_said == "Que dit-on du salaire minimum?"
    assert found.plan.queries == ("Que dit-on du salaire minimum ?",)
    assert found.hits[0].passage.text == texts[0]


async def test_each_group_is_asked_in_the_words_of_its_documents() -> None:
    spd = BY_FILE["SPD-2025-de"]
    texts = ["Der Mindestlohn soll steigen.", "Die Ufer werden sauber.", "Der Rat tagt im Herbst."]
    searcher, _, _ = await world({spd.document.file: [passage(spd, n, text) for n, text in enumerate(texts)]})
    scope = Scope(collections=("public",), parties=("SPD",))
    groups = [Group(scope=scope, editions=(spd,))]
    (found,) = await searcher.search_groups(nameless("minimum wage", "en"), groups)
    asked = found.subject
    assert (asked.text, asked.written, asked.as_said) == ("Mindestlohn", "de", "minimum wage")
    assert found.plan.language == "en"
    assert found.hits[0].passage.text == texts[0]
    (own,) = await searcher.search_groups(nameless("Mindestlohn", "de"), groups)
    assert (own.subject.text, own.subject.written, own.subject.said) == ("Mindestlohn", "de", "")
