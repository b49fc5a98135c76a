"""Sources of documents that are checked regularly, and the results of the checks."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from core.domain.ids import DocumentId

LONGEST_LEASE = timedelta(hours=1)
"""Maximum duration of a lease; one that ends later was written by a wrong clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """The validators a server sent for the bytes at `url` (RFC 9110, sections 8.8.2 and 8.8.3)."""

    url: str
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedContent:
    """Decoded bytes from a source, and the revision to ask about next time."""

    content: bytes
    revision: Revision


class CheckResult(StrEnum):
    """The result of the last check of a source."""

    UNCHANGED = "unchanged"
    INDEXED = "indexed"
    UPDATED = "updated"
    HELD = "held"
    FAILED = "failed"


class HoldReason(StrEnum):
    """Why a change needs approval."""

    VANISHED = "vanished"
    OTHER_KIND = "other_kind"
    SHRANK = "shrank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A change awaiting approval. `sha256` and `original` are those of the held bytes, None if there are
    none; `values` fill in the text about it."""

    reason: HoldReason
    at: datetime
    sha256: str | None = None
    original: str | None = None
    values: dict[str, str | int] = field(default_factory=dict)

    @property
    def sign(self) -> str:
        """A signature that stays the same when the same change is found again."""
        return f"{self.reason.value}:{self.sha256 or ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """The state of a document's source. `failures` counts consecutive failures, `error` is the key of the
    last one. `approved`: the next run takes over the held change. `dismissed` is the signature of the change
    last rejected; nobody is asked about it again."""

    document: DocumentId
    revision: Revision | None = None
    checked_at: datetime | None = None
    result: CheckResult | None = None
    error: str | None = None
    failures: int = 0
    next_run: datetime | None = None
    hold: Hold | None = None
    approved: bool = False
    dismissed: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedFile:
    """A file in a watched folder as last seen; `path` is relative to `folder`."""

    folder: str
    path: str
    size: int
    mtime_ns: int
