"""A question of all parties asks for its topic, in every language."""

import pytest

from core.question.topic import is_bare_topic, topic_of_all


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Was wollen die Parteien beim Klimaschutz?", "Klimaschutz"),
        ("Was sagen die Parteien zu Mieten?", "Mieten"),
        ("Wie stehen die Parteien zur Wehrpflicht?", "Wehrpflicht"),
        ("Was ist die Haltung der Parteien zum Mindestlohn?", "Mindestlohn"),
        ("Was wollen die Parteien gegen den Klimawandel tun?", "Klimawandel"),
        ("Mindestlohn: Was sagen die Parteien?", "Mindestlohn"),
        ("Was fordern die Parteien zu Waffenlieferungen an die Ukraine?", "Waffenlieferungen an die Ukraine"),
        ("What do the parties say about climate?", "climate"),
        ("What do the parties want to do about housing?", "housing"),
        ("Que disent les partis sur le climat ?", "climat"),
        ("Que proposent les partis pour l'énergie ?", "énergie"),
        ("Wohnen,", "Wohnen"),
        ("Mieten und", "Mieten"),
    ],
)
def test_a_question_of_all_parties_is_its_topic(question: str, topic: str) -> None:
    assert topic_of_all(question) == topic


@pytest.mark.parametrize(
    "question",
    [
        "Mindestlohn",
        "Rente mit 63",
        "Was ist mit dem Mindestlohn?",
        "Was sagen die Parteien dazu?",
        "Was wollen die Parteien tun?",
        "Was wollen die Parteien dafür tun, dass die Mieten sinken?",
        "Was sagen die Parteien zu der Frage ob alle Leute im Land künftig weniger arbeiten sollen?",
        "Zum Mindestlohn im Handwerk: Was sagen die Parteien zur Rente?",
    ],
)
def test_another_question_stays_as_it_is(question: str) -> None:
    assert topic_of_all(question) == question


@pytest.mark.parametrize(
    "text",
    ["Mindestlohn", "Mindestlohn?", "Recht auf Reparatur", "minimum wage", "climate", "salaire minimum"],
)
def test_a_topic_may_be_named_alone(text: str) -> None:
    assert is_bare_topic(text)


@pytest.mark.parametrize(
    "text",
    [
        "Mindestlohn erhöhen",
        "Was kostet das?",
        "§ 5",
        "Artikel 12",
        "section 15",
        "Mindestlohngesetz",
        "Grundgesetz",
        "Houseboats Act",
        "Wie hoch ist der Mindestlohn in der Stunde?",
        "",
    ],
)
def test_what_is_more_or_less_than_a_topic_is_none(text: str) -> None:
    assert not is_bare_topic(text)
