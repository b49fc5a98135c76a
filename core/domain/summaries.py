"""Summaries of a topic: stored with their sources, numbered, and shown again unchanged."""

import json
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.domain.answers import Citation, Claim, Notice, Rejected
from core.domain.documents import Document
from core.domain.ids import VersionId
from core.domain.scope import Missing, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A name and its scope: the same name in another scope is a different topic."""

    name: str
    scope: Scope

    @property
    def key(self) -> str:
        """A key that identifies the topic regardless of the case of its name and the order of its filters."""
        scope = self.scope
        return json.dumps(
            [
                folded(self.name),
                sorted(scope.collections),
                sorted(scope.jurisdictions),
                sorted(scope.parties),
                sorted(scope.doc_types),
                sorted(scope.documents),
                sorted(scope.editions),
                scope.as_of.isoformat() if scope.as_of else None,
            ],
            ensure_ascii=False,
        )


def folded(name: str) -> str:
    """A topic's name normalised for comparison."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryDraft:
    """A summary before it is stored. `scope` is the one searched, including what the topic's name specifies;
    `prompt` (name and version) is set if a model wrote it. Without claims there was no evidence, and nothing
    is stored."""

    topic: Topic
    language: str
    made_at: datetime
    scope: Scope
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]
    missing: tuple[Missing, ...]
    confidence: float
    notices: tuple[Notice, ...]
    rejected: tuple[Rejected, ...]
    answerer: str
    prompt: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(SummaryDraft):
    """A stored summary. `id` is unique in the library, `number` counts the summaries of its topic from 1."""

    id: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryEntry:
    """A summary as listings show it. `versions` are those it quotes, without repetition."""

    id: int
    number: int
    topic: Topic
    scope: Scope
    made_at: datetime
    answerer: str
    versions: tuple[VersionId, ...]


class SourceChangeKind(StrEnum):
    """How a source has changed since a summary quoted it."""

    NEW_VERSION = "new_version"  # the document has other bytes now
    NEW_EDITION = "new_edition"  # a newer edition of the series is valid now, or this one has expired
    REMOVED = "removed"  # the document was deleted


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceChange:
    """A source that has changed, and the labels of the quotes from it."""

    kind: SourceChangeKind
    document: Document
    labels: tuple[str, ...]
