"""The whole `fundstelle serve` on Telegram, Slack and Matrix: how soon people see something, what a flood
does to others, and memory.

    python -m benchmarks.chats [--library DATA_FOLDER] [--questions FILE] [--only answers flood http]

Everything is a process of its own: the command itself with default limits, the strict stand-ins for
Telegram and Slack, a real Synapse without its rate limits (`make test-servers`). The library is the example
library, or a copy of a data folder. Ingest that with the same code: `serve` builds documents of another
pipeline again beside the questions.

Answers: one question after the other, each in a group where nothing was said before. First sign: the
typing sign, a reaction or words, whichever people see first.
Flood: so many chats ask at the same moment, alone and right behind one person's thousand questions; the peer
is the same without the flood.
HTTP: one question after the other as above, alone and while programs send `--requests` requests a second, in
equal parts searches, quotes to check, questions and pictures of pages. What they are answered with is counted
by status; 429 and 503 say when to come again. The peer is the same without them.
Memory: with all `--platforms` at once, after all that was asked. Proportional memory counts a page that
several processes share once, resident memory once for each.

"beside" is the processor time that anything else took meanwhile, in cores: on a machine that is not quiet
the seconds are of no use.
"""

import argparse
import asyncio
import json
import os
import platform
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import count as count_up
from pathlib import Path

import httpx
import psutil

from bot.presentation.i18n import Texts, languages
from core.evaluation import percentile, read_questions
from examples.build import build
from tests.servers.matrix.homeserver import synapse_server
from tests.support.encoders import models_dir
from tests.support.repository import ROOT
from tests.support.served import FUNDSTELLE, Served
from tests.support.slack_server import SlackServer
from tests.support.telegram_server import TelegramServer
from tests.support.timed_chats import OnMatrix, OnSlack, OnTelegram, Seen, TimedChats

SETTINGS = "open = true\n[http]\nport = 0\n"
NOTICES = (
    "queue.place",
    "limit.queue",
    *(f"limit.{name}" for name in ("user_minute", "user_day", "chat_minute", "day")),
)
"""What people hear who have to wait or have asked too much."""

REST_S = 2.0
"""Between one measurement and the next."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", type=Path, help="a data folder; nothing is changed in it")
    parser.add_argument("--questions", type=Path, default=ROOT / "examples" / "questions.jsonl")
    parser.add_argument("--platforms", nargs="+", default=["telegram", "slack", "matrix"])
    parser.add_argument("--only", nargs="+", default=["answers", "flood"])
    parser.add_argument("--count", type=int, default=40, help="questions on each platform")
    parser.add_argument("--chats", type=int, default=50, help="chats that ask at once")
    parser.add_argument("--flood", type=int, default=1000, help="questions of the one who floods")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--requests", type=float, default=20.0, help="requests a second over HTTP")
    arguments = parser.parse_args()
    asyncio.run(measure(arguments))


async def measure(arguments: argparse.Namespace) -> None:
    """All that was asked for, with one process that serves all platforms."""
    rows = read_questions(arguments.questions.read_text(encoding="utf-8"))
    questions = [row.question for row in rows]
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M}, {platform.machine()}, {os.cpu_count()} cores, load {load()}")
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        copied(arguments.library, folder) if arguments.library else example_library(folder)
        everybody: list[TimedChats] = [await started(name, stack) for name in arguments.platforms]
        (folder / "fundstelle.toml").write_text(SETTINGS + "".join(each.settings for each in everybody))
        secret = token(folder) if "http" in arguments.only else ""
        served = stack.enter_context(Served(folder))
        print(await served.ready(), flush=True)
        for each in everybody:
            if isinstance(each, OnSlack):
                await each.ready()
        await asyncio.sleep(REST_S)
        remembered("ready", served)
        if "answers" in arguments.only:
            for each in everybody:
                await answers(each, served, questions, arguments.count)
            remembered("after the answers", served)
        if "flood" in arguments.only:
            for each in everybody:
                await flood(each, served, questions, arguments)
            remembered("after the floods", served)
        if "http" in arguments.only:
            for each in everybody:
                await beside_programs(each, served, questions, arguments, secret)
        print(f"load {load()}")


async def started(name: str, stack: AsyncExitStack) -> TimedChats:
    """A platform's server, until `stack` ends, and the people on it."""
    if name == "telegram":
        return OnTelegram(stack.enter_context(TelegramServer()))
    if name == "slack":
        return OnSlack(stack.enter_context(SlackServer()))
    return await stack.enter_async_context(OnMatrix(stack.enter_context(synapse_server())))


def load() -> str:
    """The machine's load now, as everybody knows it."""
    return " ".join(f"{value:.1f}" for value in os.getloadavg())


def remembered(when: str, served: Served) -> None:
    """Print how much memory is in use."""
    now = served.memory()
    print(
        f"memory {when}: {now.proportional / 1e6:.0f} MB proportional, {now.resident / 1e6:.0f} MB resident"
        f" (the process alone {now.own / 1e6:.0f} MB; with its {len(served.processes) - 1} children)",
        flush=True,
    )


