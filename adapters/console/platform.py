"""The console as a chat platform: every line is a message, files are shown by their path."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TextIO

from core.domain.messages import Capabilities, IncomingMessage, MessageRef, Reply
from core.ports import Clock, Inbox

END = ("/quit", "/exit", "/ende")
"""Lines that end the conversation; so does the end of the input."""


class ConsolePlatform:
    """Reads lines from a stream and writes replies with `write`."""

    def __init__(self, *, lines: TextIO, write: Callable[[str], None], clock: Clock, chat: str) -> None:
        self._lines = lines
        self._write = write
        self._clock = clock
        self._chat = chat

    @property
    def capabilities(self) -> Capabilities:
        """No limits, no threads, nothing to click."""
        return Capabilities(
            max_text=None,
            max_caption=None,
            max_file_bytes=None,
            threads=False,
            edits=False,
            buttons=False,
            typing=False,
        )

    async def run(self, inbox: Inbox) -> None:
        """Hand over every line until the input or the conversation ends."""
        for number in itertools.count(1):
            line = await asyncio.to_thread(self._lines.readline)
            text = line.strip()
            if not line or text.lower() in END:
                return
            if text:
                await inbox(self._message(text, number))

    def _message(self, text: str, number: int) -> IncomingMessage:
        ref = MessageRef(platform="console", workspace="", chat=self._chat, thread=None, message=str(number))
        return IncomingMessage(
            ref=ref, sender="console", text=text, addressed=True, received_at=self._clock.now()
        )

    async def send(self, reply: Reply) -> None:
        """Write the blocks, then where the files lie."""
        files = [f"{file.caption}\n  {file.path}" for file in reply.files]
        self._write("\n\n".join([*reply.blocks, *files]))

    @asynccontextmanager
    async def busy(self, to: MessageRef) -> AsyncIterator[None]:  # noqa: ARG002 - the port's signature
        """Nothing to show: the answer follows on the next line."""
        yield
