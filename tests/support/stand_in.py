"""Stand-ins for chat services, each in its own process, and the controls for tests."""

import asyncio
import base64
import contextlib
import json
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from core.ports.chat import ChatPlatform
from core.ports.clock import Clock
from tests.support.chat_harness import RecordingInbox
from tests.support.repository import ROOT


class SystemClock(Clock):
    """Stand-ins stamp their messages with the time of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


CLOCK = SystemClock()


class StandIn:
    """One server process, while the context lasts. It reports its address, and the secrets that it accepts,
    in one line of JSON (`begun`), and ends with its standard input. `do` calls a verb of its `control.py`."""

    module = ""
    """The module to run."""

    python: Path
    """The interpreter that runs it."""

    folder = ROOT
    """Where it runs."""

    @property
    def command(self) -> list[str]:
        assert self.python.exists(), f"{self.module} is not installed: run `make test-servers`"
        return [str(self.python), "-m", self.module]

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(self.command, cwd=self.folder, stdin=pipe, stdout=pipe)
        assert self._process.stdout is not None
        self.begun: dict[str, str] = json.loads(self._process.stdout.readline())
        self.address = self.begun["address"]
        self.client = httpx.Client(base_url=self.address, timeout=20, trust_env=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        finally:
            self._process.kill()
            self._process.stdout.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, verb: str, **arguments: Any) -> Any:
        answer = self.client.post(f"/control/{verb}", json=arguments)
        answer.raise_for_status()
        return answer.json()

    async def do(self, verb: str, **arguments: Any) -> Any:
        return await asyncio.to_thread(self.ask, verb, **arguments)


class StandInHarness(ABC):
    """People in the chats of a stand-in, and the adapter against it."""

    groups = True
    editable = True
    reactions = True
    draws = frozenset({"quote", "bold", "struck"})

    def __init__(self, server: Any) -> None:
        self.server = server
        self.inbox = RecordingInbox()
        self._fresh = True

    @abstractmethod
    def made(self) -> ChatPlatform:
        """The adapter, of a process that starts now."""

    @abstractmethod
    async def connected(self) -> None:
        """Wait until the adapter receives events."""

    @property
    def platform(self) -> ChatPlatform:
        return self._platform

    async def start(self) -> None:
        if self._fresh:
            await self.server.do("reset")
            self._fresh = False
        self._platform = self.made()
        self._running = asyncio.create_task(self._platform.run(self.inbox))
        await self.connected()

    async def stop(self) -> None:
        self._running.cancel()
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await self._running
        finally:
            await self._platform.close()

    async def close(self) -> None:
        await self.stop()
        assert await self.server.do("violations", clear=True) == []


def as_files(files: Sequence[tuple[str, bytes]]) -> list[dict[str, Any]]:
    """Files by name and content, as the control interface takes them."""
    return [{"name": name, "content": base64.b64encode(content).decode()} for name, content in files]
