"""What a connection needs: the URL of a server, SQLite's thread, the locks beside its file; and foreign
errors (of SQLAlchemy, its drivers and Alembic), translated once."""

import asyncio
import sqlite3
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from aiosqlite import Connection
from filelock import FileLock, Timeout
from sqlalchemy import exc
from sqlalchemy.engine import URL

from adapters.disk import Free, free_bytes, is_full, make_folder
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


MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
"""Values of libpq's `sslmode`; asyncpg takes them as they are where no files are given."""

_FILES = ("sslrootcert", "sslcert", "sslkey")
_KNOWN = ("host", "port", "user", "password", "passfile", "timeout", "command_timeout", "ssl")
"""Arguments of `asyncpg.connect` that may be in a URL."""
_CHUNK = 64
"""Rows fetched at once when iterating, aiosqlite's own default."""


def server_arguments(url: URL) -> tuple[URL, dict[str, Any]]:
    """`url` reduced to what asyncpg accepts, and the arguments that replace the rest. Raises
    Broken("database.url") for unknown options and for certificates that cannot be read."""
    options = {name: _one(name, value) for name, value in url.query.items()}
    mode = options.pop("sslmode", None)
    files = {name: options.pop(name) for name in _FILES if name in options}
    application = options.pop("application_name", None)
    wait = options.pop("connect_timeout", None)
    unknown = sorted(options.keys() - set(_KNOWN))
    if unknown:
        known = ", ".join(("sslmode", *_FILES, "connect_timeout", "application_name", *_KNOWN))
        raise Broken("database.url", f"{unknown[0]} is no option of the database URL; known are {known}")
    arguments: dict[str, Any] = {}
    if mode or files:
        arguments["ssl"] = _security(mode or "prefer", files)
    if application:
        arguments["server_settings"] = {"application_name": application}
    if wait and wait.isdecimal():
        arguments["timeout"] = float(wait)
    return url.set(query=options), arguments


def _one(name: str, value: str | tuple[str, ...]) -> str:
    if isinstance(value, str):
        return value
    raise Broken("database.url", f"{name} stands twice in the database URL")


def _security(mode: str, files: dict[str, str]) -> str | bool | ssl.SSLContext:
    """The TLS context for `sslmode` and the files: "require" encrypts and trusts anybody, "verify-ca"
    requires a known signer, "verify-full" also the right name. With a root certificate, "require" is
    "verify-ca" (libpq)."""
    if mode not in MODES:
        raise Broken("database.url", f"sslmode is one of {', '.join(MODES)}")
    if not files or mode in ("disable", "allow", "prefer"):
        return mode
    try:
        context = ssl.create_default_context(cafile=files.get("sslrootcert"))
        if "sslcert" in files:
            context.load_cert_chain(files["sslcert"], files.get("sslkey"))
    except OSError as error:  # ssl.SSLError is one
        reason = error.strerror or str(error)
        raise Broken(
            "database.url", f"the certificates of the database URL cannot be read: {reason}"
        ) from None
    context.check_hostname = mode == "verify-full"
    if "sslrootcert" not in files and mode == "require":
        context.verify_mode = ssl.CERT_NONE
    return context


class SqliteConnection(Connection):
    """A connection whose thread is told to stop only once. SQLAlchemy ends a connection whose operation was
    cancelled in two ways at the same time (`AsyncAdapt_terminate.terminate`), and aiosqlite 0.22 then waits
    forever for a thread that has already ended (`Connection.close`): the process would not end."""

    _stopped: "asyncio.Future[None] | None" = None

    def stop(self) -> "asyncio.Future[None] | None":
        if self._stopped is None:
            self._stopped = super().stop()
        return self._stopped


def creator(url: URL) -> Callable[[], SqliteConnection]:
    """Creates connections to `url` that begin transactions only on request."""
    arguments, options = url.get_dialect()().create_connect_args(url)

    def connect() -> SqliteConnection:
        made = SqliteConnection(partial(sqlite3.connect, *arguments, isolation_level=None, **options), _CHUNK)
        made._thread.daemon = True  # as in SQLAlchemy: a failing process does not wait for it
        return made

    return connect


# The locks of the leases in a SQLite file: the kernel releases one as soon as its process has ended, however
# it ended and in whichever namespace it ran, so neither a clock nor a process id is needed.

PATIENCE_S = 0.5
"""How long to try a lock: a process that only checks whether it is taken holds it briefly."""


@dataclass(slots=True)
class LeaseLocks:
    """The locks of the leases in a SQLite file; `folder` is next to it. Locks held by this process are stored
    by the name of the lease, with their holders. They end with `close`, or with the process."""

    folder: Path
    _held: dict[str, tuple[str, FileLock]] = field(default_factory=dict)

    def acquire(self, name: str, holder: str) -> bool:
        """Acquire or keep the lock of a lease. False while another holder has it."""
        if name in self._held:
            return self.has(name, holder)
        with translated(self.folder):
            make_folder(self.folder)
            lock = self._tried(name)
        if lock is None:
            return False
        self._held[name] = (holder, lock)
        return True

    def has(self, name: str, holder: str) -> bool:
        """Whether `holder`, in this process, has the lock."""
        return self._held.get(name, ("",))[0] == holder

    def release(self, name: str, holder: str) -> None:
        """Release it; does nothing if `holder` does not have it."""
        if self.has(name, holder):
            self._held.pop(name)[1].release()

    def is_taken(self, name: str) -> bool:
        """Whether any process has the lock at this moment."""
        if name in self._held:
            return True
        if not (self.folder / f"{name}.lock").exists():
            return False
        with translated(self.folder):
            lock = self._tried(name)
            if lock is not None:
                lock.release()
        return lock is None

    def noted(self, name: str) -> str | None:
        """The last holder of the lock; None if there never was one."""
        try:
            return (self.folder / f"{name}.holder").read_text(encoding="utf-8")
        except OSError:
            return None

    def note(self, name: str, holder: str) -> None:
        """Record who has the lock now."""
        with translated(self.folder):
            (self.folder / f"{name}.holder").write_text(holder, encoding="utf-8")

    def close(self) -> None:
        """Release all of them."""
        for name, (holder, _) in [*self._held.items()]:
            self.release(name, holder)

    def _tried(self, name: str) -> FileLock | None:
        """The acquired lock; None while somebody else has it."""
        lock = FileLock(self.folder / f"{name}.lock", thread_local=False)  # taken and freed by threads
        try:
            lock.acquire(timeout=PATIENCE_S, poll_interval=0.02)
        except Timeout:
            return None
        return lock
