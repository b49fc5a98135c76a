"""Answers: claims, each with labelled citations, and everything said beside them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.documents import Document, Edition
from core.domain.ids import PassageId, TraceId
from core.domain.pages import Page, TextSource
from core.domain.passages import Passage, PassageKind, Section, Span
from core.domain.scope import Missing, Scope
from core.domain.search import QuestionKind
from core.domain.threads import ThreadContext
from core.message_keys import NoticeKey


class Verdict(StrEnum):
    """What an alleged quote is. Only the first three are ever shown as a citation. `cut` is word for word
    what the source says, without words of its sentence that may change it; `struck` what is struck out there,
    `reported` what the source says in somebody else's name."""

    VERBATIM = "verbatim"
    TYPO = "typo"
    NEAR = "near"
    ALTERED = "altered"
    CUT = "cut"
    MISATTRIBUTED = "misattributed"
    TOO_SHORT = "too_short"
    ABSENT = "absent"
    STRUCK = "struck"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Words that differ between an alleged quote and the source; either side may be empty."""

    claimed: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """The source's own words. `spans` are in reading order, one or more per page; `text` is the
    words under them joined by single spaces with line-end hyphens resolved and "[...]" where
    something between was left out. `compare`: its letters look unusual on the page; whoever relies on it is
    told to compare."""

    spans: tuple[Span, ...]
    text: str
    compare: bool = False

    def __str__(self) -> str:
        return self.text

    @property
    def pages(self) -> tuple[int, ...]:
        """PDF pages in reading order, without repetition."""
        return tuple(dict.fromkeys(span.page for span in self.spans))

    @property
    def extent(self) -> tuple[int, int]:
        """From where to where (characters) the quote reaches on its first page."""
        first = [span for span in self.spans if span.page == self.spans[0].page]
        return first[0].start, first[-1].end


class LeftOut(StrEnum):
    """What words do to a quote that leaves them out of its sentence: `unsure` may change who, whom, when,
    whether, how much or for whom; `joins` makes one sentence of two, or of a heading and a sentence."""

    DENIES = "denies"
    LIMITS = "limits"
    ASKS = "asks"
    REPORTS = "reports"
    JOINS = "joins"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The whole sentences in which a quote stands, after the lead-in of its list. `left_out` are the
    (start, end) ranges of `text` that the quote lacks, `why` what they do to it, None if nothing."""

    text: str
    left_out: tuple[tuple[int, int], ...]
    why: LeftOut | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A label's evidence. `printed_labels` has one entry per page of the quote; `kind` is what its passage
    was cut from; `carrying` is where the words of the quote stand that answer (empty: all of them alike).
    `heading` stands over the quote, where it is to be shown. `key_words` are the (start, end) ranges of the
    quote's text that are worth finding at a glance."""

    label: str
    edition: Edition
    passage: PassageId | None
    section: Section | None
    quote: Quote
    verdict: Verdict
    text_source: TextSource
    printed_labels: tuple[str | None, ...]
    kind: PassageKind = PassageKind.PROSE
    carrying: tuple[Span, ...] = ()
    heading: str = ""
    key_words: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(
        cls,
        quote: Quote,
        pages: Iterable[Page],
        *,
        edition: Edition,
        verdict: Verdict,
        passage: Passage | None,
        label: str = "",
    ) -> "Citation":
        """`quote`, of `passage` where that is known, with what its pages say of themselves; `pages` may hold
        others as well. Text is recognised if that of any of its pages is."""
        cited = [page for page in pages if page.number in quote.pages]
        return cls(
            label=label,
            edition=edition,
            passage=passage.id if passage else None,
            kind=passage.kind if passage else PassageKind.PROSE,
            section=passage.section if passage else None,
            quote=quote,
            verdict=verdict,
            text_source=TextSource.OCR
            if any(page.text_source is TextSource.OCR for page in cited)
            else TextSource.NATIVE,
            printed_labels=tuple(page.label for page in cited),
        )

    @property
    def page(self) -> int:
        """The PDF page that the quote begins on."""
        return self.quote.pages[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A sentence of an answer with the labels that carry it (at least one)."""

    text: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A message key with its values, and the labels it concerns."""

    key: NoticeKey
    values: dict[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Something a model wrote that was not let through. `what` is label, quote or claim."""

    what: str
    text: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafting:
    """What a model had to do with an answer, for its record. `prompt` is the prompt's name and version,
    `outputs` is what the model wrote, every attempt; `judgement` what was said of its claims, empty where
    nobody was asked; `cost_usd` is None where a price is unknown."""

    model: str
    prompt: str
    outputs: tuple[str, ...]
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    judgement: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A page worth reading where nothing could be quoted as an answer, and how the passage there begins,
    under the heading `under` if it has one. `printed` is the page's printed number where that is known."""

    edition: Edition
    page: int
    begins: str
    under: str = ""
    printed: str | None = None


class Outcome(StrEnum):
    """How a question ended."""

    GROUNDED = "grounded"
    NO_EVIDENCE = "no_evidence"
    INFO = "info"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The whole answer. `confidence` is computed, 0 to 1; `language` is the one our own words use.

    `documents` are listed by an `info` answer about the library; `nearest` and `sought`, the words that were
    looked for, go with `no_evidence`;
    `drafting` where a model was asked. `queries` were searched: the question in the form that stands by
    itself, then other wordings. `thread` is what a next question of the conversation may refer to. `topic`
    is what it asks about, in the question's words, without parties and places; `named` are the keys of the
    parties and places that the question names, whatever for.
    `others` are parties that are not quoted but have something on the topic, in the order in which to offer
    them; `earlier` is the year of the previous edition of the first quote's document, if that has something
    on it as well. Both are only looked up where follow-ups can be offered.
    """

    question: str
    language: str
    kind: QuestionKind
    outcome: Outcome
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]
    scope: Scope
    missing: tuple[Missing, ...]
    confidence: float
    notices: tuple[Notice, ...]
    rejected: tuple[Rejected, ...]
    answerer: str
    trace: TraceId
    seconds: dict[str, float]
    documents: tuple[Document, ...] = ()
    nearest: tuple[Reading, ...] = ()
    sought: tuple[str, ...] = ()
    drafting: Drafting | None = None
    queries: tuple[str, ...] = ()
    thread: ThreadContext | None = None
    topic: str = ""
    named: frozenset[str] = frozenset()
    others: tuple[str, ...] = ()
    earlier: int | None = None
