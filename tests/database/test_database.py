import asyncio
import logging
import sqlite3
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import exc

from adapters.database.connecting import translate, translated
from adapters.database.database import Database
from adapters.database.library import SqlLibrary
from core.errors import Broken, FundstelleError, Unavailable
from tests.support.databases import postgresql_url
from tests.support.library_examples import document, page, passage, version

SQLALCHEMY_ERRORS = [
    kind
    for kind in vars(exc).values()
    if isinstance(kind, type)
    and issubclass(kind, exc.SQLAlchemyError)
    and "UnsupportedC" not in kind.__name__
]


@pytest.mark.parametrize("code", ["25006", "57P01", "57P03", "08006", "40001", "53300", "25P03"])
def test_what_a_server_says_in_passing_is_tried_again(code: str) -> None:
    error = asyncpg.PostgresError.new({"C": code, "M": "not now"})
    assert isinstance(translate(error), Unavailable)


async def test_a_fail_over_is_survived(postgresql: str) -> None:
    """The old server goes on as a standby, and the connections to it take nothing."""

    async def takes(word: str) -> None:
        settings = {"default_transaction_read_only": "off"}
        connection = await asyncpg.connect(postgresql, server_settings=settings)
        name = await connection.fetchval("SELECT current_database()")
        await connection.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {word}')
        await connection.close()

    database = await Database.open(await postgresql_url(postgresql))
    await database._engine.dispose()
    await takes("on")
    try:
        with pytest.raises(Unavailable):
            await _write(database)
    finally:
        await takes("off")
    await _write(database)
    await database.close()


async def _write(database: Database) -> None:
    async with database.write() as connection:
        await connection.exec_driver_sql("DELETE FROM upkeep")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "library.db"


