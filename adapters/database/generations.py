"""The library's generation, and what was read of the library as a whole while it lasts.

Every transaction that changes documents, their versions or the registry raises the number before anything
else, so that such transactions of several processes wait for each other in one order. A reader compares the
number in the transaction in which it reads: what is kept is never older than what it would have read.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import Database
from adapters.database.queries import LIBRARY_ID
from core.recent import Recent

MOST = 64
"""Readings that are kept: per collection, and per day in the past that is asked about."""

T = TypeVar("T")


class Generations:
    """Reads through a memory that forgets everything as soon as the library changes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._generation: int | None = None
        self._kept: Recent[Hashable, Any] = Recent(MOST)

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that changes what `read` may be asked for."""
        async with self._database.write() as connection:
            raised = LIBRARY_ID.update().values(generation=LIBRARY_ID.c.generation + 1)
            await connection.execute(raised)
            yield connection

    async def read(self, key: Hashable, make: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """What `make` reads, kept under `key`. A library without an id yet is read each time."""
        async with self._database.read() as connection:
            number = (await connection.execute(sa.select(LIBRARY_ID.c.generation))).scalar_one_or_none()
            if number is not None and number == self._generation and key in self._kept:
                kept: T = self._kept[key]
                return kept
            found = await make(connection)
        if number is not None:
            if number != self._generation:
                self._kept.clear()
                self._generation = number
            self._kept[key] = found
        return found
