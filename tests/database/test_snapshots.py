"""A database is copied while others write to it, whatever store and schema it has, and comes back."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from adapters.database.database import Database
from adapters.database.migrate import newest
from adapters.database.snapshots import SqlStore, copied, settle
from adapters.database.tables import metadata
from core.errors import Broken, Refused
from tests.database.test_moving import content, filled
from tests.support.databases import emptied, postgresql_url, sqlite_url, with_another_step


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "a.db")
    return await postgresql_url(request.getfixturevalue("postgresql"))


async def test_a_copy_holds_every_row_of_every_table(url: str, tmp_path: Path) -> None:
    rows = await filled(url)
    found = await SqlStore(url).copy_to(tmp_path / "copy")
    assert await content(f"sqlite:///{tmp_path / 'copy'}") == await content(url)
    assert {name: found.rows[name] for name in rows} == {name: len(each) for name, each in rows.items()}
    assert found.revision == newest()
    assert found.library == rows["library_id"][0]["id"]
    kept = {row["original"] for row in rows["versions"] if row["status"] != "deleted"}
    assert found.originals == tuple(sorted(kept))
    assert (tmp_path / "copy").stat().st_mode & 0o077 == 0


async def test_it_is_that_of_one_moment_and_nobody_waits(url: str, tmp_path: Path) -> None:
    """Every row of the two tables gets the same number in one transaction, again and again."""
    await filled(url, count=200)
    database = await Database.open(url)
    documents, versions = metadata.tables["documents"], metadata.tables["versions"]
    writing, written = True, 0

    async def write() -> None:
        nonlocal written
        while writing:
            async with database.write() as connection:
                await connection.execute(documents.update().values(title=str(written + 1)))
                await connection.execute(versions.update().values(number=written + 1))
            written += 1

    busy = asyncio.create_task(write())
    try:
        for number in range(3):
            before = written
            while written == before:  # noqa: ASYNC110 - what writes is beside us
                await asyncio.sleep(0)
            await SqlStore(url).copy_to(tmp_path / f"copy{number}")
    finally:
        writing = False
        await busy
        await database.close()
    for number in range(3):
        with sqlite3.connect(tmp_path / f"copy{number}") as copy:
            titles = {int(row[0]) for row in copy.execute("SELECT title FROM documents")}
            numbers = {row[0] for row in copy.execute("SELECT number FROM versions")}
        copy.close()
        assert titles == numbers
        assert len(titles) == 1


async def test_a_schema_of_an_older_product_is_copied_as_it_is(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(url)
    older = with_another_step(monkeypatch, tmp_path / "steps")
    found = await SqlStore(url).copy_to(tmp_path / "copy")
    assert found.revision == older
    filled_again = f"sqlite:///{tmp_path / 'b.db'}"
    await SqlStore(filled_again).fill(tmp_path / "copy")
    for each in (url, filled_again):
        database = await Database.open(each, outdated=True)
        await database.migrate()
        await database.close()
    assert await content(filled_again) == await content(url)


async def test_a_copy_becomes_a_database_of_either_store(url: str, tmp_path: Path) -> None:
    await filled(sqlite_url(tmp_path / "source.db"))
    wanted = await content(f"sqlite:///{tmp_path / 'source.db'}")
    await SqlStore(f"sqlite:///{tmp_path / 'source.db'}").copy_to(tmp_path / "copy")
    store = SqlStore(url)
    assert await store.is_empty()
    database = await Database.open(url)
    async with database.write() as connection:  # somebody ran `doctor`
        await connection.execute(metadata.tables["library_id"].insert().values(row=1, id="other"))
    await database.close()
    assert await store.is_empty()
    await store.fill(tmp_path / "copy")
    assert await content(url) == wanted
    assert not await store.is_empty()


async def test_where_nothing_is_there_is_nothing(postgresql: str, tmp_path: Path) -> None:
    assert await SqlStore(await emptied(postgresql)).is_empty()
    assert await SqlStore(f"sqlite:///{tmp_path / 'none.db'}").is_empty()
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(Refused, match="nothing to copy"):
        await SqlStore(await emptied(postgresql)).copy_to(tmp_path / "copy")


async def test_any_row_makes_a_database_another_one(url: str) -> None:
    database = await Database.open(url)
    async with database.write() as connection:
        await connection.execute(metadata.tables["upkeep"].insert().values(job="a", at=sa.func.now()))
    await database.close()
    assert not await SqlStore(url).is_empty()


async def test_a_copy_that_is_served_sends_nothing_blindly(tmp_path: Path) -> None:
    await filled(sqlite_url(tmp_path / "a.db"))
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("UPDATE outbox SET state = CASE row % 3 WHEN 0 THEN 'pending' ELSE 'sent' END")
    settle(tmp_path / "a.db")
    states: dict[str, Any] = dict(
        database.execute("SELECT state, count(*) FROM outbox GROUP BY state").fetchall()
    )
    assert set(states) == {"sending", "sent"}
    assert database.execute("SELECT count(*) FROM leases").fetchone() == (0,)
    database.close()


@pytest.mark.parametrize(
    "spoil", [lambda b: b[:5000], lambda b: b[:4096] + b"\xff" * 4096 + b[8192:], lambda b: b""]
)
def test_damage_is_noticed(tmp_path: Path, spoil: Any) -> None:
    sqlite_url(tmp_path / "a.db")
    (tmp_path / "copy").write_bytes(spoil((tmp_path / "a.db").read_bytes()))
    if (tmp_path / "copy").stat().st_size:
        with pytest.raises(Refused, match="damaged"):
            copied(tmp_path / "copy")
    else:
        assert copied(tmp_path / "copy").library is None


@pytest.mark.parametrize(("revision", "said"), [("9999", "newer"), ("0017", "too_old")])
def test_another_product_made_it(tmp_path: Path, revision: str, said: str) -> None:
    sqlite_url(tmp_path / "a.db")
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    database.close()
    with pytest.raises(Broken) as caught:
        copied(tmp_path / "a.db")
    assert caught.value.key == f"database.{said}"
