"""The loop's watch: it sees that the loop is held, for how long and where, and says nothing of anybody."""

import asyncio
import logging
import time

import pytest

from bot.service.watches import EVERY_S, HELD_S, LoopWatch
from tests.support.chat_harness import eventually

LONG_S = 0.15


def busy_with(text: str, seconds: float) -> None:
    """Compute for so long, as a pattern over a text would."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        text.casefold()


async def held(watch: LoopWatch) -> bool:
    return watch.held > 0


async def test_a_hold_is_measured_and_its_place_named(caplog: pytest.LogCaptureFixture) -> None:
    lags: list[float] = []
    watch = LoopWatch(lags.append)
    with caplog.at_level(logging.WARNING):
        watching = asyncio.create_task(watch.run())
        await asyncio.sleep(0)
        busy_with("a question that somebody asked", LONG_S)
        await eventually(lambda: held(watch))
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    assert watch.longest.late_s >= LONG_S - 2 * EVERY_S
    assert watch.busiest.cpu_s >= LONG_S - 2 * EVERY_S
    assert "test_loop_watch.py" in watch.longest.where
    assert "busy_with" in caplog.text
    assert "somebody" not in caplog.text
    assert max(lags) == watch.longest.late_s


async def test_of_a_busy_machine_nobody_is_warned(caplog: pytest.LogCaptureFixture) -> None:
    """The loop was late, and its thread has computed next to nothing."""
    lags: list[float] = []
    watch = LoopWatch(lags.append)
    with caplog.at_level(logging.INFO, logger="bot.service.watches"):
        watching = asyncio.create_task(watch.run())
        await asyncio.sleep(0)
        time.sleep(LONG_S)  # noqa: ASYNC251 - as a machine that gives the thread no time
        await eventually(lambda: noticed(watch))
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    assert max(lags) >= LONG_S - 2 * EVERY_S
    assert watch.held == 0
    assert [entry.levelno for entry in caplog.records if "held" in entry.message].count(logging.WARNING) == 0
    assert "ms computing" in caplog.text


async def noticed(watch: LoopWatch) -> bool:
    return watch.longest.late_s >= LONG_S - 2 * EVERY_S


async def test_what_waits_holds_nothing() -> None:
    """Asleep, or in a thread: the loop's own thread computes next to nothing."""
    watch = LoopWatch()
    watching = asyncio.create_task(watch.run())
    await asyncio.to_thread(busy_with, "x", LONG_S)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    assert watch.busiest.cpu_s < HELD_S
