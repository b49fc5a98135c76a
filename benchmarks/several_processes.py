"""How many questions one, two or three processes that answer get answered in a second.

    python -m benchmarks.several_processes [--answering 1 2 3] [--questions 120]

One process with the session (`--role front`) and so many with `--role answers` on one PostgreSQL, in front of
the stand-in for Telegram's server: 12 people in chats of their own ask at the same time. Platform,
journal, delivery and conversation are the real ones; library, index and encoders are the small ones of the
crash tests, so this is what the queue carries, not what an answer costs. More processes than cores share
them.
"""

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from core.domain.journal import Pseudonyms
from tests.crash.test_kills import SETTINGS, OnTelegram
from tests.support.databases import postgresql_server, postgresql_url
from tests.support.fake_journal import KEY
from tests.support.killing import QUESTION, Process
from tests.support.telegram_server import TelegramServer

PEOPLE = 12


async def main(server: str, answering: list[int], questions: int) -> None:
    """Print a row for each number of processes."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {questions} questions in {PEOPLE} chats")
    with TelegramServer() as telegram:
        for count in answering:
            seconds = await _measured(await postgresql_url(server), telegram, count, questions)
            print(f"{count} answering: {questions / seconds:.1f} answers a second", flush=True)


async def _measured(url: str, telegram: TelegramServer, answering: int, questions: int) -> float:
    telegram.ask("reset")
    names = [f"person{number}" for number in range(PEOPLE)]
    chats = {name: str(await telegram.do("chat", kind="private", user=name)) for name in names}
    people = OnTelegram(telegram, chats)
    database = await Database.open(url)
    journal = SqlJournal(database, Pseudonyms(KEY))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        account = f'token = "{telegram.token}"\napi_base = "{telegram.api_base}"\n'
        (folder / "fundstelle.toml").write_text(f"{SETTINGS}[telegram]\n{account}")
        processes = [_process(folder, url, role) for role in ["front", *["answers"] * answering]]
        try:
            for process in processes:
                await process.ready()
            await people.ask(QUESTION)
            await _until(journal, 1)
            began = time.monotonic()
            for _ in range(questions):
                await people.ask(QUESTION)
            await _until(journal, 1 + questions)
            return time.monotonic() - began
        finally:
            for process in processes:
                process.kill()
            await journal.close()


def _process(folder: Path, url: str, role: str) -> Process:
    stated = {"DATABASE_URL": url, "QDRANT__URL": "http://127.0.0.1:9", "TEST_ROLE": role}
    return Process(folder, environment={f"FUNDSTELLE_{name}": value for name, value in stated.items()})


async def _until(journal: SqlJournal, answers: int) -> None:
    """So many were answered, and nothing is left to be sent."""
    async with asyncio.timeout(600):
        while True:
            found, done = await journal.backlog(), await _answered(journal)
            if done >= answers and not (found.pending or found.sending):
                return
            await asyncio.sleep(0.1)


async def _answered(journal: SqlJournal) -> int:
    async with journal._database.read() as connection:
        found = await connection.exec_driver_sql("SELECT count(*) FROM inbox WHERE state = 'done'")
        return int(found.scalar_one())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--answering", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--questions", type=int, default=120)
    given = parser.parse_args()
    with postgresql_server() as running:
        asyncio.run(main(running, given.answering, given.questions))
