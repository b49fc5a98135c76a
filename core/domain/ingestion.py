"""Ingestion requests and their results, and sources that are checked regularly."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

from core.domain.documents import DocumentFields, DocumentVersion
from core.domain.ids import DocumentId
from core.domain.pages import Page
from core.message_keys import ErrorKey

Accept = Callable[[DocumentVersion, Sequence[Page]], Awaitable[None]]
"""Inspects a version that was read, before any of it is saved. Raises Refused to keep it out."""

Presume = Callable[[DocumentFields, str, Sequence[Page]], Awaitable[DocumentFields]]
"""Returns the fields of a file of that name, completed by those that nobody stated but its pages clearly
show."""


class IngestStatus(StrEnum):
    """The outcome of ingesting a file."""

    INDEXED = "indexed"
    UNCHANGED = "unchanged"
    DUPLICATE = "duplicate"
    UPDATED = "updated"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestRequest:
    """A file to ingest. `path` is where its bytes are now; `fields` holds only what was stated: an empty
    title or language is guessed from the file. `separate` creates a new document even if the key is taken;
    `stated` names the fields that a person or manifest supplied; `accept` may still refuse a version that has
    to be read; `presume` fills in what nobody stated."""

    path: Path
    key: str
    file: str
    collection: str
    fields: DocumentFields
    stated: frozenset[str] = frozenset()
    separate: bool = False
    accept: Accept | None = None
    presume: Presume | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReceipt:
    """The result of ingesting one file. `presumed`: fields that nobody stated, with values inferred from the
    file; `warnings` and `error` are message keys with their values; `seconds` holds total, read and embed. If
    an operator has to look into it, the log has details under `trace`."""

    file: str
    status: IngestStatus
    document: DocumentId | None = None
    title: str = ""
    pages: int = 0
    pages_ocr: int = 0
    pages_without_text: int = 0
    passages: int = 0
    hidden_characters: int = 0
    presumed: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    error: tuple[ErrorKey, str] | None = None
    trace: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def notable_warnings(self) -> list[str]:
        """The warnings, without the one about pages that need OCR if another warning says how that went."""
        tried = any(each.startswith("ocr.") and not each.startswith("ocr.read") for each in self.warnings)
        return [
            each for each in self.warnings if not (tried and each.startswith(("pages.scan", "pages.garbled")))
        ]


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


Progress = Callable[[int, int], None]
"""Called with (done, total), no more often than is worth showing."""
