"""What one process asks of a chat platform whose session another process has."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.domain.messages import Attachment, Exposure, MessageRef, Outgoing


class CallName(StrEnum):
    """The method of `ChatPlatform`."""

    SEND = "send"
    DELETE = "delete"
    REACT = "react"
    BUSY = "busy"  # until it is dropped
    FETCH = "fetch"
    EXPOSURE = "exposure"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallArguments:
    """The arguments of any of them."""

    to: MessageRef | None = None
    part: Outgoing | None = None
    emoji: str = ""
    attachment: Attachment | None = None
    max_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformCall:
    """Something to be done; `id` is the store's."""

    id: int
    name: CallName
    arguments: CallArguments


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """What came of it: what the method returns, of a file its key in the store, or `error`, an error of ours
    as plain values."""

    messages: tuple[str, ...] = ()
    exposure: Exposure | None = None
    file: str = ""
    error: dict[str, Any] | None = None
