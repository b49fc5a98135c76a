"""Messages between people and the bot, the same on every platform."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRef:
    """Where a message stands. `chat` is unique within `platform` and `workspace`."""

    platform: str
    workspace: str
    chat: str
    thread: str | None
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """A message as a platform delivered it. `addressed`: it is meant for the bot."""

    ref: MessageRef
    sender: str
    text: str
    addressed: bool
    received_at: datetime
    attachments: tuple[str, ...] = ()
    is_edit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyFile:
    """A file to send: a page, or its preview."""

    name: str
    caption: str
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What goes back: blocks of plain text that may only be parted between each other, and files."""

    to: MessageRef
    blocks: tuple[str, ...]
    files: tuple[ReplyFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a platform can carry; None means no limit."""

    max_text: int | None
    max_caption: int | None
    max_file_bytes: int | None
    threads: bool
    edits: bool
    buttons: bool
    typing: bool
