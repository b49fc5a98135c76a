"""What processes on one server tell each other: that there is something to look at.

It is told by NOTIFY, in the transaction that makes it true, and may be missed: whoever waits looks by itself,
too, only not as soon.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import Database
from adapters.database.errors import translated
from core.errors import FundstelleError

CHANNEL = "fundstelle"
AGAIN_S = 2.0
"""Seconds until a lost connection is made again, and between two looks at whether it still is one."""

Heard = Callable[[str], None]
"""Called with the name of what there is to look at: inbox, outbox, calls, ..."""


async def notify(connection: AsyncConnection, *topics: str) -> None:
    """Tell all who listen, once the transaction is over; nothing on SQLite, where nobody else serves."""
    if connection.dialect.name != "postgresql":
        return
    for topic in topics:
        await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, topic)))


@asynccontextmanager
async def listening(database: Database, heard: Heard) -> AsyncIterator[None]:
    """Have `heard` called while the context lasts."""
    task = asyncio.create_task(_listen(database, heard))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _listen(database: Database, heard: Heard) -> None:
    def told(_connection: object, _process: int, _channel: str, topic: str) -> None:
        heard(topic)

    while True:
        with suppress(FundstelleError), translated():
            async with database.apart() as driver:
                await driver.add_listener(CHANNEL, told)
                heard("")  # what was told meanwhile
                while not driver.is_closed():
                    await asyncio.sleep(AGAIN_S)
                    await driver.fetchval("SELECT 1")
        await asyncio.sleep(AGAIN_S)
