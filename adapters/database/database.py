"""Engines and transactions: SQLite in a file by default, PostgreSQL by URL.

Processes on one server notify each other that there is something to look at, by NOTIFY in the transaction
that causes it. A notification may be missed: waiting processes also check by themselves, only not as soon.
"""

import asyncio
import contextlib
import logging
import random
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, event, inspect, select
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from tenacity import retry, retry_if_exception, stop_after_delay, wait_random

from adapters.database.connecting import READ_ONLY, LeaseLocks, creator, server_arguments, state, translated
from adapters.database.migrate import current, prepare, refuse_strange, upgrade
from adapters.disk import make_folder
from core.errors import Broken, FundstelleError, Unavailable

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}

BUSY_TIMEOUT_MS = 15_000
"""How long a SQLite writer waits for another process."""

CHECKPOINT_MS = 2_000
"""How long writers may have to wait while the write-ahead log is emptied."""

PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}",  # first: switching to WAL may have to wait
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
)

LEFT = Table("moved_to", MetaData(), Column("address", Text, nullable=False))
"""Key, in a database whose library was moved, of its new address."""

_LOCK_MS, _LOCK_TRIES = 800, 100
"""Less than PostgreSQL's `deadlock_timeout`, so that the migrating process gives way rather than those that
answer."""

_NO_LOCK = "55P03"
"""SQLSTATE of a lock timeout."""

NONE, ANOTHER = "no library's", "another library's"
"""Descriptions of the owner of a wrong database."""

LIBRARY_ID = Table("library_id", MetaData(), Column("row", Integer), Column("id", Text))

WRITES = "fundstelle_writes"
"""Execution option of connections that will write."""


