"""Several processes on one PostgreSQL are killed, in turn, while people ask: nothing is lost, and nothing is
said twice unnoticed; others go on within 15 seconds, whatever each one's own clock says.
"""

import asyncio
import contextlib
import os
import random
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from core.domain.journal import Pseudonyms
from tests.crash.test_kills import SETTINGS, OnTelegram
from tests.support.databases import postgresql_url
from tests.support.fake_journal import KEY
from tests.support.killing import QUESTION, Process
from tests.support.telegram_server import TelegramServer

pytestmark = pytest.mark.thorough

KILLS = int(os.environ.get("FUNDSTELLE_TEST_KILLS_OF_SEVERAL", "4"))
LONGEST_S = 15.0
"""Seconds after a kill within which what is asked then is answered."""

PARTS = ("front", "front", "answers", "answers", "library")
AHEAD_S = (0, 3600, -3600, 86_400, -86_400)
"""How wrong the clock of each process is."""


class Fleet:
    """The processes, each begun again once it was killed."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder = folder
        self._url = url
        self.running: dict[int, Process] = {}

    def start(self, number: int) -> None:
        environment = {
            "FUNDSTELLE_DATABASE_URL": self._url,
            "FUNDSTELLE_QDRANT__URL": "http://127.0.0.1:9",  # the world's index is none of it
            "FUNDSTELLE_TEST_ROLE": PARTS[number],
            "FUNDSTELLE_TEST_AHEAD_S": str(AHEAD_S[number]),
        }
        self.running[number] = Process(self._folder, environment=environment)

    async def ready(self) -> None:
        for process in self.running.values():
            await process.ready()
            assert not process.ended, (self._folder / "serve.log").read_text()[-3000:]


@contextlib.asynccontextmanager
async def fleet(folder: Path, url: str) -> AsyncIterator[Fleet]:
    found = Fleet(folder, url)
    try:
        for number in range(len(PARTS)):
            found.start(number)
        await found.ready()
        yield found
    finally:
        for process in found.running.values():
            process.kill()


async def answered(people: OnTelegram, question: str, journal: SqlJournal) -> float:
    """Seconds until it is, or until a part of its answer is flagged."""
    began = time.monotonic()
    async with asyncio.timeout(60):
        while (await people.answers()).get(question, (0, 0))[0] == 0:
            if any(letter.state == "unknown" for letter in await journal.dead_letters()):
                return time.monotonic() - began
            await asyncio.sleep(0.1)
    return time.monotonic() - began


@pytest.mark.timeout(120 + 60 * KILLS)
async def test_whoever_is_killed_others_go_on(
    telegram_server: TelegramServer, postgresql: str, tmp_path: Path
) -> None:
    telegram_server.ask("reset")
    dice = random.Random(7)
    names = ("ann", "bob", "cal")
    chats = {name: str(await telegram_server.do("chat", kind="private", user=name)) for name in names}
    account = f'token = "{telegram_server.token}"\napi_base = "{telegram_server.api_base}"\n'
    (tmp_path / "fundstelle.toml").write_text(f"{SETTINGS}[telegram]\n{account}")
    url = await postgresql_url(postgresql)
    people = OnTelegram(telegram_server, chats)
    journal = SqlJournal(await Database.open(url), Pseudonyms(KEY))
    asked: list[str] = []
    waits: list[float] = []
    async with fleet(tmp_path, url) as processes:
        asked.append(await people.ask(QUESTION))
        await answered(people, asked[0], journal)
        for number in range(KILLS):
            asked += [await people.ask(QUESTION) for _ in range(3)]
            await asyncio.sleep(dice.uniform(0, 0.6))
            victim = number % len(PARTS)
            processes.running[victim].kill()
            asked.append(await people.ask(QUESTION))
            waits.append(await answered(people, asked[-1], journal))
            processes.start(victim)
            await processes.ready()
        await _settled(journal)
        for process in processes.running.values():
            status, took_s = process.terminate()
            assert status == 0
            assert took_s < 12
    letters = await journal.dead_letters(limit=1000)
    backlog = await journal.backlog()
    await journal.close()
    answers = await people.answers()
    lost = [question for question in asked if answers.get(question, (0, 0))[0] == 0]
    states = Counter(letter.state for letter in letters)
    print(  # noqa: T201 - with -s, the figures
        f"{KILLS} kills, {len(asked)} questions, {len(lost)} without an answer, {states['unknown']} parts"
        f" flagged, answered after {max(waits):.1f} s at most"
    )
    assert [question for question, (texts, _) in answers.items() if texts > 1] == []
    assert len(lost) <= states["unknown"]
    assert set(states) <= {"unknown"}
    assert backlog.waiting + backlog.working + backlog.pending + backlog.sending == 0
    assert max(waits) <= LONGEST_S
    assert telegram_server.ask("violations", clear=True) == []


async def _settled(journal: SqlJournal) -> None:
    async with asyncio.timeout(60):
        while True:
            found = await journal.backlog()
            if found.waiting + found.working + found.pending + found.sending == 0:
                return
            await asyncio.sleep(0.2)
