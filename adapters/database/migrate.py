"""Brings a database to the newest schema. The scripts are the installed package `migrations`.

Alembic is imported only if there is something to migrate: it takes as long as everything else here.
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
    on SQLite. Raises Broken as `refuse_strange`."""
    _lock(connection)
    found = current(connection)
    if found == newest():
        return
    refuse_strange(found)
    make_schema(connection, newest())


def prepare(connection: Connection, *, outdated: bool) -> None:
    """Give an empty database its schema, in the transaction of `connection`, which must hold the write lock
    on SQLite. Raises Broken as `refuse_strange` or, unless it may be `outdated`, Broken("database.older")."""
    _lock(connection)
    found = current(connection)
    refuse_strange(found)
    if found is None:
        upgrade(connection)
    elif found < newest() and not outdated:
        detail = (
            f"an earlier version has made this database (schema {found}, here {newest()}): stop the bot that"
            " serves it, if one does, then run `fundstelle migrate` or `fundstelle serve`, which does it, too"
        )
        raise Broken("database.older", detail, found=found, wanted=newest())


def refuse_strange(found: str | None) -> None:
    """Raises Broken("database.newer") for the revision of a newer product, Broken("database.too_old") for one
    from before steps were kept."""
    if found is not None and found > newest():
        detail = f"update the product, then start again: the schema is {found}, here it is {newest()}"
        raise Broken("database.newer", detail)
    if found is not None and found < (oldest := min(revisions())):
        detail = (
            f"a build from before the first release has made this database (schema {found}); this version"
            f" takes {oldest} and later ones. Run `fundstelle migrate` of an earlier build until it says"
            f" {oldest}, or begin with an empty data folder and ingest the documents again"
        )
        raise Broken("database.too_old", detail)


def make_schema(connection: Connection, revision: str) -> None:
    """Give an empty or older database the schema of `revision`."""
    from alembic import command

    command.upgrade(configuration(connection), revision)


def current(connection: Connection) -> str | None:
    """The revision of the database; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def newest() -> str:
    """The newest revision."""
    return max(revisions())


def revisions() -> set[str]:
    """All revisions there is a script for: scripts are named after theirs, which are numbered."""
    return {path.name.partition("_")[0] for path in (scripts() / "versions").glob("[0-9]*_*.py")}


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
