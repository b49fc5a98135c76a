"""By how much a scan was laid askew on the glass. Pure; runs in the worker.

Lines of text make the ink of a picture's rows rise and fall steeply; that is steepest where the rows run
along the lines (Postl's criterion on projection profiles). The picture is cut into upright strips, and
turning by a small angle is moving each strip's rows up or down, so that no picture is turned to try one.
"""

import math
from collections.abc import Iterator
from itertools import pairwise

LIMIT, STEP, FINE = 6.0, 0.25, 0.05
"""Degrees: what is considered, coarsely and then closely."""
LEAST = 0.3
"""Degrees that are left as they are: recognition reads them as well."""
_GAIN = 1.15
"""The criterion must be so much better than for the picture as it is."""
_STRIP = 16
_DARK = 180
_INK = bytes(1 if value < _DARK else 0 for value in range(256))

Profile = list[int]


def skew(samples: bytes, width: int, height: int) -> float:
    """Degrees by which the lines of a picture fall to the right (negative: rise), 0.0 where they are level
    or none are found. `samples` are `width` * `height` bytes, 0 is black."""
    strips = list(_profiles(samples, width, height))
    margin = math.ceil(math.tan(math.radians(LIMIT)) * width / 2) + 1
    if len(strips) < 2 or height < 2 * margin + 2:
        return 0.0

    def steepness(angle: float) -> int:
        return _steepness(strips, angle, margin)

    steps, near = round(LIMIT / STEP), round(STEP / FINE) - 1
    rough = max((step * STEP for step in range(-steps, steps + 1)), key=steepness)
    best = max((rough + step * FINE for step in range(-near, near + 1)), key=steepness)
    if not LEAST <= abs(best) < LIMIT or steepness(best) < _GAIN * steepness(0.0):
        return 0.0
    return round(best, 2)


def _profiles(samples: bytes, width: int, height: int) -> Iterator[Profile]:
    """For each strip, the dark pixels of its rows."""
    ink = samples.translate(_INK)
    for left in range(0, width - _STRIP + 1, _STRIP):
        yield [ink.count(1, row + left, row + left + _STRIP) for row in range(0, height * width, width)]


def _steepness(strips: list[Profile], angle: float, margin: int) -> int:
    """Sum of the squared differences between neighbouring rows, as if turned back by `angle`; of the rows
    that are there at every angle."""
    fall = math.tan(math.radians(angle)) * _STRIP
    shifts = [round(fall * (at - len(strips) / 2)) for at in range(len(strips))]
    moved = [strip[margin + by : len(strip) - margin + by] for strip, by in zip(strips, shifts, strict=True)]
    rows = map(sum, zip(*moved, strict=True))
    return sum((after - before) ** 2 for before, after in pairwise(rows))
