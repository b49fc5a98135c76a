import asyncio
import os
import threading

import pytest

from adapters.embedding.text_model import EncoderWorkers
from core.errors import Broken


async def test_results_come_in_order_and_progress_counts_sizes() -> None:
    seen: list[tuple[int, int]] = []
    steps = [[1], [2, 3], [4, 5, 6]]
    workers = EncoderWorkers("test", 2)
    sums = await workers.passages(steps, sum, size=len, progress=lambda *done: seen.append(done))
    assert sums == [1, 5, 15]
    assert seen[-1] == (6, 6)


async def test_the_first_error_comes_out_as_it_is() -> None:
    def fail(step: int) -> int:
        raise Broken("embedding.failed", f"step {step}")

    with pytest.raises(Broken, match="step"):
        await EncoderWorkers("test", 2).passages([1, 2, 3], fail)


async def test_a_question_does_not_wait_for_passages() -> None:
    workers = EncoderWorkers("test", 1)
    answered = threading.Event()
    passages = asyncio.create_task(workers.passages([5.0], answered.wait))
    await asyncio.sleep(0)
    await workers.question(answered.set)
    assert await passages == [True]


async def test_a_short_document_is_not_queued_behind_a_long_one() -> None:
    workers = EncoderWorkers("test", 1)
    order: list[str] = []
    long = asyncio.create_task(workers.passages(["long"] * 50, order.append))
    await asyncio.sleep(0)
    await workers.passages(["short"], order.append)
    await long
    assert order.index("short") < 10


async def test_passages_run_at_low_priority_and_questions_do_not() -> None:
    if not hasattr(os, "getpriority") or os.uname().sysname != "Linux":
        pytest.skip("niceness of threads is Linux's")

    def niceness(_: object = None) -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    workers = EncoderWorkers("test", 1)
    (low,) = await workers.passages([None], niceness)
    assert low > await workers.question(niceness)
