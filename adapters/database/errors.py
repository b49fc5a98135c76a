"""Foreign errors of SQLAlchemy, its drivers and Alembic, translated once."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import exc

from adapters.disk import Free, free_bytes, is_full
from core.errors import Broken, FundstelleError, Unavailable
from core.message_keys import ErrorKey

READ_ONLY = "25006"
"""SQLSTATE of a server that has become a standby."""

PASSING_STATES = ("08", "40", "53", "55", "57", READ_ONLY, "25P03", "25P04")
"""Classes of SQLSTATE that may be temporary: connection, rollback, resources, lock, operator intervention;
also a fail-over, and transactions that took too long
(https://www.postgresql.org/docs/current/errcodes-appendix.html).
"""

SQLITE_FAULTS: Mapping[str, ErrorKey] = {
    "locked": "database.busy",
    "disk is full": "database.full",
    "unable to open": "database.cannot_open",
    "readonly": "database.cannot_open",
    "malformed": "database.corrupt",
    "not a database": "database.corrupt",
    "disk i/o": "database.disk",
}
ADVICE = {
    "database.busy": "another process writes to the database; try again",
    "database.full": "the disk is full; make room on it, or move the data folder to a larger one (--data)",
    "database.disk": "the disk under the database cannot be read or written; is it full, or failing?",
    "database.cannot_open": "the database file cannot be opened for writing; check folder and permissions",
    "database.corrupt": "the database file is damaged; restore it from a backup",
    "database.unavailable": "the database does not answer; is its server running, and database_url right?",
}
SERVER_FAULTS = {
    "28P01": "the database refuses the password; mend it in database_url",
    "28000": "the database does not let this user in; mend user, password or sslmode in database_url",
    "3D000": "there is no such database on the server; create it (createdb NAME), or mend database_url",
    "42501": "this user may not do that; let it own the database (ALTER DATABASE NAME OWNER TO USER)",
}
"""PostgreSQL errors that somebody has to fix, by SQLSTATE."""


PASSING = ("database.busy", "database.full", "database.disk")
"""Errors that may pass by themselves."""

WITHOUT_ROOM = ("database.disk", "database.cannot_open", "database.unavailable", "database.failed")
"""SQLite messages that may mean a lack of space: it cannot always tell."""

LITTLE = 4_000_000
"""Bytes left on a disk that counts as full: the log's index alone takes 32 kB, and is mapped into memory."""


@contextmanager
def translated(folder: Path | None = None, free: Free = free_bytes) -> Iterator[None]:
    """Raise Unavailable or Broken instead of a foreign error. An error in the `folder` of a database file
    while the disk is full is due to that, not to damage."""
    try:
        yield
    except Exception as error:
        if not is_foreign(error):
            raise
        ours = translate(error)
        if folder is not None and ours.key in WITHOUT_ROOM and _is_full(folder, free):
            ours = _as_error("database.full", _message_of(error))
        raise ours from error


def _is_full(folder: Path, free: Free) -> bool:
    try:
        return free(folder) < LITTLE
    except OSError:
        return False


def _message_of(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error)


def _as_error(key: ErrorKey, message: str) -> FundstelleError:
    detail = f"{ADVICE[key]} ({message})"
    wait_s = 1.0 if key == "database.busy" else 15.0
    return Unavailable(key, detail, wait_s) if key in PASSING else Broken(key, detail)


def is_foreign(error: Exception) -> bool:
    """Whether a database call raised it. `OSError` covers refused connections and timeouts; asyncpg, whose
    errors SQLAlchemy lets through while connecting, is only imported where it is used."""
    if isinstance(error, exc.SQLAlchemyError | sqlite3.Error | OSError):
        return True
    return type(error).__module__.partition(".")[0] == "asyncpg"


def translate(error: Exception) -> FundstelleError:
    """Our error, whose class says who can act."""
    message = _message_of(error)
    if isinstance(error, exc.IntegrityError):
        return Broken("database.conflict", f"the database refused a row: {message}")
    if is_full(error):
        return _as_error("database.full", message)
    if is_passing(error):
        return Unavailable("database.unavailable", f"{ADVICE['database.unavailable']} ({message})")
    if advice := SERVER_FAULTS.get(state(error)):
        return Broken("database.refused", f"{advice} ({message})")
    for sign, key in SQLITE_FAULTS.items():
        if sign in message.lower():
            return _as_error(key, message)
    return Broken("database.failed", f"the database failed: {message}")


def is_passing(error: Exception) -> bool:
    """Whether retrying may help."""
    if isinstance(error, OSError | exc.TimeoutError):
        return True
    if isinstance(error, exc.DBAPIError) and error.connection_invalidated:
        return True
    return state(error).startswith(PASSING_STATES)


def state(error: BaseException) -> str:
    """The SQLSTATE from a PostgreSQL server, "" if there is none."""
    sqlstate = getattr(getattr(error, "orig", error), "sqlstate", None)
    return sqlstate if isinstance(sqlstate, str) else ""
