"""How the cost of something grows with its input, whatever the machine and whatever else runs on it."""

import gc
import time
from collections.abc import Callable

TIMES, MOST = 8, 24.0
"""An input this many times as long costs as many times as much, or its square: 64 times. The bound is in the
middle between the two, as measured on a busy machine."""


def growth(work: Callable[[int], object], size: int) -> float:
    """Processor time of this thread for an input of TIMES `size`, over that for `size`; of three each."""
    work(size)
    gc.disable()  # a collection takes longer than some of this
    try:
        short, long = (min(_seconds(work, length) for _ in range(3)) for length in (size, TIMES * size))
    finally:
        gc.enable()
    return long / short


def _seconds(work: Callable[[int], object], size: int) -> float:
    began = time.thread_time()
    work(size)
    return time.thread_time() - began
