"""Notifications between processes on one server that there is something to look at. They are sent by NOTIFY,
in the transaction that causes them, and may be missed: waiting processes also check by themselves, only not
as soon.
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
"""Seconds until a lost connection is reopened, and between two checks whether it still works."""

Heard = Callable[[str], None]
"""Called with the topic to look at: inbox, outbox, calls, ..."""


async def notify(connection: AsyncConnection, *topics: str) -> None:
    """Notify all listeners, once the transaction is over; does nothing on SQLite, where nobody else
    serves."""
    if connection.dialect.name != "postgresql":
        return
    for topic in topics:
        await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, topic)))


@asynccontextmanager
async def listening(database: Database, heard: Heard) -> AsyncIterator[None]:
    """Call `heard` on notifications while the context lasts."""
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
