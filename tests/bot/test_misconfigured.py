"""Everything that an operator can get wrong is broken here, and the message says what to do about it."""

import asyncio
import os
import re
import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from adapters.database.database import Database
from adapters.database.library import SqlLibrary
from adapters.qdrant.folders import OwnerLock
from bot.cli.root import app
from bot.service.serving_lease import LEASE, TERM
from tests.support.databases import password_wanted, sqlite_url
from tests.support.encoders import models_dir
from tests.support.leases import held_by_term
from tests.support.library_examples import START, document, page, passage, version
from tests.support.pdfs import saved, written
from tests.support.repository import ROOT

OTHER = "another process 1, since 1.00"
TELEGRAM = (
    '[http]\nport = {port}\n[telegram]\ntoken = "123456:ABC-DEF"\napi_base = "http://127.0.0.1:1/bot"\n'
)


def toml(text: str) -> Callable[[Path], None]:
    """A settings file."""
    return lambda folder: write(folder / "fundstelle.toml", text)


def manifest(text: str) -> Callable[[Path], None]:
    return lambda folder: write(folder / "library.toml", text)


def write(file: Path, text: str | bytes) -> None:
    file.write_bytes(text.encode() if isinstance(text, str) else text)


def database(folder: Path) -> str:
    return f"sqlite:///{folder / 'fundstelle.sqlite3'}"


def of_version(revision: str) -> Callable[[Path], None]:
    """A database that another version of the product has made."""

    def made(folder: Path) -> None:
        sqlite_url(folder / "fundstelle.sqlite3")
        with sqlite3.connect(folder / "fundstelle.sqlite3") as connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        connection.close()

    return made


def library(folder: Path) -> None:
    """One document of two passages, which the index is asked for."""

    async def made() -> None:
        opened = await Database.open(database(folder))
        kept, paper = SqlLibrary(opened), document()
        await kept.save_document(paper)
        first = replace(version(paper), passages=1)
        await kept.add_version(first, [page()], [passage(first)])
        await kept.activate(first.id, at=START)
        await opened.close()

    asyncio.run(made())


def unreachable_index(folder: Path) -> None:
    library(folder)
    toml("[qdrant]\nurl = 'http://127.0.0.1:1'\n")(folder)


def no_library(folder: Path) -> None:
    (folder / "fundstelle.sqlite3").unlink()


def on_server(folder: Path, *change: str) -> None:
    """The settings of a library on the test's server, with one word of its URL changed."""
    url = (folder.parent / "server").read_text()
    toml(f"database_url = '{url.replace(*change)}'\n")(folder)


def served(folder: Path) -> None:
    async def taken() -> None:
        opened = await Database.open(database(folder))
        await held_by_term(opened, LEASE, OTHER, TERM)
        await opened.close()

    asyncio.run(taken())
    toml(TELEGRAM.format(port=0))(folder)


def nothing(_: Path) -> None:
    """Nothing is broken beforehand."""


@dataclass(frozen=True)
class Wrong:
    """What is wrong, how it is made so, what is typed, how that ends, and what is said."""

    what: str
    made: Callable[[Path], object]
    typed: tuple[str, ...]
    status: int
    said: str
    environment: tuple[tuple[str, str], ...] = ()