class Database:
    """An open, migrated database. `read` and `write` each yield a connection in a transaction."""

    def __init__(self, engine: AsyncEngine, *, left: bool = False) -> None:
        self._engine = engine
        self._is_guarded = not left and engine.url.get_backend_name() == "sqlite"
        file = engine.url.database if engine.url.get_backend_name() == "sqlite" else None
        self._folder = Path(file).parent if file else None
        self.lease_locks = LeaseLocks(Path(f"{Path(file).resolve()}.leases")) if file else None

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        unfinished: bool = False,
        left: bool = False,
        library: str | None = None,
        outdated: bool = False,
    ) -> "Database":
        """Open `url` (`sqlite:///FILE` or `postgresql://...`); an empty one gets its schema. One of an older
        product is only opened if it may be `outdated`, by code that will `migrate` it: another process may be
        working with it.

        Several processes may do so at once. Raises Broken for a bad URL, a file that cannot be opened, an
        older or newer schema, one that rows are being moved into (unless `unfinished`), one that was moved
        elsewhere (unless `left`), or one that does not belong to `library` (an id, if given); Unavailable for
        a server that does not respond. A wrong database is left unchanged.
        """
        database = cls(engine_for(url), left=left)
        try:
            await database._try_file()
            async with database.read() as connection:
                if not left:
                    await connection.run_sync(refuse_left)
                if library is not None:
                    await connection.run_sync(_refuse_other, library)
            async with database.write() as connection:
                await connection.run_sync(prepare, outdated=outdated)
                if not unfinished and await connection.run_sync(_is_half_moved):
                    detail = "a library is on its way into this database; run `fundstelle move` again"
                    raise Broken("database.half_moved", detail)
        except BaseException:
            await database.close()
            raise
        return database

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection in a transaction that only reads."""
        with translated(self._folder):
            async with self._engine.connect() as connection, connection.begin():
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A connection in a transaction that writes; committed at the end, rolled back on errors."""
        with translated(self._folder):
            async with self._engine.connect() as connection:
                await connection.execution_options(**{WRITES: True})
                async with connection.begin():
                    if self._is_guarded:  # a process that had it open while it was moved
                        await connection.run_sync(refuse_left)
                    yield connection

    async def rows(self, query: sa.Executable) -> Sequence[sa.Row[Any]]:
        """The rows of a single query."""
        async with self.read() as connection:
            return (await connection.execute(query)).all()

    async def row(self, query: sa.Executable) -> sa.Row[Any] | None:
        """The only row of a single query, if any."""
        async with self.read() as connection:
            return (await connection.execute(query)).one_or_none()

    async def scalar(self, query: sa.Executable) -> Any:
        """The first column of the first row of a single query; None if there is none."""
        async with self.read() as connection:
            return (await connection.execute(query)).scalar()

    async def run(self, statement: sa.Executable) -> int:
        """Execute a single statement; returns how many rows it changed."""
        async with self.write() as connection:
            return int((await connection.execute(statement)).rowcount)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """A connection with a snapshot of the whole database, while others keep writing."""
        with translated(self._folder):
            async with self._engine.connect() as connection:
                if connection.dialect.name == "postgresql":
                    await connection.execution_options(
                        isolation_level="REPEATABLE READ", postgresql_readonly=True
                    )
                async with connection.begin():
                    yield connection

    @asynccontextmanager
    async def apart(self) -> AsyncIterator[Any]:
        """A driver connection to a server, outside any transaction, for the caller's exclusive use."""
        async with self._engine.connect() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            try:
                yield driver
            finally:
                driver.terminate()
                await asyncio.shield(connection.invalidate())

    @property
    def is_shared(self) -> bool:
        """Whether it is on a server, where several processes may serve it."""
        return self._folder is None and self.lease_locks is None

    async def revision(self) -> str:
        """The revision of the schema."""
        async with self.read() as connection:
            return await connection.run_sync(current) or ""

    async def refuse_newer(self) -> None:
        """Raises Broken("database.newer") for a schema that this version can work with but does not know
        completely: operations that must miss nothing are left to the newer version."""
        refuse_strange(await self.revision())

    async def migrate(self) -> None:
        """Bring the schema up to date, in one transaction. The caller has the database to itself, or has made
        sure that others can go on with it. These would queue behind a table lock that is itself waiting, so
        it is soon given up and tried again; by then they have released theirs. Raises Unavailable if somebody
        holds a table for longer."""
        for _ in range(_LOCK_TRIES):
            try:
                async with self.write() as connection:
                    if connection.dialect.name == "postgresql":
                        await connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_LOCK_MS}")
                    return await connection.run_sync(upgrade)
            except FundstelleError as error:
                if state(error.__cause__ or error) != _NO_LOCK:
                    raise
            await asyncio.sleep(random.uniform(0.5, 1) * _LOCK_MS / 1000)  # noqa: S311 - no secret
        detail = "somebody has kept a table of the database for minutes; try again when that has ended"
        raise Unavailable("database.busy", detail)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[AsyncConnection]:
        """A connection with a snapshot of the whole database, while nobody else can write to it."""
        async with self.write() as connection:
            if connection.dialect.name == "postgresql":
                names = await connection.run_sync(lambda found: inspect(found).get_table_names())
                tables = ", ".join(f'"{name}"' for name in names)
                await connection.exec_driver_sql(f"LOCK TABLE {tables} IN SHARE MODE")
            yield connection

    def is_at(self, url: str) -> bool:
        """Whether `url` names this database."""
        other, ours = parsed_url(url), self._engine.url
        if ours.get_backend_name() == other.get_backend_name() == "sqlite":
            return _same_file(ours.database, other.database)
        return _server(ours) == _server(other)

    async def truncate_log(self) -> None:
        """Empty SQLite's write-ahead log, which may still contain deleted data. While somebody is reading an
        older state it is left for the next time."""
        if self._engine.url.get_backend_name() != "sqlite":
            return
        with translated(self._folder):
            async with self._engine.connect() as connection:
                driver: Any = (await connection.get_raw_connection()).driver_connection
                await driver.execute(f"PRAGMA busy_timeout = {CHECKPOINT_MS}")
                await driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # not within a transaction
                await driver.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")

    async def _try_file(self) -> None:
        """Open a SQLite file once without aiosqlite, which leaves a thread behind if it fails."""
        url = self._engine.url
        if url.get_backend_name() == "sqlite" and url.database:
            with translated(self._folder):
                await asyncio.to_thread(_try, url.database)

    async def close(self) -> None:
        """Release all connections and locks; may be called twice."""
        if self.lease_locks is not None:
            self.lease_locks.close()
        await self._engine.dispose()


async def is_made(url: str) -> bool:
    """Whether there is a database with our schema, of any version, or one that cannot be examined: opening it
    will say why. Creates nothing. Raises like `Database.open` for a bad URL and for a server."""
    parsed = parsed_url(url)
    if parsed.get_backend_name() == "sqlite":
        return await asyncio.to_thread(_has_content, Path(parsed.database or ""))
    database = Database(engine_for(url))
    try:
        async with database.read() as connection:
            return await connection.run_sync(current) is not None
    finally:
        await database.close()


def engine_for(url: str) -> AsyncEngine:
    """An engine for `url`, with the product's way of opening SQLite. Creates the file's folder."""
    parsed = parsed_url(url)
    if parsed.get_backend_name() != "sqlite":
        server, arguments = server_arguments(parsed)
        made = create_async_engine(server, connect_args=arguments, pool_pre_ping=True, hide_parameters=True)
        event.listen(made.sync_engine, "handle_error", _drop_if_standby)
        return made
    if parsed.database and parsed.database != ":memory:":
        folder = Path(parsed.database).parent
        with translated(folder):
            make_folder(folder)
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)  # otherwise it would log every value
    engine = create_async_engine(parsed, async_creator=creator(parsed), hide_parameters=True)
    event.listen(engine.sync_engine, "connect", _prepare)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _has_content(file: Path) -> bool:
    try:
        return file.stat().st_size > 0
    except FileNotFoundError:
        return False
    except OSError:
        return True


