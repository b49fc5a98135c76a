import pytest

from core.answering.wanted import answers_amount, holds_number, wants_number


@pytest.mark.parametrize(
    "question",
    [
        "Wie hoch soll der Mindestlohn sein?",
        "Wie viele Unterschriften braucht es?",
        "Wie alt muss man sein?",
        "Ab wann gilt das?",
        "In welchem Alter darf man wählen?",
        "Welche Frist gilt für die Anmeldung?",
        "How much may a builder take?",
        "What does it cost to register?",
        "What is the complaint fee?",
        "After how many days does it end?",
        "What fine threatens an owner?",
    ],
)
def test_questions_for_an_amount(question):
    assert wants_number(question)


@pytest.mark.parametrize(
    "question",
    ["Wer wählt den Präsidenten?", "Was sagt die Partei zur Schule?", "Does the party want a ban?", "Warum?"],
)
def test_other_questions(question):
    assert not wants_number(question)


@pytest.mark.parametrize(
    "sentence",
    [
        "Der Lohn steigt auf 15 Taler.",
        "Er muss das vierzigste Lebensjahr vollendet haben.",
        "Die Hälfte wird erstattet.",
        "It ends within thirty days.",
        "(1) The applicant shall pay a fee of 12 thalers.",
    ],
)
def test_sentences_with_an_amount(sentence):
    assert holds_number(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "(3) A houseboat is registered under section 4(2).",
        "12. Titel ohne Zahl",
        "Das regelt § 5 Abs. 2 des Gesetzes.",
        "Wir bauen mehr Wohnungen.",
    ],
)
def test_list_marks_and_references_are_no_amounts(sentence):
    assert not holds_number(sentence)


def test_the_kind_of_amount_counts():
    question = "What does it cost to register?"
    assert answers_amount(question, "The applicant shall pay a fee of 12 thalers.") == 1.0
    assert answers_amount(question, "It ends within 30 days.") == 0.5
    assert answers_amount(question, "The register is public.") == 0.0
    assert answers_amount("Bis wann muss man sich anmelden?", "Die Frist endet nach sechs Wochen.") == 1.0
    assert answers_amount("Wer wählt den Präsidenten?", "Es sind 12 Taler.") == 0.0
    age = "Wie alt muss man sein?"
    assert answers_amount(age, "Wählbar ist, wer das vierzigste Lebensjahr vollendet hat.") == 1.0
    assert answers_amount(age, "Das Amt dauert fünf Jahre.") == 0.5
