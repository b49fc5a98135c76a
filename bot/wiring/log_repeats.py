"""What is said again and again, as in an outage, is one line, and a second one with how often it was.

Lines are the same if they differ in numbers only. The first is written at once. The others are counted, and
told when it is over, or every quarter of an hour.
"""

import logging
import re
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TextIO

from bot.telemetry import current_trace, traced
from bot.wiring.log_lines import kind_of, message_of
from core.domain.ids import TraceId

QUIET_S = 120.0
"""Seconds without a line after which its matter is over: pauses between two attempts are shorter."""

SUMMED_S = 900.0
"""Seconds after which the count is told while it goes on."""

_MOST = 1000
"""Different lines that are remembered."""

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(slots=True)
class _Repeated:
    """A line that was written at `told`, and again, silently, `count` times until `last`."""

    record: logging.LogRecord
    trace: TraceId | None
    told: float
    last: float
    count: int = 0


class SparingHandler(logging.StreamHandler[TextIO]):
    """Writes to a stream, what is repeated only once. Its time is that of the records."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._known: dict[Hashable, _Repeated] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write or count."""
        self.tell(record.created)
        key = _key(record)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST:
                self.tell(float("inf"))
            self._known[key] = _Repeated(record, current_trace(), record.created, record.created)
            super().emit(record)
        else:
            known.record, known.last, known.count = record, record.created, known.count + 1

    def tell(self, now: float) -> None:
        """Write the counts that are due at `now`, in seconds since 1970."""
        for key, known in list(self._known.items()):
            over = now - known.last > QUIET_S
            if known.count and (over or now - known.told > SUMMED_S):
                self._sum_up(known)
            if over:
                del self._known[key]

    def _sum_up(self, known: _Repeated) -> None:
        record, seconds = known.record, known.last - known.told
        words = f"{message_of(record)} ({known.count} more of these within {seconds:.0f} s)"
        said = {"msg": words, "args": None, "exc_info": None, "created": known.last}
        known.told, known.count = known.last, 0
        with traced(known.trace):
            super().emit(logging.makeLogRecord({**record.__dict__, **said}))

    def close(self) -> None:
        """Write all counts first."""
        self.tell(float("inf"))
        super().close()


def _key(record: logging.LogRecord) -> Hashable:
    error = record.exc_info[1] if record.exc_info else None
    frame = error.__traceback__.tb_lineno if error and error.__traceback__ else 0
    words = _NUMBER.sub("#", message_of(record))
    return record.name, record.levelno, words, error and kind_of(error), frame, current_trace()
