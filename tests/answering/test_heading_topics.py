"""What a question is about, as the heading above an answer says it."""

import pytest

from core.answering.extractive.terms import topic


@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        ("Was steht zu Mieten in teuren Städten?", "de", "Mieten in teuren Städten"),
        ("Wie lange dauert die Amtszeit des Bundespräsidenten?", "de", "Amtszeit des Bundespräsidenten"),
        ("Wer hat im Verteidigungsfall das Kommando über die Truppe?", "de", "Kommando über die Truppe"),
        ("Woran muss sich ein Richter laut Verfassung halten?", "de", "Richter"),
        ("How long can my landlord keep the deposit?", "en", "landlord"),
        ("What about the rent of flats in cities?", "en", "rent of flats in cities"),
        ("L'âge de la retraite et les loyers", "fr", "L'âge de la retraite et les loyers"),
    ],
)
def test_a_topic_ends_where_another_part_of_the_sentence_begins(question, language, said):
    assert topic(question, language) == said
