"""A person at a terminal: a command on a pseudo-terminal of its own, read and typed to."""

import asyncio
import contextlib
import os
import pty
import re
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self


class Terminal:
    """A command that runs while the context lasts, and everything that it has shown."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command = list(command)
        self._environment = {**environment, "COLUMNS": "200", "TERM": "dumb"}
        self.shown = ""
        self._seen = 0

    async def __aenter__(self) -> Self:
        self._ours, theirs = pty.openpty()
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=self._environment,
            start_new_session=True,
        )
        os.close(theirs)
        os.set_blocking(self._ours, False)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), 30)
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        os.close(self._ours)

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    async def sees(self, words: str, *, within_s: float = 120.0) -> str:
        """The output up to the first match of `words` not seen before."""
        async with asyncio.timeout(within_s):
            while (found := re.search(words, self.shown[self._seen :], re.S)) is None:
                self.read()
                assert self._process.returncode is None or re.search(words, self._rest(), re.S), self.shown
                await asyncio.sleep(0.02)
        self._seen += found.end()
        return self.shown

    async def ends(self, *, within_s: float = 300.0) -> int:
        """The exit status, once the command has ended by itself."""
        async with asyncio.timeout(within_s):
            while self._process.returncode is None:
                self.read()
                await asyncio.sleep(0.02)
        self._rest()
        return self._process.returncode

    def _rest(self) -> str:
        self.read()
        return self.shown[self._seen :]

    def read(self) -> None:
        """Read the output, so that the command can continue."""
        with contextlib.suppress(OSError):  # nothing there, or nobody there any more
            self.shown += os.read(self._ours, 65536).decode("utf-8", "replace")
