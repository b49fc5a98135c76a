"""What is bold in a quote: what answers, and nothing where that is not certain."""

from dataclasses import replace

import pytest

from core.answering.extractive.answering_words import answering_words
from core.domain.scope import Scope
from core.language.terms import key_words
from core.question.subject import topic_terms
from core.question.wanted import read_wanted
from tests.support.world import World, populated

LEHNEN = "lehnen wir entschieden ab"
BEFORE = "Die Fähre ist für viele Menschen am Fluss der Weg zur Arbeit."


async def bold(sentence: str, question: str) -> str:
    world: World = replace(await populated(), threshold=0.0)
    text = f"{sentence} {BEFORE}"
    await world.add("dp25.pdf", text, title="Programm", jurisdiction="xv", parties=("Drachenflieger",))
    scope = Scope(collections=("public",))
    answer = (await world.app.asker.answered(question, scope=scope)).answer
    [quote] = [item for item in answer.citations if sentence in item.quote.text]
    assert quote.quote.text != sentence, "the stretch is longer than what carries it"
    return " | ".join(quote.quote.text[start:end] for start, end in quote.key_words)


async def test_of_the_sentence_that_carries_a_quote_the_amount_is_bold_with_what_it_is_of() -> None:
    sentence = "Der Fahrpreis der Fähre soll für alle im ganzen Land ab Januar bei 3 Talern liegen."
    assert await bold(sentence, "Wie hoch soll der Fahrpreis bei den Drachenfliegern sein?") == "3 Talern"


async def test_where_the_words_cannot_be_told_the_sentence_is_bold() -> None:
    sentence = "Den Fahrpreis der Fähre wollen wir für alle im ganzen Land deutlich senken."
    assert await bold(sentence, "Was soll mit dem Fahrpreis bei den Drachenfliegern werden?") == sentence


def test_a_figure_is_bold_with_its_noun_behind_an_adjective() -> None:
    text = "Das Land braucht im Jahr 24.000 neue Wohnungen und Wege, die für alle bezahlbar sind."
    assert [
        text[slice(*each)] for each in key_words(text, topic_terms("Was ist mit Bäumen?", "de"), "de")
    ] == ["24.000 neue Wohnungen"]


def test_what_a_figure_counts_is_read_in_the_language_of_the_text() -> None:
    text = "We will raise the minimum wage on 1 April 2026 and index it to prices every year from then on."
    ends = key_words(text, topic_terms("Mindestlohn", "de"), "de", "en")
    assert [text[start:end] for start, end in ends] == ["1 April 2026"]


@pytest.mark.parametrize(
    ("question", "quote", "bold"),
    [
        ("Wie hoch soll der Mindestlohn sein?", "Ein armutsfester Mindestlohn von 15 Euro.", ["15 Euro"]),
        ("was kostet das?", "Die Gebühr nach § 3 Absatz 2 beträgt 90 Taler.", ["90 Taler"]),
        ("Wie lange habe ich Zeit?", "Von acht auf fünf Jahre verkürzen wir die Frist.", ["fünf Jahre"]),
        ("bis wann?", "Wir wollen das bis 2030 möglichst beenden.", ["2030"]),
        ("wie viel?", "Wie bereits im Jahr 2011 wird es wieder möglich sein.", []),
        ("How many days do I have?", "It must be signed within 30 (thirty) days.", ["30 (thirty) days"]),
        ("Combien cela coûte-t-il ?", "La taxe est de 40 euros par an.", ["40 euros"]),
        ("Was sagen sie zum Mindestlohn?", "Er steigt auf 15 Taler in der Stunde.", ["15 Taler"]),
        ("Was wollen sie mit 5 Brücken?", "Mit 5 Brücken, 3 Fähren und 2 Wegen.", []),
        ("Soll es eine Steuer geben?", "Eine solche Steuer lehnen wir entschieden ab.", [LEHNEN]),
        ("Darf mein Hund mit?", "Hunde dürfen in Bussen nicht mitfahren.", ["dürfen in Bussen nicht"]),
        ("Kommt das Geld zurück?", "It shall not be returned.", ["shall not"]),
        ("Zahlen auch Private?", "Es sollen nicht nur die Gesetzlichen zahlen.", []),
        ("Fliegen wir?", "Wir wollen das nicht-gewerbliche Fliegen fördern.", []),
        ("Bleibt der Zoll?", "Um 60 Prozent ist der Handel gewachsen.", []),
    ],
)
def test_what_answers_is_bold_and_nothing_else(question: str, quote: str, bold: list[str]) -> None:
    language = "en" if " be " in quote else "fr" if " est " in quote else "de"
    found = answering_words(quote, read_wanted(question), language)
    assert [quote[slice(*each)] for each in found] == bold


def test_of_a_long_denial_its_two_words_are_bold() -> None:
    quote = "Wir lehnen die Wiedereinführung einer Abgabe auf Boote und Brücken ab."
    found = answering_words(quote, read_wanted("Kommt die Abgabe?"), "de")
    assert [quote[slice(*each)] for each in found] == ["lehnen", "ab"]
