"""Processes of one version are replaced by those of the next while people ask: the schema goes ahead of the
old ones, and what these need is only removed once they are gone. No question is left out or answered twice.
"""

import asyncio
import contextlib
import json
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.migrate import newest, scripts
from bot.cli.root import app
from core.domain.journal import Pseudonyms
from tests.crash.test_kills import SETTINGS, OnTelegram
from tests.crash.test_several import _settled
from tests.support.databases import postgresql_url
from tests.support.fake_journal import KEY
from tests.support.killing import QUESTION, Process
from tests.support.telegram_server import TelegramServer

pytestmark = pytest.mark.thorough

STEP = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, compatible_from = {revision!r}, {before!r}, {compatible!r}


def upgrade() -> None:
    for table in ("processes", "inbox", "outbox", "posted", "answers"):
        {change}
"""
ROLES = ("front", "answers")
EXPAND = 'op.add_column(table, sa.Column("next", sa.Text(), nullable=False, server_default="x"))'
CONTRACT = 'op.drop_column(table, "next")'


def version_after(before: Path, folder: Path, change: str) -> Path:
    """The migrations of the version after `before`, whose processes work with both schemas."""
    shutil.copytree(before, folder)
    last = max(path.name[:4] for path in (folder / "versions").glob("[0-9]*.py"))
    revision = f"{int(last) + 1:04}"
    step = STEP.format(revision=revision, before=last, compatible=last, change=change)
    (folder / "versions" / f"{revision}_next.py").write_text(step)
    return folder


class Asker:
    """Somebody asks all the time: the next question as soon as one is answered."""

    def __init__(self, people: OnTelegram) -> None:
        self._people = people
        self.asked: list[str] = []

    async def go_on(self) -> None:
        while True:
            await self.more()

    async def more(self) -> None:
        """What is asked now is answered."""
        question = await self._people.ask(QUESTION)
        self.asked.append(question)
        while (await self._people.answers()).get(question, (0, 0))[0] == 0:  # noqa: ASYNC110 - they look
            await asyncio.sleep(0.1)


class Fleet:
    """Processes by name, each of the version whose migrations it is given."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder, self._url = folder, url
        self.running: dict[str, Process] = {}

    async def start(self, name: str, migrations: Path) -> Process:
        """One that is ready, or has ended."""
        environment = {
            "FUNDSTELLE_DATABASE_URL": self._url,
            "FUNDSTELLE_QDRANT__URL": "http://127.0.0.1:9",  # the world's index is none of it
            "FUNDSTELLE_TEST_ROLE": name.rpartition(" ")[2],
            "FUNDSTELLE_TEST_MIGRATIONS": str(migrations),
        }
        made = self.running[name] = Process(self._folder, environment=environment)
        await made.ready()
        return made

    async def stop(self, name: str) -> None:
        status, _ = await asyncio.to_thread(self.running.pop(name).terminate)
        assert status == 0, self.log()

    def log(self) -> str:
        return (self._folder / "serve.log").read_text()[-3000:]


@contextlib.asynccontextmanager
async def fleet(folder: Path, url: str) -> AsyncIterator[Fleet]:
    found = Fleet(folder, url)
    try:
        yield found
    finally:
        for process in found.running.values():
            process.kill()


@pytest.mark.timeout(1200)
async def test_versions_follow_each_other_while_people_ask(
    telegram_server: TelegramServer, postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    old = scripts()
    new = version_after(old, tmp_path / "new", EXPAND)
    newer = version_after(new, tmp_path / "newer", CONTRACT)
    telegram_server.ask("reset")
    chats = {
        name: str(await telegram_server.do("chat", kind="private", user=name)) for name in ("ann", "bob")
    }
    account = f'token = "{telegram_server.token}"\napi_base = "{telegram_server.api_base}"\n'
    (folder / "fundstelle.toml").write_text(f"{SETTINGS}[telegram]\n{account}")
    url = await postgresql_url(postgresql)
    before = newest()
    monkeypatch.setenv("FUNDSTELLE_DATABASE_URL", url)

    async def migrate(migrations: Path) -> tuple[int, dict[str, object]]:
        with monkeypatch.context() as version:
            version.setattr("adapters.database.migrate.scripts", lambda: migrations)
            arguments = ["migrate", "--json", "--data", str(folder)]
            done = await asyncio.to_thread(CliRunner().invoke, app, arguments)
        return done.exit_code, json.loads(done.stdout)

    people = OnTelegram(telegram_server, chats)
    journal = SqlJournal(await Database.open(url), Pseudonyms(KEY))
    asker = Asker(people)
    async with fleet(folder, url) as processes:
        await asyncio.gather(*(processes.start(f"old {role}", old) for role in ROLES))
        asking = asyncio.create_task(asker.go_on())
        await asker.more()

        status, found = await migrate(new)
        assert (status, found.get("from"), found.get("to")) == (0, before, f"{int(before) + 1:04}"), found
        await asker.more()
        await processes.stop("old answers")  # the old version begins on the new schema
        assert not (await processes.start("old answers", old)).ended, processes.log()
        await asker.more()

        status, found = await migrate(newer)
        assert (status, found["error"]["code"]) == (3, "serve.already"), found  # type: ignore[index]
        for role in ROLES:
            await processes.start(f"new {role}", new)
            await processes.stop(f"old {role}")
            await asker.more()

        status, found = await migrate(newer)
        assert (status, found.get("to")) == (0, f"{int(before) + 2:04}"), found
        await asker.more()
        assert (await processes.start("late old answers", old)).ended
        assert "database.newer" in processes.log() or "update the product" in processes.log()
        await asker.more()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await _settled(journal)
        for role in ROLES:
            await processes.stop(f"new {role}")
    letters = await journal.dead_letters(limit=1000)
    await journal.close()
    answers = await people.answers()
    print(f"{len(asker.asked)} questions, {len(letters)} letters")  # noqa: T201 - with -s, the figures
    assert {question: answers.get(question, (0, 0))[0] for question in asker.asked} == dict.fromkeys(
        asker.asked, 1
    )
    assert letters == []
    assert telegram_server.ask("violations", clear=True) == []
