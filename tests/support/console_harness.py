"""The console for the shared suite: a pipe as keyboard, a list as screen."""

import asyncio
import contextlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from adapters.console import ConsolePlatform
from tests.support.chat_harness import RecordingInbox, Shown, ShownFile
from tests.support.world import FixedClock

CHAT = "console"

LONGEST_PATH = 250
"""Characters; a quote is longer."""


class ConsoleHarness:
    """One person at one keyboard: no groups, nothing to edit, nobody else to read along."""

    groups = False
    editable = False
    reactions = False
    draws = frozenset[str]()

    def __init__(self) -> None:
        self.inbox = RecordingInbox()
        self._screen: list[str] = []
        self._folder = tempfile.TemporaryDirectory()
        self._said = 0

    @property
    def platform(self) -> ConsolePlatform:
        return self._platform

    async def start(self) -> None:
        read, write = os.pipe()
        self._lines, self._keys = os.fdopen(read, encoding="utf-8"), os.fdopen(write, "w", encoding="utf-8")
        self._platform = ConsolePlatform(
            lines=self._lines, write=self._screen.append, clock=FixedClock(), chat=CHAT
        )
        self._running = asyncio.create_task(self._platform.run(self.inbox))

    async def stop(self) -> None:
        self._keys.close()  # the end of the input: a thread that waits for a line cannot be cancelled
        await self._running
        self._lines.close()
        await self._platform.close()

    async def close(self) -> None:
        with contextlib.suppress(ValueError):
            await self.stop()
        self._folder.cleanup()

    async def direct(self) -> str:
        return CHAT

    async def say(
        self,
        chat: str,
        text: str,
        *,
        by: str = "ann",
        reply_to: str | None = None,
        thread: str | None = None,
        files: Sequence[tuple[str, bytes]] = (),
    ) -> str:
        for name, content in files:
            path = Path(self._folder.name) / name
            await asyncio.to_thread(path.write_bytes, content)
            text = f"/upload {path} {text}"
        print(text, file=self._keys, flush=True)
        self._said += 1
        return str(self._said)

    async def shown(self, chat: str) -> list[Shown]:
        return [await asyncio.to_thread(_shown, text) for text in self._screen]

    async def group(self) -> str:
        nothing_of_that()

    def asking(self, question: str) -> str:
        return question

    async def edit(self, chat: str, message: str, text: str) -> None:
        nothing_of_that()

    async def press(self, chat: str, message: str, command: str, *, by: str = "ann") -> None:
        nothing_of_that()

    async def react(self, chat: str, message: str, emoji: str, *, by: str = "ann") -> None:
        nothing_of_that()

    async def reacted(self, chat: str, message: str) -> list[str]:
        nothing_of_that()

    async def busy_signs(self, chat: str) -> int:
        nothing_of_that()

    async def make_public(self, chat: str) -> None:
        nothing_of_that()

    async def remove_bot(self, chat: str) -> None:
        nothing_of_that()

    async def redeliver(self) -> None:
        """A line is read once."""


def _shown(written: str) -> Shown:
    """Blocks as the console writes them: a file is its caption, then its path on a line of its own."""
    texts: list[str] = []
    files: list[ShownFile] = []
    for block in written.split("\n\n"):
        caption, _, path = block.rpartition("\n  ")
        if path and len(path) < LONGEST_PATH and Path(path).is_file():
            files.append(ShownFile(name=Path(path).name, content=Path(path).read_bytes(), caption=caption))
        else:
            texts.append(block)
    return Shown(ids=(), text="\n\n".join(texts), files=tuple(files))


def nothing_of_that() -> NoReturn:
    """Tests ask what a platform has before they use it."""
    pytest.fail("the console has no such thing")
