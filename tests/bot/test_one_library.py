"""One library, one key, one address: a second data folder, a copy, a database that was moved, another one.
What is not right is refused in words that say what to do, and nothing is changed."""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from adapters.database import snapshots
from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.library import SqlLibrary
from adapters.database.snapshots import copy_database
from adapters.files.originals import secret_key
from bot.cli.root import app
from core.domain.documents import Document
from core.domain.journal import Pseudonyms
from core.errors import Broken, FundstelleError
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.refreshing import URL, id_of, listed

NOW = datetime.now(UTC)
PERSON = "telegram:4711"
Run = Callable[..., tuple[int, str]]


async def used(url: str, work: Callable[[Database], Awaitable[Any]], **how: Any) -> Any:
    database = await Database.open(url, **how)
    try:
        return await work(database)
    finally:
        await database.close()


async def with_document(database: Database) -> str:
    """A library with a document; its id."""
    library = SqlLibrary(database)
    await library.save_document(
        Document(id=id_of(), collection="public", key=URL, file="programme.pdf", fields=listed().fields)
    )
    return await library.identity()


@pytest.fixture
async def server(postgresql: str) -> str:
    return await postgresql_url(postgresql)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """A command on a data folder and, if it is stated, with a database's address in the environment."""

    def call(data: Path, *arguments: str, at: str = "") -> tuple[int, str]:
        monkeypatch.setenv("FUNDSTELLE_DATABASE_URL", at)
        done = CliRunner().invoke(app, [*arguments, "--data", str(data)])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.output

    return call


def folder(tmp_path: Path, name: str) -> Path:
    made = tmp_path / name
    made.mkdir(mode=0o700)
    return made


def key_of(data: Path) -> Path:
    return data / "keys" / "pseudonyms.key"


def remembers(url: str, data: Path) -> None:
    """Have the person of `PERSON` be kept, with the key of `data`."""

    async def work(database: Database) -> None:
        pseudonyms = Pseudonyms(secret_key(key_of(data)))
        person = pseudonyms.person("telegram", "", "4711")
        await SqlJournal(database, pseudonyms).first_notice(person, at=NOW)

    asyncio.run(used(url, work))


def kept(run: Run, data: Path, at: str = "") -> bool:
    status, said = run(data, "person", "export", PERSON, "--json", at=at)
    assert status == 0, said
    return json.loads(said)["told_at"] is not None


def test_a_second_data_folder_needs_the_first_ones_key(server: str, run: Run, tmp_path: Path) -> None:
    first, second = folder(tmp_path, "first"), folder(tmp_path, "second")
    asyncio.run(used(server, with_document))
    assert run(first, "audit", at=server)[0] == 0
    remembers(server, first)
    for command in (("audit",), ("person", "export", PERSON), ("person", "erase", PERSON), ("feedback",)):
        status, said = run(second, *command, at=server)
        assert status != 0
        assert "keys/pseudonyms.key" in said
        assert not key_of(second).exists()
    secret_key(key_of(second))  # as versions before have made it without a word
    for command in (("audit",), ("person", "export", PERSON), ("person", "erase", PERSON), ("feedback",)):
        status, said = run(second, *command, at=server)
        assert status != 0
        assert "is not the one" in " ".join(said.split())
    assert kept(run, first, server)
    shutil.copy(key_of(first), key_of(second))
    assert kept(run, second, server)
    status, said = run(second, "person", "erase", PERSON, "--json", at=server)
    assert json.loads(said)["erased"] == 1
    assert not kept(run, first, server)


def test_a_copy_of_the_database_needs_the_key_as_well(run: Run, tmp_path: Path) -> None:
    first, second = folder(tmp_path, "first"), folder(tmp_path, "second")
    asyncio.run(used(f"sqlite:///{first / 'fundstelle.sqlite3'}", with_document))
    assert run(first, "audit")[0] == 0
    shutil.copy(first / "fundstelle.sqlite3", second / "fundstelle.sqlite3")
    status, said = run(second, "person", "erase", PERSON)
    assert status != 0
    assert "key" in said
    assert not key_of(second).exists()


