"""A repeated outage is one line with a count, and nothing that was logged is missing from the counts."""

import io
import logging
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telemetry import traced
from bot.wiring.logs import QUIET_S, SUMMED_S, DiscreetFormatter, SparingHandler
from core.domain.ids import TraceId
from core.errors import Unavailable

BEGAN = 1_700_000_000.0
COUNT = re.compile(r"\((\d+) more of these within")


class Log:
    """A handler whose records come at chosen times."""

    def __init__(self) -> None:
        self.stream = io.StringIO()
        self.handler = SparingHandler(self.stream)
        self.handler.setFormatter(DiscreetFormatter())

    def say(self, at: float, words: str, *values: object, error: Exception | None = None) -> None:
        record = logging.LogRecord("bot.x", logging.WARNING, __file__, 1, words, values, None)
        record.created = BEGAN + at
        if error is not None:
            record.exc_info = (type(error), error, error.__traceback__)
        self.handler.emit(record)

    @property
    def lines(self) -> list[str]:
        return self.stream.getvalue().splitlines()


def test_an_outage_of_two_minutes_is_one_line_and_its_count() -> None:
    log = Log()
    for number in range(421):
        log.say(number * 120 / 421, "calling the journal: %s, again in %.0f s", "database.gone", number % 30)
    assert len(log.lines) == 1
    log.say(120 + 2 * QUIET_S, "something else")
    assert len(log.lines) == 3
    assert "database.gone" in log.lines[1]
    assert "(420 more of these within 120 s)" in log.lines[1]
    assert log.lines[2].endswith("WARNING bot.x: something else")


def test_what_lasts_is_counted_meanwhile() -> None:
    log = Log()
    for minute in range(61):
        log.say(60.0 * minute, "gone")
    assert len(log.lines) == 1 + int(3600 // SUMMED_S) - 1
    log.handler.tell(BEGAN + 3600 + 2 * QUIET_S)
    assert sum(int(found) for found in COUNT.findall(log.stream.getvalue())) == 60


def test_when_it_is_over_the_next_one_is_news() -> None:
    log = Log()
    log.say(0, "gone")
    log.say(QUIET_S + 1, "gone")
    assert [line.endswith("gone") for line in log.lines] == [True, True]


def test_what_is_of_another_answer_or_another_kind_is_another_line() -> None:
    log = Log()
    for trace in ("t1", "t2", "t1"):
        with traced(TraceId(trace)):
            log.say(1, "it failed")
    log.say(1, "it failed", error=ValueError("private"))
    log.say(1, "it failed", error=Unavailable("database.busy", "private"))
    log.say(1, "it failed", error=Unavailable("database.gone", "private"))
    log.handler.close()
    assert [line for line in log.lines if "WARNING" in line] == [
        f"2023-11-14T22:13:21.000+00:00 WARNING bot.x{words}"
        for words in (
            " [t1]: it failed",
            " [t2]: it failed",
            ": it failed",
            ": it failed",
            ": it failed",
            " [t1]: it failed (1 more of these within 0 s)",
        )
    ]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 4 * SUMMED_S)), max_size=60))
@pytest.mark.parametrize("many", [False, True])
def test_every_line_is_written_or_counted(many: bool, said: list[tuple[str, float]]) -> None:
    log, at = Log(), 0.0
    for number, (words, pause) in enumerate(said):
        at += pause
        log.say(at, words + ("x" * number if many else ""))
    log.handler.close()
    text = log.stream.getvalue()
    counted = sum(int(found) for found in COUNT.findall(text))
    assert len(log.lines) - len(COUNT.findall(text)) + counted == len(said)
