"""What denies the words in it is known by its meaning, whichever party it names.

The lines here are in neither rules nor training; `benchmarks/train_frames --count` counts.
"""

import pytest

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from benchmarks.heads import NONE, written_in
from benchmarks.train_frames import LINES, TURNED
from benchmarks.train_frames import SAYS as SAYS_SO
from core.search.frame_reader import (
    CHANGES,
    DENIES,
    REMARKS,
    SAYS,
    WEIGHTS,
    FrameReader,
    masked_frame,
    placed,
)
from tests.support.encoders import models_dir
from tests.support.fake_embedder import FakeEmbedder

MARGIN = 0.1

reader = FrameReader((E5Embedder(models_dir()), UseEmbedder(models_dir())))


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 100_000


@pytest.mark.parametrize(
    "frame",
    [
        "@ macht sich über den Spruch lustig: „…“",
        "@ verbittet sich, ihr zu unterstellen: „…“",
        "@ hat den Satz „…“ ersatzlos aus dem Papier genommen",
        "The lie that @ wrote: “…”",
        "@ resents being accused of saying: “…”",
        "@ a effacé la phrase « … »",
    ],
)
async def test_what_denies_the_words_in_ways_that_no_rule_foresees(frame: str) -> None:
    assert await reader.odds(masked_frame(frame)) > DENIES + MARGIN


@pytest.mark.parametrize(
    "frame",
    [
        "@ bringt es auf den Punkt: „…“",
        "Ein Satz von @, der im Ohr bleibt: „…“",
        "@ sums it up: “…”",
        "To put it in the words of @: “…”",
        "Pour le dire avec @ : « … »",
        "@ résume ainsi sa position : « … »",
    ],
)
async def test_what_says_whose_the_words_are_denies_nothing(frame: str) -> None:
    assert await reader.odds(masked_frame(frame)) < DENIES - MARGIN


@pytest.mark.parametrize(
    "frame",
    [
        "Das hört sich doch gut an: „…“",
        'Laughable. "…"',
        "Honnêtement je trouve que c'est du délire : « … »",
        "Ça fait plaisir à lire : « … »",
    ],
)
async def test_who_judges_the_words_changes_nothing(frame: str) -> None:
    assert await reader.odds(masked_frame(frame)) < REMARKS - MARGIN


@pytest.mark.parametrize(
    "frame",
    [
        "Meine Chefin sagt, @ habe sich von diesem Satz distanziert: „…“",
        "Das hört sich gut an, gilt bei @ aber bloß für Neubauten: „…“",
        'Laughable. "…" is what @ is fighting against.',
        'Not by @, but by some blogger: "…"',
        "@ écrit « … » et supprime en même temps la prime",
    ],
)
async def test_who_denies_limits_or_adds_something_is_not_taken_for_who_judges(frame: str) -> None:
    assert await reader.odds(masked_frame(frame)) > REMARKS + MARGIN


async def test_most_frames_of_a_writer_who_was_not_learned_from_are_known() -> None:
    """Counts of `kept_back.tsv`, 110 lines of each kind, when the weights were made, by the
    bounds 2 and -1: 77, 4, 89, 4."""
    known: dict[str, list[float]] = {TURNED: [], NONE: []}
    for kind, frame in written_in(LINES / "kept_back.tsv", SAYS_SO, TURNED):
        known[kind].append(await reader.odds(masked_frame(frame)))
    assert sum(odds >= CHANGES for odds in known[TURNED]) >= 70
    assert sum(odds >= CHANGES for odds in known[NONE]) <= 10
    assert sum(odds <= REMARKS for odds in known[NONE]) >= 82
    assert sum(odds <= REMARKS for odds in known[TURNED]) <= 9


def test_words_count_by_the_side_of_the_quote_on_which_they_stand() -> None:
    assert placed("„…“ nie") == {"before „…“", "before „…“ nie", "behind nie"}
    assert placed("nie „…“ gesagt") & placed("gesagt „…“ nie") == {"before „…“"}


async def test_nothing_is_known_over_other_encoders() -> None:
    assert await FrameReader((FakeEmbedder(64), FakeEmbedder(64))).odds("@ lügt: „…“") == 0.0
    assert SAYS < 0 < DENIES
