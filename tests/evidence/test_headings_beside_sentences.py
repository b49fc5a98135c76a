"""A whole sentence below a heading is whole, whatever the heading looks like."""

import pytest

from core.domain.answers import Verdict
from core.evidence.alignment import Alignment, in_its_sentences
from core.evidence.index import DocumentIndex
from tests.support.paper import paper

LOST = "Fundsachen werden neunzig Tage beim Hafenmeister aufbewahrt."


def judged(quote: str, text: str) -> Alignment:
    return in_its_sentences(quote, DocumentIndex(paper(text)))


@pytest.mark.parametrize(
    ("heading", "sentence"),
    [
        ("Fundsachen", LOST),
        ("FUNDSACHEN UND ANDERES", LOST),
        ("3 Fundsachen", LOST),
        ("Lost property", "Lost property is kept for ninety days by the harbour master of the town."),
        ("Objets trouvés", "Le maître du port garde les objets trouvés pendant nonante jours et une nuit."),
    ],
)
@pytest.mark.parametrize("before", ["", "Das Boot liegt am Ufer.\n"])
def test_a_line_above_in_the_letters_of_the_text_is_a_heading(heading, sentence, before):
    found = judged(sentence, f"{before}{heading}\n{sentence} Und so geht es hier noch weiter.")
    assert found.verdict is Verdict.VERBATIM
    assert found.setting is not None
    assert found.setting.text == sentence


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        (
            "Einen Hafen für alle Boote der Stadt Malin",
            "Wir wollen nicht\nEinen Hafen für alle Boote der Stadt Malin",
        ),
        (
            "Einen Hafen für alle Boote der Stadt Malin",
            "Wir lehnen ab:\nEinen Hafen für alle Boote der Stadt Malin",
        ),
        (
            "Häfen an der Au bekommen neue Stege aus Holz und Stahl.",
            "Nur wenn der Rat es beschließt und das Geld reicht, sollen alle\n"
            "Häfen an der Au bekommen neue Stege aus Holz und Stahl.",
        ),
        (
            "Motoren ruhen nachts in allen Häfen der Stadt am Fluss.",
            "Das Boot liegt am Ufer, wenn die\nMotoren ruhen nachts in allen Häfen der Stadt am Fluss.",
        ),
    ],
)
def test_a_line_that_the_sentence_goes_on_from_is_no_heading(quote, text):
    assert judged(quote, text).verdict is not Verdict.VERBATIM


@pytest.mark.parametrize(
    "behind", ["www.hafen.example/stege", "dieWerft hilft dabei jedes Jahr.", "eBoote sind auch erlaubt."]
)
def test_what_begins_with_a_small_letter_by_its_name_is_not_left_out_of_the_sentence(behind):
    assert judged(LOST, f"{LOST} {behind}").verdict is Verdict.VERBATIM


def test_a_footnote_number_behind_a_stop_does_not_hide_it():
    text = f"Am Ufer gilt das seit dem vergangenen Sommer.2 {LOST} Danach gehören sie der Stadt."
    assert judged(LOST, text).verdict is Verdict.VERBATIM


def test_ligatures_are_shown_as_the_letters_that_they_are():
    found = judged(
        "Wir prüfen die ofﬁziellen Pﬂichten",
        "Wir prüfen die ofﬁziellen Pﬂichten der ſtaﬀel am Ufer jährlich.",
    )
    assert found.setting is not None
    assert found.setting.text == "Wir prüfen die offiziellen Pflichten der ſtaffel am Ufer jährlich."
    said = found.setting.text
    assert [said[start:end] for start, end in found.setting.left_out] == ["der ſtaffel am Ufer jährlich."]


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize(
    ("heading", "sentence"),
    [
        ("Häfen", "Die Fähren fahren künftig auch in der Nacht zu den Inseln im Norden."),
        ("VERKEHR", "Wir bauen das Netz der Fähren bis zum Jahr 2031 in jede Richtung aus."),
        ("Harbours and ferries", "The ferries will run through the night to all of the northern islands."),
        ("4.2 Schools", "Every child gets a free place on the school bus from next autumn."),
    ],
)
def test_a_heading_and_what_stands_below_it_are_no_sentence(heading, sentence, between):
    text = f"Das Boot liegt am Ufer.{between}{heading}{between}{sentence} Und so geht es hier noch weiter."
    for begins in (sentence, sentence[0].lower() + sentence[1:]):
        assert judged(f"{heading} {begins}", text).verdict is Verdict.CUT
    assert judged(f"{heading}: {sentence}", text).verdict is Verdict.VERBATIM
    assert judged(sentence, text).verdict is Verdict.VERBATIM


@pytest.mark.parametrize("number", ["3", "7.1", "(3)", "1(d)", "iv)", "§ 4a"])
def test_a_number_in_a_line_of_its_own_is_no_heading(number):
    found = judged(
        f"{number} {LOST}", f"Das Boot liegt am Ufer.\n{number}\n{LOST} Und so geht es hier weiter."
    )
    assert found.verdict is Verdict.VERBATIM
