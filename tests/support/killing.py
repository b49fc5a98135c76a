"""Kills `serve` repeatedly while people ask, and counts what became of their questions."""

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import psutil
import sqlalchemy as sa

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.mapping import OUTBOX, PARTS
from core.domain.journal import DeadLetter, Pseudonyms, SendState
from tests.support.fake_journal import KEY
from tests.support.repository import ROOT
from tests.support.serving_child import POINTS

KILLS = int(os.environ.get("FUNDSTELLE_TEST_KILLS", "200"))
QUESTION = "Was sagt die Uferpartei zum Mindestlohn?"
QUOTE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
CONFINED = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")
STARTS_WITHIN_S = 90.0
LONGEST_S = 2.0
"""A process that has been ready for this long without passing its point is killed anyway."""


class Asking(Protocol):
    """People on a platform."""

    async def ask(self, text: str) -> str:
        """Somebody asks; the message's id."""

    async def answers(self) -> dict[str, tuple[int, int]]:
        """By question, how many messages answer it, and how many files came with them."""


class Process:
    """`serve` in a process of its own; `confined`: the first one of namespaces of its own, as in a container,
    so that all have the same process id (Linux, as root)."""

    def __init__(
        self,
        folder: Path,
        kill_at: str = "",
        environment: Mapping[str, str] | None = None,
        *,
        confined: bool = False,
    ) -> None:
        command = [sys.executable, "-m", "tests.support.serving_child", str(folder), kill_at]
        self._confined = confined
        command = [*(CONFINED if confined else ()), *command]
        self.began = time.monotonic()
        self._log = (folder / "serve.log").open("ab")
        self._said = (folder / f"said-{time.time_ns()}.txt").open("w+b")
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdout=self._said, stderr=self._log, env={**os.environ, **(environment or {})}
        )

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def said(self) -> list[list[str]]:
        self._said.flush()
        return [line.split() for line in Path(self._said.name).read_text().splitlines()]

    async def ready(self) -> None:
        """Wait until it can answer; a busy machine takes its time."""
        async with asyncio.timeout(STARTS_WITHIN_S):
            while not self.ended and not self.is_ready:  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    @property
    def is_ready(self) -> bool:
        """Whether it serves."""
        return not self.ended and any(words[:1] == ["ready"] for words in self.said())

    def first_answer_s(self) -> float | None:
        """Seconds from the start of the process to its first part that arrived."""
        times = [float(words[2]) for words in self.said() if words[:1] == ["sent"] and len(words) == 3]
        return min(times) - self.began if times else None

    def kill(self) -> None:
        """Kill it at once; does nothing if it has already ended."""
        if not self._said.closed:
            self._signal(signal.SIGKILL)
            self._closed()

    def terminate(self) -> tuple[int, float]:
        """Exit status, and the seconds it took to end."""
        began = time.monotonic()
        self._signal(signal.SIGTERM)
        status = self._closed()
        return status, time.monotonic() - began

    def _signal(self, number: signal.Signals) -> None:
        """To the serving process itself; what confines it ends with it. One that is only just beginning has
        none yet, and cannot tell."""
        if self.ended:
            return
        process = psutil.Process(self._process.pid)
        for each in (self._confined and process.children()) or (process,):
            each.send_signal(number)

    def _closed(self) -> int:
        try:
            status = self._process.wait(20)
        finally:
            self._process.kill()
            self._log.close()
            self._said.close()
        Path(self._said.name).unlink()
        return status


