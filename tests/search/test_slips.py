import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import Edition
from core.domain.passages import Passage
from core.domain.scope import Scope
from core.registry.detection import Detector
from core.registry.slips import mended, slips, vocabulary
from tests.support.search_world import EDITIONS, REGISTRY, TODAY, passage, world

PUBLIC = Scope(collections=("public",))
DETECTOR = Detector(REGISTRY, [item.document for item in EDITIONS])
SAID = (
    "Die Mietpreisbremse gilt für alle Fähren. Der Hafenmeister prüft die Genehmigung, die Verordnung und den"
    " Leuchtturmbetrieb; the harbour registration is renewed every year by the supervisory authority."
)
BY_FILE = {item.document.file: item for item in EDITIONS}


def written(question: str, text: str = SAID) -> str:
    for start, end, meant in reversed([*slips(question, vocabulary([text]))]):
        question = question[:start] + meant + question[end:]
    return question


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Was will die Leuchtturmpatei?", "Was will die Leuchtturmpartei?"),
        ("was wollen die grnen bei der rente", "was wollen die grünen bei der rente"),
        ("Was gilt in Gujrat?", "Was gilt in Gujarat?"),
        ("Was wollen die Grünen in Gujarat?", "Was wollen die Grünen in Gujarat?"),
        ("Was wollen Linkshänder, Grüner und Bayer?", "Was wollen Linkshänder, Grüner und Bayer?"),
    ],
)
def test_names_that_can_only_be_meant(typed: str, meant: str) -> None:
    assert DETECTOR.mended(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Article 5 General Data Proteciton Regulation", "Article 5 General Data Protection Regulation"),
        ("Was steht im Grundgesetzz zur Wahl?", "Was steht im Grundgesetz zur Wahl?"),
        (
            "Wind im Koalitionsvetrag Baden-Württemberg 2021",
            "Wind im Koalitionsvertrag Baden-Württemberg 2021",
        ),
        ("What is data proteciton?", "What is data proteciton?"),
    ],
)
def test_titles_that_can_only_be_meant_and_only_whole_ones(typed: str, meant: str) -> None:
    assert DETECTOR.mended(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Was steht zur Mitpreisbremse?", "Was steht zur Mietpreisbremse?"),
        ("wie lange gilt die genehmigng", "wie lange gilt die genehmigung"),
        ("What about the registraiton of boats?", "What about the registration of boats?"),
    ],
)
def test_words_that_can_only_be_meant(typed: str, meant: str) -> None:
    assert written(typed) == meant


@pytest.mark.parametrize(
    "word",
    [
        "Hundesteuer",
        "Mietpreis",
        "Hafenmeisterin",
        "Verordnungen",
        "Weidel",
        "Lindner",
        "Habeck",
        "registrar",
    ],
)
def test_other_words_are_left_alone(word: str) -> None:
    assert written(f"Was steht da zu {word}?") == f"Was steht da zu {word}?"


@pytest.mark.parametrize("known", ["the promoter and the promotor", "the promotor and the promoter"])
def test_two_words_that_may_be_meant_are_none(known: str) -> None:
    assert written("What does the promotr pay?", known) == "What does the promotr pay?"


@given(st.text(max_size=60))
def test_what_is_left_of_a_text_is_the_text(text: str) -> None:
    found = [*slips(text, vocabulary([SAID]))]
    assert all(text[start:end].isalpha() for start, end, _ in found)
    assert written(SAID) == SAID


def contents(act: Edition) -> dict[str, list[Passage]]:
    return {act.document.file: [passage(act, 0, "The registration of ferries is renewed every year.")]}


async def test_what_was_found_says_what_was_meant() -> None:
    searcher, _, _ = await world(contents(BY_FILE["act"]))
    question = "How long does the registraiton of ferries last?"
    result = await searcher.search(question, scope=PUBLIC, today=TODAY)
    texts = [hit.passage.embedded_text for hit in result.hits]
    right = "How long does the registration of ferries last?"
    assert mended(question, "en", texts) == right
    assert mended(right, "en", texts) == right


async def test_a_party_with_a_slip_is_where_to_look() -> None:
    searcher, _, _ = await world()
    result = await searcher.search("Was will die Leuchtturmpatei?", scope=PUBLIC, today=TODAY)
    assert result.plan.detected.parties == ("Leuchtturmpartei",)
