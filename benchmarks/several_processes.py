"""How many questions one, two or three processes that answer get answered in a second.

    python -m benchmarks.several_processes [--answering 1 2 3] [--questions 120]
    nice -n -15 python -m benchmarks.several_processes --real --share 0.25 [--answering 1 2 3 3 2 1]

One process with the session (`--role front`) and so many with `--role answers` on one PostgreSQL, in front of
the stand-in for Telegram's server: 12 people in private chats of their own have asked as much as there is,
and what is counted is how fast that becomes less, from the first tenth to where some processes run out of
work.

Without `--real`, library, index and encoders are the small ones of the crash tests, so this is what the queue
carries, not what an answer costs. With `--real` it is the command itself on the example library, whose
questions are asked one after the other, each answer with its page; the index is behind the stand-in for
Qdrant's server, in a process of its own, whose processor time is reported with that of the others.

`--share`: the part of a core that each answering process gets, with its children, once it has started and has
answered a few questions (cgroup v1, as root). All else is unlimited. Without it more processes than cores
share them, and everything else that runs there, too.
"""

import argparse
import asyncio
import contextlib
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psutil
import tomlkit

from adapters.database.database import Database
from benchmarks.chats import example_library
from core.evaluation import read_questions
from tests.crash.test_kills import SETTINGS
from tests.support.databases import postgresql_server, postgresql_url
from tests.support.killing import QUESTION
from tests.support.qdrant_server import QdrantServer
from tests.support.repository import ROOT
from tests.support.served import FUNDSTELLE
from tests.support.telegram_server import TelegramServer

PEOPLE = 12
WARMING = 8
"""Questions for each answering process before it is measured."""

