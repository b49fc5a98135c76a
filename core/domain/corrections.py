"""What becomes of the quotes of posted answers when their documents change."""

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
    """How a quote stands in the version that came after the one cited."""

    KEPT = "kept"  # word for word, wherever in the document
    CHANGED = "changed"  # other words stand in its place
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Successor:
    """The active version of a document, and since when it is that: bytes may come back."""

    version: VersionId
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Rechecked:
    """A citation of an answer held against `edition`, the document as it is now and `since` then. `now` is
    where the quote stands, the words in its place, or the nearest ones of a quote that is gone; None where
    there are none. `standing` are sentences of the quote that the document has word for word, though what
    stands beside them has changed."""

    trace: TraceId
    was: CitationRecord
    edition: Edition
    since: datetime
    outcome: Recheck
    now: Citation | None
    standing: tuple[str, ...] = ()

    @property
    def reading(self) -> str:
        """What the document says in the place of the quote; empty where it is gone."""
        return "" if self.outcome is Recheck.GONE or self.now is None else self.now.quote.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A citation that was held against `version`, the active one `since` then, once for all. `said` is what
    its chat was told that the document says, None where it was told nothing; `chat` a pseudonym; `reply` the
    key of the message."""

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
    """A citation of a record that points to another version from now on."""

    trace: TraceId
    was: CitationRecord
    now: CitationRecord


def repointed(record: AnswerRecord, moved: Sequence[Moved]) -> AnswerRecord:
    """A record whose citations stand where they have moved to; those that are others by now stay."""
    now = {(item.was.label, item.was.version): item.now for item in moved if item.trace == record.trace}
    citations = (now.get((item.label, item.version), item) for item in record.citations)
    return replace(record, citations=tuple(citations))
