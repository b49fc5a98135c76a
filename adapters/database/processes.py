"""The processes that serve a database on a server: who is at work, by the server's clock.

What a process has claimed is its own as long as its row here lasts. One that ends takes its row out, so that
others go on with its work at once; what one leaves that died is anybody's when its term is over. Beside a
SQLite file there is one that serves, and no rows: whatever it finds claimed when it starts is a dead one's.
"""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import Database
from adapters.database.rows import upsert
from adapters.database.tables import ProcessRow, table_of
from adapters.database.wakes import notify

PROCESSES = table_of(ProcessRow)


def is_left(process: sa.ColumnElement[str | None]) -> sa.ColumnElement[bool]:
    """Whether nobody is at work on what `process` has claimed."""
    lives = sa.select(PROCESSES.c.name).where(PROCESSES.c.name == process)
    return ~lives.where(PROCESSES.c.until > sa.func.clock_timestamp()).exists()


class SqlProcesses:
    """The row of the process `name` in an open database on a server."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self.name = name

    async def stay(self, role: str, *, term: timedelta) -> bool:
        """Be at work for another `term`. False where that was over: others may have taken over what this one
        had claimed."""
        async with self._database.write() as connection:
            now = await _now(connection)
            lasted = await connection.scalar(
                sa.select(PROCESSES.c.until > now).where(PROCESSES.c.name == self.name)
            )
            row = upsert(connection, PROCESSES).values(name=self.name, role=role, since=now, until=now + term)
            await connection.execute(
                row.on_conflict_do_update(index_elements=["name"], set_={"until": now + term})
            )
            await connection.execute(PROCESSES.delete().where(PROCESSES.c.until < now - timedelta(days=1)))
        return bool(lasted)

    async def leave(self) -> None:
        """Hand over what this one has claimed."""
        async with self._database.write() as connection:
            await connection.execute(PROCESSES.delete().where(PROCESSES.c.name == self.name))
            await notify(connection, "inbox", "outbox")

    async def at_work(self) -> list[tuple[str, str]]:
        """Name and role of all that are at work, by when they began."""
        here = sa.select(PROCESSES.c.name, PROCESSES.c.role).order_by(PROCESSES.c.since, PROCESSES.c.name)
        async with self._database.read() as connection:
            rows = await connection.execute(here.where(PROCESSES.c.until > await _now(connection)))
            return [(row.name, row.role) for row in rows]

    async def server_time(self) -> datetime:
        """What time it is there."""
        async with self._database.read() as connection:
            return await _now(connection)


async def _now(connection: AsyncConnection) -> datetime:
    now: datetime = (await connection.execute(sa.select(sa.func.clock_timestamp()))).scalar_one()
    return now