STARTS_WITHIN_S = 300.0
PERIOD_US = 100_000
GROUPS = Path("/sys/fs/cgroup/cpu")
WEIGHT = 29_154
"""Of a group of processes, as much as one process has under `nice -n -15`: else the group would have to wait
for others' work, and its share would be less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """`per_s` answers; processor seconds by who used them, for `answers` answers in `took_s`."""

    per_s: float
    answers: int
    took_s: float
    seconds: Mapping[str, float]

    def said(self) -> str:
        """For people."""
        used = ", ".join(f"{name} {seconds / self.answers:.2f}" for name, seconds in self.seconds.items())
        busy = self.seconds["answering"] / self.took_s
        return f"{self.per_s:.2f} answers a second, {busy:.2f} cores at it; processor seconds of one: {used}"


class Process:
    """One of the processes, with a share of a core once it is `limited`."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, env={**os.environ, **environment}
            )
        self._log = log

    async def ready(self) -> None:
        """Until it says so."""
        assert self._process.stdout is not None
        async with asyncio.timeout(STARTS_WITHIN_S):
            line = await asyncio.to_thread(self._process.stdout.readline)
        assert line, self._log.read_text()[-3000:]

    @property
    def pid(self) -> int:
        """Of the process itself."""
        return self._process.pid

    @contextlib.contextmanager
    def limited(self, share: float) -> Iterator[None]:
        """The process and its children get so much of a core, and no more."""
        group = GROUPS / f"fundstelle-{self.pid}"
        group.mkdir()
        (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (group / "cpu.cfs_quota_us").write_text(str(int(share * PERIOD_US)))
        (group / "cpu.shares").write_text(str(WEIGHT))
        for each in _family(self.pid):
            (group / "cgroup.procs").write_text(str(each.pid))
        try:
            yield
        finally:
            for pid in (group / "cgroup.procs").read_text().split():
                (GROUPS / "cgroup.procs").write_text(pid)
            group.rmdir()

    def end(self) -> None:
        """At once, with its children."""
        for each in reversed(_family(self.pid)):
            with contextlib.suppress(psutil.NoSuchProcess):
                each.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class Setting:
    """What stands around the processes, and the questions. `real`: with what an operator has."""

    def __init__(self, stack: ExitStack, server: str, questions: int, *, real: bool) -> None:
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.telegram = stack.enter_context(TelegramServer())
        self.others = {"telegram": self.telegram.pid}
        self.real, self._server, self.url = real, server, ""
        settings = tomlkit.parse(SETTINGS)
        settings["telegram"] = {
            "token": self.telegram.token,
            "api_base": self.telegram.api_base,
            "file_base": self.telegram.file_base,
        }
        index = "http://127.0.0.1:9"  # the small world's index is none of it
        self.asked, self.warming = [QUESTION] * questions, [QUESTION]
        if real:
            qdrant = stack.enter_context(QdrantServer())
            index, self.others["qdrant"] = qdrant.address, qdrant.pid
            self.asked = _questions("questions.jsonl")[:questions]
            self.warming = _questions("questions.fr.jsonl")
        self._settings = settings | {"qdrant": {"url": index}}

    async def begin(self) -> None:
        """The database, and a library in it."""
        self.url = await postgresql_url(self._server)
        self._settings["database_url"] = self.url
        written = tomlkit.dumps(self._settings)
        if self.real:
            os.environ |= {
                "FUNDSTELLE_DATABASE_URL": self.url,
                "FUNDSTELLE_QDRANT__URL": self._settings["qdrant"]["url"],
            }
            example_library(self.folder)
        (self.folder / "fundstelle.toml").write_text(written)

    def process(self, role: str) -> Process:
        """One that starts."""
        command = [str(FUNDSTELLE), "serve", "--data", str(self.folder), "--role", role]
        if not self.real:
            command = [sys.executable, "-m", "tests.support.serving_child", str(self.folder)]
        return Process(command, {"FUNDSTELLE_TEST_ROLE": role}, self.folder / "serve.log")


async def main(given: argparse.Namespace, server: str) -> None:
    """Print a row for each number of processes, and the ratios to one."""
    with ExitStack() as stack:
        setting = Setting(stack, server, given.questions, real=given.real)
        await setting.begin()
        kind = "real" if given.real else "small"
        share = f"{given.share:.2f} of a core for each" if given.share else "no share set"
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {share}; {kind} answers")
        found: dict[int, list[float]] = {}
        for count in given.answering:
            measured = await _measured(setting, count, given.share)
            print(f"{count} answering: {measured.said()}; load {os.getloadavg()[0]:.1f}", flush=True)
            found.setdefault(count, []).append(measured.per_s)
        mean = {count: sum(each) / len(each) for count, each in found.items()}
        for count in mean.keys() - {1}:
            print(f"{count} answering: {mean[count] / mean[1]:.2f} times as many as one" if 1 in mean else "")


async def _measured(setting: Setting, answering: int, share: float) -> Measured:
    telegram = setting.telegram
    people = [f"person{number}" for number in range(PEOPLE)]
    telegram.ask("reset")
    chats = [(who, int(await telegram.do("chat", kind="private", user=who))) for who in people]
    database = await Database.open(setting.url)
    with ExitStack() as stack:
        stack.callback(telegram.ask, "reset")
        front = setting.process("front")
        stack.callback(front.end)
        workers = []
        for _ in range(answering):
            workers.append(setting.process("answers"))
            stack.callback(workers[-1].end)
        for process in (front, *workers):
            await process.ready()
        await _ask(telegram, chats, setting.warming, WARMING * answering)
        before = await _until_done(database, len(await _done(database)), WARMING * answering)
        for process in workers if share else ():
            stack.enter_context(process.limited(share))
        await telegram.do("hold", held=True)
        await _ask(telegram, chats, setting.asked, len(setting.asked))
        everybody = {**setting.others, "postgresql": await _postmaster(database), "front": front.pid}
        used = {name: _used_s(pid) for name, pid in everybody.items()}
        ours = sum(_used_s(process.pid) for process in workers)
        await telegram.do("hold", held=False)
        began = time.monotonic()
        await _until_done(database, before, len(setting.asked))
        took_s = time.monotonic() - began
        ours = sum(_used_s(process.pid) for process in workers) - ours
        seconds = {name: _used_s(pid) - used[name] for name, pid in everybody.items()}
        times = (await _done(database))[before:]
        await database.close()
    first, last = len(times) // 10, len(times) - 1 - 2 * answering
    per_s = (last - first) / (times[last] - times[first]).total_seconds()
    used_s = {"answering": ours, **seconds}
    return Measured(per_s=per_s, answers=len(times), took_s=took_s, seconds=used_s)


async def _ask(
    telegram: TelegramServer, chats: Sequence[tuple[str, int]], texts: Sequence[str], count: int
) -> None:
    """So many questions, by turns of texts and people."""
    for text, (who, chat) in itertools.islice(zip(itertools.cycle(texts), itertools.cycle(chats)), count):
        await telegram.do("say", chat=chat, text=text, by=who)


async def _until_done(database: Database, before: int, more: int) -> int:
    """So many more were answered, and nothing is left to be sent; how many that are now."""
    async with asyncio.timeout(1800):
        while True:
            async with database.read() as connection:
                found = await connection.exec_driver_sql(
                    "SELECT count(*) FROM outbox WHERE state IN ('pending', 'sending')"
                )
                unsent = found.scalar_one()
            done = len(await _done(database))
            if done >= before + more and not unsent:
                return done
            await asyncio.sleep(0.2)


async def _done(database: Database) -> list[datetime]:
    """When what was answered was answered, in order."""
    async with database.read() as connection:
        found = await connection.exec_driver_sql("SELECT changed_at FROM inbox WHERE state = 'done'")
        return sorted(found.scalars())


async def _postmaster(database: Database) -> int:
    """The process whose children are the server's."""
    async with database.read() as connection:
        backend = (await connection.exec_driver_sql("SELECT pg_backend_pid()")).scalar_one()
    parent = psutil.Process(backend).parent()
    assert parent is not None
    return parent.pid


def _family(pid: int) -> list[psutil.Process]:
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def _used_s(pid: int) -> float:
    """Processor time of a process and its children."""
    times = [each.cpu_times() for each in _family(pid)]
    return sum(each.user + each.system for each in times)


def _questions(file: str) -> list[str]:
    rows = read_questions((ROOT / "examples" / file).read_text(encoding="utf-8"))
    return [row.question for row in rows]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answering", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--share", type=float, default=0.0)
    arguments = parser.parse_args()
    with postgresql_server() as running:
        asyncio.run(main(arguments, running))
