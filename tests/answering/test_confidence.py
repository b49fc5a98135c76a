"""How sure an answer is: what the reader says, and that a quote names the topic it was asked about."""

from dataclasses import replace

import pytest

from core.answering.extractive.confidence import (
    DOUBTFUL,
    READING,
    SURE,
    Calibration,
    Evidence,
    Standing,
    confidence,
)

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


STANDS = Standing(score=3.0, lead=1.5)


@pytest.mark.parametrize(
    ("first", "high"),
    [(STANDS, True), (replace(STANDS, lead=0.1), False), (replace(STANDS, score=2.0), False)],
)
def test_high_is_what_stands_ahead_of_the_rest_however_sure_the_reader_is_of_it(
    first: Standing, high: bool
) -> None:
    for read in (2.0, 3.0, 5.0):
        sure = confidence(replace(SEEN, read=read, first=first), Calibration())
        assert (sure >= SURE) == high


def test_how_the_first_quote_stands_neither_breaks_silence_nor_causes_it() -> None:
    for read in (-6.0, -0.5, 0.0, 3.0):
        plain = confidence(replace(SEEN, read=read), Calibration())
        for first in (STANDS, replace(STANDS, lead=0.0, score=0.0)):
            stands = confidence(replace(SEEN, read=read, first=first), Calibration())
            assert (stands < READING.threshold) == (plain < READING.threshold)
