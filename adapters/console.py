"""The console as a chat platform: every line is a message, files are shown by their path."""

import asyncio
import itertools
import shutil
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TextIO

from core.domain.messages import (
    Attachment,
    Capabilities,
    Contact,
    Exposure,
    Finding,
    IncomingMessage,
    MessageRef,
    Outgoing,
    Recovery,
)
from core.domain.rich_text import Block, RichText, Run, Style, plain, runs, with_signs
from core.errors import Refused
from core.ports.chat import Inbox
from core.ports.clock import Clock

END = ("/quit", "/exit", "/ende")
"""Lines that end the conversation, as does the end of input."""

UPLOAD = "/upload "
"""Prefix of a line that sends a file by its path; the rest after the path is the caption."""

_EMPHASIS = {"1": {Style.HEADING, Style.BOLD}, "2": {Style.SMALL}, "9": {Style.STRUCK}}


class ConsolePlatform:
    """Reads lines from a stream and writes replies with `write`; `bold`: the terminal supports bold type."""

    name = "console"

    def __init__(
        self, *, lines: TextIO, write: Callable[[str], None], clock: Clock, chat: str, bold: bool = False
    ) -> None:
        self.contact = Contact()
        self._lines = lines
        self._write = write
        self._clock = clock
        self._chat = chat
        self._bold = bold
        self._session = uuid.uuid4().hex[:8]

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            max_text=None,
            max_caption=None,
            max_file_bytes=None,
            threads=False,
            edits=False,
            buttons=False,
            typing=False,
            recovery=Recovery.RESEND,
        )

    def length(self, text: Block) -> int:
        return len(text)

    async def run(self, inbox: Inbox) -> None:
        for number in itertools.count(1):
            self.contact.made(self._clock.now())
            line = await asyncio.to_thread(self._lines.readline)
            text = line.strip()
            if not line or text.lower() in END:
                return
            if text:
                await inbox.accept([self._message(text, f"{self._session}-{number}")])

    def _message(self, text: str, event: str) -> IncomingMessage:
        ref = MessageRef(platform="console", workspace="", chat=self._chat, thread=None, message=event)
        attachments: tuple[Attachment, ...] = ()
        if text.startswith(UPLOAD):
            path, _, text = text.removeprefix(UPLOAD).strip().partition(" ")
            attachments = (Attachment(id=path, name=Path(path).name),)
        return IncomingMessage(
            ref=ref,
            sender="console",
            text=text.strip(),
            addressed=True,
            received_at=self._clock.now(),
            event=event,
            direct=True,
            attachments=attachments,
        )

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        files = [f"{self._shown(file.said)}\n  {file.path}" for file in part.files]
        self._write("\n\n".join([text for text in (self._shown(part.said), *files) if text]))
        return (part.key,)

    def _shown(self, text: RichText) -> str:
        return "".join(map(_emphasised, runs(text))) if self._bold else plain(with_signs(text))

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:  # noqa: ARG002 - the port's signature
        """None: never called, since writing again is harmless."""
        return None

    async def delete(self, message: MessageRef) -> None:
        """Do nothing: screen output cannot be deleted."""

    async def react(self, to: MessageRef, emoji: str) -> None:
        """Never called: a line cannot be reacted to."""

    @asynccontextmanager
    async def busy(self, to: MessageRef) -> AsyncIterator[None]:  # noqa: ARG002
        """Show nothing: the answer follows on the next line."""
        yield

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        return await asyncio.to_thread(_copied, attachment, into, max_bytes)

    async def exposure(self, chat: MessageRef) -> Exposure:  # noqa: ARG002
        return Exposure(closed=True, direct=True)

    async def check(self) -> list[Finding]:
        return [Finding(ok=True, what="console")]

    async def close(self) -> None:
        """Nothing is open."""


def _emphasised(run: Run) -> str:
    """Words with terminal escape codes (ECMA-48, 8.3.117)."""
    codes = [code for code, styles in _EMPHASIS.items() if run.styles & styles]
    shown = run.text if run.to in ("", run.text) else f"{run.text} ({run.to})"
    return f"\x1b[{';'.join(codes)}m{shown}\x1b[0m" if codes else shown


def _copied(attachment: Attachment, into: Path, max_bytes: int) -> Path:
    source = Path(attachment.id).expanduser()
    if not source.is_file():
        raise Refused("upload.gone", f"there is no file {source}", name=attachment.name)
    if source.stat().st_size > max_bytes:
        raise Refused("upload.too_large", f"{source} is larger than {max_bytes} bytes", limit=max_bytes)
    return Path(shutil.copy(source, into / source.name))
