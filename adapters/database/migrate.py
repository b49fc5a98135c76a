"""Bring a database to the newest schema. The scripts are the installed package `migrations`.

Alembic is imported only where there is something to migrate: it takes as long as everything else here.
"""

import logging
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from core.errors import Broken

if TYPE_CHECKING:
    from alembic.config import Config

LOCK = 0x46756E64
"""Key of the advisory lock that lets one process migrate a PostgreSQL database at a time."""


def upgrade(connection: Connection) -> None:
    """Run the missing migrations in the transaction of `connection`, which must hold the write lock
    on SQLite. Raises Broken if the database was made by a newer version of the product."""
    _lock(connection)
    if current(connection) == newest():
        return
    from alembic import command
    from alembic.util import CommandError

    try:
        command.upgrade(configuration(connection), "head")
    except CommandError as error:
        raise Broken("database.newer", f"update the product, then start again: {error}") from error


def prepare(connection: Connection, *, outdated: bool) -> None:
    """Give an empty database its schema, in the transaction of `connection`, which must hold the write lock
    on SQLite. Raises Broken("database.newer") or, unless it may be `outdated`, Broken("database.older")."""
    _lock(connection)
    found = current(connection)
    if found is None:
        upgrade(connection)
    elif found > newest():
        detail = f"update the product, then start again: the schema is {found}, here it is {newest()}"
        raise Broken("database.newer", detail)
    elif found < newest() and not outdated:
        detail = (
            f"an earlier version has made this database (schema {found}, here {newest()}): stop the bot that"
            " serves it, if one does, then run `fundstelle migrate` or `fundstelle serve`, which does it, too"
        )
        raise Broken("database.older", detail, found=found, wanted=newest())


def make_schema(connection: Connection, revision: str) -> None:
    """Give an empty database the schema of `revision`."""
    from alembic import command

    command.upgrade(configuration(connection), revision)


def downgrade(connection: Connection, revision: str) -> None:
    """Undo migrations down to `revision` (or "base"); loses what the older schema cannot hold."""
    from alembic import command

    _lock(connection)
    command.downgrade(configuration(connection), revision)


def current(connection: Connection) -> str | None:
    """The revision of the database; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def newest() -> str:
    """The newest revision: scripts are named after theirs, which are numbered."""
    return max(path.name.partition("_")[0] for path in (scripts() / "versions").glob("[0-9]*_*.py"))


def scripts() -> Path:
    """The folder of the migrations. Raises Broken if they are not installed."""
    spec = find_spec("migrations")
    if spec is None or spec.origin is None:
        detail = "the package 'migrations' is missing; install the product again"
        raise Broken("database.no_migrations", detail)
    return Path(spec.origin).parent


def configuration(connection: Connection) -> "Config":
    """Alembic's configuration without a file."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(scripts()).replace("%", "%%"))
    config.attributes["connection"] = connection
    logging.getLogger("alembic").setLevel(logging.WARNING)
    return config


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
