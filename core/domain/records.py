"""Records of answers, complete enough to see later how an answer came about."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum

from core.domain.answers import Citation, Claim, Outcome, Quote, Rejected, Verdict
from core.domain.documents import Edition
from core.domain.ids import DocumentId, PassageId, TraceId, VersionId
from core.domain.journal import Pseudonym
from core.domain.pages import TextSource
from core.domain.passages import PassageKind, Section, Span
from core.domain.scope import Detected, Missing, Scope
from core.domain.search import QuestionKind, Space


class RecordKind(StrEnum):
    """Which use case answered."""

    ANSWER = "answer"
    COMPARISON = "comparison"
    MOTION = "motion"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTexts:
    """The question and every text derived from it, which are deleted before the rest. `outputs` is what a
    model wrote in each attempt."""

    question: str
    queries: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    rejected: tuple[Rejected, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRecord:
    """How the question was searched, without its words."""

    kind: QuestionKind
    groups: int
    quota: int
    detected: Detected


@dataclass(frozen=True, slots=True, kw_only=True)
class HitRecord:
    """A passage that was found. `in_context`: it was available for the answer."""

    passage: PassageId
    version: VersionId
    title: str
    pages: tuple[int, ...]
    score: float
    scores: dict[Space, float]
    found_by: tuple[str, ...]
    trail: tuple[str, ...]
    in_context: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationRecord:
    """A citation as shown. `effective` is the document's own date."""

    label: str
    document: DocumentId
    title: str
    version: VersionId
    effective: date | None
    passage: PassageId | None
    section: Section | None
    spans: tuple[Span, ...]
    quote: str
    verdict: Verdict
    text_source: TextSource
    printed_labels: tuple[str | None, ...]
    passage_kind: PassageKind = PassageKind.PROSE
    carrying: tuple[Span, ...] = ()
    key_words: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, citation: Citation) -> "CitationRecord":
        """A citation without its document, which is known by its id."""
        document, version = citation.edition.document, citation.edition.version
        return cls(
            label=citation.label,
            document=document.id,
            title=document.fields.title,
            version=version.id,
            effective=document.fields.valid_from,
            passage=citation.passage,
            section=citation.section,
            spans=citation.quote.spans,
            quote=citation.quote.text,
            verdict=citation.verdict,
            text_source=citation.text_source,
            printed_labels=citation.printed_labels,
            passage_kind=citation.kind,
            carrying=citation.carrying,
            key_words=citation.key_words,
        )

    def moved(self, now: Citation) -> "CitationRecord":
        """The record where its words stand at another place now."""
        kept = ("label", "quote", "verdict", "carrying", "key_words")
        return replace(CitationRecord.of(now), **{name: getattr(self, name) for name in kept})

    def shown(self, edition: Edition) -> Citation:
        """The citation as it was, of its document in `edition`."""
        return Citation(
            label=self.label,
            edition=edition,
            passage=self.passage,
            section=self.section,
            quote=Quote(spans=self.spans, text=self.quote),
            verdict=self.verdict,
            text_source=self.text_source,
            printed_labels=self.printed_labels,
            kind=self.passage_kind,
            carrying=self.carrying,
            key_words=self.key_words,
        )

    @property
    def pages(self) -> tuple[int, ...]:
        """PDF pages in reading order, without repetition."""
        return tuple(dict.fromkeys(span.page for span in self.spans))


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecord:
    """A model's part in an answer. `prompt` is the prompt's name and version."""

    model: str
    prompt: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRecord:
    """How an answer came about. `person` and `chat` are pseudonyms, None if unknown or forgotten; `texts` is
    None once its retention period has ended; `seconds` are per step; `reported`: a person called it wrong."""

    trace: TraceId
    at: datetime
    kind: RecordKind
    person: Pseudonym | None = None
    chat: Pseudonym | None = None
    texts: RecordTexts | None
    language: str
    outcome: Outcome
    scope: Scope
    plan: PlanRecord | None = None
    missing: tuple[Missing, ...] = ()
    hits: tuple[HitRecord, ...] = ()
    claims: tuple[Claim, ...] = ()
    citations: tuple[CitationRecord, ...]
    notices: tuple[str, ...] = ()
    rejected: int
    answerer: str
    model: ModelRecord | None = None
    confidence: float
    seconds: dict[str, float]
    reported: bool = False

    @property
    def versions(self) -> tuple[VersionId, ...]:
        """The cited versions, without repetition."""
        return tuple(dict.fromkeys(citation.version for citation in self.citations))
