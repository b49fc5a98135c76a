"""How sure an answer is: what the reader says, and that a quote names the topic it was asked about."""

from dataclasses import replace

import pytest

from core.answering.extractive.confidence import DOUBTFUL, READING, Calibration, Evidence, confidence

SEEN = Evidence(margin=3.0, primary=0.83, secondary=0.4, same_language=True)


def test_the_better_the_reader_finds_it_the_surer() -> None:
    sure = [confidence(replace(SEEN, read=read), Calibration()) for read in (-6.0, -2.0, 0.0, 3.0)]
    assert sure == sorted(sure)
    assert sure[0] < READING.threshold < sure[-1]


@pytest.mark.parametrize("read", [None, -6.0, 0.0, 6.0])
def test_a_quote_that_names_the_topic_is_never_met_with_silence_or_doubt(read: float | None) -> None:
    plain = confidence(replace(SEEN, read=read), Calibration())
    named = confidence(replace(SEEN, read=read, named=True), Calibration())
    assert named >= max(plain, DOUBTFUL, Calibration().threshold)