def test_a_lost_key_is_not_made_anew_by_itself(run: Run, tmp_path: Path) -> None:
    data = folder(tmp_path, "data")
    url = f"sqlite:///{data / 'fundstelle.sqlite3'}"
    asyncio.run(used(url, with_document))
    assert run(data, "audit")[0] == 0
    remembers(url, data)
    key_of(data).unlink()
    assert run(data, "person", "erase", PERSON)[0] != 0
    assert not key_of(data).exists()
    assert run(data, "person", "new-key")[0] == 0
    assert key_of(data).exists()
    assert not kept(run, data)
    status, said = run(data, "person", "erase", PERSON, "--json")
    assert status == 0
    assert "earlier_key" in {each["what"] for each in json.loads(said)["kept"]}
    assert "another key" in " ".join(run(data, "person", "export", PERSON)[1].split())


def test_a_library_of_before_that_keeps_people_makes_no_other_key(run: Run, tmp_path: Path) -> None:
    data = folder(tmp_path, "data")
    url = f"sqlite:///{data / 'fundstelle.sqlite3'}"
    asyncio.run(used(url, with_document))
    remembers(url, data)
    shutil.move(key_of(data), tmp_path / "elsewhere")
    status, said = run(data, "audit")
    assert status != 0
    assert "key" in said
    assert not key_of(data).exists()
    shutil.move(tmp_path / "elsewhere", key_of(data))
    assert kept(run, data)


def test_a_fingerprint_tells_keys_apart_and_nothing_else() -> None:
    one, other = Pseudonyms(b"a" * 32), Pseudonyms(b"b" * 32)
    assert one.fingerprint == Pseudonyms(b"a" * 32).fingerprint
    assert one.fingerprint != other.fingerprint
    assert (b"a" * 32).hex()[:8] not in one.fingerprint


async def test_of_two_keys_at_the_first_use_one_wins(tmp_path: Path) -> None:
    from adapters.database.access import pseudonyms_of

    database = await Database.open(sqlite_url(tmp_path / "a.db"))
    files = [tmp_path / name / "key" for name in ("one", "two")]
    for file in files:
        secret_key(file)
    found = await asyncio.gather(
        *(pseudonyms_of(database, file, secret_key, at=NOW) for file in files), return_exceptions=True
    )
    assert sorted(isinstance(each, Pseudonyms) for each in found) == [False, True]
    assert [each.key for each in found if isinstance(each, Broken)] == ["key.other"]
    await database.close()


AT_SOURCE = (
    ("collect",),
    ("remove", "programme.pdf", "--now"),
    ("audit",),
    ("jobs",),
    ("person", "erase", PERSON),
    ("letters",),
)


def test_a_moved_database_refuses_with_its_address(server: str, run: Run, tmp_path: Path) -> None:
    data = folder(tmp_path, "data")
    (data / "originals").mkdir()
    asyncio.run(used(f"sqlite:///{data / 'fundstelle.sqlite3'}", with_document))
    assert run(data, "audit")[0] == 0
    target = with_password(server)
    assert run(data, "move", "--to", target)[0] == 0
    for command in (*AT_SOURCE, ("backup", "create", str(tmp_path / "b.zip"))):
        status, said = run(data, *command)
        assert status != 0, command
        assert "moved to postgresql" in " ".join(said.split()), (command, said)
        assert "hidden-word" not in said
    assert not (tmp_path / "b.zip").exists()
    assert run(data, "audit", at=target)[0] == 0
    assert run(data, "jobs", at=target)[0] == 0
    assert run(data, "move", "--to", target)[0] == 0  # once more changes nothing
    status, said = run(data, "move", "--to", f"sqlite:///{tmp_path / 'third.db'}")
    assert status != 0
    assert "moved to postgresql" in " ".join(said.split())


def with_password(url: str) -> str:
    """`url` with a password that the private server does not ask for."""
    return sa.make_url(url).set(password="hidden-word").render_as_string(hide_password=False)


