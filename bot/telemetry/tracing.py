"""Which answer is being made: its trace, known to whatever works on it, and to the log."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.domain.ids import TraceId

_CURRENT: ContextVar[TraceId | None] = ContextVar("trace", default=None)


@contextmanager
def traced(trace: TraceId | None) -> Iterator[None]:
    """What is done in the context, and in tasks begun there, belongs to the answer `trace`."""
    token = _CURRENT.set(trace)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current_trace() -> TraceId | None:
    """The answer that is being worked on here, None for none."""
    return _CURRENT.get()
