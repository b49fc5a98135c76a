import pytest

from core.language.stated import holds_number
from core.question.wanted import read_wanted


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
        "Wie früh muss man den Antrag stellen?",
        "Was soll ein Platz im Heim kosten?",
        "Was müssten Eigentümer bezahlen?",
        "In welchem Jahr endet das?",
        "How early must I apply?",
        "Which limit applies?",
        "What would the state charge for a visit?",
    ],
)
def test_questions_for_an_amount(question):
    assert read_wanted(question).number


@pytest.mark.parametrize(
    "question",
    [
        "Wer wählt den Präsidenten?",
        "Wer bestimmt, was Beschäftigte verdienen?",
        "Was sagt die Partei zur Schule?",
        "Does the party want a ban?",
        "Warum?",
    ],
)
def test_other_questions(question):
    assert not read_wanted(question).number


@pytest.mark.parametrize(
    "question",
    [
        "Was sagt die Partei zur Schule?",
        "Was will die Partei gegen Lärm tun?",
        "Wie steht die Partei zur Steuer?",
        "Welche Pläne hat sie für den Wald?",
        "What does the party say about schools?",
        "What is its position on taxes?",
        "Where do they stand on taxes?",
        "What does the Act say about waste water?",
    ],
)
def test_questions_about_a_topic_are_open(question):
    assert read_wanted(question).openly


@pytest.mark.parametrize(
    "question",
    [
        "Wer wählt den Präsidenten?",
        "Wie hoch soll der Lohn sein?",
        "Was will die Partei für eine Fahrt zahlen?",
        "Does the party want a ban?",
        "Which form must be used?",
    ],
)
def test_questions_for_one_thing_are_not_open(question):
    assert not read_wanted(question).openly


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
    assert read_wanted(question).fits("The applicant shall pay a fee of 12 thalers.") == 1.0
    assert read_wanted(question).fits("It ends within 30 days.") == 0.5
    assert read_wanted(question).fits("The register is public.") == 0.0
    assert read_wanted("Bis wann muss man sich anmelden?").fits("Die Frist endet nach sechs Wochen.") == 1.0
    assert read_wanted("Wer wählt den Präsidenten?").fits("Es sind 12 Taler.") == 0.0
    age = "Wie alt muss man sein?"
    assert read_wanted(age).fits("Wählbar ist, wer das vierzigste Lebensjahr vollendet hat.") == 1.0
    assert read_wanted(age).fits("Das Amt dauert fünf Jahre.") == 0.5
