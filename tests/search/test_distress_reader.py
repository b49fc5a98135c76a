"""What no rule foresees is known by its meaning, in the whole of a message, and questions stay questions.

The lines here are in neither rules nor training; `benchmarks/distress` prints figures.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from core.domain.search import Vector
from core.errors import Broken
from core.search.distress import DistressKind, distress
from core.search.distress_reader import WEIGHTS, DistressReader
from core.search.heads import PART, READ, parts_of, plain
from tests.support.encoders import models_dir
from tests.support.fake_embedder import FakeEmbedder

ROOT = Path(__file__).parents[2]

reader = DistressReader((E5Embedder(models_dir()), UseEmbedder(models_dir())))
by_rules = DistressReader()

IN_NO_RULE = [
    ("ich hab abends immer den drang mir weh zu tun", DistressKind.SUICIDE, "de"),
    ("mir reicht es, ich setz dem heute ein ende", DistressKind.SUICIDE, "de"),
    ("my flatmate says by morning she will have ended it", DistressKind.SUICIDE, "en"),
    ("je n'ai plus la force de rester en vie", DistressKind.SUICIDE, "fr"),
    ("mein vater hat mich gestern durchs zimmer geprügelt", DistressKind.VIOLENCE, "de"),
    ("my partner smashed my head against the sink", DistressKind.VIOLENCE, "en"),
    ("the toddler chewed up a whole strip of grandma's heart pills", DistressKind.EMERGENCY, "en"),
    ("grandpa slumped over at dinner and only half his face moves", DistressKind.EMERGENCY, "en"),
]


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 200_000


@pytest.mark.parametrize(("said", "kind", "language"), IN_NO_RULE)
async def test_what_no_rule_foresees(said: str, kind: DistressKind, language: str) -> None:
    assert distress(said) is None
    found = await reader.find(said)
    assert found is not None
    assert (found.kind, found.language) == (kind, language)


@pytest.mark.parametrize(
    "said",
    [
        "Was tun die Grünen gegen häusliche Gewalt?",
        "Welche Partei will assistierten Suizid erlauben?",
        "Wie soll der Notruf 112 reformiert werden?",
        "who pays for an ambulance?",
        "What does Labour say about women's refuges?",
        "Que propose la gauche contre les féminicides ?",
        "Prüfe bitte: „Jede dritte Frau erlebt mindestens einmal im Leben Gewalt.“",
        "Ich schreibe eine Hausarbeit über Suizidprävention, welche Stellen gibt es dazu?",
        "My mother had a stroke last year, who pays for her care?",
        "sag mir wem ich meine Stimme geben soll ich bin Rentner und mag Hunde",
    ],
)
async def test_questions_about_it_stay_questions(said: str) -> None:
    assert await reader.find(said) is None


async def test_questions_of_all_kinds_stay_questions() -> None:
    rows = (ROOT / "benchmarks/questions/kept_back.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(row)["question"] for row in rows]
    assert [said for said in asked if await reader.find(said) is not None] == []


@pytest.mark.parametrize(
    "said",
    ["ich will nicht mehr leben", "mein vater hat mich gestern durchs zimmer geprügelt"],
)
async def test_it_is_seen_in_the_middle_of_what_is_long(said: str) -> None:
    around = [
        f"Auf Gleis {number} fährt ein Zug nach Hochau, und der Bahnhof hat {number} Bänke."
        for number in range(90)
    ]
    text = " ".join([*around[:50], said + ".", *around[50:]])
    assert await reader.find(text) is not None
    assert await reader.find(" ".join(around)) is None
    assert len(parts_of(text)) > READ


class Counted(FakeEmbedder):
    """An encoder by another's name, which counts what it is asked, and breaks where it shall."""

    def __init__(self, name: str, dimension: int, *, broken: bool = False) -> None:
        super().__init__(dimension)
        self._said, self.asked, self._broken = name, 0, broken

    @property
    def name(self) -> str:
        return self._said

    async def query(self, text: str) -> Vector:
        self.asked += 1
        if self._broken:
            raise Broken("embedding.failed", "no model")
        return np.zeros(self.dimension, np.float32)


def counted(*, broken: bool = False) -> tuple[Counted, Counted]:
    return (
        Counted("multilingual-e5-small-q4/1", 384, broken=broken),
        Counted("use-multilingual-v3-q8/1", 512),
    )


async def test_a_long_message_takes_no_longer_than_a_few_parts() -> None:
    encoders = counted()
    text = " ".join(f"wort{number}" for number in range(5000))
    await DistressReader(encoders).find(text)
    assert 0 < encoders[0].asked <= READ


async def test_what_was_read_is_not_read_again() -> None:
    encoders = counted()
    reading = DistressReader(encoders)
    for _ in range(3):
        await reading.find("wann fährt der bus")
    assert encoders[0].asked == 1


async def test_without_encoders_the_rules_read() -> None:
    broken = DistressReader(counted(broken=True))
    other = DistressReader((FakeEmbedder(64), FakeEmbedder(64)))
    for reading in (by_rules, broken, other):
        assert await reading.find("ich will nicht mehr leben") is not None
        assert await reading.find("wann fährt der bus") is None


@given(st.lists(st.sampled_from(["ja", "nein.", "Was?", "so;", "wort", "\n", "!"]), max_size=300))
def test_every_word_is_in_some_part(words: list[str]) -> None:
    text = " ".join(words)
    parts = parts_of(text)
    assert {word for part in parts for word in part.text.split()} == set(plain(text).split())
    assert all(len(part.text.split()) <= PART for part in parts)


@given(st.text(max_size=300))
async def test_any_text_is_read(text: str) -> None:
    found = await reader.find(text)
    assert found is None or found.language in ("de", "en", "fr")
