"""Brings a database to the newest schema. The scripts are the installed package `migrations`.

Each script says which processes keep working once it has run (`compatible_from`, the oldest schema of theirs;
by default its own), and the database records it from then on: processes of an earlier version can work with
it as long as they are not older than that.

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

VERSION_TABLE, COMPATIBLE = "alembic_version", "compatible"
"""Alembic's table, and our column in it: "REVISION from OLDEST", whose processes can work with it."""


def upgrade(connection: Connection) -> None:
    """Run the missing migrations in the transaction of `connection`, which must hold the write lock
    on SQLite. Raises Broken as `refuse_strange`."""
    _lock(connection)
    found = current(connection)
    if found == newest():
        return
    refuse_strange(found)
    make_schema(connection, newest())
    said = {"mark": f"{newest()} from {compatible_after()}"}
    connection.execute(text(f"UPDATE {VERSION_TABLE} SET {COMPATIBLE} = :mark"), said)  # noqa: S608


def prepare(connection: Connection, *, outdated: bool) -> None:
    """Give an empty database its schema, in the transaction of `connection`, which must hold the write lock
    on SQLite. A newer one that this version can work with stays as it is. Raises Broken as `refuse_strange`
    or, unless it may be `outdated`, Broken("database.older")."""
    _lock(connection)
    found = current(connection)
    ahead = found is not None and found > newest()
    refuse_strange(found, compatible_from(connection) if ahead else None)
    if found is None:
        upgrade(connection)
    elif found < newest() and not outdated:
        detail = (
            f"an earlier version has made this database (schema {found}, here {newest()}): run `fundstelle"
            " migrate`, which says whether the bot that serves it, if one does, has to be stopped first;"
            " `fundstelle serve` does it, too"
        )
        raise Broken("database.older", detail, found=found, wanted=newest())


def refuse_strange(found: str | None, compatible: str | None = None) -> None:
    """Raises Broken("database.newer") for the revision of a newer product, unless it is `compatible` with
    this one; Broken("database.too_old") for one from before steps were kept."""
    if found is not None and found > newest() and (compatible is None or compatible > newest()):
        detail = f"update the product, then start again: the schema is {found}, here it is {newest()}"
        raise Broken("database.newer", detail)
    if found is not None and found < (oldest := min(revisions())):
        detail = (
            f"a build from before the first release has made this database (schema {found}); this version"
            f" takes {oldest} and later ones. Run `fundstelle migrate` of an earlier build until it says"
            f" {oldest}, or begin with an empty data folder and ingest the documents again"
        )
        raise Broken("database.too_old", detail)


def compatible_from(connection: Connection) -> str | None:
    """The oldest schema whose processes can work with the database, according to its own mark; None without a
    mark, or after steps that did not update it."""
    if COMPATIBLE not in {each["name"] for each in inspect(connection).get_columns(VERSION_TABLE)}:
        return None
    row = connection.execute(text(f"SELECT version_num, {COMPATIBLE} FROM {VERSION_TABLE}")).one_or_none()  # noqa: S608
    return None if row is None else said_compatible(*row)


def said_compatible(revision: str, mark: str | None) -> str | None:
    """The content of the mark of a database at `revision`."""
    of, _, oldest = (mark or "").partition(" from ")
    return oldest if of == revision else None


def compatible_after(found: str | None = None) -> str:
    """The oldest schema whose processes keep working when a database at `found` gets the steps it lacks; of
    all steps without it."""
    from alembic.script import ScriptDirectory

    steps = [
        each for each in ScriptDirectory(str(scripts())).walk_revisions() if each.revision > (found or "")
    ]
    return max(getattr(each.module, "compatible_from", each.revision) for each in steps)


def make_schema(connection: Connection, revision: str) -> None:
    """Give an empty or older database the schema of `revision`."""
    from alembic import command

    command.upgrade(configuration(connection), revision)


def current(connection: Connection) -> str | None:
    """The revision of the database; None for an empty one."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    query = text(f"SELECT version_num FROM {VERSION_TABLE}")  # noqa: S608 - a name of ours
    found: str | None = connection.execute(query).scalar()
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