def example_library(folder: Path) -> None:
    """The example library in an empty data folder."""
    (folder / "models").symlink_to(models_dir())
    manifest = build(folder / "examples")
    command = [FUNDSTELLE, "ingest", "--manifest", manifest, "--data", folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def copied(library: Path, folder: Path) -> None:
    """The data folder `library` without its settings; what is large and never written is linked."""
    for entry in library.resolve().iterdir():
        if entry.name in ("models", "originals"):
            (folder / entry.name).symlink_to(entry)
        elif entry.is_dir():
            shutil.copytree(entry, folder / entry.name)
        elif entry.suffix != ".toml":
            shutil.copy2(entry, folder)


class Beside:
    """How much of the machine anything else uses, from its making on."""

    def __init__(self) -> None:
        self._since, self._busy, self._ours = time.monotonic(), _busy_s(), _ours_s()

    @property
    def cores(self) -> float:
        """In cores, on the average."""
        others = (_busy_s() - self._busy) - (_ours_s() - self._ours)
        return max(0.0, others / (time.monotonic() - self._since))


def _busy_s() -> float:
    times = psutil.cpu_times()
    return sum(times) - times.idle - times.iowait - times.guest - times.guest_nice


def _ours_s() -> float:
    """Processor time of this process and all its children, also of those that have ended."""
    me = psutil.Process()
    each = [process.cpu_times() for process in (me, *me.children(recursive=True))]
    return sum(times.user + times.system + times.children_user + times.children_system for times in each)


def shown(name: str, seconds: Sequence[float]) -> str:
    """p50, p95 and the longest."""
    figures = [percentile(seconds, 0.5), percentile(seconds, 0.95), max(seconds, default=0.0)]
    return f"{name} " + " / ".join(f"{figure:.2f}" for figure in figures) + " s"


async def answers(chats: TimedChats, served: Served, questions: Sequence[str], count: int) -> None:
    """Print how soon people see a sign and the whole answer, one question at a time."""
    groups = [await chats.group() for _ in range(count)]
    await asyncio.sleep(REST_S)
    beside, signs, texts, files = Beside(), [], [], []
    for number, group in enumerate(groups):
        before, began = served.taken_over, time.time()
        await chats.ask(group, questions[number % len(questions)])
        await served.settled(before + 1)
        seen = await everything(chats, group, since=began)
        signs.append(seen[0].at - began)
        texts.append(max(item.at for item in seen if item.text) - began)
        files += (
            [max(item.at for item in seen if item.files) - began] if any(item.files for item in seen) else []
        )
    print(
        f"{chats.name}: {count} questions, {len(files)} answers with files; {shown('first sign', signs)};"
        f" {shown('text', texts)}; {shown('all files', files)} (p50 / p95 / most);"
        f" beside {beside.cores:.1f} cores, load {load()}",
        flush=True,
    )


def token(folder: Path) -> str:
    """The secret of a token that no limit stops."""
    new = ("token", "new", "program", "--rate", "100000", "--json", "--data")
    command = [str(FUNDSTELLE), *new, str(folder)]
    made = subprocess.run(command, check=True, capture_output=True)
    return str(json.loads(made.stdout)["token"])


async def beside_programs(
    chats: TimedChats,
    served: Served,
    questions: Sequence[str],
    arguments: argparse.Namespace,
    secret: str,
) -> None:
    """Print how long chats wait beside requests over HTTP, and without."""
    port = next(
        each.laddr.port for each in psutil.Process(served.pid).net_connections() if each.status == "LISTEN"
    )
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=120) as client:
        documents = (await client.get("/v1/documents")).json()["documents"]
        pages = [f"/v1/pages/{each['id']}/1.png" for each in documents]
        waits: dict[bool, list[float]] = {False: [], True: []}
        statuses, beside = Counter[str](), Beside()
        for number in range(2 * arguments.rounds):
            disturbed = number % 4 in (1, 2)
            sending = asyncio.create_task(programs(client, questions, pages, arguments.requests, statuses))
            if not disturbed:
                sending.cancel()
            try:
                waits[disturbed] += await texts_after(chats, served, questions, arguments.count)
            finally:
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)
            await asyncio.sleep(REST_S)
    alone, with_them = (percentile(waits[each], 0.95) for each in (False, True))
    print(
        f"{chats.name}: {shown('text alone', waits[False])}; {shown('text beside programs', waits[True])};"
        f" with / without at p95 {with_them / alone:.2f}; requests by status"
        f" {dict(sorted(statuses.items()))}; beside {beside.cores:.1f} cores, load {load()}",
        flush=True,
    )


