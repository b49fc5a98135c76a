"""The trained encoder of questions: in the space of the packaged encoder, and nearer to what answers."""

from pathlib import Path

import numpy as np
import pytest

from adapters.embedding.e5 import E5Embedder, TrainedQuestions
from bot.settings.sections import EncoderSettings
from bot.wiring.models import question_encoder
from core.ports.models import Embedder
from tests.support.encoders import models_dir
from tests.support.fake_embedder import FakeEmbedder

passages = E5Embedder(models_dir())
questions = TrainedQuestions(models_dir(), tokenizer=passages.tokenizer)


@pytest.mark.parametrize(
    ("question", "answers", "near"),
    [
        (
            "krieg ich geld zurück wenn die fähre zu spät kommt",
            "Bei einer Verspätung von mehr als einer Stunde erstattet die Reederei den halben Fahrpreis.",
            "Die Fähre ist das älteste Schiff der Insel.",
        ),
        (
            "can they just fire me while I'm ill?",
            "During sick leave the employer shall not give notice to the employee.",
            "The employer shall keep a record of all employees.",
        ),
    ],
)
async def test_what_answers_is_nearer_than_what_is_near(question: str, answers: str, near: str) -> None:
    asked = await questions.query(question)
    right, wrong = await passages.passages([answers, near]) @ asked
    assert right > wrong


async def test_a_question_has_one_vector_of_unit_length() -> None:
    asked, again = (
        await questions.query("Was kostet die Fähre?"),
        await questions.query("Was kostet die Fähre?"),
    )
    assert np.array_equal(asked, again)
    assert asked.shape == (passages.dimension,)
    assert np.linalg.norm(asked) == pytest.approx(1.0, abs=1e-5)


async def test_nothing_long_or_odd_stops_it() -> None:
    for text in ("", "?" * 3000, "Wort " * 3000, "\u0000\ufeff"):
        assert np.isfinite(await questions.query(text)).all()


@pytest.mark.parametrize(
    ("primary", "setting", "own"),
    [
        (passages, EncoderSettings(), True),
        (passages, EncoderSettings(questions="plain"), False),
        (FakeEmbedder(512), EncoderSettings(), False),
    ],
)
def test_questions_are_encoded_so_only_over_the_packaged_encoder(
    primary: Embedder, setting: EncoderSettings, own: bool, tmp_path: Path
) -> None:
    assert (question_encoder(setting, primary, tmp_path) is not None) == own
