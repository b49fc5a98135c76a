"""Records of answers, complete enough to see later how an answer came about; links to what they cite, what
becomes of their quotes when documents change, and what is stored about a person (GDPR articles 15 and 17)."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from enum import StrEnum

from core.domain.answers import Citation, Claim, Outcome, Quote, Rejected, Verdict
from core.domain.documents import Edition
from core.domain.ids import DocumentId, PassageId, TraceId, VersionId
from core.domain.journal import AuditEntry, ChatKey, ChatState, Feedback, Pseudonym
from core.domain.pages import TextSource
from core.domain.passages import PassageKind, Section, Span
from core.domain.scope import Detected, Missing, Scope
from core.domain.search import QuestionKind, Space


class RecordKind(StrEnum):
    """The use case that answered."""

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
        """The record with its words at another place."""
        kept = ("label", "quote", "verdict", "carrying", "key_words")
        return replace(CitationRecord.of(now), **{name: getattr(self, name) for name in kept})

    def shown(self, edition: Edition) -> Citation:
        """The original citation, with its document as in `edition`."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """A public link to a citation: whoever has its `id` may see it. `given_at`: when it was last given
    out."""

    id: str
    given_at: datetime
    citation: CitationRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLink:
    """A link to the quotes of one answer, by their page links: whoever has its `id` may open them in a
    private chat, with the bot's words in `language`. `given_at`: when it was last given out."""

    id: str
    given_at: datetime
    links: tuple[str, ...]
    language: str


def link_digest(citation: CitationRecord) -> str:
    """A digest that is the same for the same words on the same pages, whichever answer cites them."""
    return hashlib.sha256(json.dumps(asdict(citation), default=str, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user by their platform id, their pseudonym, and their private chat with the bot if known."""

    platform: str
    workspace: str
    user: str
    pseudonym: Pseudonym
    private_chat: ChatKey | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText:
    """A message or a part of a reply; `text` is None once its retention period has ended."""

    at: datetime
    state: str
    text: str | None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptThread:
    """What is remembered about a thread, until `until`."""

    until: datetime
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTopic:
    """A summary that the person requested, or something they have subscribed to."""

    at: datetime
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFile:
    """Everything stored under a person's pseudonym or for their private chat. `told_at` is when they were
    told what is stored, `state` the settings of their private chat."""

    messages: tuple[KeptText, ...]
    replies: tuple[KeptText, ...]
    answers: tuple[AnswerRecord, ...]
    feedback: tuple[Feedback, ...]
    threads: tuple[KeptThread, ...]
    summaries: tuple[KeptTopic, ...]
    subscriptions: tuple[KeptTopic, ...]
    actions: tuple[AuditEntry, ...]
    told_at: datetime | None
    state: ChatState | None

    @property
    def rows(self) -> int:
        """How many items are stored."""
        lists = (self.messages, self.replies, self.answers, self.feedback, self.threads, self.summaries)
        return (
            sum(map(len, (*lists, self.subscriptions, self.actions)))
            + (self.told_at is not None)
            + (self.state is not None)
        )
