"""What a question is about, as the heading above an answer says it."""

import pytest

from core.question.topic import in_capitals, looked_for, topic


@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        ("Was steht zu Mieten in teuren Städten?", "de", "Mieten in teuren Städten"),
        ("Wie lange dauert die Amtszeit des Bundespräsidenten?", "de", "Amtszeit des Bundespräsidenten"),
        ("Wer hat im Verteidigungsfall das Kommando über die Truppe?", "de", "Kommando über die Truppe"),
        ("Woran muss sich ein Richter laut Verfassung halten?", "de", "Richter"),
        ("Was plant die beim Soli?", "de", "Soli"),  # which no dictionary has; a "Solo" it has
        ("How long can my landlord keep the deposit?", "en", "deposit"),
        ("What about the rent of flats in cities?", "en", "rent of flats in cities"),
        ("L'âge de la retraite et les loyers", "fr", "L'âge de la retraite et les loyers"),
    ],
)
def test_a_topic_ends_where_another_part_of_the_sentence_begins(question, language, said):
    assert topic(question, language) == said


@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        ("Was plant die Stadt bald bei Windrädern?", "de", "Windräder"),
        ("Darf die Bank den Kredit verweigern, wenn der Makler schweigt?", "de", "Kredit"),
        ("Which shops can have a licence?", "en", "licence"),
    ],
)
def test_of_topics_of_one_length_the_last_of_the_first_clause_is_meant(question, language, said):
    assert topic(question, language) == said


def test_what_counts_behind_a_number_is_no_topic():
    question = "How long must a promoter keep 70 percent in a separate account?"
    assert topic(question, "en") == "separate account"
    assert topic("What about 70 percent?", "en") == "percent"


def test_a_noun_that_asks_elsewhere_is_the_topic_where_there_is_no_other():
    assert topic("Darf man seine Meinung frei sagen?", "de") == "Meinung"
    assert topic("Welche Meinung hat man zum Fahrrad?", "de") == "Fahrrad"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Wie hoch ist die Kirchensteuer in der Stadt?", ("Kirchensteuer", "Stadt")),
        ("Was kostet ein Döner?", ("Döner",)),
        ("Welche Gebühr kostet das?", ("Gebühr", "kostet")),
        ("was kostet ein döner", ("döner",)),
        ("Wie hoch ist das?", ("hoch",)),
        ("How much does a kebab cost?", ("kebab", "cost")),
    ],
)
def test_words_that_ask_how_much_were_not_looked_for(question: str, expected: tuple[str, ...]) -> None:
    assert looked_for(question, "en" if "How" in question else "de") == expected


def test_an_article_and_its_preposition_were_not_looked_for():
    assert looked_for("Was wollten die Parteien beim Mindestlohn?", "de") == ("Mindestlohn",)
    assert looked_for("Que disent les partis du salaire ?", "fr")[-1:] == ("salaire",)


def test_what_was_looked_for_has_words_with_hyphens_whole():
    assert looked_for("Was ist mit der Vier-Tage-Woche?", "de") == ("Vier-Tage-Woche",)
    assert looked_for("Que dit-on de l'âge de la retraite ?", "fr")[-2:] == ("âge", "retraite")


def test_nouns_of_a_question_without_capitals_are_those_of_the_quotes():
    quotes = ["Eintritt kostet für Kinder im Freibad 1,50 Euro."]
    said = in_capitals("was kostet der eintritt ins freibad", "de", quotes)
    assert topic(said, "de") == "Freibad"
    quotes.append("Wir senken den Eintritt.")
    assert (
        topic(in_capitals("was kostet der eintritt ins freibad", "de", quotes), "de")
        == "Eintritt ins Freibad"
    )
    for other in (("Was kostet der eintritt?", "de"), ("what does the eintritt cost", "en")):
        assert in_capitals(*other, quotes) == other[0]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Wann endet die Zulassung, wie eines Hausboots?", "Zulassung"),
        ("Was gilt eines alten Hausboots wegen?", "Hausboot"),
        ("Was steht zu Tierversuchen?", "Tierversuche"),
        ("Was sagen sie zu Bäderpreisen?", "Bäderpreise"),
        ("Was ist mit dem Präsidenten?", "Präsident"),
        ("Was steht zu E-Autos?", "E-Autos"),
        ("Was gilt bald bei den Renten?", "Renten"),
        ("Was ist mit dem BAföG?", "BAföG"),
    ],
)
def test_the_first_noun_of_a_topic_has_no_ending_of_a_case(question, said):
    assert topic(question, "de") == said


def test_what_a_paper_is_called_is_no_topic_in_whatever_form():
    assert topic("Was sagen die Wahlprogrammen zum Mindestlohn?", "de") == "Mindestlohn"
    assert topic("Combien coûte une place ?", "fr") == "place"


def test_what_stands_beside_a_topic_is_none_even_alone():
    beside = frozenset({"valdori"})
    assert topic("Wann wird Valdorien klimaneutral?", "de", beside=beside) == ""
    assert topic("Was gilt in Valdorien für Fähren?", "de", beside=beside) == "Fähren"