@pytest.fixture(params=["to PostgreSQL", "to SQLite"])
async def ends(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    urls = (sqlite_url(tmp_path / "a.db"), await postgresql_url(request.getfixturevalue("postgresql")))
    return urls if request.param == "to PostgreSQL" else urls[::-1]


def quiet(table: str, done: int, tables: int) -> None:
    """Says nothing."""


async def refusal(url: str) -> str:
    try:
        await (await Database.open(url)).close()
    except FundstelleError as error:
        return error.key
    return ""


async def test_interrupted_before_everything_is_there_the_source_goes_on(ends: tuple[str, str]) -> None:
    await used(ends[0], with_document)

    def stop(_table: str, done: int, _tables: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await copy_database(*ends, stop, leaving=True)
    assert [await refusal(url) for url in ends] == ["", "database.half_moved"]


async def test_there_are_never_two_libraries(ends: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever ends the process between the last row and the end."""
    await used(ends[0], with_document)
    with monkeypatch.context() as patched:

        async def ended(*_: object) -> None:
            raise KeyboardInterrupt

        patched.setattr(snapshots, "_finish", ended)
        with pytest.raises(KeyboardInterrupt):
            await copy_database(*ends, quiet, leaving=True)
    assert [await refusal(url) for url in ends] == ["database.moved", "database.half_moved"]
    await copy_database(*ends, quiet, leaving=True)
    assert [await refusal(url) for url in ends] == ["database.moved", ""]
    await copy_database(*ends, quiet, leaving=True)


async def test_who_had_the_file_open_writes_nothing_to_it_any_more(tmp_path: Path) -> None:
    source, target = sqlite_url(tmp_path / "a.db"), sqlite_url(tmp_path / "b.db")
    await used(source, with_document)
    open_before = await Database.open(source)
    await copy_database(source, target, quiet, leaving=True)
    with pytest.raises(Broken) as caught:
        await SqlLibrary(open_before).save_registry(await SqlLibrary(open_before).registry())
    assert caught.value.key == "database.moved"
    await open_before.close()


def test_a_data_folder_refuses_another_librarys_database(server: str, run: Run, tmp_path: Path) -> None:
    data = folder(tmp_path, "data")
    own = f"sqlite:///{data / 'fundstelle.sqlite3'}"
    asyncio.run(used(own, with_document))
    assert run(data, "audit")[0] == 0
    asyncio.run(used(server, with_document))
    for command in (("collect",), ("remove", "programme.pdf", "--now"), ("audit",), ("jobs",)):
        status, said = run(data, *command, at=server)
        assert status != 0, command
        assert "another library" in " ".join(said.split())
        assert "database_url" in said
    assert run(data, "audit")[0] == 0
    (data / "originals").mkdir(exist_ok=True)
    (data / "originals" / "a.pdf").write_bytes(b"%PDF-1.7")
    empty = sqlite_url(tmp_path / "empty.db")
    status, said = run(data, "jobs", at=empty)
    assert status != 0
    assert "backup restore" in " ".join(said.split())


async def test_of_another_librarys_database_nothing_is_changed(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "a.db")
    await used(url, with_document)
    before = (tmp_path / "a.db").read_bytes()
    with pytest.raises(Broken):
        await Database.open(url, library="another")
    assert (tmp_path / "a.db").read_bytes() == before


def test_after_a_backup_is_restored_the_folder_is_its_librarys(run: Run, tmp_path: Path) -> None:
    data, other = folder(tmp_path, "data"), folder(tmp_path, "other")
    library = asyncio.run(used(f"sqlite:///{data / 'fundstelle.sqlite3'}", with_document))
    assert run(data, "audit")[0] == 0
    assert (data / ".library-id").read_text().strip() == library
    backup = str(tmp_path / "b.zip")
    assert run(data, "backup", "create", backup)[0] == 0
    status, said = run(other, "backup", "restore", backup)
    assert status == 0, said
    assert (other / ".library-id").read_text().strip() == library
    assert run(other, "audit")[0] == 0
    assert key_of(other).read_bytes() == key_of(data).read_bytes()
