"""Telemetry: counters, and the trace of the answer being made.

Every room may count and trace; whoever shows the figures or writes the log reads them from here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.domain.ids import TraceId

_CURRENT: ContextVar[TraceId | None] = ContextVar("trace", default=None)


@contextmanager
def traced(trace: TraceId | None) -> Iterator[None]:
    """Attribute work in the context, and in tasks started there, to the answer `trace`."""
    token = _CURRENT.set(trace)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current_trace() -> TraceId | None:
    """The trace of the answer being worked on here, None if there is none."""
    return _CURRENT.get()
