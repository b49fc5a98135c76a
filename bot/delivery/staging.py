"""The chat while a message is being answered, on any platform."""

import uuid
from dataclasses import dataclass
from pathlib import Path

from core.domain.messages import Attachment, Capabilities, Exposure, IncomingMessage, MessageRef, Outgoing
from core.domain.rich_text import Block, rich
from core.errors import FundstelleError
from core.ports.chat import ChatPlatform
from core.ports.journal import Journal


@dataclass(slots=True)
class PlatformStage:
    """What cannot wait for the reply goes to the platform directly. `key` is what the keys of all replies
    to the message begin with."""

    platform: ChatPlatform
    message: IncomingMessage
    journal: Journal
    key: str
    _resumed: bool = False
    _shown: str | None = None
    _said: Block = ""

    @property
    def capabilities(self) -> Capabilities:
        """What the platform can carry."""
        return self.platform.capabilities

    @property
    def shown(self) -> str | None:
        """The message that says how far it is."""
        return self._shown

    async def show(self, text: Block) -> None:
        """Say how far it is, in place. Nobody needs it, so what cannot be said is left out."""
        fits = self.capabilities.max_text is None or self.platform.length(text) <= self.capabilities.max_text
        if not self.capabilities.edits or text == self._said or not fits:
            return
        if self._resumed and self._shown is None:  # its message may be on its way
            await self.resume()
            if self._shown is None:
                return
        said, key = rich(text), f"p{uuid.uuid4().hex}"
        part = Outgoing(key=key, to=self.message.ref, text=said.text, marks=said.marks, replaces=self._shown)
        try:
            sent = await self.platform.send(part)
        except FundstelleError:
            return
        self._said = text
        self._shown = self._shown or (sent[0] if sent else None)

    async def resume(self) -> None:
        """Go on in the first message that answered, which `show` then edits, as soon as it was sent."""
        self._resumed = True
        earlier = await self.earlier()
        self._shown = earlier[0].message if earlier and self.capabilities.edits else None

    async def exposure(self) -> Exposure:
        """Who can read the chat now."""
        return await self.platform.exposure(self.message.ref)

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        """Download a file that came with the message."""
        return await self.platform.fetch(attachment, into, max_bytes=max_bytes)

    async def earlier(self) -> tuple[MessageRef, ...]:
        """What answered this message before it was edited."""
        return tuple(await self.journal.last_reply(self.key))
