"""Questions for who wants or rejects a thing, in the words people use for "which party"."""

import pytest

from core.question.who import Stance, asked_for, asks_who


@pytest.mark.parametrize(
    ("question", "language", "stance"),
    [
        ("Which of the parties would bring back compulsory military service?", "en", Stance.FOR),
        ("which of them want to ban cannabis", "en", Stance.AGAINST),
        ("is there a party that wants to scrap tuition fees", "en", Stance.AGAINST),
        ("What parties support a speed limit", "en", Stance.FOR),
        ("Welche von den Parteien will das Bürgergeld abschaffen", "de", Stance.AGAINST),
        ("Gibt es eine Partei, die das Tempolimit fordert?", "de", Stance.FOR),
        ("Lequel des partis veut rétablir le service militaire ?", "fr", Stance.FOR),
    ],
)
def test_who_wants_a_thing_is_asked_in_many_words(question: str, language: str, stance: Stance) -> None:
    assert asks_who(question, language)
    assert asked_for(question, language) is stance


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Which of the rules apply to dogs?", "en"),
        ("Which of the parties signed the contract?", "en"),
        ("Wer von den Mietern muss zahlen?", "de"),
        ("Gibt es eine Partei im Kreistag?", "de"),
    ],
)
def test_other_questions_with_such_words_do_not_ask_it(question: str, language: str) -> None:
    assert not asks_who(question, language)
