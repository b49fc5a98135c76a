"""The few words that answer, taken from the quote, or none."""

from dataclasses import replace

import pytest

from core.answering.first_line import first_words
from core.domain.answers import Citation
from core.question.subject import topic_terms
from tests.support.view_examples import CITATION


def quoted(text: str, label: str = "S1", party: str = "Uferpartei") -> Citation:
    made = replace(CITATION, label=label)
    document = made.edition.document
    document = replace(document, fields=replace(document.fields, parties=(party,)))
    edition = replace(made.edition, document=document)
    return replace(made, edition=edition, quote=replace(made.quote, text=text), key_words=())


def said(question: str, *quotes: Citation, language: str = "de", sure: bool = False) -> str | None:
    found = first_words(question, language, topic_terms(question, language), quotes, sure=sure)
    if found is None:
        return None
    (item,) = [each for each in quotes if each.label == found.label]
    assert item.quote.text[found.start : found.end] == found.text  # nothing is written
    return found.text


STATED = [
    ("Wie lange gilt das Recht?", "Das Recht gilt höchstens bis 10 Jahre.", "höchstens bis 10 Jahre"),
    ("Wie hoch soll der Mindestlohn sein?", "Der Mindestlohn steigt auf 15 Euro.", "15 Euro"),
    (
        "Wie hoch soll der Mindestlohn sein?",
        "Der Mindestlohn steigt auf mindestens 15 Euro.",
        "mindestens 15 Euro",
    ),
    (
        "Wie hoch ist die Förderung?",
        "Die Förderung beträgt bis zu 5 Millionen Euro.",
        "bis zu 5 Millionen Euro",
    ),
    ("Was kostet das Ticket im Monat?", "Das Ticket kostet 9,50 € pro Monat.", "9,50 € pro Monat"),
    (
        "Wie lange dürfen Tiere transportiert werden?",
        "Tiere sind höchstens vier Stunden zu transportieren.",
        "höchstens vier Stunden",
    ),
    (
        "Bis wann soll das Stadion saniert sein?",
        "Spätestens 2030 soll das Stadion saniert sein.",
        "Spätestens 2030",
    ),
    (
        "Wie viel Prozent des Haushalts fließen in Bildung?",
        "In Bildung fließen 7,5 Prozent des Haushalts.",
        "7,5 Prozent",
    ),
    (
        "Wie viele Wohnungen sollen gebaut werden?",
        "Wir bauen 6.000 neue Wohnungen im Jahr und 20 Schulen.",
        "6.000 neue Wohnungen",
    ),
    (
        "Ab welchem Alter darf man Mofa fahren?",
        "Mofa fahren darf man ab dem 16. Lebensjahr.",
        "ab dem 16. Lebensjahr",
    ),
    (
        "Ab wie vielen Wohnungen wird enteignet?",
        "Wer mehr als 3 000 Wohnungen hat, wird enteignet.",
        "mehr als 3 000 Wohnungen",
    ),
]


@pytest.mark.parametrize(("question", "quote", "words"), STATED)
def test_what_is_asked_for_is_taken_with_what_limits_it(question: str, quote: str, words: str) -> None:
    assert said(question, quoted(quote)) == words


@pytest.mark.parametrize(
    ("question", "quote", "words", "language"),
    [
        (
            "How long may a permit last?",
            "A permit lasts for a term not exceeding five years.",
            "not exceeding five years",
            "en",
        ),
        ("How much is the permit?", "The permit costs £40 per year.", "£40 per year", "en"),
        ("Combien coûte le permis ?", "Le permis coûte 40 euros par an.", "40 euros par an", "fr"),
        ("Quand ouvre le port ?", "Le port ouvre en 2031.", "en 2031", "fr"),
    ],
)
def test_in_every_language(question: str, quote: str, words: str, language: str) -> None:
    assert said(question, quoted(quote), language=language) == words


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("Was sagt die Uferpartei zum Mindestlohn?", "Der Mindestlohn steigt auf 15 Euro."),  # asks no number
        ("Wie hoch soll der Mindestlohn sein?", "Der Mindestlohn soll steigen."),
        ("Wie hoch soll der Mindestlohn sein?", "Der Mindestlohn steigt von 12 Euro auf 15 Euro."),
        ("Wie hoch soll der Mindestlohn sein?", "Der Mindestlohn liegt zwischen 12 und 15 Euro."),
        ("In welchem Alter zahlt der Staat ein?", "Der Staat zahlt vom 6. bis zum 18. Lebensjahr ein."),
        ("Wie hoch soll der Mindestlohn sein?", "Einen Mindestlohn von 15 Euro lehnen wir ab."),
        ("Wie hoch soll der Mindestlohn sein?", "Der Mindestlohn liegt derzeit bei 12 Euro."),
        ("Wie hoch soll der Mindestlohn sein?", "Der Mindestlohn steigt um 2 Euro."),  # that is no height
        ("Wie hoch soll der Mindestlohn sein?", "Der Bund zahlt dafür 15 Euro."),  # of something else
        (
            "Bis zu welcher Summe ist Einkommen steuerfrei?",
            "Abgaben auf Einkommen unter 35 % sind steuerfrei.",
        ),
        (
            "Wie viel Zinsen sind erlaubt?",
            "Zinsen sind auf fünf Prozent oberhalb des Leitzinses zu begrenzen.",
        ),
        ("Wie lange dauert das Verfahren?", "Das Verfahren dauert seit 2019."),  # another kind
        ("Wie viele Wohnungen werden gebaut?", "Es werden 20 Schulen gebaut."),
        ("Wie lange und wie hoch wird gefördert?", "Gefördert wird zwei Jahre."),  # two are asked for
        ("Nach 40 Jahren Arbeit: ab wann Rente?", "Wer 40 Jahre Arbeit hat, bekommt Rente."),  # given
    ],
)
def test_where_it_is_not_certain_nothing_is_said(question: str, quote: str) -> None:
    assert said(question, quoted(quote)) is None


def test_other_quotes_that_state_another_amount_make_it_uncertain() -> None:
    question = "Wie hoch soll der Mindestlohn sein?"
    first, same, other = (f"Der Mindestlohn steigt auf {amount} Euro." for amount in (15, 15, 14))
    assert said(question, quoted(first), quoted(same, "S2")) == "15 Euro"
    assert said(question, quoted(first), quoted(other, "S2")) is None
    assert said(question, quoted(first), quoted("Kein Wort davon.", "S2", "Windmüller")) is None


def test_of_a_quote_only_what_carries_it_counts() -> None:
    text = "Die Miete kostet 400 Euro. Der Mindestlohn steigt auf 15 Euro."
    item = replace(quoted(text), key_words=((27, len(text)),))
    assert said("Wie hoch soll der Mindestlohn sein?", item) == "15 Euro"


def test_quotes_that_surely_answer_need_not_name_the_topic_in_the_same_words() -> None:
    question, quote = "Wann löscht die Auskunftei meine Daten?", "Einträge sind nach 90 Tagen zu tilgen."
    assert said(question, quoted(quote)) is None
    assert said(question, quoted(quote), sure=True) == "nach 90 Tagen"
