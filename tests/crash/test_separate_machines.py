"""Processes that share PostgreSQL, a Qdrant server and object storage, and no folder: one receives a file,
another one reads it, a third answers with its page, and the first one sends that. Each is killed between two
steps; nothing is lost, and nothing is said twice.
"""

import asyncio
import base64
import contextlib
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from adapters.files.originals import secret_key
from tests.support.databases import emptied
from tests.support.encoders import models_dir
from tests.support.pdfs import saved, written
from tests.support.qdrant_server import QdrantStandIn, serving
from tests.support.repository import ROOT
from tests.support.s3_server import S3Server
from tests.support.telegram_server import TelegramServer

pytestmark = pytest.mark.thorough

ROLES = ("front", "answers", "library")
PAPER = (
    "Wahlprogramm 2026 der Uferpartei in Hochau",
    "Wasser\n\nWir bauen in jedem Dorf bis zum Jahr 2030 zwölf neue Brunnen für alle Menschen.",
)
QUESTION = "Wie viele neue Brunnen bauen wir in jedem Dorf?"
WITHIN_S = 240.0
"""Until something is there, on a busy machine."""


class Machines:
    """One process a role, each with a data folder of its own."""

    def __init__(self, root: Path, settings: dict[str, Any]) -> None:
        self._root = root
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self._starts: dict[str, int] = {}
        secret_key(root / "key")
        for role in ROLES:
            folder = root / role
            folder.mkdir()
            (folder / "models").symlink_to(models_dir())
            (folder / "fundstelle.toml").write_text(tomlkit.dumps(settings))

    def start(self, role: str, kill_at: str = "") -> None:
        folder = self._root / role
        self._starts[role] = self.log(role).count("readyz") + 1
        arguments = ["--data", str(folder), "--role", role, "--config", str(folder / "fundstelle.toml")]
        command = [sys.executable, "-m", "tests.support.serve_until", kill_at, *arguments]
        with (folder / "serve.log").open("ab") as log:
            self.running[role] = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)

    async def ready(self, *roles: str) -> None:
        """Those that were started last, too."""
        for role in roles:
            await until(lambda: self._serves(role), f"{role} serves")  # noqa: B023 - waited for here

    async def _serves(self, role: str) -> bool:
        assert self.running[role].poll() is None, self.log(role)[-3000:]
        return self.log(role).count("readyz") == self._starts[role]

    async def killed(self, role: str) -> None:
        """By itself, at its point."""
        await until(lambda: _ended(self.running[role]), f"{role} passes its point")
        assert self.running[role].returncode == -9, self.log(role)[-3000:]

    def log(self, role: str) -> str:
        file = self._root / role / "serve.log"
        return file.read_text() if file.exists() else ""

    def end(self) -> None:
        for process in self.running.values():
            process.kill()
            process.wait(20)


async def _ended(process: "subprocess.Popen[bytes]") -> bool:
    return process.poll() is not None


async def until(there: Callable[[], Awaitable[bool]], what: str) -> None:
    end = time.monotonic() + WITHIN_S
    while not await there():
        assert time.monotonic() < end, what
        await asyncio.sleep(0.2)


@contextlib.asynccontextmanager
async def begun(root: Path, settings: dict[str, Any]) -> AsyncIterator[Machines]:
    found = Machines(root, settings)
    try:
        yield found
    finally:
        found.end()


class Room:
    """A chat of staff, and what stands in it."""

    def __init__(self, server: TelegramServer, chat: int) -> None:
        self._server = server
        self.chat = chat

    async def say(self, text: str, **more: Any) -> None:
        await self._server.do("say", chat=self.chat, text=text, by="sam", **more)

    async def shown(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = await self._server.do("shown", chat=self.chat)
        return found

    async def saying(self, words: str) -> list[dict[str, Any]]:
        return [each for each in await self.shown() if words in each.get("text", "").replace("\u2060", "")]

    async def files(self) -> list[bytes]:
        named = [each["document"]["file_id"] for each in await self.shown() if "document" in each]
        return [base64.b64decode(await self._server.do("file", file_id=name)) for name in named]


@pytest.mark.timeout(1800)
async def test_an_upload_is_answered_by_machines_that_are_killed(
    telegram_server: TelegramServer, postgresql: str, s3_server: S3Server, tmp_path: Path
) -> None:
    telegram_server.ask("reset")
    chat = int(await telegram_server.do("chat", kind="private", user="sam"))
    bucket, room = s3_server.bucket(), Room(telegram_server, chat)

    async def keys(prefix: str) -> list[str]:
        found: list[str] = await s3_server.do("keys", name=bucket.name, prefix=f"library/{prefix}")
        return found

    async with serving(QdrantStandIn()) as qdrant:
        settings = {
            "database_url": await emptied(postgresql),
            "qdrant": {"url": qdrant},
            "files": s3_server.settings(bucket),
            "http": {"port": 0},
            "retention": {"key_file": str(tmp_path / "key")},
            "telegram": {
                "token": telegram_server.token,
                "api_base": telegram_server.api_base,
                "file_base": telegram_server.file_base,
            },
            "chat": [
                {
                    "platform": "telegram",
                    "id": str(chat),
                    "audience": "staff",
                    "collections": ["public", "internal"],
                    "upload_to": "internal",
                }
            ],
            "role": [{"platform": "telegram", "user": str(chat), "role": "staff"}],
        }
        async with begun(tmp_path, settings) as machines:
            machines.start("library", "taken:1")
            await machines.ready("library")  # makes the schema
            machines.start("front", "handed:1")
            machines.start("answers", "stored:1")
            await machines.ready("front", "answers")
            paper = saved(written(*PAPER), tmp_path / "brunnen.pdf").read_bytes()
            await room.say("", files=[{"name": "brunnen.pdf", "content": base64.b64encode(paper).decode()}])
            await machines.killed("answers")
            assert len(await keys("uploads/")) == 1
            machines.start("answers", "kept:1")
            await machines.killed("front")
            machines.start("front")
            await machines.killed("library")
            assert await room.saying("brunnen.pdf") == []
            machines.start("library", "told:1")
            await machines.killed("library")
            machines.start("library")
            await machines.ready("library")
            await until(lambda: _none(keys("uploads/")), "the job is done with")
            assert len(await room.saying("(brunnen.pdf)")) == 1
            await room.say(QUESTION)
            await machines.killed("answers")
            assert await room.files() == []
            assert await keys("outgoing/") != []
            machines.start("answers")
            await until(lambda: _some(room.files()), "the page is there")
            assert len(await room.saying("zwölf neue Brunnen")) == 1
            (page,) = await room.files()
            assert page.startswith(b"%PDF")
            assert len(await keys("fetched/")) == 1  # the front died with it: it goes in an hour
    assert telegram_server.ask("violations", clear=True) == []
    assert not [file for role in ROLES for file in (tmp_path / role).glob("originals/*")]
    assert not [file for role in ROLES for file in (tmp_path / role).glob("uploads/*/job.json")]
    assert not list((tmp_path / "front").glob("outgoing/*"))


async def _none(asked: Awaitable[list[Any]]) -> bool:
    return not await asked


async def _some(asked: Awaitable[list[Any]]) -> bool:
    return bool(await asked)