async def test_sqlite_is_opened_as_intended(file: Path) -> None:
    database = await Database.open(f"sqlite:///{file}")
    async with database.read() as connection:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "secure_delete")
        values = [(await connection.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in names]
    assert values == ["wal", 2, 1, 15000, 1]
    await database.close()


async def test_opening_says_nothing(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        library = await SqlLibrary.open(f"sqlite:///{file}")
        await library.close()
    assert caplog.records == []


async def test_closing_twice(file: Path) -> None:
    library = await SqlLibrary.open(f"sqlite:///{file}")
    await library.close()
    await library.close()


async def test_deleted_text_leaves_the_file(file: Path) -> None:
    secret = "Kanarienvogel"
    library = await SqlLibrary.open(f"sqlite:///{file}")
    await library.save_document(document())
    item = version(document())
    await library.add_version(item, [page()], [passage(item, text=secret)])
    assert secret.encode() in b"".join(path.read_bytes() for path in file.parent.glob("library.db*"))
    await library.delete_document(document().id, at=item.seen_from)
    await library.close()
    assert secret.encode() not in b"".join(path.read_bytes() for path in file.parent.glob("library.db*"))


class TestErrors:
    @pytest.mark.parametrize("url", ["", "nonsense", "mysql://localhost/x"])
    async def test_bad_url(self, url: str) -> None:
        with pytest.raises(Broken) as caught:
            await SqlLibrary.open(url)
        assert caught.value.key == "database.url"

    async def test_no_server(self, tmp_path: Path) -> None:
        with pytest.raises(Unavailable) as caught:
            await SqlLibrary.open(f"postgresql://postgres@/postgres?host={tmp_path}")
        assert caught.value.key == "database.unavailable"

    async def test_unknown_database(self, postgresql: str) -> None:
        with pytest.raises(Broken) as caught:
            await SqlLibrary.open(postgresql.replace("/postgres?", "/nowhere?"))
        assert caught.value.key == "database.refused"

    @pytest.fixture
    def text_file(self, file: Path) -> Path:
        file.write_bytes(b"This is a text file, and not a short one. " * 100)
        return file

    async def test_no_database_at_all(self, text_file: Path) -> None:
        with pytest.raises(Broken) as caught:
            await SqlLibrary.open(f"sqlite:///{text_file}")
        assert caught.value.key == "database.corrupt"

    async def test_folder_in_place_of_the_file(self, tmp_path: Path) -> None:
        with pytest.raises(Broken) as caught:
            await SqlLibrary.open(f"sqlite:///{tmp_path}")
        assert caught.value.key == "database.cannot_open"

    async def test_locked_by_another_process(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("adapters.database.database.PRAGMAS", ("PRAGMA busy_timeout = 50",))
        library = await SqlLibrary.open(f"sqlite:///{file}")
        with locked(file), pytest.raises(Unavailable) as caught:
            await library.save_document(document())
        assert caught.value.key == "database.busy"
        await library.save_document(document())
        await library.close()

    async def test_our_own_errors_pass_through(self, file: Path) -> None:
        database = await Database.open(f"sqlite:///{file}")
        with pytest.raises(ValueError, match="ours"):
            async with database.write():
                raise ValueError("ours")
        await database.close()

    @pytest.mark.parametrize("kind", SQLALCHEMY_ERRORS)
    def test_every_error_of_sqlalchemy_is_translated(self, kind: type[exc.SQLAlchemyError]) -> None:
        if issubclass(kind, exc.DBAPIError):
            error: Exception = kind("SELECT ?", {"asked": "secret"}, sqlite3.Error("said"))
        elif issubclass(kind, exc.StatementError):
            error = kind("said", "SELECT ?", {"asked": "secret"}, sqlite3.Error("said"))
        else:
            error = kind.__new__(kind)
            Exception.__init__(error, "said")
        with pytest.raises(FundstelleError) as caught, translated():
            raise error
        assert "secret" not in str(caught.value)

    @pytest.mark.parametrize(
        ("error", "kind", "key"),
        [
            (asyncpg.TooManyConnectionsError("full"), Unavailable, "database.unavailable"),
            (asyncpg.CannotConnectNowError("starting"), Unavailable, "database.unavailable"),
            (asyncpg.SerializationError("again"), Unavailable, "database.unavailable"),
            (asyncpg.InvalidPasswordError("no"), Broken, "database.refused"),
            (asyncpg.InterfaceError("closed"), Broken, "database.failed"),
            (ConnectionRefusedError(), Unavailable, "database.unavailable"),
            (TimeoutError(), Unavailable, "database.unavailable"),
        ],
    )
    def test_errors_of_the_driver(self, error: Exception, kind: type[FundstelleError], key: str) -> None:
        ours = translate(error)
        assert isinstance(ours, kind)
        assert ours.key == key

    @pytest.mark.parametrize(
        ("said", "key"),
        [
            ("database or disk is full", "database.full"),
            ("database disk image is malformed", "database.corrupt"),
            ("attempt to write a readonly database", "database.cannot_open"),
            ("disk I/O error", "database.disk"),
            ("no such table: x", "database.failed"),
        ],
    )
    def test_what_sqlite_says(self, said: str, key: str) -> None:
        error = exc.OperationalError("SELECT 1", {}, sqlite3.OperationalError(said))
        assert translate(error).key == key

    @pytest.mark.parametrize(
        ("said", "with_room", "without"),
        [
            ("disk I/O error", "database.disk", "database.full"),
            ("unable to open database file", "database.cannot_open", "database.full"),
            ("database or disk is full", "database.full", "database.full"),
            ("file is not a database", "database.corrupt", "database.corrupt"),
        ],
    )
    def test_a_full_disk_is_no_damage(self, tmp_path: Path, said: str, with_room: str, without: str) -> None:
        for left, key in ((10**9, with_room), (0, without)):
            with pytest.raises(FundstelleError) as caught, translated(tmp_path, lambda _, left=left: left):
                raise sqlite3.OperationalError(said)
            assert caught.value.key == key

    def test_a_full_disk_passes(self) -> None:
        """Whoever waits for the database goes on when somebody has made room."""
        error = translate(OSError(28, "No space left on device"))
        assert (error.key, type(error)) == ("database.full", Unavailable)


class locked:  # noqa: N801 - reads as a context
    """Another connection holds the write lock."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None)

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, *_: object) -> None:
        self._connection.execute("ROLLBACK")
        self._connection.close()


async def test_a_library_has_one_id_for_good(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/library.db"
    first, other = await SqlLibrary.open(url), await SqlLibrary.open(f"sqlite:///{tmp_path}/other.db")
    known = await asyncio.gather(*(first.identity() for _ in range(5)))
    assert len(set(known)) == 1
    assert await other.identity() != known[0]
    await first.close()
    again = await SqlLibrary.open(url)
    assert await again.identity() == known[0]
    await again.close()
    await other.close()
