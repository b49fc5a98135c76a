"""Inline queries on Telegram: how soon people see quotes, and what a flood of them does to the chats.

python -m benchmarks.inline [--library DATA_FOLDER] [--queries FILE] [--rounds 3] [--chats 10] [--flood 200]

The command itself with default limits and the strict stand-in for Telegram (`make test-servers`). The library
is the example library, or a copy of a data folder; queries are lines of text.

Answers: each query is typed word by word, and the seconds are those from the last word to the answer. Flood:
so many chats ask at once, alone and while so many people type inline queries all the time; the peer is the
same without them. "beside" as in `benchmarks.chats`.
"""

import argparse
import asyncio
import os
import platform
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.chats import Beside, copied, example_library, load
from core.evaluation import percentile, read_questions
from tests.support.repository import ROOT
from tests.support.served import Served
from tests.support.telegram_server import TelegramServer
from tests.support.timed_chats import OnTelegram

SETTINGS = "open = true\n[http]\nport = 0\n"
QUERIES = (
    "mindestlohn uferpartei",
    "miete windmüller",
    "hausboot anmelden",
    "rente",
    "windräder abstand",
    "minimum wage",
    "lighthouse rents",
    "vermögensteuer",
)
KEY_S = 0.3
"""Seconds from one word to the next."""

ANSWERED_S = 20.0
SHARES = (0.5, 0.95)
PAUSE_S = 0.02
"""Seconds between two queries of a flood."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", type=Path, help="a data folder; nothing is changed in it")
    parser.add_argument("--queries", type=Path, help="a query on each line")
    parser.add_argument("--questions", type=Path, default=ROOT / "examples" / "questions.jsonl")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--chats", type=int, default=10, help="chats that ask at once")
    parser.add_argument("--flood", type=int, default=200, help="people who type inline queries meanwhile")
    asyncio.run(measure(parser.parse_args()))


async def measure(arguments: argparse.Namespace) -> None:
    """Both, in one process that serves."""
    queries = arguments.queries.read_text(encoding="utf-8").splitlines() if arguments.queries else QUERIES
    questions = [row.question for row in read_questions(arguments.questions.read_text(encoding="utf-8"))]
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M}, {platform.machine()}, {os.cpu_count()} cores, load {load()}")
    with tempfile.TemporaryDirectory() as scratch, TelegramServer() as server:
        folder = Path(scratch)
        copied(arguments.library, folder) if arguments.library else example_library(folder)
        chats = OnTelegram(server)
        await server.do("world", supports_inline=True)
        (folder / "fundstelle.toml").write_text(f"{SETTINGS}{chats.settings}inline = true\n")
        with Served(folder) as served:
            print(await served.ready(), flush=True)
            await typed(server, queries, arguments.rounds)
            for number in range(arguments.rounds):
                for flooded in (False, True) if number % 2 else (True, False):
                    await asked(chats, server, served, questions, queries, arguments, flooded, number)
    print(f"load {load()}")


async def typed(server: TelegramServer, queries: Sequence[str], rounds: int) -> None:
    """Print how soon answers come, and how many have quotes."""
    beside, seconds, quoted = Beside(), list[float](), 0
    for number, query in enumerate(list(queries) * rounds):
        by = f"typist{number}"
        words = query.split()
        for end in range(1, len(words)):
            await server.do("inline", query=" ".join(words[:end]), by=by)
            await asyncio.sleep(KEY_S)
        # another text for everybody, so that no answer comes from what Telegram remembers
        began, text = time.time(), query + " " * (number // len(queries))
        asked_as = await server.do("inline", query=text, by=by)
        at, results = await answered(server, asked_as)
        seconds.append(at - began)
        quoted += bool(results)
    told(f"answers: {len(seconds)} queries, {quoted} with quotes", seconds, beside)


def told(what: str, seconds: Sequence[float], beside: Beside) -> None:
    """Print a line."""
    figures = ", ".join(
        f"p{share:.0%} {percentile(seconds, share):.2f} s".replace("%", "") for share in SHARES
    )
    print(f"{what}: {figures}, beside {beside.cores:.1f} cores, load {load()}", flush=True)


async def answered(server: TelegramServer, query: str) -> tuple[float, list[Any]]:
    """When a query was answered, and by what."""
    async with asyncio.timeout(ANSWERED_S):
        while True:
            for call in await server.do("calls"):
                if "at" in call and call["values"].get("inline_query_id") == query:
                    return call["at"], call["values"]["results"]
            await asyncio.sleep(0.02)


async def asked(
    chats: OnTelegram,
    server: TelegramServer,
    served: Served,
    questions: Sequence[str],
    queries: Sequence[str],
    arguments: argparse.Namespace,
    flooded: bool,
    number: int,
) -> None:
    """Print how long chats wait that ask at once."""
    places = [await chats.group() for _ in range(arguments.chats)]
    beside, before = Beside(), served.taken_over
    async with flood(server, queries, arguments.flood if flooded else 0) as sent:
        began = time.time()
        for place, question in zip(places, cycle(questions), strict=False):
            await chats.ask(place, question)
        await served.settled(before + len(places))
    waited = [await _last_words(chats, place) - began for place in places]
    what = f"with {len(sent)} inline queries" if flooded else "alone"
    told(f"round {number}: {len(places)} chats {what}", waited, beside)


async def _last_words(chats: OnTelegram, place: str) -> float:
    """When the answer was there; a place in the queue comes before."""
    return max(each.at for each in await chats.seen(place) if each.text)


@asynccontextmanager
async def flood(server: TelegramServer, queries: Sequence[str], people: int) -> AsyncIterator[list[str]]:
    """So many people type, one after the other and again, while the context lasts."""
    sent = list[str]()

    async def type_on() -> None:
        for number, query in enumerate(cycle(queries)):
            sent.append(await server.do("inline", query=f"{query} {number}", by=f"flooder{number % people}"))
            await asyncio.sleep(PAUSE_S)

    typing = asyncio.create_task(type_on()) if people else None
    try:
        yield sent
    finally:
        if typing is not None:
            typing.cancel()
            await asyncio.gather(typing, return_exceptions=True)


if __name__ == "__main__":
    main()