@dataclass
class Outcome:
    """The outcome. `doubled` and `lost` are questions, `flagged` parts with an unknown outcome, `unsure` the
    messages they answer, alone and as "chat/message"."""

    asked: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    flagged: int = 0
    unsure: set[str] = field(default_factory=set)
    letters: list[DeadLetter] = field(default_factory=list)
    recovery_s: list[float] = field(default_factory=list)
    last_start_s: float = 0.0
    stop_s: float = 0.0

    def table(self, platform: str) -> str:
        """The report for people."""
        waits = sorted(self.recovery_s)
        middle, longest = (waits[len(waits) // 2], waits[-1]) if waits else (0.0, 0.0)
        points = ", ".join(f"{name} {count}" for name, count in sorted(self.kills.items()))
        return (
            f"{platform}: {self.kills.total()} kills ({points}),"
            f" {self.asked} questions, {len(self.lost)} lost, {len(self.doubled)} answered twice,"
            f" {self.flagged} parts flagged; start to next answer {middle:.1f} s in the middle,"
            f" {longest:.1f} s at most; SIGTERM {self.stop_s:.1f} s"
        )


async def survived(
    folder: Path, people: Asking, *, kills: int, first: int, begun: Callable[[], Awaitable[None]]
) -> Outcome:
    """Ask while `serve` is killed at every point in turn, from the `first` on, and at seeded times; then let
    it finish, and count. `begun` waits until the bot is where people can ask it."""
    dice, found, asked = random.Random(first), Outcome(), []
    with contextlib.ExitStack() as processes:
        joining = Process(folder)
        processes.callback(joining.kill)
        await joining.ready()
        await begun()
    points = [*POINTS, "any time"]
    for number in range(first, first + kills):
        point = points[number % len(points)]
        process = Process(folder, "" if point == "any time" else f"{point}:{dice.randint(1, 3)}")
        try:
            for _ in range(dice.randint(1, 3)):
                asked.append(await people.ask(QUESTION))
            await _killed(process, point, dice)
            found.kills[point] += 1
            answered_s = process.first_answer_s()
            found.recovery_s += [] if answered_s is None else [answered_s]
        finally:
            process.kill()
    await _finished(folder, people, asked, found)
    return found


async def _killed(process: Process, point: str, dice: random.Random) -> None:
    """Wait until the process has killed itself, or its time has come."""
    if point == "any time":
        if dice.random() < 0.7:
            await process.ready()
        await asyncio.sleep(dice.uniform(0, 1.0))
        return
    await process.ready()
    until = time.monotonic() + LONGEST_S
    while not process.ended and time.monotonic() < until:  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.02)


async def _finished(folder: Path, people: Asking, asked: list[str], found: Outcome) -> None:
    process = Process(folder)
    try:
        asked.append(await people.ask(QUESTION))
        await _settled(folder, process)
        found.last_start_s = process.first_answer_s() or 0.0
        found.recovery_s.append(found.last_start_s)
        _, found.stop_s = process.terminate()
    finally:
        process.kill()
    found.asked = len(asked)
    database = await Database.open(f"sqlite:///{folder}/fundstelle.sqlite3")
    journal = SqlJournal(database, Pseudonyms(KEY))
    found.letters = await journal.dead_letters(limit=10_000)
    found.flagged = sum(letter.state == "unknown" for letter in found.letters)
    found.unsure = await unsure(database)
    await journal.close()
    answers = await people.answers()
    found.lost = [question for question in asked if answers.get(question, (0, 0))[0] == 0]
    found.doubled = [question for question, (texts, _) in answers.items() if texts > 1]


async def unsure(database: Database) -> set[str]:
    """The messages that flagged parts answer, alone and as "chat/message"."""
    flagged = sa.select(OUTBOX.c.payload).where(OUTBOX.c.state == SendState.UNKNOWN)
    async with database.read() as connection:
        parts = [PARTS.unpack(payload) for payload in (await connection.scalars(flagged)).all()]
    return {name for part in parts for name in (part.to.message, f"{part.to.chat}/{part.to.message}")}


async def _settled(folder: Path, process: Process) -> None:
    """Check that everything accepted was answered, and everything that arrived was accepted."""
    database = await Database.open(f"sqlite:///{folder}/fundstelle.sqlite3")
    journal = SqlJournal(database, Pseudonyms(KEY))
    still = 0

    async def done() -> bool:
        nonlocal still
        assert not process.ended, (folder / "serve.log").read_text()[-3000:]
        backlog = await journal.backlog()
        open_ = backlog.waiting + backlog.working + backlog.pending + backlog.sending
        still = still + 1 if open_ == 0 and process.first_answer_s() else 0
        await asyncio.sleep(0.1)
        return still > 15

    try:
        async with asyncio.timeout(120):
            while not await done():
                pass
    finally:
        await journal.close()
