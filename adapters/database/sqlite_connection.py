"""SQLite's connection in its thread, which ends for sure."""

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial

from aiosqlite import Connection
from sqlalchemy.engine import URL

_CHUNK = 64
"""Rows fetched at once when iterating, aiosqlite's own default."""


class SqliteConnection(Connection):
    """Its thread is told to stop once. SQLAlchemy ends a connection whose operation was cancelled in two ways
    at the same time (`AsyncAdapt_terminate.terminate`), and aiosqlite 0.22 then waits for ever until a
    thread that is gone stops again (`Connection.close`): the process would not end."""

    _stopped: "asyncio.Future[None] | None" = None

    def stop(self) -> "asyncio.Future[None] | None":
        """Stop the thread; the same future each time."""
        if self._stopped is None:
            self._stopped = super().stop()
        return self._stopped


def creator(url: URL) -> Callable[[], SqliteConnection]:
    """Makes connections to `url` that begin transactions only where they are told to."""
    arguments, options = url.get_dialect()().create_connect_args(url)

    def connect() -> SqliteConnection:
        made = SqliteConnection(partial(sqlite3.connect, *arguments, isolation_level=None, **options), _CHUNK)
        made._thread.daemon = True  # as SQLAlchemy has it: a process that fails does not wait for it
        return made

    return connect
