"""What is bold in a quote."""

from dataclasses import replace

from core.domain.scope import Scope
from core.language.terms import key_words
from core.question.subject import topic_terms
from tests.support.world import World, populated

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
    assert await bold(sentence, "Wie hoch soll der Fahrpreis bei den Drachenfliegern sein?") == (
        "Fahrpreis | 3 Talern"
    )


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
