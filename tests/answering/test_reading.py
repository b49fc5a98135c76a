"""How many stretches a reader reads."""

import pytest

from core.answering.extractive.choice import SINGLE
from core.answering.extractive.sentences import AT_ONCE, READ, Extractor
from core.domain.search import Hit
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_reader import FakeReader
from tests.support.questions import subject
from tests.support.search_world import edition, passage

PLACES = ("Dorf", "Hafen", "Tal", "Moor", "Berg", "See", "Wald", "Feld", "Deich", "Ufer", "Hof", "Turm")


@pytest.mark.parametrize(
    ("question", "score", "expected"),
    [
        ("Wann fährt die Fähre am Deich?", SINGLE.enough, AT_ONCE),
        ("Wann fährt die Fähre am Deich?", SINGLE.enough - 0.1, READ),
        ("Was sagt die Partei zu Fähren?", SINGLE.enough, READ),
        ("Fähre Deich", SINGLE.enough, READ),
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
    reader = FakeReader(lambda _: score)
    picked = await Extractor(FakeEmbedder(512), reader=reader).pick(subject(question), hits, 3)
    assert len(reader.read) == len(set(reader.read)) == expected
    assert picked
    assert all(each.read == score for each in picked)
