"""Foreign errors of SQLAlchemy, its drivers and Alembic, translated once."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
from sqlalchemy import exc

from core.errors import Broken, FundstelleError, Unavailable

FOREIGN = (exc.SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError)
"""What a database call may raise. `OSError` holds refused connections and time-outs."""

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
    except FOREIGN as error:
        raise translate(error) from error


def translate(error: Exception) -> FundstelleError:
    """The error of ours that says who can act."""
    if isinstance(error, exc.IntegrityError):
        return Broken("database.conflict", f"the database refused a row: {error.orig}")
    if is_passing(error):
        return Unavailable("database.unavailable", f"the database does not answer: {error}")
    said = str(getattr(error, "orig", None) or error)
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
