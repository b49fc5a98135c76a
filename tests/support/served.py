"""`fundstelle serve` as an operator runs it, in a process of its own, observed from outside."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil
import sqlalchemy as sa

from adapters.database.mapping import INBOX, OUTBOX

STARTS_WITHIN_S = 120.0
FUNDSTELLE = Path(sys.executable).with_name("fundstelle")


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Bytes of the process and its children. Resident memory counts pages that several of them share once for
    each; proportional memory (Linux) counts each page once."""

    resident: int
    proportional: int
    own: int
    """Proportional memory of the serving process alone."""


class Served:
    """The command on a data folder whose settings name the platforms; or another `command` that serves it."""

    def __init__(self, folder: Path, command: Sequence[str] = ()) -> None:
        self._folder = folder
        self._command = [*command] or [str(FUNDSTELLE), "serve", "--data", str(folder)]

    def __enter__(self) -> Self:
        with (self._folder / "serve.log").open("wb") as log:
            self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=log)
        self._journal = sa.create_engine(f"sqlite:///file:{self._folder}/fundstelle.sqlite3?mode=ro&uri=true")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(20)
        finally:
            self._process.kill()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._journal.dispose()

    def wait(self) -> None:
        """Wait until the process has ended by itself."""
        self._process.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def log(self) -> str:
        return (self._folder / "serve.log").read_text()

    async def ready(self) -> str:
        """Its output when it can answer."""
        assert self._process.stdout is not None
        async with asyncio.timeout(STARTS_WITHIN_S):
            line = await asyncio.to_thread(self._process.stdout.readline)
        assert b"serving" in line, self.log[-3000:]
        return line.decode().strip()

    def states(self, table: sa.Table) -> dict[str, int]:
        """How many rows of the inbox or outbox are in which state."""
        query = sa.select(table.c.state, sa.func.count().label("rows")).group_by(table.c.state)
        with self._journal.connect() as connection:
            return {row.state: row.rows for row in connection.execute(query)}

    @property
    def taken_over(self) -> int:
        """Messages in the inbox."""
        return sum(self.states(INBOX).values())

    async def settled(self, messages: int, *, every_s: float = 0.03, within_s: float = 600.0) -> None:
        """Wait until so many messages were accepted, and everything is answered and sent."""

        async with asyncio.timeout(within_s):
            while not self._is_settled(messages):  # noqa: ASYNC110 - another process
                await asyncio.sleep(every_s)

    def _is_settled(self, messages: int) -> bool:
        assert self._process.poll() is None, self.log[-3000:]
        inbox, outbox = self.states(INBOX), self.states(OUTBOX)
        open_ = [inbox.get(name, 0) for name in ("waiting", "working")]
        open_ += [outbox.get(name, 0) for name in ("pending", "sending")]
        return sum(inbox.values()) >= messages and not any(open_)

    @property
    def dead(self) -> int:
        """Messages and parts that were given up."""
        return sum(
            self.states(table).get(name, 0)
            for table in (INBOX, OUTBOX)
            for name in ("dead", "failed", "unknown")
        )

    @property
    def processes(self) -> list[psutil.Process]:
        """The process and its children."""
        parent = psutil.Process(self.pid)
        return [parent, *parent.children(recursive=True)]

    def memory(self) -> Memory:
        each = [process.memory_full_info() for process in self.processes]
        return Memory(
            resident=sum(one.rss for one in each),
            proportional=sum(one.pss for one in each),
            own=each[0].pss,
        )
