"""Worker processes from the parent's side: starting, asking, killing, replacing.

The parent never loads PyMuPDF. Every request has a wall limit; a worker that hangs, dies or talks nonsense is
ended and replaced. Waiting requests are served by priority, so an answer's page goes before an ingestion.
"""

import asyncio
import contextlib
import dataclasses
import heapq
import itertools
import json
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from adapters import children
from adapters.pymupdf.protocol import (
    KEYS,
    FrameKind,
    ProtocolError,
    WorkerLimits,
    decode_json,
    receive,
    send_json,
)
from core.errors import Broken, Refused

T = TypeVar("T")


PATIENCE = 4.0
"""How long a request waits for a running process before another one is started, as a multiple of the time
that a start takes: a start costs as much computing as several pages, and on a busy machine everything takes
longer."""


class WorkerDied(Exception):
    """The process ended in the middle of a request; `number` is the signal that ended it, or 0."""

    def __init__(self, number: int) -> None:
        super().__init__(f"the reader process ended (signal {number})")
        self.number = number


class WorkerReply(NamedTuple):
    """The response to a request: JSON objects, pages in their wire form, bytes."""

    infos: list[dict[str, Any]]
    pages: list[bytes]
    blob: bytes


class WorkerProcess:
    """One contained process and the socket to it. Blocking; used by one thread at a time."""

    def __init__(self, limits: WorkerLimits) -> None:
        """Start it. Raises Broken if it does not come up."""
        self._limits = limits
        self._socket, theirs = socket.socketpair()
        arguments = [str(theirs.fileno()), json.dumps(dataclasses.asdict(limits))]
        self._process = children.started("adapters.pymupdf.worker", theirs, *arguments)
        self.opened: object = None
        self._requests = 0
        self.held = self._greeting()

    def _greeting(self) -> tuple[str, ...]:
        self._socket.settimeout(self._limits.start_timeout)
        try:
            return tuple(map(str, decode_json(receive(self._socket, 1 << 16)[1])["held"]))
        except (EOFError, OSError, ProtocolError, KeyError) as error:
            self.end()
            raise Broken("pdf.no_reader", f"the reader process does not start: {error!r}") from error

    def ask(
        self, do: str, *, pages: int, file: int | None = None, room: int | None = None, **values: Any
    ) -> WorkerReply:
        """Send a request, `file` being a descriptor to pass on, and collect its answer, of at most `room`
        bytes. Raises Refused, WorkerDied."""
        self._requests += 1
        deadline = time.monotonic() + self._limits.wall_seconds(pages)
        try:
            socket.send_fds(self._socket, [b"."], [] if file is None else [file])
            send_json(self._socket, FrameKind.REQUEST, {"do": do, "pages": pages, **values})
            return self._collect(deadline, room or self._limits.max_output)
        except TimeoutError as error:
            self.end()
            raise Refused(
                "pdf.too_slow", "reading took too long; export the file as a PDF again, or split it"
            ) from error
        except ProtocolError as error:
            self.end()
            raise Refused("pdf.broken", f"the reader process gave no sense: {error}") from error
        except (EOFError, ConnectionError) as error:
            raise self._reason() from error

    def _collect(self, deadline: float, room: int) -> WorkerReply:
        answer = WorkerReply([], [], b"")
        while True:
            self._socket.settimeout(max(0.001, deadline - time.monotonic()))
            kind, payload = receive(self._socket, room)
            room -= len(payload)
            if kind is FrameKind.DONE:
                return answer
            if kind is FrameKind.INFO:
                answer.infos.append(decode_json(payload))
            elif kind is FrameKind.PAGE:
                answer.pages.append(payload)
            elif kind is FrameKind.BYTES:
                answer = answer._replace(blob=payload)
            else:
                raise _refusal(decode_json(payload))

    def _reason(self) -> Exception:
        """Why the process is gone."""
        self._socket.close()
        try:
            number = -self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.end()
            number = 0
        if number == signal.SIGXCPU:
            return Refused(
                "pdf.too_slow", "reading took too much computing time; export the file as a PDF again"
            )
        return WorkerDied(max(0, number))

    @property
    def worn(self) -> bool:
        """Whether the process has ended or should be replaced before the next request."""
        if self._process.poll() is not None or self._requests >= self._limits.max_requests:
            return True
        return children.resident(self._process) > self._limits.max_resident

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def end(self) -> None:
        """Kill the process and wait for it."""
        children.kill(self._process)
        self._socket.close()


def _refusal(value: dict[str, Any]) -> Refused:
    key = value.get("key")
    detail = str(value.get("detail", ""))[:500]
    return Refused(key if key in KEYS else "pdf.broken", detail)


class WorkerPool:
    """At most `size` processes, started when needed and kept warm."""

    def __init__(self, size: int, limits: WorkerLimits) -> None:
        self._limits = limits
        self._free, self._unused = 1, size - 1
        self._starting, self._start_s, self._ready_at = 0, 0.5, 0.0
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="pdf")

    async def run(self, task: Callable[[WorkerProcess], T], *, urgent: bool, opened: object = None) -> T:
        """Run `task` with a worker in a thread, preferably an idle one that has the file `opened`; a
        cancelled task's worker is killed."""
        async with self._slot(urgent):
            process = self._take(opened)
            try:
                if process is None:
                    process = await self._started()
                self._busy.add(process)
                done = process
                return await self._in_thread(lambda: task(done))
            except asyncio.CancelledError:
                if process is not None:
                    process.end()
                raise
            finally:
                self._give_back(process)

    async def _started(self) -> WorkerProcess:
        self._starting += 1
        before = time.monotonic()
        try:
            return await self._in_thread(lambda: children.come_up(lambda: WorkerProcess(self._limits)))
        finally:
            self._starting -= 1
            self._ready_at = time.monotonic()
            self._start_s = self._ready_at - before

    async def _in_thread(self, function: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    def _take(self, opened: object) -> WorkerProcess | None:
        self._idle.sort(key=lambda process: opened is not None and process.opened == opened)
        while self._idle:
            process = self._idle.pop()
            if not process.worn:
                return process
            process.end()
        return None

    def _give_back(self, process: WorkerProcess | None) -> None:
        if process is None:
            return
        self._busy.discard(process)
        if process.worn:
            process.end()
        else:
            self._idle.append(process)

    @contextlib.asynccontextmanager
    async def _slot(self, urgent: bool) -> AsyncIterator[None]:
        if self._free:
            self._free -= 1
        else:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (0 if urgent else 1, next(self._order), turn))
            asyncio.get_running_loop().call_later(PATIENCE * self._start_s, self._one_more, turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._next()
                raise
        try:
            yield
        finally:
            self._next()

    def _one_more(self, turn: asyncio.Future[None]) -> None:
        """Start another process if `turn` has not come yet; waits for a process that is being started."""
        if turn.done() or not self._unused:
            return
        wait = self._ready_at + PATIENCE * self._start_s - time.monotonic()
        if self._starting or wait > 0:
            asyncio.get_running_loop().call_later(max(wait, 0.1), self._one_more, turn)
            return
        self._unused -= 1
        self._next()

    def _next(self) -> None:
        """Hand a free slot to the first in the queue."""
        while self._waiting:
            turn = heapq.heappop(self._waiting)[2]
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of the workers that run."""
        return tuple(process.pid for process in (*self._idle, *self._busy))

    def close(self) -> None:
        """End all processes and threads."""
        for process in (*self._idle, *self._busy):
            process.end()
        self._idle.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
