"""Commands that the running bot does: real processes call at a real socket."""

import asyncio
import importlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.answers.questions import Questions
from bot.cli import called, calling
from bot.cli.frame import Command
from bot.cli.root import app
from bot.cli.terminal import terminal_of
from bot.cli.wire import FOLDER, HEADER, NAME, Call, Kind, address, frame
from core.errors import Refused
from tests.support.calls import QUESTION, QUOTE, Bot, calls_of, ended, running
from tests.support.databases import sqlite_url
from tests.support.repository import ROOT
from tests.support.world import NOW, populated

CHANGING = re.compile(r'trace-\d+|"seconds": \{[^}]*\}|"seconds": [\d.]+')
HEAVY = {
    "asyncio",
    "typer",
    "rich",
    "pydantic",
    "numpy",
    "sqlalchemy",
    "pymupdf",
    "qdrant_edge",
    "importlib.metadata",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "data"
    found.mkdir(mode=0o700)
    sqlite_url(found / "fundstelle.sqlite3")
    return found


@pytest.fixture
async def bot(folder: Path) -> AsyncIterator[Bot]:
    async with running(folder) as found:
        yield found


def held(monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """Questions wait for ever: when one has begun, and when it was given up."""
    begun, given_up = asyncio.Event(), asyncio.Event()

    async def ask(*_: object, **__: object) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            given_up.set()

    monkeypatch.setattr(Questions, "ask", ask)
    return begun, given_up


def alone(bot: Bot, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str, str]:
    """The same command without the socket, on the same world."""

    @asynccontextmanager
    async def opened(*_: object, **__: object) -> AsyncIterator[Any]:
        yield bot.world.app

    monkeypatch.setattr("bot.wiring.services.opened", opened)
    monkeypatch.setattr("bot.settings.tree.load", lambda **_: bot.calls.running)
    monkeypatch.setenv("LANG", "C.UTF-8")
    done = CliRunner().invoke(app, [*arguments, "--data", str(bot.folder)])
    return done.exit_code, CHANGING.sub("", done.stdout), CHANGING.sub("", done.stderr)


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", QUESTION),
        ("ask", QUESTION, "--json"),
        ("ask", "Wer baut das Stadion?", "--json"),
        ("ask", QUESTION, "--json", "--out", "pages"),
        ("ask", QUESTION, "--out", "."),
        ("ask", QUESTION, "--party", "Ufer"),
        ("ask", QUESTION, "--party", "Ufer", "--json"),
        ("search", "Mindestlohn", "--k", "2", "--json"),
        ("verify", QUOTE),
        ("verify", QUOTE.replace("15", "16"), "--json"),
        ("documents",),
        ("documents", "--json"),
        ("show", "nothing of the kind"),
        ("compare", "Mindestlohn", "--party", "Uferpartei", "--party", "Windmüller"),
        ("motion", "missing.txt", "--jurisdiction", "xv"),
        ("references", "Section 99"),
        ("summary", "list", "--json"),
        ("search", "--batch", "questions.jsonl"),
        ("search", "--batch", "missing.jsonl"),
        ("evaluate", "missing.jsonl"),
    ],
    ids=" ".join,
)
def test_it_is_as_if_done_alone(
    arguments: tuple[str, ...], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"id": 1, "question": QUESTION}, {"id": 2}]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))

    async def through() -> tuple[Bot, tuple[int, str, str], set[Path]]:
        async with running(folder) as bot:
            done = await bot.command(*arguments, cwd=tmp_path)
            return (
                bot,
                (done.status, CHANGING.sub("", done.out), CHANGING.sub("", done.err)),
                written(tmp_path),
            )

    bot, found, files = asyncio.run(through())
    for name in ("S1.pdf", "pages"):
        shutil.rmtree(tmp_path / name, ignore_errors=True)
    assert found == alone(bot, monkeypatch, *arguments)
    assert files >= written(tmp_path)


def written(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*.pdf") if "data" not in path.parts}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("arguments", "word"), [(("ask", QUESTION, "--nonsense"), "--nonsense"), (("ask",), "--batch")]
)
async def test_usage_is_explained_by_the_command_itself(
    bot: Bot, arguments: tuple[str, ...], word: str
) -> None:
    done = await bot.command(*arguments)
    assert (done.status, word in done.err) == (2, True)


async def test_the_doctor_looks_at_the_running_bot(bot: Bot) -> None:
    bot.world.app.lookout.since = NOW
    done = await bot.command("doctor", "--json")
    checks = {row["name"]: row for row in json.loads(done.out)["checks"]}
    assert checks["running bot"]["message"].startswith(f"process {os.getpid()} answers since 2025-06-01")
    assert checks["index"]["state"] == "ok"
    assert done.status == (3 if "fail" in {row["state"] for row in checks.values()} else 0)


