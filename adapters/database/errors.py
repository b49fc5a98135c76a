"""Foreign errors of SQLAlchemy, its drivers and Alembic, translated once."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc

from core.errors import Broken, FundstelleError, Unavailable

PASSING_STATES = ("08", "40", "53", "55", "57")
"""Classes of SQLSTATE that may pass: connection, rollback, resources, lock, operator intervention
(https://www.postgresql.org/docs/current/errcodes-appendix.html)."""

SQLITE_FAULTS = {
    "locked": "database.busy",
    "disk is full": "database.full",
    "unable to open": "database.cannot_open",
    "readonly": "database.cannot_open",
    "malformed": "database.corrupt",
    "not a database": "database.corrupt",
    "disk i/o": "database.corrupt",
}
ADVICE = {
    "database.busy": "another process writes to the database; try again",
    "database.full": "the disk is full; make room and start again",
    "database.cannot_open": "the database file cannot be opened for writing; check folder and permissions",
    "database.corrupt": "the database file is damaged; restore it from a backup",
}


@contextmanager
def translated() -> Iterator[None]:
    """Raise Unavailable or Broken instead of a foreign error."""
    try:
        yield
    except Exception as error:
        if is_foreign(error):
            raise translate(error) from error
        raise


def is_foreign(error: Exception) -> bool:
    """Whether a database call raised it. `OSError` holds refused connections and time-outs; asyncpg,
    whose errors SQLAlchemy lets through while connecting, is only imported where it is used."""
    if isinstance(error, exc.SQLAlchemyError | sqlite3.Error | OSError):
        return True
    return type(error).__module__.partition(".")[0] == "asyncpg"


def translate(error: Exception) -> FundstelleError:
    """The error of ours that says who can act."""
    said = str(getattr(error, "orig", None) or error)
    if isinstance(error, exc.IntegrityError):
        return Broken("database.conflict", f"the database refused a row: {said}")
    if is_passing(error):
        return Unavailable("database.unavailable", f"the database does not answer: {said}")
    for sign, key in SQLITE_FAULTS.items():
        if sign in said.lower():
            detail = f"{ADVICE[key]} ({said})"
            return Unavailable(key, detail) if key == "database.busy" else Broken(key, detail)
    return Broken("database.failed", f"the database failed: {said}")


def is_passing(error: Exception) -> bool:
    """Whether trying again may help."""
    if isinstance(error, OSError | exc.TimeoutError):
        return True
    if isinstance(error, exc.DBAPIError) and error.connection_invalidated:
        return True
    state = getattr(getattr(error, "orig", error), "sqlstate", None)
    return isinstance(state, str) and state.startswith(PASSING_STATES)
