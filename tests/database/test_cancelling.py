"""Work on a database that is cancelled anywhere leaves nothing behind that would not end."""

import asyncio
import random
from pathlib import Path

import pytest
import sqlalchemy as sa

from adapters.database.database import Database


async def _write(database: Database) -> None:
    while True:
        async with database.write() as connection:
            await connection.execute(sa.text("CREATE TABLE IF NOT EXISTS noted (n INTEGER)"))
            await connection.execute(sa.text("INSERT INTO noted VALUES (1)"))


@pytest.mark.timeout(30)
@pytest.mark.parametrize("seed", range(4))
async def test_cancelled_writers_end_and_the_next_one_can_write(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    database = await Database.open(f"sqlite:///{tmp_path}/cancelled.db")
    before = asyncio.all_tasks()
    for _ in range(5):
        writers = [asyncio.create_task(_write(database)) for _ in range(4)]
        await asyncio.sleep(dice.uniform(0, 0.02))
        for _ in range(3):  # whoever waits for one that was cancelled may be cancelled as well
            for writer in writers:
                writer.cancel()
            await asyncio.sleep(0)
        await asyncio.gather(*writers, return_exceptions=True)
    left = asyncio.all_tasks() - before
    if left:
        _, unended = await asyncio.wait(left, timeout=5)
        assert not unended
    async with database.write() as connection:
        await connection.execute(sa.text("CREATE TABLE IF NOT EXISTS noted (n INTEGER)"))
    await database.close()
