"""What a message says and takes from the question before it, read with the packaged encoder."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.embedding.e5 import PackagedWords
from core.domain.search import Vector
from core.errors import Broken
from core.question.carried import CarriedReader, packaged, words_of
from core.question.turns import PARTY
from tests.support.encoders import models_dir

READER = CarriedReader(PackagedWords(models_dir()))
BEFORE = "Was sagt die SPD zur Kinderarmut?"


async def asks(text: str, before: str = "") -> list[str]:
    found = await READER.read(text, (), before)
    assert found is not None
    return [text[start:end] for start, end in found.asks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hallo, ich komme aus Kassel und arbeite nachts: was ist mit dem Mindestlohn", "Mindestlohn"),
        ("sag mal, du weißt schon, das mit der Grunderwerbsteuer", "Grunderwerbsteuer"),
        ("hey so my cousin is a farmer near Bath and we wonder about glyphosate", "glyphosate"),
        ("bonjour, je suis infirmière à Lyon, on parle quelque part du don d'organes ?", "organes"),
    ],
)
async def test_what_people_say_of_themselves_is_not_asked_for(text: str, expected: str) -> None:
    found = " ".join(await asks(text))
    assert expected in found
    assert not {"Kassel", "Bath", "Lyon", "weißt", "hallo"} & set(found.split())


@pytest.mark.parametrize("text", ["hm ok und die da so?", "und wer noch?", "was sagen die dazu"])
async def test_fillers_and_pointing_words_ask_for_nothing(text: str) -> None:
    assert await asks(text, BEFORE) == []


@pytest.mark.parametrize(
    ("text", "keeps"),
    [("altersarmut", False), ("und hunde und katzen?", False), ("wie hoch genau?", True), ("warum", True)],
)
async def test_another_topic_leaves_the_one_before_and_a_detail_keeps_it(text: str, keeps: bool) -> None:
    found = await READER.read(text, (), BEFORE)
    assert found is not None
    assert found.follows
    assert found.keeps is keeps


@pytest.mark.parametrize("party", ["die AfD", "die Wolkenpartei", "Volt"])
async def test_all_parties_are_read_alike(party: str) -> None:
    one = await READER.read("und die SPD beim Klima", ((4, 11),), BEFORE)
    other = await READER.read(f"und {party} beim Klima", ((4, 4 + len(party)),), BEFORE)
    assert one is not None
    assert other is not None
    assert (one.follows, one.keeps, one.others) == (other.follows, other.keeps, other.others)


async def test_an_ordinary_word_is_a_party_where_it_stands_for_one() -> None:
    for text, meant in (
        ("bürgerversicherung grüne linke", True),
        ("will irgendwer ne grüne welle für radfahrer", False),
    ):
        at = text.index("grüne")
        assert bool(await READER.parties(text, (), [(at, at + 5)])) is meant


@pytest.mark.parametrize(
    ("text", "place", "sought", "topic"),
    [
        ("Wie hoch ist die Hundesteuer in Kassel?", "Kassel", True, False),
        ("What are the rules for agents in Gujarat?", "Gujarat", True, False),
        ("How many soldiers should we send to Mali?", "Mali", False, True),
    ],
)
async def test_a_place_is_searched_in_where_it_is_meant(
    text: str, place: str, sought: bool, topic: bool
) -> None:
    at = text.index(place)
    found = await READER.read(text, (), places=[(at, at + len(place))])
    assert found is not None
    assert bool(found.sought) is sought
    assert bool(found.topics) is topic


@pytest.mark.parametrize(
    ("text", "party", "unasked"),
    [
        ("nein, nicht die FDP, ich meinte die SPD", "FDP", True),
        ("nein, nicht die FDP, ich meinte die SPD", "SPD", False),
        ("everybody except the FDP", "FDP", True),
        ("Was wollen FDP und SPD beim Mindestlohn?", "FDP", False),
        ("nicht die FDP, die SPD", "FDP", True),
        ("nicht die FDP, die SPD", "SPD", False),
        ("Was sagt die FDP zu einem Verbot der SPD?", "FDP", False),
        ("was will die FDP", "FDP", False),
    ],
)
async def test_a_party_that_is_named_may_not_be_asked(text: str, party: str, unasked: bool) -> None:
    named = [(text.index(each), text.index(each) + 3) for each in ("FDP", "SPD") if each in text]
    found = await READER.read(text, named, BEFORE)
    assert found is not None
    assert (text.index(party) in {start for start, _ in found.unasked}) is unasked


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=3))
def test_words_lie_in_the_text_in_order(text: str, named: list[tuple[int, int]]) -> None:
    found = words_of(text, [(start, end) for start, end in named if start < end <= len(text)])
    at = 0
    for word, start, end in found:
        assert at <= start < end <= len(text)
        assert word in (text[start:end], PARTY)
        at = end


class Failing:
    """Cannot read."""

    @property
    def name(self) -> str:
        return packaged().encoder

    async def words(self, before: object, said: object) -> tuple[Vector, Vector]:
        raise Broken("embedding.failed", "no")

    async def warm_up(self) -> None:
        raise Broken("embedding.failed", "no")


async def test_without_an_encoder_nothing_is_read() -> None:
    for reader in (CarriedReader(), CarriedReader(Failing())):
        assert await reader.read("und die SPD?", (), BEFORE) is None
        assert await reader.parties("und grün", (), [(4, 8)]) == ()
    assert await READER.read("", ()) is None


async def test_a_long_message_is_read_at_its_beginning() -> None:
    words = [f"wort{number}" for number in range(400)]
    before, said = await PackagedWords(models_dir()).words(words[:3], words)
    assert before.shape == (3, 384)
    assert said.shape == (400, 384)
    assert np.isfinite(said).all()