async def test_it_speaks_the_callers_language(bot: Bot) -> None:
    assert "Dokumente" in (await bot.command("documents", LANG="de_DE.UTF-8")).out


async def test_what_the_caller_states_is_what_holds(folder: Path) -> None:
    world = await populated()
    async with calls_of(folder, world).listening():
        bot = Bot(folder, world, calls_of(folder, world))
        done = await bot.command("ask", QUESTION, "--json", FUNDSTELLE_ANSWER__MAX_QUESTION="20")
        assert (done.status, json.loads(done.out)["error"]["code"]) == (1, "info.too_long")
        done = await bot.command("documents", FUNDSTELLE_QDRANT__URL="http://127.0.0.1:1")
        assert done.status == 3
        assert "other settings under qdrant" in done.err


async def test_local_refuses_the_socket(bot: Bot) -> None:
    done = await bot.command("documents", "--local")
    assert done.status == 3
    assert "settings.unreadable" in done.err


async def test_nobody_else_can_reach_it(bot: Bot) -> None:
    assert (bot.folder / FOLDER).stat().st_mode & 0o777 == 0o700
    assert (bot.folder / FOLDER / NAME).stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        called._bound(bot.folder / FOLDER)


async def test_another_user_is_not_served(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(called, "user_of", lambda _: os.getuid() + 1)
    done = await bot.command("documents")
    assert (done.status, done.out) == (3, "")
    assert "ended before the command was finished" in done.err


async def test_another_users_bot_is_named(bot: Bot, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(calling, "user_of", lambda _: os.getuid() + 1)
    assert await asyncio.to_thread(calling.by_running_bot, ["documents", "--data", str(bot.folder)]) == 3
    assert "sudo -u" in capsys.readouterr().err

    def denied(_: Path) -> socket.socket:
        raise PermissionError(13, "denied")

    monkeypatch.setattr(calling, "connected", denied)
    assert calling.by_running_bot(["documents", "--data", str(bot.folder)]) == 3
    assert "sudo -u" in capsys.readouterr().err


async def test_a_socket_that_nobody_listens_at_is_left_and_replaced(folder: Path) -> None:
    (folder / FOLDER).mkdir()
    with socket.socket(socket.AF_UNIX) as gone, address(folder / FOLDER) as path:
        gone.bind(path)
    assert calling.by_running_bot(["documents", "--data", str(folder)]) is None
    async with running(folder) as bot:
        assert (await bot.command("documents")).status == 0
    assert not (folder / FOLDER / NAME).exists()


async def test_a_long_path_is_no_obstacle(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 20) / ("longer" * 20)
    folder.mkdir(parents=True)
    async with running(folder) as bot:
        assert (await bot.command("documents")).status == 0


async def test_where_no_socket_can_be_had_the_bot_serves_all_the_same(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / FOLDER).write_text("in the way")
    async with running(folder):
        assert "commands cannot reach this process" in caplog.text
    assert calling.by_running_bot(["documents", "--data", str(folder)]) is None


async def test_several_commands_at_once(bot: Bot) -> None:
    several = [("ask", QUESTION, "--json"), ("documents", "--json"), ("verify", QUOTE, "--json")] * 2
    done = await asyncio.gather(*(bot.command(*arguments) for arguments in several))
    assert [each.status for each in done] == [0] * 6
    assert [next(iter(json.loads(each.out))) for each in done] == ["question", "documents", "text"] * 2


async def test_an_interrupted_command_is_given_up(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, given_up = held(monkeypatch)
    process = await bot.begin("ask", QUESTION)
    await begun.wait()
    process.send_signal(signal.SIGINT)
    done = await ended(process)
    assert (done.status, done.err.strip()) == (3, "stopped")
    assert given_up.is_set()


async def test_a_killed_command_is_given_up(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, given_up = held(monkeypatch)
    process = await bot.begin("ask", QUESTION)
    await begun.wait()
    process.kill()
    await asyncio.wait_for(given_up.wait(), 60)
    await ended(process)
    monkeypatch.undo()
    assert (await bot.command("ask", QUESTION)).status == 0


async def test_a_bot_that_stops_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, given_up = held(monkeypatch)
    async with running(folder) as bot:
        process = await bot.begin("ask", QUESTION)
        await begun.wait()
    done = await ended(process)
    assert given_up.is_set()
    assert done.status == 3
    assert "is being stopped" in done.err


async def test_a_bot_that_is_gone_is_told_of(folder: Path) -> None:
    (folder / FOLDER).mkdir()

    async def gone(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(frame(Kind.OUT, b"half an ans")[:-3])
        writer.close()

    async with await asyncio.start_unix_server(gone, folder / FOLDER / NAME):
        world = await populated()
        done = await Bot(folder, world, calls_of(folder, world)).command("documents")
    assert (done.status, done.out) == (3, "")
    assert "ended before the command was finished" in done.err


async def test_a_bot_starts_where_the_one_before_dies_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / FOLDER).mkdir()
    monkeypatch.setattr(calling.signal, "signal", lambda *_: None)  # only the main thread may

    async def dying(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.close()

    async with await asyncio.start_unix_server(dying, folder / FOLDER / NAME):
        assert await asyncio.to_thread(calling.by_running_bot, ["serve", "--data", str(folder)]) is None


async def test_another_version_is_not_served(bot: Bot) -> None:
    bot.calls.ours = "9.9.9"
    done = await bot.command("documents")
    assert done.status == 3
    assert "started by fundstelle 9.9.9" in done.err
    assert "restart the bot" in done.err


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        HEADER.pack(b"c", 2**32 - 1),
        frame(Kind.CALL, b"[1]"),
        frame(Kind.CALL, b"\xff"),
    ],
)
async def test_what_is_no_command_is_hung_up_on(bot: Bot, said: bytes) -> None:
    with address(bot.folder / FOLDER) as path:
        reader, writer = await asyncio.open_unix_connection(path)
    writer.write(said)
    writer.write_eof()
    assert await reader.read() == b""
    writer.close()
    assert (await bot.command("documents")).status == 0


def a_call(**changed: Any) -> Call:
    facts: dict[str, Any] = {
        "program": str(ROOT / "bot"),
        "arguments": [],
        "folder": "/srv/ann",
        "environment": {"TERM": "xterm-256color"},
        "mounts": "mnt:[1]",
        "size": (132, 50),
        "terminal": (True, True),
        "encodings": ("utf-8", "ascii"),
    }
    return Call(**facts | changed)


def test_a_call_arrives_as_it_was_made() -> None:
    assert Call.read(a_call().frame()[HEADER.size :]) == a_call()
    assert Call.read(a_call(size=None).frame()[HEADER.size :]) == a_call(size=None)


def test_the_terminal_is_the_callers() -> None:
    sent: list[bytes] = []
    found = terminal_of(a_call(), sent.append)
    assert (found.err.is_terminal, found.out.width, found.out.color_system) == (True, 132, "256")
    found.err.print("schön", markup=False)
    assert b"".join(sent) == frame(Kind.ERR, b"sch\\xf6n\n")
    assert terminal_of(a_call(environment={"COLUMNS": "40"}), sent.append).out.width == 40
    assert terminal_of(a_call(size=None, terminal=(False, False)), sent.append).out.width == 80


def test_a_file_that_the_service_does_not_see_is_named(tmp_path: Path) -> None:
    world = asyncio.run(populated())
    calls = calls_of(tmp_path, world)
    call = a_call(mounts="mnt:[of another service]")
    process = called.ForCaller(
        call, terminal_of(call, lambda _: None), calls.running, None, calls.beside, calls.bot
    )
    assert process.path(tmp_path / "in.pdf") == tmp_path / "in.pdf"
    with pytest.raises(Refused, match=r"cannot see /srv/ann/in\.pdf"):
        process.path(Path("in.pdf"))


def test_nothing_heavy_is_loaded_to_call(folder: Path) -> None:
    script = f"""
import sys
from bot.cli import by_running_bot
by_running_bot(["documents", "--data", {str(folder)!r}])
print(*{HEAVY!r} & sys.modules.keys())
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == ""


def test_every_command_goes_through_or_the_documents_say_why_not() -> None:
    files = (ROOT / "bot" / "cli").glob("*.py")
    modules = [importlib.import_module(f"bot.cli.{path.stem}") for path in files]
    listed = [each for module in modules for each in vars(module).values() if isinstance(each, tuple)]
    every = {each for group in listed for each in group if isinstance(each, Command)}
    text = (ROOT / "docs" / "operators" / "run.md").read_text(encoding="utf-8")
    table = text.partition("| done alone | why |")[2].partition("\n\n")[0]
    cells = re.findall(r"^\| (.*?) \|", table, re.M)
    said = {name.split()[-1] for cell in cells for name in re.findall(r"`(.*?)`", cell)}
    assert said == {each.name for each in every if each.alone}
