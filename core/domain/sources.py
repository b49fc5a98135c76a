"""Sources of documents that are checked again and again, and what became of it."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from core.domain.ids import DocumentId

LONGEST_LEASE = timedelta(hours=1)
"""No lease is taken for longer; one that ends later than that was written by a clock that was wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What a server said of the bytes at `url` (RFC 9110, sections 8.8.2 and 8.8.3)."""

    url: str
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedContent:
    """Bytes that came from a source, decoded, and the revision to ask about the next time."""

    content: bytes
    revision: Revision


class CheckResult(StrEnum):
    """What became of the last look at a source."""

    UNCHANGED = "unchanged"
    INDEXED = "indexed"
    UPDATED = "updated"
    HELD = "held"
    FAILED = "failed"


class HoldReason(StrEnum):
    """Why a change is not taken over without being asked about."""

    VANISHED = "vanished"
    OTHER_KIND = "other_kind"
    SHRANK = "shrank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A change that waits for approval. `sha256` and `original` are those of the held bytes, None where
    there are none; `values` are what a text about it names."""

    reason: HoldReason
    at: datetime
    sha256: str | None = None
    original: str | None = None
    values: dict[str, str | int] = field(default_factory=dict)

    @property
    def sign(self) -> str:
        """The same for the same change found again."""
        return f"{self.reason.value}:{self.sha256 or ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """What is known of a document's source. `failures` are those in a row, `error` is the last one's key.
    `approved`: the held change is to be taken over with the next run. `dismissed` is the sign of the
    change that was rejected last; it is not asked about again."""

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
    """A file of a watched folder as it was when last seen; `path` is relative to `folder`."""

    folder: str
    path: str
    size: int
    mtime_ns: int
