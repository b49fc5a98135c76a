"""Bring a database to the newest schema. The scripts are the installed package `migrations`."""

import logging
from importlib.util import find_spec
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, text

from core.errors import Broken

LOCK = 0x46756E64
"""Key of the advisory lock that lets one process migrate a PostgreSQL database at a time."""


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the missing migrations in the transaction of `connection`, which must hold the write lock
    on SQLite. Raises Broken if the database was made by a newer version of the product."""
    _lock(connection)
    try:
        command.upgrade(configuration(connection), revision)
    except CommandError as error:
        raise Broken("database.newer", f"update the product, then start again: {error}") from error


def downgrade(connection: Connection, revision: str) -> None:
    """Undo migrations down to `revision` (or "base"); loses what the older schema cannot hold."""
    _lock(connection)
    command.downgrade(configuration(connection), revision)


def configuration(connection: Connection) -> Config:
    """Alembic's configuration without a file."""
    spec = find_spec("migrations")
    if spec is None or spec.origin is None:
        detail = "the package 'migrations' is missing; install the product again"
        raise Broken("database.no_migrations", detail)
    config = Config()
    config.set_main_option("script_location", str(Path(spec.origin).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    logging.getLogger("alembic").setLevel(logging.WARNING)
    return config


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