async def texts_after(chats: TimedChats, served: Served, questions: Sequence[str], count: int) -> list[float]:
    """Seconds until the text of an answer is seen, one question at a time."""
    found = []
    for number in range(count):
        group, before, began = await chats.group(), served.taken_over, time.time()
        await chats.ask(group, questions[number % len(questions)])
        await served.settled(before + 1)
        seen = await everything(chats, group, since=began)
        found.append(max(each.at for each in seen if each.text) - began)
    return found


async def programs(
    client: httpx.AsyncClient,
    questions: Sequence[str],
    pages: Sequence[str],
    per_second: float,
    statuses: "Counter[str]",
) -> None:
    """Send requests at this rate, whether or not earlier ones are answered, until cancelled; count what comes
    back."""

    async def send(number: int) -> None:
        question = questions[number // 4 % len(questions)]
        kinds = ("search", "verify", "ask")
        try:
            if number % 4 == len(kinds):
                answer = await client.get(pages[number // 4 % len(pages)])
            else:
                body = {"text" if number % 4 == 1 else "question": question}
                answer = await client.post(f"/v1/{kinds[number % 4]}", json=body)
        except httpx.HTTPError as error:
            statuses[type(error).__name__] += 1
        else:
            waits = " with Retry-After" if "retry-after" in answer.headers else ""
            statuses[f"{answer.status_code}{waits}"] += 1

    async with asyncio.TaskGroup() as sending:
        for number in count_up():
            sending.create_task(send(number))
            await asyncio.sleep(1 / per_second)


async def everything(chats: TimedChats, chat: str, *, since: float) -> list[Seen]:
    """What was seen in a chat `since` a question, once nothing new comes."""
    seen: list[Seen] = []
    while True:
        now = [item for item in await chats.seen(chat) if item.at >= since]
        if len(now) == len(seen) and any(item.text for item in seen):
            return seen
        seen = now
        await asyncio.sleep(0.15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Many chats that asked at once. `waits`: seconds until each had its whole answer; `lost`: chats without
    one. `answered` of the flood's questions, in `seconds`."""

    waits: list[float]
    lost: int
    answered: int = 0
    seconds: float = 0.0


async def flood(
    chats: TimedChats, served: Served, questions: Sequence[str], arguments: argparse.Namespace
) -> None:
    """Print how long others wait, alone and with the flood, by turns."""
    alone: list[Round] = []
    flooded: list[Round] = []
    await at_once(chats, served, questions, 5, 0)  # nobody pays for the first time
    beside = Beside()
    for number in range(2 * arguments.rounds):
        if number % 4 in (0, 3):
            alone.append(await at_once(chats, served, questions, arguments.chats, 0))
        else:
            flooded.append(await at_once(chats, served, questions, arguments.chats, arguments.flood))
    found = []
    for name, rounds in (("without the flood", alone), ("with it", flooded)):
        waits = [wait for each in rounds for wait in each.waits]
        found.append(percentile(waits, 0.95))
        lost = sum(each.lost for each in rounds)
        print(f"{chats.name}, {len(waits)} answers {name}: {shown('all there', waits)}; {lost} lost")
    told = ", ".join(f"{each.answered} in {each.seconds:.0f} s" for each in flooded)
    print(
        f"{chats.name}: with / without at p95 {found[1] / found[0]:.2f};"
        f" of the flood's {arguments.flood} questions answered {told};"
        f" dead letters {served.dead}; beside {beside.cores:.1f} cores, load {load()}",
        flush=True,
    )


async def at_once(
    chats: TimedChats, served: Served, questions: Sequence[str], count: int, flooding: int
) -> Round:
    """`count` chats ask at the same moment, behind `flooding` questions of one person."""
    groups = [await chats.group() for _ in range(count)]
    flooded = await chats.direct()
    await asyncio.sleep(REST_S)
    before = served.taken_over
    await chats.hold(served.pid)
    for number in range(flooding):
        await chats.ask(flooded, questions[number % len(questions)])
    for number, group in enumerate(groups):
        await chats.ask(group, questions[number % len(questions)])
    began = time.time()
    await chats.release(served.pid)
    await served.settled(before + count + flooding, every_s=0.2)
    seconds = time.time() - began
    waits = []
    for group in groups:
        seen = await chats.seen(group)
        if any(map(is_answer, seen)):
            waits.append(max(item.at for item in seen if item.what != "sign") - began)
    answered = sum(map(is_answer, await chats.seen(flooded))) if flooding else 0
    return Round(waits=waits, lost=count - len(waits), answered=answered, seconds=seconds)


def is_answer(seen: Seen) -> bool:
    """Whether somebody saw the words of an answer, not a notice."""
    return bool(seen.text) and not any(
        notice.search(seen.text.replace("\u2060", "")) for notice in _notices()
    )


@cache
def _notices() -> list[re.Pattern[str]]:
    number = "<1>"
    told = [
        Texts(language)(key, place=number, limit=number, seconds=number)
        for language in languages()
        for key in NOTICES
    ]
    return [re.compile(re.escape(text).replace(re.escape(number), r"\d+")) for text in told]


if __name__ == "__main__":
    main()
