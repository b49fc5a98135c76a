"""An operator loses the index, or parts of it, in every way there is: it is said, and it comes back."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import tomllib
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest
from qdrant_client import AsyncQdrantClient

from adapters.qdrant.server import ServerIndex
from tests.scenario.conftest import run
from tests.support.databases import emptied
from tests.support.repository import ROOT
from tests.support.served import FUNDSTELLE, Served
from tests.support.telegram_server import TelegramServer

pytestmark = pytest.mark.thorough

QUESTION = "Wie hoch soll der Mindestlohn sein?"
QUOTE = "15,80 Taler"
DOCUMENTS = len(tomllib.loads((ROOT / "examples" / "library.toml").read_text())["document"])
"""Of the example library; other tests may have brought more."""
REBUILDING, UNREADABLE = "notice.rebuilding", "notice.pages.unreadable"


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    """A copy of the example library, to break."""
    return shutil.copytree(data, tmp_path / "data", symlinks=True)


def lose(folder: Path) -> None:
    shutil.rmtree(folder / "index")


def cut_files(folder: Path) -> None:
    for path in (folder / "index").rglob("chunk_*.mmap"):
        os.truncate(path, 4096)


def scribble(folder: Path) -> None:
    for path in (folder / "index").rglob("segments/*/*"):
        if path.is_file():
            path.write_bytes(b"\xde\xad\xbe\xef" * 300)


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    """Ask until `true` says so; what is waited for are models, in another process."""
    async with asyncio.timeout(120):
        while not await true():  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.1)


def ask(folder: Path) -> tuple[str, bool]:
    """The outcome of the question, and whether it is said that the library is being rebuilt."""
    _, out, _ = run(folder, "ask", QUESTION, "--json")
    answer = json.loads(out)
    return answer["outcome"], REBUILDING in {notice["key"] for notice in answer["notices"]}


@pytest.mark.parametrize(
    "accident",
    [lose, pytest.param(cut_files, marks=pytest.mark.slow), pytest.param(scribble, marks=pytest.mark.slow)],
    ids=lambda each: each.__name__,
)
def test_what_is_lost_is_said_and_comes_back(folder: Path, accident: Callable[[Path], None]) -> None:
    accident(folder)
    assert ask(folder) == ("no_evidence", True)
    status, out, err = run(folder, "doctor")
    assert status != 0
    told = re.search(r"(\d+) documents are not completely in the index: (\d+) passages", out + err)
    assert told is not None
    status, out, _ = run(folder, "reindex", "--missing", "--json")
    made = json.loads(out)
    assert (status, made["failed"]) == (0, [])
    assert [made["documents"], made["passages"]] == [int(number) for number in told.groups()]
    assert made["documents"] >= DOCUMENTS
    assert ask(folder) == ("grounded", False)
    status, out, _ = run(folder, "reindex", "--missing", "--json")
    assert (status, json.loads(out)["documents"]) == (0, 0)


@pytest.mark.slow
def test_ingesting_again_mends_the_index_and_the_kept_files(folder: Path, manifest: Path) -> None:
    lose(folder)
    shutil.rmtree(folder / "originals")
    _, out, err = run(folder, "doctor")
    assert f"{DOCUMENTS} of {DOCUMENTS} are missing" in out + err
    _, out, _ = run(folder, "ingest", "--manifest", str(manifest), "--json")
    assert {receipt["status"] for receipt in json.loads(out)["documents"]} == {"updated"}
    assert ask(folder) == ("grounded", False)
    _, out, err = run(folder, "doctor")
    assert f"{DOCUMENTS} files" in out + err


def test_where_kept_files_are_lost_silence_is_no_answer(folder: Path) -> None:
    shutil.rmtree(folder / "originals")
    _, out, _ = run(folder, "ask", QUESTION, "--json")
    answer = json.loads(out)
    assert answer["outcome"] == "no_evidence"
    assert UNREADABLE in {notice["key"] for notice in answer["notices"]}
    status, out, err = run(folder, "doctor")
    assert status == 3
    assert re.search(r"\b(\d+) of \1 are missing", out + err)


def test_a_new_index_server_gets_what_the_library_holds(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client's own engine in a folder takes the server's place."""

    def client(**_: object) -> AsyncQdrantClient:
        return AsyncQdrantClient(path=str(tmp_path / "server"))

    monkeypatch.setattr("adapters.qdrant.server.AsyncQdrantClient", client)
    monkeypatch.setitem(ServerIndex.__init__.__kwdefaults__, "local", True)
    monkeypatch.setenv("FUNDSTELLE_QDRANT__URL", "http://127.0.0.1:6333")
    assert ask(folder) == ("no_evidence", True)
    status, out, _ = run(folder, "reindex", "--missing", "--json")
    assert (status, json.loads(out).get("failed")) == (0, []), out
    assert ask(folder) == ("grounded", False)


