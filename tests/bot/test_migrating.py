"""After an update only `migrate` and `serve` change the database, and nobody serves it meanwhile."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from adapters.database.database import Database
from adapters.database.jobs import SqlSources
from adapters.database.migrate import newest
from bot.cli.root import app
from bot.service.serving_lease import LEASE, TERM, this_process
from bot.settings.tree import load
from bot.wiring import transfers
from tests.support.databases import postgresql_url, sqlite_url, with_another_step
from tests.support.leases import held_by_term

OLDER = newest()
"""Once there is another step."""

EARLIER = "elsewhere process 1, since 2026-03-01 12:00:00.000000"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An older database, the one of the data folder."""
    data.mkdir()
    if request.param == "sqlite":
        found = sqlite_url(data / "fundstelle.sqlite3")
    else:
        found = asyncio.run(postgresql_url(request.getfixturevalue("postgresql")))
        monkeypatch.setenv("FUNDSTELLE_DATABASE_URL", found)
    asyncio.run(_opened_once(found))
    with_another_step(monkeypatch, tmp_path / "steps")
    return found


async def _opened_once(url: str) -> None:
    async with opened(url):
        pass


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = await Database.open(url, outdated=True)
    try:
        yield database
    finally:
        await database.close()


def revision(url: str) -> str:
    async def found() -> str:
        async with opened(url) as database:
            return await database.revision()

    return asyncio.run(found())


def run(data: Path, *arguments: str) -> tuple[int, Any, str]:
    done = CliRunner().invoke(app, [*arguments, "--data", str(data)])
    content = json.loads(done.stdout) if "--json" in arguments else done.stdout
    return done.exit_code, content, done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("documents",),
        ("ask", "Was gilt?"),
        ("jobs",),
        ("audit",),
        ("person", "export", "telegram/1"),
        ("backup", "create", "{folder}/kept.zip"),
        ("collect",),
        ("ingest", "{folder}/nothing.pdf"),
        ("move", "--to", "sqlite:///{folder}/other.db"),
    ],
    ids=lambda command: command[0],
)
def test_other_commands_leave_it_as_it_is_and_say_what_to_do(
    url: str, data: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    status, found, _ = run(data, *(word.format(folder=tmp_path) for word in command), "--json")
    assert (status, found["error"]["code"]) == (3, "database.older")
    assert "fundstelle migrate" in found["error"]["message"]
    assert revision(url) == OLDER


def test_doctor_says_so_too(url: str, data: Path) -> None:
    status, found, _ = run(data, "doctor", "--json")
    assert status == 3
    said = [str(check) for check in found["checks"] if "fundstelle migrate" in str(check)]
    assert said
    assert all(OLDER in each for each in said)
    assert revision(url) == OLDER


def test_migrate_keeps_it_as_it_was_and_brings_it_up_to_date(url: str, data: Path) -> None:
    status, found, _ = run(data, "migrate", "--json")
    assert (status, found["from"], found["to"], revision(url)) == (0, OLDER, newest(), newest())
    kept = Path(found["backup"])
    checked = asyncio.run(transfers.check_backup(load(data=data).settings, kept))
    assert checked.problems == ()
    assert checked.manifest is not None
    assert checked.manifest.database.revision == OLDER
    status, found, _ = run(data, "migrate", "--json")
    assert (status, found) == (0, {"from": newest(), "to": newest(), "backup": None})
    status, said, _ = run(data, "migrate")
    assert (status, said) == (0, f"The database is already at this version (schema {newest()}).\n")
    assert run(data, "documents")[0] == 0
    assert len([*(data / "backups").iterdir()]) == 1


def test_serve_does_so_before_it_begins(url: str, data: Path) -> None:
    status, _, said = run(data, "serve")
    assert status == 3
    assert "serve.no_platform" in said
    assert revision(url) == newest()
    assert len([*(data / "backups").iterdir()]) == 1


@pytest.mark.parametrize("command", [("migrate",), ("serve",)], ids=str)
@pytest.mark.parametrize("holder", [EARLIER, ""], ids=["an earlier version", "one like this"])
def test_it_is_not_changed_under_a_bot_that_serves(
    url: str, data: Path, holder: str, command: tuple[str, ...]
) -> None:
    async def tried() -> tuple[int, Any, str]:
        async with opened(url) as database:
            if holder:
                await held_by_term(database, LEASE, holder, TERM)
            else:
                assert await SqlSources(database).take_lease(LEASE, this_process(), term=TERM)
            return await asyncio.to_thread(run, data, *command)

    status, _, said = asyncio.run(tried())
    assert status == 3
    assert "serve.already" in said
    assert revision(url) == OLDER
    assert not (data / "backups").exists()


def test_it_waits_for_no_bot_that_ended(url: str, data: Path) -> None:
    async def left() -> None:
        async with opened(url) as database:
            await held_by_term(database, LEASE, EARLIER, timedelta(seconds=-1))

    asyncio.run(left())
    assert run(data, "migrate", "--json")[0] == 0
    assert revision(url) == newest()


def test_a_lease_that_was_lost_meanwhile_changes_nothing(
    url: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one has begun to serve while the backup was made."""

    async def slow(*_: object) -> Path:
        async with opened(url) as database:
            await held_by_term(database, LEASE, EARLIER, TERM)
        return data

    monkeypatch.setattr("bot.wiring.transfers.before_migration", slow)
    status, found, _ = run(data, "migrate", "--json")
    assert (status, found["error"]["code"]) == (3, "serve.taken_over")
    assert revision(url) == OLDER


def test_a_newer_one_is_refused(url: str, data: Path) -> None:
    async def newer() -> None:
        async with opened(url) as database, database.write() as connection:
            await connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")

    asyncio.run(newer())
    for command in ("migrate", "documents"):
        status, found, _ = run(data, command, "--json")
        assert (status, found["error"]["code"]) == (3, "database.newer")
    assert run(data, "serve")[0] == 3


def test_where_nothing_is_nothing_is_made(data: Path) -> None:
    status, found, _ = run(data, "migrate", "--json")
    assert (status, found["error"]["code"]) == (1, "library.none")
    assert not data.exists()


async def test_an_empty_database_is_made_by_whoever_comes(tmp_path: Path) -> None:
    made = await Database.open(f"sqlite:///{tmp_path / 'fundstelle.sqlite3'}")
    assert await made.revision() == newest()
    await made.close()
