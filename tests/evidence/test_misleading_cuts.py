"""Cuts of every class of the generators, which know nothing of the guards."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.answers import Verdict
from core.evidence.alignment import in_its_sentences
from core.evidence.index import DocumentIndex
from tests.support.misleading import classes, harmless, over_an_end
from tests.support.paper import paper

SENTENCES = {
    "de": [
        "Deshalb bauen wir am Ufer bis zum Herbst hundert neue Häuser.",
        "Die Fähre fährt im Sommer jede Stunde, und die Brücke bleibt für alle offen.",
        "Wir fördern die kleinen Werften am Kanal und sanieren die alten Brücken am Hafen.",
        "Seit dem Jahr 2019 zahlt das Land für Schulen, die im Norden der Insel stehen.",
    ],
    "en": [
        "Therefore, we will build a hundred new houses on the shore by the autumn.",
        "The ferry will run every hour in the summer, and the bridge will remain open to everybody.",
        "The council will support the small shipyards and repair the old bridges of the harbour.",
        "Since 2019 the island has paid for schools that stand in the north of the bay.",
    ],
    "fr": [
        "Par conséquent, nous construisons cent nouvelles maisons sur la rive avant l'automne.",
        "Le bac est en service chaque heure en été, et le pont reste ouvert à tous les habitants.",
    ],
}
PLAIN = (Verdict.VERBATIM, Verdict.TYPO)


def verdict(text: str, quote: str) -> Verdict:
    return in_its_sentences(quote, DocumentIndex(paper(f"Davor.\n\n{text}\n\nDanach."))).verdict


@pytest.mark.parametrize("kind", list(classes()))
@given(seed=st.integers(0, 2**32))
def test_what_misleads_is_never_plain(kind: str, seed: int) -> None:
    chance = random.Random(seed)
    for language, sentences in SENTENCES.items():
        made = classes()[kind](chance, chance.choice(sentences), language, chance.randint(0, 1))
        if made is not None and kind not in ("anywhere", "subject and predicate"):
            assert verdict(*made) not in PLAIN, made


@pytest.mark.parametrize("kind", list(harmless()))
@given(seed=st.integers(0, 2**32))
def test_what_changes_nothing_is_plain(kind: str, seed: int) -> None:
    chance = random.Random(seed)
    for language, sentences in SENTENCES.items():
        made = harmless()[kind](chance, sentences[0], language, chance.randint(0, 1))
        if made is not None:
            assert verdict(*made) in PLAIN, made


@given(seed=st.integers(0, 2**32))
def test_an_ellipsis_over_the_end_of_a_sentence_is_never_plain(seed: int) -> None:
    chance = random.Random(seed)
    for sentences in SENTENCES.values():
        made = over_an_end(chance, *sentences[:2])
        if made is not None:
            assert verdict(*made) not in PLAIN, made


OPENED_OR_EXPLAINED = [
    ("§ 3 Abs. 2 Der Hafenmeister führt die Liste der Boote.", "Der Hafenmeister führt die Liste der Boote."),
    ("4.2 The tenant shall pay the charges on demand.", "The tenant shall pay the charges on demand."),
    ("3.3 Dogs must be kept on a lead on the meadow.", "Dogs must be kept on a lead on the meadow."),
    ("2.1 No member may hold more than two plots.", "No member may hold more than two plots."),
    (
        "2.1.4 Hunde sind auf der Wiese an der Leine zu führen.",
        "Hunde sind auf der Wiese an der Leine zu führen.",
    ),
    ("3.12 Les chiens restent en laisse sur le pré.", "Les chiens restent en laisse sur le pré."),
    ("68 For example, a guardian pays a small sum.", "For example, a guardian pays a small sum."),
    ("1° Le dossier est déposé à la mairie du lieu.", "Le dossier est déposé à la mairie du lieu."),
    ("Nicht zuletzt stärken wir die Feuerwehren im Land.", "stärken wir die Feuerwehren im Land."),
    ("Needless to say, hospitals will remain public.", "hospitals will remain public."),
    ("Unsere Haltung ist klar: Das Bargeld bleibt erhalten.", "Das Bargeld bleibt erhalten."),
    ("Let us be clear: no new coal mines will be opened.", "no new coal mines will be opened."),
    ("Notre position est claire : les gares restent ouvertes.", "les gares restent ouvertes."),
    ("Medicine is free for people over 60. No hospital will be sold.", "No hospital will be sold."),
    ("Meals are free for children under 12. Nobody needs a form for it.", "Nobody needs a form for it."),
    (
        "Es heißt, der Kran rostet. Beides stimmt nicht: Der Kran ist neu und sicher.",
        "Der Kran ist neu und sicher.",
    ),
    ("Man sagt, Boote lärmen. Fakt: Boote sind leiser als Autos.", "Boote sind leiser als Autos."),
    ("Boats are loud. None of that is true: Boats are quieter than cars.", "Boats are quieter than cars."),
    ("Leider fehlen im Landkreis zweihundert Lehrkräfte.", "fehlen im Landkreis zweihundert Lehrkräfte."),
    (
        "Die Satzung der Stadt (Anlage 2) liegt im Rathaus aus.",
        "Die Satzung der Stadt [...] liegt im Rathaus aus.",
    ),
    ("The Real Estate Board (REB) keeps the register.", "The Real Estate Board [...] keeps the register."),
    ("Die Gebühr trägt der Eigner; siehe Kapitel 5 unten.", "Die Gebühr trägt der Eigner"),
]
LIMITED = [
    ("Alle Bürger der Stadt (Erwachsene) fahren kostenlos.", "Alle Bürger der Stadt [...] fahren kostenlos."),
    ("The schools of the north (NRW) are closed.", "The schools of the north [...] are closed."),
    ("Die Polizei darf Wohnungen betreten, um Gefahren abzuwehren.", "Die Polizei darf Wohnungen betreten"),
    ("Um Gefahren abzuwehren, darf die Polizei Wohnungen betreten.", "darf die Polizei Wohnungen betreten."),
    ("The agency may share the files in order to prevent a crime.", "The agency may share the files"),
    ("Parents must help twice a year so that they receive a place.", "Parents must help twice a year"),
    (
        "Dabei dürfen die Daten an Dritte übermittelt werden.",
        "dürfen die Daten an Dritte übermittelt werden.",
    ),
    ("Das stimmt nicht: Der Kran ist neu und sicher.", "Der Kran ist neu und sicher."),
    ("Man hört viel. Es stimmt nicht: Der Kran ist neu und sicher.", "Der Kran ist neu und sicher."),
    ("No fact: Boats are quieter than cars.", "Boats are quieter than cars."),
    ("We reject: 1. The toll on all boats at the lake.", "The toll on all boats at the lake."),
    ("Then the appeal is dismissed by the court.", "the appeal is dismissed by the court."),
    ("Das Land zahlt den Zuschuss, und die Gemeinden erstatten ihn.", "Das Land zahlt den Zuschuss"),
    ("Their position is simple: no new homes will be built.", "no new homes will be built."),
    ("Unsere Forderung: Die Kitas im Land sind kostenlos.", "Die Kitas im Land sind kostenlos."),
    ("§ 14 Absatz 3 Satz 2 gilt für Beamte des Landes.", "Satz 2 gilt für Beamte des Landes."),
    ("20 Schulen erhalten im Herbst neue Küchen.", "Schulen erhalten im Herbst neue Küchen."),
    ("4.5 Millionen Taler fließen in die Häfen.", "Millionen Taler fließen in die Häfen."),
    ("4.5 Hektar Wald werden am Hafen gepflanzt.", "Hektar Wald werden am Hafen gepflanzt."),
    ("2.5 Stunden Ruhe gelten am Mittag im Hafen.", "Stunden Ruhe gelten am Mittag im Hafen."),
    ("18.30 Beginn der Sitzung im Saal am Hafen.", "Beginn der Sitzung im Saal am Hafen."),
]


@pytest.mark.parametrize(("text", "quote"), OPENED_OR_EXPLAINED)
def test_what_opens_a_sentence_or_names_something_in_it_may_be_left_out(text: str, quote: str) -> None:
    assert verdict(text, quote) in PLAIN


@pytest.mark.parametrize(("text", "quote"), LIMITED)
def test_what_limits_a_sentence_may_not_be_left_out(text: str, quote: str) -> None:
    assert verdict(text, quote) is Verdict.CUT
