"""Answers: claims with labelled citations, and everything shown along with them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.documents import Document, Edition
from core.domain.ids import PassageId, TraceId
from core.domain.pages import Page, TextSource
from core.domain.passages import Passage, PassageKind, Section, Span
from core.domain.scope import Missing, Scope, ThreadContext
from core.domain.search import QuestionKind
from core.message_keys import NoticeKey


class Verdict(StrEnum):
    """The outcome of checking an alleged quote. Only the first three are ever shown as a citation. `cut`
    matches the source word for word but omits words of its sentence that may change the meaning; `struck` is
    struck out in the source; `reported` is what the source attributes to somebody else."""

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


STANDS = (Verdict.VERBATIM, Verdict.TYPO)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Words that differ between an alleged quote and the source; either side may be empty."""

    claimed: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """The source's own words. `spans` are in reading order, one or more per page; `text` is the words under
    them joined by single spaces with line-end hyphens resolved and "[...]" marking omissions. `compare`: its
    letters look unusual on the page, so readers are told to compare."""

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
        """The character range of the quote on its first page."""
        first = [span for span in self.spans if span.page == self.spans[0].page]
        return first[0].start, first[-1].end


class LeftOut(StrEnum):
    """How words that a quote omits from its sentence affect it: `unsure` may change who, whom, when, whether,
    how much or for whom; `joins` means that two sentences, or a heading and a sentence, were run together."""

    DENIES = "denies"
    LIMITS = "limits"
    ASKS = "asks"
    REPORTS = "reports"
    JOINS = "joins"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The complete sentences that contain a quote, preceded by the lead-in of its list. `left_out` are the
    (start, end) ranges of `text` that the quote lacks, `why` how they affect it, None if they don't."""

    text: str
    left_out: tuple[tuple[int, int], ...]
    why: LeftOut | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """The evidence behind a label. `printed_labels` has one entry per page of the quote; `kind` is what its
    passage was cut from; `carrying` locates the words of the quote that answer the question (empty: all of
    them equally). `heading` is the heading above the quote, if it should be shown. `key_words` are the
    (start, end) ranges of the quote's text that are worth finding at a glance. `link` is where
    the public may look at its page; empty without one."""

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
    link: str = ""

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
        """`quote`, from `passage` if that is known, with the numbers and text sources of its pages; `pages`
        may include others. Its text counts as recognised if that of any of its pages is."""
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


NAMES_BETWEEN = ", "
"""Separates names in the value of a notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A message key with its values, and the labels it concerns."""

    key: NoticeKey
    values: dict[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Something a model wrote that was rejected. `what` is label, quote or claim."""

    what: str
    text: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafting:
    """A model's part in an answer, for its record. `prompt` is the prompt's name and version, `outputs` is
    everything the model wrote, one entry per attempt; `judgement` is the verdict on its claims, empty if no
    judge was asked; `cost_usd` is None if a price is unknown."""

    model: str
    prompt: str
    outputs: tuple[str, ...]
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    judgement: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A page worth reading when nothing could be quoted as an answer, and the first words of the passage
    there; `under` is its heading, if any. `printed` is the page's printed number, if known."""

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
    """The whole answer. `confidence` is computed, from 0 to 1; `language` is the language of our own wording.

    `documents` are listed by an `info` answer about the library; `nearest` and `sought`, the words that were
    looked for, go with `no_evidence`; `drafting` is set if a model was asked. `queries` were searched: the
    self-contained form of the question, then other wordings. `thread` is what the next question in the
    conversation may refer to. `topic` is the subject in the question's words, without parties and places;
    `named` are the keys of the parties and places that the question names, for whatever reason. `others` are
    parties that are not quoted but have something on the topic, in the order in which to offer them;
    `earlier` is the year of the previous edition of the first quote's document, if that has something on it
    as well. Both are only looked up where follow-ups can be offered.
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