def left_for(connection: Connection) -> str | None:
    """The address to which a database was moved."""
    if not inspect(connection).has_table(LEFT.name):
        return None
    address: str | None = connection.execute(LEFT.select()).scalar()
    return address


def refuse_left(connection: Connection) -> None:
    """Raises Broken("database.moved") for a database that was moved elsewhere."""
    address = left_for(connection)
    if address is not None:
        raise moved(address)


def moved(address: str) -> Broken:
    """The error of a database whose library is at `address`."""
    detail = (
        f"this library was moved to {address}, and this database is what it was before: what is written here"
        " does not reach it, and what is removed here it would miss. Set database_url to that address with"
        " its password, as the service has it (FUNDSTELLE_DATABASE_URL; under systemd from"
        " /etc/fundstelle/secrets.env)"
    )
    return Broken("database.moved", detail)


def _refuse_other(connection: Connection, library: str) -> None:
    has_id_table = "library_id" in inspect(connection).get_table_names()
    query = select(LIBRARY_ID.c.id).order_by(LIBRARY_ID.c.row).limit(1)
    owner = connection.execute(query).scalar() if has_id_table else None
    if owner != library:
        raise Broken("database.other_library", ANOTHER if owner else NONE)


def _is_half_moved(connection: Connection) -> bool:
    return inspect(connection).has_table("unfinished_move")


def _server(url: URL) -> tuple[object, ...]:
    return (url.get_backend_name(), url.host, url.port, url.database, dict(url.query))


def _same_file(one: str | None, other: str | None) -> bool:
    return bool(one and other) and Path(str(one)).resolve() == Path(str(other)).resolve()


def address_of(url: str) -> str:
    """`url` without its password, to be shown and kept."""
    parsed = parsed_url(url)
    if parsed.get_backend_name() == "sqlite":
        return f"sqlite:///{Path(parsed.database or '').resolve()}"
    query = {name: value for name, value in parsed.query.items() if name in ("host", "port")}
    shown = URL.create("postgresql", parsed.username, None, parsed.host, parsed.port, parsed.database, query)
    return shown.render_as_string()


def parsed_url(url: str) -> URL:
    """The URL with the driver to use. Raises Broken("database.url")."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        detail = (
            "the database URL cannot be read; write postgresql://USER:PASSWORD@HOST/NAME or sqlite:///FILE"
        )
        raise Broken("database.url", detail) from error
    driver = DRIVERS.get(parsed.get_backend_name())
    if driver is None:
        detail = f"{parsed.get_backend_name()} is not supported; use sqlite or postgresql"
        raise Broken("database.url", detail)
    return parsed.set(drivername=driver)


def _drop_if_standby(context: ExceptionContext) -> None:
    """After a fail-over, existing connections lead to a read-only server: discard them, new ones lead to the
    other."""
    if state(context.original_exception) == READ_ONLY:
        context.is_disconnect = True


def _prepare(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _is_locked(error: BaseException) -> bool:
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)


@retry(
    retry=retry_if_exception(_is_locked),
    wait=wait_random(0.01, 0.2),
    stop=stop_after_delay(BUSY_TIMEOUT_MS / 1000),
    reraise=True,
)
def _try(file: str) -> None:
    """Open `file` and switch it to WAL. If several do that with a new file at the same moment, SQLite refuses
    some at once, whatever the timeout, since each would wait for the other."""
    Path(file).touch(mode=0o600)  # it contains questions; the log beside it gets the same mode
    with contextlib.closing(sqlite3.connect(file, timeout=BUSY_TIMEOUT_MS / 1000)) as connection:
        for pragma in PRAGMAS:
            connection.execute(pragma)
        connection.execute("PRAGMA schema_version").fetchone()


def _begin(connection: Connection) -> None:
    """Writers take the lock at once: a reader that turns writer could fail without waiting."""
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


CHANNEL = "fundstelle"
AGAIN_S = 2.0
"""Seconds until a lost connection is reopened, and between two checks whether it still works."""

Heard = Callable[[str], None]
"""Called with the topic to look at: inbox, outbox, calls, ..."""


async def notify(connection: AsyncConnection, *topics: str) -> None:
    """Notify all listeners, once the transaction is over; does nothing on SQLite, where nobody else
    serves."""
    if connection.dialect.name != "postgresql":
        return
    for topic in topics:
        await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, topic)))


@asynccontextmanager
async def listening(database: Database, heard: Heard) -> AsyncIterator[None]:
    """Call `heard` on notifications while the context lasts."""
    task = asyncio.create_task(_listen(database, heard))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _listen(database: Database, heard: Heard) -> None:
    def told(_connection: object, _process: int, _channel: str, topic: str) -> None:
        heard(topic)

    while True:
        with suppress(FundstelleError), translated():
            async with database.apart() as driver:
                await driver.add_listener(CHANNEL, told)
                heard("")  # what was told meanwhile
                while not driver.is_closed():
                    await asyncio.sleep(AGAIN_S)
                    await driver.fetchval("SELECT 1")
        await asyncio.sleep(AGAIN_S)