def test_an_index_from_before_it_carried_its_librarys_id_is_taken_over(folder: Path) -> None:
    (owned,) = [path for path in (folder / "index").iterdir() if path.is_dir()]
    for path in owned.iterdir():
        path.rename(folder / "index" / path.name)
    owned.rmdir()
    assert ask(folder) == ("grounded", False)
    status, out, _ = run(folder, "reindex", "--missing", "--json")
    assert (status, json.loads(out)["documents"]) == (0, 0)


def test_the_database_of_another_library_is_refused_in_a_folder_that_holds_one(
    folder: Path, manifest: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = asyncio.run(emptied(postgresql))  # other tests write to it, too, and leave their tables
    with monkeypatch.context() as tried:
        tried.setenv("FUNDSTELLE_DATABASE_URL", database)
        status, _, said = run(folder, "ask", QUESTION, "--json")
        assert (status, "there is no library in the configured database" in said) == (1, True)
        status, out, said = run(folder, "ingest", str(manifest.parent / "ufer-2025.pdf"), "--json")
        assert (status, ".library-id" in out + said) == (3, True), out + said
    assert ask(folder) == ("grounded", False)
    status, out, _ = run(folder, "collect", "--json")
    assert (status, json.loads(out)["orphans"]) == (0, 0)


@pytest.mark.slow
def test_a_rebuilding_that_is_killed_goes_on(folder: Path) -> None:
    lose(folder)
    command = [FUNDSTELLE, "reindex", "--missing", "--data", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_unbuffered()) as working:
        assert working.stdout is not None
        assert next(line for line in working.stdout if line.startswith("rebuilt"))
        working.send_signal(signal.SIGKILL)
    assert ask(folder)[1]
    _, out, _ = run(folder, "reindex", "--missing", "--json")
    assert 0 < json.loads(out)["documents"] < DOCUMENTS
    assert ask(folder) == ("grounded", False)


def _unbuffered() -> dict[str, str]:
    return {**os.environ, "PYTHONUNBUFFERED": "1"}


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("accident", [lose, cut_files], ids=lambda each: each.__name__)
async def test_a_served_library_that_lost_its_index_says_so_until_it_is_whole(
    folder: Path, telegram_server: TelegramServer, accident: Callable[[Path], None]
) -> None:
    server = telegram_server
    server.ask("reset")
    chat = int(await server.do("chat", kind="private", user="ann"))
    account = f'token = "{server.token}"\napi_base = "{server.api_base}"\nfile_base = "{server.file_base}"\n'
    (folder / "fundstelle.toml").write_text(f"open = true\n[http]\nport = 0\n[telegram]\n{account}")
    accident(folder)
    await server.do("say", chat=chat, text=QUESTION)  # waits for the bot, which begins with it
    with Served(folder) as bot:
        address = (await bot.ready()).rpartition("; ")[2]

        async def texts() -> str:
            shown = await server.do("shown", chat=chat)
            return json.dumps(shown, ensure_ascii=False).replace("\u2060", "")

        async def answered() -> bool:
            said = await texts()
            return QUOTE in said or "nichts gefunden" in said

        async def whole() -> bool:
            async with aiohttp.ClientSession() as session, session.get(address) as response:
                assert response.status == 200
                said = await response.text()
                assert said == "ready\n" or "the library is being rebuilt" in said
                return said == "ready\n"

        await until(answered)
        said = await texts()
        assert "neu aufgebaut" in said or QUOTE in said
        await until(whole)
        await server.do("say", chat=chat, text=QUESTION)

        async def quoted() -> bool:
            return QUOTE in await texts()

        await until(quoted)
    assert "the index was rebuilt: nothing is missing" in bot.log
    assert await asyncio.to_thread(ask, folder) == ("grounded", False)
