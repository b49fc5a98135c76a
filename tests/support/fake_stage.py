"""A chat for tests of the conversation: what it shows, who can read it, which files people sent."""

from dataclasses import dataclass, field
from pathlib import Path

from adapters.disk import safe_name
from core.domain.messages import Attachment, Capabilities, Exposure, MessageRef, Recovery
from core.errors import Refused, Unavailable

EVERYTHING = Capabilities(
    max_text=None,
    max_caption=None,
    max_file_bytes=None,
    threads=True,
    edits=True,
    buttons=True,
    typing=True,
    private=True,
    deletes=True,
    recovery=Recovery.RESEND,
)


@dataclass
class FakeStage:
    """`exposures` are the platform's successive responses, the last one repeating; None stands for no
    response."""

    capabilities: Capabilities = EVERYTHING
    exposures: list[Exposure | None] = field(
        default_factory=lambda: [Exposure(closed=True, direct=False, why_open=None)]
    )
    files: dict[str, bytes] = field(default_factory=dict)
    answered: tuple[MessageRef, ...] = ()
    said: list[str] = field(default_factory=list)
    reacted: list[str] = field(default_factory=list)

    @property
    def shown(self) -> str | None:
        return "progress" if self.said else None

    async def show(self, text: str) -> None:
        self.said.append(text)

    async def react(self, emoji: str) -> bool:
        if self.capabilities.reactions:
            self.reacted.append(emoji)
        return self.capabilities.reactions

    async def exposure(self) -> Exposure:
        found = self.exposures[0] if len(self.exposures) == 1 else self.exposures.pop(0)
        if found is None:
            raise Unavailable("platform.unavailable", "the platform does not answer")
        return found

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        content = self.files[attachment.id]
        if len(content) > max_bytes:
            raise Refused("upload.too_large", "too large", limit=max_bytes)
        path = into / safe_name(attachment.name)
        path.write_bytes(content)
        return path

    async def earlier(self) -> tuple[MessageRef, ...]:
        return self.answered
