"""Cuts of every class of the generators, which know nothing of the guards."""

import random

import pytest
from hypothesis import given, settings
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
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_what_misleads_is_never_plain(kind: str, seed: int) -> None:
    chance = random.Random(seed)
    for language, sentences in SENTENCES.items():
        made = classes()[kind](chance, chance.choice(sentences), language, chance.randint(0, 1))
        if made is not None and kind not in ("anywhere", "subject and predicate"):
            assert verdict(*made) not in PLAIN, made


@pytest.mark.parametrize("kind", list(harmless()))
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_what_changes_nothing_is_plain(kind: str, seed: int) -> None:
    chance = random.Random(seed)
    for language, sentences in SENTENCES.items():
        made = harmless()[kind](chance, sentences[0], language, chance.randint(0, 1))
        if made is not None:
            assert verdict(*made) in PLAIN, made


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_an_ellipsis_over_the_end_of_a_sentence_is_never_plain(seed: int) -> None:
    chance = random.Random(seed)
    for sentences in SENTENCES.values():
        made = over_an_end(chance, *sentences[:2])
        if made is not None:
            assert verdict(*made) not in PLAIN, made
