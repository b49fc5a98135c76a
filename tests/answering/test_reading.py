"""How many stretches a reader reads."""

from collections.abc import Sequence

import pytest

from core.answering.extractive.reading import AT_ONCE, READ, SURE
from core.answering.extractive.sentences import Extractor
from core.domain.search import Hit
from core.ports.reading import AnswerReader
from tests.support.fake_embedder import FakeEmbedder
from tests.support.search_world import edition, passage

PLACES = ("Dorf", "Hafen", "Tal", "Moor", "Berg", "See", "Wald", "Feld", "Deich", "Ufer", "Hof", "Turm")


class Counting(AnswerReader):
    """A reader that says the same of everything and remembers what it has read."""

    name = "counting"

    def __init__(self, score: float) -> None:
        self.score, self.read = score, list[str]()

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        self.read += texts
        return [self.score] * len(texts)

    async def warm_up(self) -> None: ...


@pytest.mark.parametrize(
    ("question", "score", "expected"),
    [
        ("Wann fährt die Fähre am Deich?", SURE, AT_ONCE),
        ("Wann fährt die Fähre am Deich?", SURE - 0.1, READ),
        ("Was sagt die Partei zu Fähren?", SURE, READ),
        ("Fähre Deich", SURE, READ),
    ],
)
async def test_who_has_found_what_answers_reads_no_more(question: str, score: float, expected: int) -> None:
    of = edition("programme")
    hits = [
        Hit(
            passage=passage(of, n, f"Die Fähre am {place} fährt um {n} Uhr und nimmt auch Räder mit."),
            edition=of,
            score=2.0 - n / 10,
            found_by=("dense",),
        )
        for n, place in enumerate(PLACES)
    ]
    reader = Counting(score)
    picked = await Extractor(FakeEmbedder(512), reader=reader).pick(question, "de", hits, 3)
    assert len(reader.read) == len(set(reader.read)) == expected
    assert picked
    assert all(each.read == score for each in picked)
