"""What happens to the quotes in posted answers when their documents change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from core.domain.answers import Citation
from core.domain.documents import Edition
from core.domain.ids import TraceId, VersionId
from core.domain.journal import Pseudonym
from core.domain.records import AnswerRecord, CitationRecord


class Recheck(StrEnum):
    """How a quote fares in the version after the one cited."""

    KEPT = "kept"  # word for word, wherever in the document
    CHANGED = "changed"  # replaced by other words
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Successor:
    """The active version of a document, and when it became active: earlier bytes may come back."""

    version: VersionId
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Rechecked:
    """A citation of an answer checked against `edition`, which has been the current document since `since`.
    `now` is where the quote is, the words that replaced it, or those closest to a quote that is gone; None if
    there are none. `standing` are sentences of the quote still in the document word for word, though their
    surroundings have changed."""

    trace: TraceId
    was: CitationRecord
    edition: Edition
    since: datetime
    outcome: Recheck
    now: Citation | None
    standing: tuple[str, ...] = ()

    @property
    def reading(self) -> str:
        """What the document now says in place of the quote; empty if it is gone."""
        return "" if self.outcome is Recheck.GONE or self.now is None else self.now.quote.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A citation checked against `version`, active since `since`; it is not checked against it again. `said`
    is what its chat was told the document says, None if it was told nothing; `chat` is a pseudonym, `reply`
    the key of the message."""

    trace: TraceId
    label: str
    version: VersionId
    since: datetime
    outcome: Recheck
    said: str | None = None
    chat: Pseudonym | None = None
    reply: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A citation of a record that now points to another version."""

    trace: TraceId
    was: CitationRecord
    now: CitationRecord


def repointed(record: AnswerRecord, moved: Sequence[Moved]) -> AnswerRecord:
    """The record with moved citations in their new places; citations that have changed meanwhile are left
    alone."""
    now = {(item.was.label, item.was.version): item.now for item in moved if item.trace == record.trace}
    citations = (now.get((item.label, item.version), item) for item in record.citations)
    return replace(record, citations=tuple(citations))
