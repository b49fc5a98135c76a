"""Words of a question that few passages have."""

import pytest

from core.domain.scope import Scope
from core.search.telling import most_of, words_asked
from tests.support.search_world import EDITIONS, TODAY, passage, world

PUBLIC = Scope(collections=("public",))
FILES = {each.document.file: each for each in EDITIONS}
SPD, SPD_THEN, SPD_MUENSTER = (FILES[f"SPD-{name}"] for name in ("2025-de", "2013-de", "2014-de-nw-muenster"))
LAKES = [f"Am See Nummer {n} soll das Wasser sauberer werden." for n in range(30)]


def spellings(content: str, language: str = "de") -> set[str]:
    return {each for word in words_asked(content, language) for each in word.spellings}


def test_words_are_looked_up_alone_joined_and_with_umlauts() -> None:
    assert {"lützow", "kaserne", "lützowkaserne"} <= spellings("was soll aus der lützow kaserne werden")
    assert {"fruehstart", "frühstart"} <= spellings("fruehstart rente")
    assert {"jobbikenetz"} <= spellings("job bike netz")
    assert "seebrücke" not in spellings("der see und die brücke")


@pytest.mark.parametrize(
    ("content", "language", "named"),
    [
        ("was ist mit gremmendorf", "de", {"gremmendorf"}),
        ("Is there anything about Colmar in it?", "en", {"Colmar"}),
        ("Wer zahlt die Miete?", "de", set()),
        ("hat wer nen plan", "de", set()),
    ],
)
def test_names_are_told_from_other_words(content: str, language: str, named: set[str]) -> None:
    asked = (each for each in words_asked(content, language) if each.words == 1)
    assert {each.written for each in asked if each.named} == named


def test_only_of_key_words_most_may_be_telling() -> None:
    few, many = (words_asked(text, "de") for text in ("helgoland arzt", "wolf schaf hund katze maus vogel"))
    assert most_of(few[:2], few)
    assert not most_of(few[:1], few)
    assert not most_of(many, many)


@pytest.mark.parametrize(
    "question", ["Kernersee", "was steht zum kernersee drin", "Was ist am Kernersee geplant?"]
)
async def test_a_passage_that_has_a_rare_word_comes_before_nearer_ones(question: str) -> None:
    texts = [*LAKES, "Der Kernersee bleibt Schutzgebiet."]
    searcher, _, _ = await world({SPD.document.file: [passage(SPD, n, text) for n, text in enumerate(texts)]})
    found = await searcher.search(question, scope=PUBLIC, today=TODAY)
    assert found.best[0].passage.text == texts[-1]
    assert {each.written.lower() for each in found.subject.telling} == {"kernersee"}


async def test_a_word_that_many_passages_have_is_not_telling() -> None:
    searcher, _, _ = await world({SPD.document.file: [passage(SPD, n, text) for n, text in enumerate(LAKES)]})
    found = await searcher.search("wasser", scope=PUBLIC, today=TODAY)
    assert not found.subject.telling


@pytest.mark.parametrize(
    ("question", "elsewhere"),
    [
        ("spd kernersee", {SPD_THEN, SPD_MUENSTER}),
        ("kernersee", set()),  # the town's programme is searched anyway
        (
            "was wird aus dem kernersee, will die spd dort wohnungen, hotels oder hafenanlagen erlauben",
            {SPD_MUENSTER},
        ),
        ("spd 2025 kernersee", set()),
        ("spd wasser", set()),
    ],
)
async def test_where_else_those_asked_say_it_is_searched_too(question: str, elsewhere: set[object]) -> None:
    """Earlier elections only if little else is asked, and nothing beyond a year that is named."""
    lake = "Der Kernersee bleibt Schutzgebiet."
    searcher, _, _ = await world(
        {
            SPD.document.file: [passage(SPD, n, text) for n, text in enumerate(LAKES)],
            SPD_THEN.document.file: [passage(SPD_THEN, 0, lake)],
            SPD_MUENSTER.document.file: [passage(SPD_MUENSTER, 0, lake)],
        }
    )
    found = await searcher.search(question, scope=PUBLIC, today=TODAY)
    versions = found.elsewhere.versions if found.elsewhere else frozenset()
    assert versions == {each.version.id for each in elsewhere}  # type: ignore[attr-defined]


async def test_a_place_that_is_set_is_never_left() -> None:
    searcher, _, _ = await world(
        {
            SPD.document.file: [passage(SPD, n, text) for n, text in enumerate(LAKES)],
            SPD_MUENSTER.document.file: [passage(SPD_MUENSTER, 0, "Der Kernersee bleibt Schutzgebiet.")],
        }
    )
    found = await searcher.search("spd kernersee", scope=PUBLIC, today=TODAY, chat_jurisdiction="de")
    assert found.elsewhere is None
    assert all(hit.edition.document.fields.jurisdiction == "de" for hit in found.hits)


@pytest.mark.parametrize("question", ["was will die spd in roxel", "Was plant die SPD in Roxel?"])
async def test_a_town_without_a_document_may_be_part_of_another(question: str) -> None:
    """Only what names it is shown from there."""
    lines = ("Die Schule in Roxel wird erweitert.", "Die Schule am Hafen wird geschlossen.")
    searcher, _, _ = await world(
        {SPD_MUENSTER.document.file: [passage(SPD_MUENSTER, n, line) for n, line in enumerate(lines)]}
    )
    found = await searcher.search(question, scope=PUBLIC, today=TODAY)
    assert found.elsewhere is not None
    assert found.elsewhere.versions == {SPD_MUENSTER.version.id}
    assert found.best[0].passage.text == lines[0]
    assert lines[1] not in {hit.passage.text for hit in found.ranked}


async def test_what_current_documents_lack_is_found_however_often_earlier_ones_have_it() -> None:
    lines = [f"Der Kernersee bleibt Schutzgebiet Nummer {n}." for n in range(9)]
    searcher, _, _ = await world(
        {
            SPD.document.file: [passage(SPD, n, text) for n, text in enumerate(LAKES)],
            SPD_THEN.document.file: [passage(SPD_THEN, n, line) for n, line in enumerate(lines)],
        }
    )
    found = await searcher.search("spd kernersee", scope=PUBLIC, today=TODAY)
    assert found.best[0].passage.text in lines
