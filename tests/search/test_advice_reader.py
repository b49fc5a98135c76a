"""Advice that no rule foresees is known by its meaning, for all parties alike, and questions stay questions.

The lines here are in neither rules nor training; `benchmarks/train_advice` counts.
"""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from core.domain.scope import Scope
from core.domain.search import QuestionKind
from core.question.kinds import kind_of
from core.registry.detection import Detector
from core.search.advice_reader import THRESHOLD, WEIGHTS, AdviceReader, masked
from tests.search.test_voting_advice import registries
from tests.support.encoders import models_dir
from tests.support.fake_embedder import FakeEmbedder
from tests.support.search_world import REGISTRY, TODAY, world

ROOT = Path(__file__).parents[2]
PUBLIC = Scope(collections=("public",))
MARGIN = 1.0

reader = AdviceReader((E5Embedder(models_dir()), UseEmbedder(models_dir())))

IN_NO_RULE = """
{} oder {}, was nimmst du am Sonntag?
Bist du eher {} oder eher {}?
Bei wem bin ich besser aufgehoben, bei {} oder bei {}?
Wärst du an meiner Stelle für {}?
{} or {}, go with your gut
Which of them do you fancy, {} or {}?
Donne-moi envie de choisir {}.
Franchement {}, tu en penses du bien ?
""".strip().splitlines()

NEAR_IT = """
Womit will {} Familien das Leben leichter machen?
Worin unterscheiden sich {} und {} beim Wahlrecht?
Wem will {} die Steuern senken?
Which voters would pay more under the {} tax plan?
Does {} want voters to choose judges?
How do {} and {} differ on school choice?
Quels électeurs {} veut-il faire voter à 16 ans ?
En quoi {} et {} divergent-ils sur le mode de scrutin ?
""".strip().splitlines()


async def odds(question: str, detector: Detector) -> float:
    return await reader.odds(question, detector.detect(question).party_stretches)


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 100_000


@pytest.mark.parametrize("said", IN_NO_RULE)
async def test_what_no_rule_foresees_for_every_party_alike(said: str) -> None:
    for library in registries().values():
        detector = Detector(library, [])
        found = set()
        for party in library.parties:
            asked = said.replace("{}", party.name)
            detection = detector.detect(asked)
            assert kind_of(asked, parties=detection.party_names) is not QuestionKind.OFF_TOPIC
            found.add(await odds(asked, detector))
        assert len(found) == 1, "a party is read as another"
        assert found.pop() > THRESHOLD + MARGIN


@pytest.mark.parametrize("said", NEAR_IT)
async def test_questions_about_parties_stay_questions(said: str) -> None:
    library = registries()["abroad"]
    assert await odds(said.replace("{}", library.parties[0].name), Detector(library, [])) < THRESHOLD - MARGIN


async def test_questions_of_all_kinds_stay_questions() -> None:
    detector = Detector(registries()["abroad"], [])
    rows = (ROOT / "benchmarks/questions/kept_back.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(row)["question"] for row in rows]
    assert [said for said in asked if await odds(said, detector) >= THRESHOLD] == []


async def test_a_search_declines_it_and_without_the_encoders_only_what_rules_know() -> None:
    for advice, expected in ((reader, QuestionKind.OFF_TOPIC), (AdviceReader(), QuestionKind.FACT)):
        searcher, _, _ = await world(advice=advice)
        result = await searcher.search(IN_NO_RULE[0].replace("{}", "SPD"), scope=PUBLIC, today=TODAY)
        assert result.plan.kind is expected
        assert bool(result.hits) is (expected is QuestionKind.FACT)


async def test_other_encoders_read_nothing() -> None:
    assert not await AdviceReader((FakeEmbedder(64), FakeEmbedder(64))).asked("Soll ich X wählen?", ())


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Soll ich Die Linke wählen?", "Soll ich Partei X wählen?"),
        ("Soll ich die AfD wählen?", "Soll ich Partei X wählen?"),
        ("Was steht im SPD-Programm?", "Was steht im Partei X -Programm?"),
        ("Should I vote for the Greens?", "Should I vote for Partei X ?"),
    ],
)
def test_names_and_their_articles_are_read_as_one(said: str, read: str) -> None:
    detection = Detector(REGISTRY, []).detect(said)
    assert masked(said, detection.party_stretches) == read


@given(st.text(max_size=200))
async def test_any_text_is_read(text: str) -> None:
    assert await reader.asked(text, ()) in (True, False)