WRONG = (
    Wrong(
        "TOML that cannot be read", toml("open = \n"), ("documents",), 3, r"fundstelle\.toml: Invalid value"
    ),
    Wrong(
        "settings that end in the middle",
        toml('[chat]\nrole = "pub'),
        ("documents",),
        3,
        r"fundstelle\.toml: Unterminated string",
    ),
    Wrong(
        "settings that are not UTF-8",
        lambda folder: write(folder / "fundstelle.toml", "source_url = 'ä'\n".encode("utf-16")),
        ("documents",),
        3,
        r"is no UTF-8 .*save it in that encoding",
    ),
    Wrong(
        "a settings file that is a folder",
        lambda folder: (folder / "fundstelle.toml").mkdir(),
        ("documents",),
        3,
        r"fundstelle\.toml: .*Is a directory",
    ),
    Wrong(
        "an unknown setting",
        toml("[answer]\ncitatons = 2\n"),
        ("documents",),
        3,
        r"did you mean answer\.citations\?",
    ),
    Wrong(
        "an unknown variable",
        nothing,
        ("documents",),
        3,
        r"did you mean FUNDSTELLE_ANSWER__CITATIONS\?",
        (("FUNDSTELLE_ANSWR__CITATIONS", "2"),),
    ),
    Wrong(
        "a value of the wrong kind",
        toml("[answer]\ncitations = 'many'\n"),
        ("documents",),
        3,
        r"answer\.citations: .*valid integer",
    ),
    Wrong(
        "a value out of bounds",
        toml("[http]\nport = 70000\n"),
        ("documents",),
        3,
        r"http\.port: .*less than or equal to 65535",
    ),
    Wrong(
        "a chat of an unknown platform",
        toml("[[chat]]\nplatform = 'irc'\nid = '1'\n"),
        ("documents",),
        3,
        r"chat\.0\.platform: irc is none; there are telegram, slack, matrix, console",
    ),
    Wrong(
        "a chat with an unknown audience",
        toml("[[chat]]\nplatform = 'slack'\nid = 'T/C'\naudience = 'all'\n"),
        ("documents",),
        3,
        r"chat\.0\.audience: .*'public' or 'staff'",
    ),
    Wrong(
        "a chat that is listed twice",
        toml("[[chat]]\nplatform = 'slack'\nid = 'T/C'\n[[chat]]\nplatform = 'slack'\nid = 'T/C'\n"),
        ("documents",),
        3,
        r"chat: slack T/C is listed twice: keep one table",
    ),
    Wrong(
        "an address without https",
        toml("[matrix]\nhomeserver = 'matrix.example.org'\n"),
        ("documents",),
        3,
        r"matrix\.homeserver: matrix\.example\.org is no address: write it with https://",
    ),
    Wrong(
        "an address with an invalid port",
        toml("[qdrant]\nurl = 'http://index.example.org:99999'\n"),
        ("documents",),
        3,
        r"qdrant\.url: http://index\.example\.org:99999 is no address: Port out of range",
    ),
    Wrong(
        "an invalid Matrix user",
        toml("[matrix]\nhomeserver = 'https://matrix.example.org'\nuser_id = 'ann'\n"),
        ("documents",),
        3,
        r"user_id ann is none: write @name:server",
    ),
    Wrong(
        "swapped Slack tokens",
        toml("[slack]\nbot_token = 'xapp-secret'\napp_token = 'xoxb-secret'\n"),
        ("documents",),
        3,
        r"take the one that begins with xoxb-$",
    ),
    Wrong(
        "an invalid Telegram token",
        nothing,
        ("init", "telegram", "--token", "garbage"),
        3,
        r"has not the form 123456:ABC-DEF\.\.\.: take it from @BotFather again",
    ),
    Wrong(
        "a role without a user",
        toml("[[role]]\nplatform = 'slack'\nrole = 'staff'\n"),
        ("documents",),
        3,
        r"role\.0\.user: Field required",
    ),
    Wrong(
        "a missing settings file",
        nothing,
        ("documents", "--config", "nothing.toml"),
        3,
        r"no settings file at nothing\.toml",
    ),
    Wrong(
        "a missing secret file",
        nothing,
        ("documents",),
        3,
        r"FUNDSTELLE_TELEGRAM__TOKEN_FILE",
        (("FUNDSTELLE_TELEGRAM__TOKEN_FILE", "/nothing/here"),),
    ),
    Wrong(
        "a data folder that is a file",
        lambda folder: write(folder / "file", ""),
        ("registry", "check", "--data", "{folder}/file"),
        3,
        r"cannot create .*choose another --data",
    ),
    Wrong(
        "a data folder that cannot be written",
        nothing,
        ("registry", "check", "--data", "/proc/nowhere"),
        3,
        r"cannot create .*choose another --data",
    ),
    Wrong(
        "an invalid database URL",
        toml("database_url = 'nonsense'\n"),
        ("documents",),
        3,
        r"database\.url: .* write postgresql://USER:PASSWORD@HOST/NAME",
    ),
    Wrong(
        "an unknown option in the database URL",
        toml("database_url = 'postgresql://a@127.0.0.1/b?sslmod=require'\n"),
        ("documents",),
        3,
        r"sslmod is no option of the database URL; known are sslmode",
    ),
    Wrong(
        "a database server that is down",
        toml("database_url = 'postgresql://a@127.0.0.1:1/b'\n"),
        ("documents",),
        3,
        r"is its server running, and database_url right\?",
    ),
    Wrong(
        "a missing database",
        lambda folder: on_server(folder, "/postgres?", "/nowhere?"),
        ("documents",),
        3,
        r"no such database on the server; create it \(createdb NAME\)",
    ),
    Wrong(
        "a wrong database password",
        lambda folder: on_server(folder, "postgres:@", "locked:wrong@"),
        ("documents",),
        3,
        r"refuses the password; mend it in database_url",
    ),
    Wrong(
        "a data folder without a library",
        no_library,
        ("reindex", "--missing"),
        1,
        r"there is no library in .*: `fundstelle ingest` makes one",
    ),
    Wrong(
        "a missing data folder",
        nothing,
        ("documents", "--data", "{folder}/nowhere"),
        1,
        r"there is no library in .*nowhere",
    ),
    Wrong(
        "a full disk",
        lambda folder: saved(written("Section 1. The fee is 12 thalers."), folder / "a.pdf"),
        ("ingest", "{folder}/a.pdf"),
        1,
        r"MB are needed: the disk is full: make room on it",
    ),
    Wrong(
        "a file that is not a database",
        lambda folder: write(folder / "fundstelle.sqlite3", b"no database" * 500),
        ("documents",),
        3,
        r"damaged; restore it from a backup",
    ),
    Wrong(
        "a truncated database file",
        lambda folder: (
            library(folder),
            os.truncate(folder / "fundstelle.sqlite3", (folder / "fundstelle.sqlite3").stat().st_size // 2),
        ),
        ("documents",),
        3,
        r"damaged; restore it from a backup",
    ),
    Wrong(
        "an empty database file beside stored files",
        lambda folder: (
            os.truncate(folder / "fundstelle.sqlite3", 0),
            (folder / "originals").mkdir(),
            write(folder / "originals" / "ab", b"%PDF"),
        ),
        ("documents",),
        3,
        r"is empty, but .*originals keeps the files of a library: restore a backup",
    ),
    Wrong(
        "a missing database file beside stored files",
        lambda folder: (
            (folder / "fundstelle.sqlite3").unlink(missing_ok=True),
            (folder / "originals").mkdir(),
            write(folder / "originals" / "ab", b"%PDF"),
            write(folder / "new.txt", b"The fee is nine thalers."),
        ),
        ("ingest", "new.txt", "--jurisdiction", "de"),
        3,
        r"is missing, but .*originals keeps the files of a library: restore a backup",
    ),
    Wrong("a database of a newer version", of_version("9999"), ("documents",), 3, r"newer"),
    Wrong("a database of a build before the first release", of_version("0017"), ("documents",), 3, r"ingest"),
    Wrong(
        "an index in use by another process",
        library,
        ("reindex", "--missing"),
        3,
        r"index\.in_use: .*process",
    ),
    Wrong(
        "an encoder that does not exist",
        toml("[encoders]\nprimary = 'nobody/nothing'\n"),
        ("documents",),
        3,
        r"nobody/nothing",
    ),
    Wrong(
        "a model without a key",
        lambda folder: (toml("[llm]\nmodel = 'openai/anything'\n")(folder), library(folder)),
        ("ask", "How high is the fee?"),
        3,
        r"openai/anything: .*set api_key in its table, or OPENAI_API_KEY in the environment",
        (("OPENAI_API_KEY", ""),),
    ),
    Wrong(
        "a model of an unknown provider",
        lambda folder: (toml("[llm]\nmodel = 'anything'\n")(folder), library(folder)),
        ("ask", "How high is the fee?"),
        3,
        r"anything: .*write model as PROVIDER/NAME, or as openai/NAME with api_base",
    ),
    Wrong(
        "a damaged key",
        lambda folder: ((folder / "keys").mkdir(mode=0o700), write(folder / "keys" / "pseudonyms.key", b"x")),
        ("documents",),
        3,
        r"key\.",
    ),
    Wrong(
        "an index server that is down",
        unreachable_index,
        ("reindex", "--missing"),
        3,
        r"Is it running, and is its URL right\?",
    ),
    Wrong(
        "no platform",
        nothing,
        ("serve",),
        3,
        r"set \[telegram\] token, \[slack\] bot_token or \[matrix\] homeserver",
    ),
    Wrong(
        "a port in use",
        nothing,
        ("serve",),
        3,
        r"cannot listen on 127\.0\.0\.1:\d+: .*set \[http\] host and port",
    ),
    Wrong(
        "a bot that serves already",
        served,
        ("serve",),
        3,
        r"another process 1.* serves this database; stop it first",
    ),
    Wrong("a missing manifest", nothing, ("ingest", "--manifest", "nothing.toml"), 2, r"nothing\.toml"),
    Wrong(
        "an unreadable manifest",
        manifest("[[document]\n"),
        ("registry", "check"),
        2,
        r"library\.toml.*line 1",
    ),
    Wrong(
        "a bad schedule",
        manifest("[[document]]\nurl = 'https://example.org/a.pdf'\nschedule = '61 * * * *'\n"),
        ("registry", "check"),
        1,
        r"61 \* \* \* \*",
    ),
    Wrong(
        "a missing file",
        nothing,
        ("ingest", "nothing.pdf"),
        2,
        r"there is no file or folder nothing\.pdf",
    ),
    Wrong(
        "a missing batch file",
        nothing,
        ("page", "--batch", "nothing.jsonl"),
        2,
        r"cannot read nothing\.jsonl",
    ),
    Wrong("an unknown document", nothing, ("show", "nothing"), 2, r"no document .*nothing"),
    Wrong("an invalid date", nothing, ("documents", "--as-of", "tomorrow"), 2, r"write YYYY-MM-DD"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "data"
    found.mkdir(mode=0o700)
    sqlite_url(found / "fundstelle.sqlite3")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "C.UTF-8")
    return found


@pytest.fixture
def taken(folder: Path, request: pytest.FixtureRequest) -> Iterator[None]:
    """What somebody else has."""
    what = request.node.callspec.params["wrong"].what
    if what == "a port in use":
        with socket.create_server(("127.0.0.1", 0)) as listener:
            toml(TELEGRAM.format(port=listener.getsockname()[1]))(folder)
            yield
    elif what == "an index in use by another process":
        lock = OwnerLock(folder / "index")
        lock.acquire()
        yield
        lock.release()
    elif what in ("a missing database", "a wrong database password"):
        server = request.getfixturevalue("postgresql")
        (folder.parent / "server").write_text(server)
        with password_wanted(server, "locked"):
            yield
    elif what == "a full disk":
        left = shutil.disk_usage(folder)._replace(free=9_000_000)
        request.getfixturevalue("monkeypatch").setattr("adapters.disk.shutil.disk_usage", lambda _: left)
        yield
    else:
        yield


def typed(folder: Path, *arguments: str) -> Any:
    """A command line, on the data folder unless it names another."""
    words = [word.format(folder=folder) for word in arguments]
    named = words if "--data" in words else [*words, "--data", str(folder)]
    return CliRunner().invoke(app, named)


@pytest.mark.usefixtures("taken")
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "wrong",
    WRONG,
    ids=[wrong.what for wrong in WRONG],
)
def test_the_message_says_what_to_do(wrong: Wrong, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "models").symlink_to(models_dir())
    wrong.made(folder)
    for name, value in wrong.environment:
        monkeypatch.setenv(name, value)
    done = typed(folder, *wrong.typed)
    said = " ".join((done.stdout + done.stderr).split())
    assert re.search(wrong.said, said), said
    assert done.exit_code == wrong.status, said
    assert "Traceback" not in said
    assert "secret" not in said


def test_the_documents_list_them() -> None:
    text = (ROOT / "docs" / "operators" / "mend.md").read_text(encoding="utf-8")
    table = text.partition("| wrong | the message says |\n|---|---|\n")[2].partition("\n\n")[0]
    listed = [
        name for row in table.splitlines() for name in row.split(" | ")[0].removeprefix("| ").split(", ")
    ]
    assert sorted(listed) == sorted(wrong.what for wrong in WRONG)
    assert len(listed) >= 25
