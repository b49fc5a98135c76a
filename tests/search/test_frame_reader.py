"""What denies the words in it is known by its meaning, whichever party it names.

The lines here are in neither rules nor training; `benchmarks/train_frames --count` counts.
"""

import pytest

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from core.search.frame_reader import DENIES, SAYS, WEIGHTS, FrameReader, masked_frame
from tests.support.encoders import models_dir
from tests.support.fake_embedder import FakeEmbedder

MARGIN = 0.5

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
        "@ laughs out loud at the line “…”",
        "@ resents being accused of saying: “…”",
        "@ se gausse de la phrase « … »",
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


async def test_nothing_is_known_over_other_encoders() -> None:
    assert await FrameReader((FakeEmbedder(64), FakeEmbedder(64))).odds("@ lügt: „…“") == 0.0
    assert SAYS < 0 < DENIES
