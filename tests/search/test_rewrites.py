import pytest

from core.domain.scope import Scope
from core.domain.search import QuestionKind
from core.question.parsed import ParsedQuestion, parse
from core.question.turns import TurnReader
from core.registry.detection import Detector
from core.registry.registry import PlaceTree
from core.search.ranking import speaks_of
from core.search.rewrites import LONGEST, MOST_REWRITES, Rewritable, Synonyms, admitted, by_synonyms
from core.search.settings import SearchSettings
from tests.support.encoders import packaged_encoders
from tests.support.search_world import EDITIONS, REGISTRY, TODAY, passage, world

PUBLIC = Scope(collections=("public",))
NAMES = Detector(REGISTRY, [edition.document for edition in EDITIONS])
TREE = PlaceTree(REGISTRY)
WAGE = Synonyms(jurisdiction="de", terms=("Mindestlohn", "Lohnuntergrenze"))
BY_FILE = {item.document.file: item for item in EDITIONS}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Wie hoch ist der Mindestlohn?", ["Wie hoch ist der Lohnuntergrenze?"]),
        ("Höhe des Mindestlohns 2025", ["Höhe des Lohnuntergrenze 2025"]),
        ("lohnuntergrenzen für alle", ["Mindestlohn für alle"]),
        ("Wie hoch ist die Rente?", []),
        ("Mindestlohnkommission", []),
    ],
)
def test_a_term_is_replaced_by_its_synonyms(question: str, expected: list[str]) -> None:
    assert by_synonyms(question, [WAGE], EDITIONS, TREE) == expected


def test_synonyms_hold_where_they_are_for_and_below() -> None:
    indian = [
        edition for edition in EDITIONS if (edition.document.fields.jurisdiction or "").startswith("in")
    ]
    local = [BY_FILE["gj rules"]]
    builder = Synonyms(jurisdiction="in", terms=("builder", "real estate promoter"))
    assert by_synonyms("Mindestlohn", [WAGE], indian, TREE) == []
    assert by_synonyms("Who is a builder?", [builder], local, TREE) == ["Who is a real estate promoter?"]
    anywhere = Synonyms(terms=("builder", "promoter", "developer"))
    assert len(by_synonyms("Builders pay", [anywhere], local, TREE)) == 2
    with pytest.raises(ValueError, match="two terms"):
        Synonyms(terms=("alone",))


def read(question: str) -> ParsedQuestion:
    return parse(question, NAMES, lambda names, kind: "de")


def test_what_may_be_searched_beside_a_question() -> None:
    question = read("Was will die SPD beim Mindestlohn in NRW?")
    kept = admitted(
        question,
        [
            "  Lohnuntergrenze   der Sozialdemokraten ",
            "was will die spd beim mindestlohn in nrw",
            "Mindestlohn der AfD",
            "Mindestlohn in Gujarat",
            "Mindestlohn Nordrhein-Westfalen",
            "x" * (LONGEST + 1),
            "??",
        ],
        NAMES,
    )
    assert [each.asked for each in kept] == [
        "Lohnuntergrenze der Sozialdemokraten",
        "Mindestlohn Nordrhein-Westfalen",
    ]
    many = [f"Wort {letter} Satz" for letter in "abcdefg"]
    assert len(admitted(read("Was?"), many, NAMES)) == MOST_REWRITES


FEES = {
    "gj rules": [
        passage(BY_FILE["gj rules"], 1, "The harbour levies ten rupees."),
        passage(BY_FILE["gj rules"], 2, "Boats are painted in green."),
    ]
}


async def test_synonyms_are_searched() -> None:
    dues = Synonyms(jurisdiction="in", terms=("docking dues", "harbour levies"))
    searcher, _, _ = await world(FEES)
    question = "How much are docking dues in Gujarat?"
    plain = await searcher.search(question, scope=PUBLIC, today=TODAY)
    helped, _, _ = await world(FEES, synonyms=[dues])
    found = await helped.search(question, scope=PUBLIC, today=TODAY)
    assert plain.plan.queries == (question,)
    assert found.plan.queries == (question, "How much are harbour levies in Gujarat?")
    assert found.hits[0].passage.text == "The harbour levies ten rupees."
    assert found.hits[0].score > plain.hits[0].score


async def test_whoever_rewrites_is_told_what_is_searched_and_never_moves_the_scope() -> None:
    searcher, _, _ = await world(FEES, turns=TurnReader(packaged_encoders()))
    told: list[Rewritable] = []

    async def rewrite(asked: Rewritable) -> list[str]:
        told.append(asked)
        return ["harbour levies in California", "harbour levies"]

    found = await searcher.search("What is due in Gujarat?", scope=PUBLIC, today=TODAY, rewrite=rewrite)
    assert found.plan.queries == ("What is due in Gujarat?", "harbour levies")
    assert found.plan.scope.jurisdictions == ("in-gj",)
    assert [(item.question, item.kind, item.languages) for item in told] == [
        ("What is due in Gujarat?", QuestionKind.FACT, ("en",))
    ]
    for question in ("Hello!", "Which documents are in the library?"):
        await searcher.search(question, scope=PUBLIC, today=TODAY, rewrite=rewrite)
    assert len(told) == 1


TIMES = {
    "gj rules": [
        passage(BY_FILE["gj rules"], 1, "The owner of a boat shall inform the harbour of the boat."),
        passage(BY_FILE["gj rules"], 2, "The owner shall inform the harbour within nine days."),
    ]
}


async def test_a_passage_that_states_a_time_is_preferred_where_one_is_asked_for() -> None:
    question = "How long has the owner of a boat to inform the harbour of the boat?"
    scores = {}
    for wording in (0.0, 1.0):
        searcher, _, _ = await world(TIMES, settings=SearchSettings(wording=wording))
        found = await searcher.search(question, scope=PUBLIC, today=TODAY)
        assert found.plan.kind is QuestionKind.TEMPORAL
        scores[wording] = {hit.passage.text: hit.score for hit in found.hits}
    without, timed = (item.text for item in TIMES["gj rules"])
    assert scores[1.0][timed] == pytest.approx(scores[0.0][timed] + 1.0)
    assert scores[1.0][without] == pytest.approx(scores[0.0][without])


@pytest.mark.parametrize(
    ("kind", "text", "speaks"),
    [
        (QuestionKind.TEMPORAL, "binnen zwei Wochen", True),
        (QuestionKind.TEMPORAL, "The fee is due.", False),
        (QuestionKind.PENALTY, "wird mit Geldbuße bestraft", True),
        (QuestionKind.PENALTY, "mit Freiheitsstrafe bis zu einem Jahr", True),
        (QuestionKind.PENALTY, "shall be punishable", True),
        (QuestionKind.PENALTY, "straffe Verfahren auf der Straße", False),
        (QuestionKind.PENALTY, "the finest boats", False),
        (QuestionKind.FACT, "anything", True),
    ],
)
def test_wording(kind: QuestionKind, text: str, speaks: bool) -> None:
    assert speaks_of(kind, text) is speaks
