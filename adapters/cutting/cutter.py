"""The Cutter in a separate process, which is killed if it takes too long, whatever it is doing.

A backtracking pattern can hold the interpreter indefinitely, so a time limit needs another process. It is
started on demand, kept warm, and replaced when it has ended or grown too large.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, TypeVar

from adapters import children
from core.errors import Broken, FailedElsewhere, Refused

if TYPE_CHECKING:
    from adapters.cutting.child import WireKind
    from core.domain.documents import DocumentFields
    from core.domain.pages import Page, PageReading
    from core.domain.passages import Passage, Reference
    from core.library.chunking.chunker import ChunkResult
    from core.library.chunking.packing import CountTokens

_MIB = 1 << 20
_TOO_SLOW = "its text takes too long to cut into passages; export the file as a PDF again, or bring its parts"
_TOO_LARGE = "its text takes too much memory to cut into passages; bring the file in parts"
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class CutLimits:
    """What cutting one document may use. Sizes in bytes, times in seconds. Real documents take a microsecond
    a character. Long computations are ended by the CPU limit; the wall-clock limit is for hangs, and generous
    enough for a busy machine."""

    base: float = 10.0
    per_character: float = 40e-6
    most: float = 300.0
    wall_factor: float = 12.0
    address_space: int = 2048 * _MIB
    max_answer: int = 512 * _MIB
    max_resident: int = 300 * _MIB
    start_timeout: float = 60.0

    def cpu_seconds(self, characters: int) -> float:
        """CPU time allowed for a text."""
        return min(self.most, self.base + self.per_character * characters)


class ProcessCutter:
    """See `core.library.cutting.Cutter`. One document at a time."""

    def __init__(self, limits: CutLimits | None = None) -> None:
        self._limits = limits or CutLimits()
        self._turn = asyncio.Lock()
        self._process: _Process | None = None

    async def cut(
        self, readings: Sequence[PageReading], fields: DocumentFields, count_tokens: CountTokens
    ) -> tuple[tuple[Page, ...], ChunkResult]:
        from adapters.cutting import child
        from adapters.pages import packed
        from core.library.furniture import with_asides

        size = sum(len(item.page.text) for item in readings)

        def work(process: _Process) -> tuple[tuple[Page, ...], ChunkResult]:
            body = child.CUT.dump_json((list(map(packed, readings)), fields))
            said = process.ask(child.WireKind.CUT, body, self._limits.cpu_seconds(size), count_tokens)
            asides, cut = child.ASIDES_AND_PASSAGES.validate_json(said)
            pages = [item.page for item in readings]
            marked = (with_asides(page, *map(set, own)) for page, own in zip(pages, asides, strict=True))
            return tuple(marked), cut

        return await self._run(work)

    async def references(self, passages: Sequence[Passage], fields: DocumentFields) -> tuple[Reference, ...]:
        from adapters.cutting import child

        size = sum(len(passage.text) for passage in passages)

        def work(process: _Process) -> tuple[Reference, ...]:
            body = child.FIND_REFERENCES.dump_json((tuple(passages), fields))
            said = process.ask(child.WireKind.REFERENCES, body, self._limits.cpu_seconds(size))
            return child.REFERENCES.validate_json(said)

        return await self._run(work)

    async def close(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None

    @property
    def pid(self) -> int | None:
        """Process id, if there is a process."""
        return self._process.pid if self._process else None

    async def _run(self, work: Callable[[_Process], T]) -> T:
        async with self._turn:
            process = await asyncio.to_thread(self._ready)
            try:
                return await asyncio.to_thread(work, process)
            except asyncio.CancelledError:
                self._process = None  # the waiting thread continues and closes its socket
                process.kill()
                raise

    def _ready(self) -> _Process:
        if self._process is None or self._process.is_worn:
            if self._process is not None:
                self._process.end()
            self._process = children.come_up(lambda: _Process(self._limits))
        return self._process


class _Process:
    """The process and the socket to it. Blocking; used by one thread at a time."""

    def __init__(self, limits: CutLimits) -> None:
        self._limits = limits
        ours, theirs = socket.socketpair()
        wanted = {"socket": theirs.fileno(), "address_space": limits.address_space}
        self._process = children.started("adapters.cutting.child", theirs, json.dumps(wanted))
        self._connection = Connection(ours.detach())
        self._greeted()

    def _greeted(self) -> None:
        try:
            self._received(time.monotonic() + self._limits.start_timeout)
        except (EOFError, OSError, ValueError, Refused) as error:
            self.end()
            raise Broken("text.no_cutter", f"the process that cuts does not start: {error!r}") from error

    def ask(
        self, kind: WireKind, body: bytes, seconds: float, count_tokens: CountTokens | None = None
    ) -> bytes:
        """The answer to a request that may take `seconds` of CPU time. Raises Refused, FailedElsewhere."""
        from adapters.cutting import child
        from adapters.cutting.child import WireKind

        deadline = time.monotonic() + self._limits.wall_factor * seconds
        try:
            self._connection.send_bytes(b"".join((int(seconds).to_bytes(4, "big"), kind.value, body)))
            while True:
                kind, body = self._received(deadline)
                if kind is not WireKind.COUNT or count_tokens is None:
                    break
                asked = time.monotonic()
                counts = count_tokens(child.TEXTS.validate_json(body))
                deadline += time.monotonic() - asked  # the encoder may have to be loaded first
                self._connection.send_bytes(child.COUNTS.dump_json(counts))
        except (EOFError, OSError) as error:
            raise self._refusal() from error
        except BaseException:
            self.end()  # it waits for something that will never come
            raise
        if kind is WireKind.DONE:
            return body
        if kind is WireKind.MEMORY:
            raise Refused("text.too_large", _TOO_LARGE)
        raise FailedElsewhere(*_failure(body))

    def _received(self, deadline: float) -> tuple[WireKind, bytes]:
        from adapters.cutting.child import WireKind

        if not self._connection.poll(max(0.0, deadline - time.monotonic())):
            raise Refused("text.too_slow", _TOO_SLOW)
        message = self._connection.recv_bytes(self._limits.max_answer)
        return WireKind(message[:1]), message[1:]

    def _refusal(self) -> Refused:
        """Why the process is gone."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        number = -(self._process.returncode or 0)
        self.end()
        if number == signal.SIGXCPU:
            return Refused("text.too_slow", _TOO_SLOW)
        return Refused("text.too_large", _TOO_LARGE)

    @property
    def is_worn(self) -> bool:
        """Whether it has ended, or uses more memory than it should."""
        if self._process.poll() is not None or self._connection.closed:
            return True
        return children.resident(self._process) > self._limits.max_resident

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def kill(self) -> None:
        """Kill the process and wait for it."""
        children.kill(self._process)

    def end(self) -> None:
        """Kill the process and close the socket, which nobody may be waiting at."""
        self.kill()
        self._connection.close()


def _failure(body: bytes) -> tuple[str, list[str]]:
    from adapters.cutting import child

    kind, *frames = child.TEXTS.validate_json(body)
    return kind, frames
