"""The `IndexGenerations` port on SQL. One method, one transaction."""

from datetime import datetime

import sqlalchemy as sa

from adapters.database.database import Database
from adapters.database.mapping import Codec, upsert
from adapters.database.tables import GENERATIONS
from core.ports.index import IndexGeneration

READ = Codec(IndexGeneration)


class SqlIndexGenerations:
    """Generations in an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> list[IndexGeneration]:
        newest = GENERATIONS.c.since.desc().nulls_last()
        query = sa.select(GENERATIONS).order_by(newest, GENERATIONS.c.encoders)
        return [READ.read(row) for row in await self._database.rows(query)]

    async def begin(self, generation: IndexGeneration) -> IndexGeneration:
        """Insert it, unless another process was first: then its row counts."""
        values = {
            "encoders": generation.encoders,
            "setting": generation.setting,
            "place": generation.place,
            "since": generation.since,
        }
        async with self._database.write() as connection:
            made = upsert(connection, GENERATIONS).values(values)
            await connection.execute(made.on_conflict_do_nothing(index_elements=["encoders"]))
            query = GENERATIONS.select().where(GENERATIONS.c.encoders == generation.encoders)
            return READ.read((await connection.execute(query)).one())

    async def answer_from(self, encoders: str, *, at: datetime) -> None:
        chosen = GENERATIONS.update().where(GENERATIONS.c.encoders == encoders).values(since=at)
        await self._database.run(chosen)

    async def forget(self, encoders: str) -> None:
        await self._database.run(GENERATIONS.delete().where(GENERATIONS.c.encoders == encoders))
