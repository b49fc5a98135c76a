"""Recurring work goes on, whatever goes wrong in it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.periodic import FIRST_PAUSE_S, HEALTHY_S, LONGEST_PAUSE_S, Supervisor, pause_s
from core.errors import Broken, FundstelleError, Refused, Unavailable

FAULTS: tuple[Exception, ...] = (
    Refused("a.key"),
    Unavailable("a.key"),
    Broken("a.key"),
    OSError(28, "No space left on device"),
    RecursionError(),
    ValueError("empty"),
)


class Naps:
    """Sleeps that take no time; after so many of them it is over."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)
        if len(self.taken) == self.most:
            raise asyncio.CancelledError


def work(faults: Sequence[Exception | None]) -> Callable[[], Awaitable[None]]:
    """Raises these one after the other."""
    left = iter(faults)

    async def once() -> None:
        if fault := next(left):
            raise fault

    return once


async def test_every_kind_of_error_is_counted_and_the_work_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    naps = Naps(len(FAULTS) + 2)
    supervisor = Supervisor(sleep=naps)
    with pytest.raises(asyncio.CancelledError):
        await supervisor.every("counting", 3600.0, work([None, *FAULTS, None]))
    assert supervisor.failures == {"counting": len(FAULTS)}
    assert len([entry for entry in caplog.records if entry.levelno == logging.ERROR]) == len(FAULTS)
    first, *pauses, last = naps.taken
    assert (first, last) == (3600.0, 3600.0)
    assert pauses == [60.0, 120.0, 240.0, 480.0, 960.0, 1920.0]


async def test_what_lasts_is_begun_again_until_it_ends_by_itself() -> None:
    naps = Naps(100)
    supervisor = Supervisor(sleep=naps)
    await supervisor.lasting("answering", work([*FAULTS, None]))
    assert supervisor.failures == {"answering": len(FAULTS)}
    assert naps.taken == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]


@pytest.mark.parametrize(
    ("worked_s", "pauses"),
    [
        (7 * 86_400.0, [1.0] * 12),
        (HEALTHY_S, [1.0] * 12),
        (HEALTHY_S - 1, [2.0**number for number in range(10)] + [LONGEST_PAUSE_S] * 2),
        (0.0, [2.0**number for number in range(10)] + [LONGEST_PAUSE_S] * 2),
    ],
)
async def test_after_a_time_of_health_it_is_begun_again_at_once(worked_s: float, pauses: list[float]) -> None:
    """Eleven faults in as many weeks cost a second each, not a quarter of an hour in the end."""
    naps, now = Naps(100), 0.0

    async def works() -> None:
        nonlocal now
        now += worked_s
        if len(naps.taken) < len(pauses):
            raise Unavailable("platform.unreachable")

    await Supervisor(sleep=naps, passed=lambda: now).lasting("answering", works)
    assert naps.taken == pauses


async def test_who_works_for_less_time_than_it_rests_is_not_well() -> None:
    naps, now, worked_s = Naps(100), 0.0, iter([0.0] * 8 + [100.0, 100.0, 300.0, 0.0, 0.0])

    async def works() -> None:
        nonlocal now
        now += next(worked_s)
        if len(naps.taken) < 12:
            raise Unavailable("platform.unreachable")

    await Supervisor(sleep=naps, passed=lambda: now).lasting("answering", works)
    assert naps.taken[7:] == [128.0, 256.0, 512.0, 900.0, 900.0]


async def test_a_work_that_never_failed_is_counted_too() -> None:
    supervisor = Supervisor(sleep=Naps(1))
    with pytest.raises(asyncio.CancelledError):
        await supervisor.every("quiet", 1.0, work([None]))
    assert dict(supervisor.failures) == {"quiet": 0}


async def test_to_be_cancelled_is_no_failure() -> None:
    supervisor = Supervisor()
    with pytest.raises(asyncio.CancelledError):
        await supervisor.once("stopping", work([asyncio.CancelledError()]))  # type: ignore[list-item]
    assert supervisor.failures.total() == 0


@given(failed=st.integers(1, 10_000), seconds=st.floats(0.01, 1e6))
def test_pauses_grow_to_a_limit(failed: int, seconds: float) -> None:
    pause = pause_s(failed, seconds)
    assert min(seconds, FIRST_PAUSE_S) <= pause <= max(seconds, LONGEST_PAUSE_S)
    assert pause_s(failed + 1, seconds) >= pause


def test_our_own_errors_say_what_to_do(caplog: pytest.LogCaptureFixture) -> None:
    error: FundstelleError = Broken("disk.full", "make room")
    Supervisor().failed("tidying", error)
    assert "disk.full" in caplog.text
    assert "make room" in caplog.text
