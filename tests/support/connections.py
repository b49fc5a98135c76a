"""Every attempt of this process to connect anywhere, as the interpreter itself reports it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_listeners: list[list[object]] = []


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.connect":
        for attempts in _listeners:
            attempts.append(arguments[1])


sys.addaudithook(_hook)


@contextmanager
def attempted_connections() -> Iterator[list[object]]:
    """The addresses that sockets were told to connect to while the context lasts."""
    attempts: list[object] = []
    _listeners.append(attempts)
    try:
        yield attempts
    finally:
        _listeners.remove(attempts)
