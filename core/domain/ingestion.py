"""Ingestion requests and their results."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
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
    `stated` names the fields that a person or manifest supplied; `accept` has the last word on a version that
    has to be read; `presume` fills in what nobody stated."""

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
