"""Searches, answers and checks of quotes, as `--json` prints them: the views, and how each is made from a
result and its accompanying words and files."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainValidator, ValidationInfo, model_validator

from bot.presentation.attachments import Attached
from bot.presentation.i18n import Texts
from bot.presentation.presenter import Presenter
from bot.presentation.results import DraftItem, DraftReport
from bot.presentation.views.documents import DocumentView, ProblemView, QuotedDocument, SectionView
from bot.presentation.views.encoding import (
    Figure,
    Joined,
    Numbered,
    OrNothing,
    Seconds,
    Share,
    Text,
    View,
    lies_at,
)
from bot.presentation.views.problems import problem
from core.answering.extractive.confidence import level
from core.answering.quote_check import QuoteCheck
from core.domain.answers import Answer, Citation, Claim, Difference, Notice, Rejected
from core.domain.passages import Span
from core.domain.scope import Detected
from core.domain.search import Reranking
from core.evidence.changes import Piece
from core.library.completeness import REBUILDING
from core.library.references import provision_name
from core.search.plan import SearchResult

Level = Annotated[str, BeforeValidator(level)]
"""A confidence as a word."""

MissingSource = Annotated[dict[str, Text], BeforeValidator(lambda item: {item.kind: item.name})]
"""A party, place or edition without a source, by its kind."""

Stretch = Annotated[dict[str, int], PlainValidator(lambda ends: {"start": ends[0], "end": ends[1]})]


class ScopeView(View):
    """A scope; documents by id."""

    collections: tuple[Text, ...]
    jurisdictions: tuple[Text, ...]
    parties: tuple[Text, ...]
    types: tuple[Text, ...] = lies_at("doc_types")
    documents: tuple[Text, ...]
    editions: tuple[int, ...]
    as_of: date | None


class NoticeView(View):
    """A notice in words: those from `say` of the result, else English ones."""

    key: Text
    text: Text
    labels: tuple[Text, ...]

    @model_validator(mode="before")
    @classmethod
    def _in_words(cls, notice: Notice, info: ValidationInfo) -> Joined:
        say: Callable[[Notice], str] = (info.context or {}).get("say", in_english)
        return Joined(notice, {"text": say(notice)})


def in_english(notice: Notice) -> str:
    """A notice of a result without a language of its own."""
    return Texts("en")(notice.key, **notice.values)


class HitView(View):
    """A hit of a search. `printed_pages` are the numbers on its pages, null where none is known."""

    rank: int
    score: Figure
    found_by: tuple[Text, ...]
    document: DocumentView = lies_at("edition.document")
    passage: Text = lies_at("passage.id")
    pages: tuple[int, ...] = lies_at("passage.pages")
    printed_pages: tuple[Text | None, ...] = lies_at("printed")
    section: SectionView | None = lies_at("passage.section")
    text: Text = lies_at("passage.text")
    trail: tuple[Text, ...]


class _PlanView(View):
    queries: tuple[Text, ...]
    kind: Text
    detected: Detected


class SearchView(View):
    """Result of `search`."""

    question: Text
    scope: ScopeView = lies_at("plan.scope")
    plan: _PlanView
    hits: Annotated[tuple[HitView, ...], Numbered]
    missing: tuple[MissingSource, ...]
    context: Text = lies_at("context_text")
    notices: tuple[NoticeView, ...]
    reranking: Reranking | None
    seconds: Seconds


def _provision_name(citation: Citation) -> str | None:
    language = citation.edition.document.fields.language
    return provision_name(citation.section, language) if citation.section else None


ProvisionName = Annotated[str | None, BeforeValidator(_provision_name)]


class CitationView(View):
    """A citation with the paths of its pages: those in `attached` of the result for its label."""

    label: Text
    document: QuotedDocument = lies_at("edition")
    passage: Text | None
    kind: Text
    section: SectionView | None
    provision: ProvisionName = lies_at("itself")
    page: int = lies_at("quote.pages.0")
    pages: tuple[int, ...] = lies_at("quote.pages")
    printed_page: Text | None = lies_at("printed_labels.0", None)
    quote: Text = lies_at("quote.text")
    verdict: Text
    text_source: Text
    start: int = lies_at("quote.extent.0")
    end: int = lies_at("quote.extent.1")
    spans: tuple[Span, ...] = lies_at("quote.spans")
    carrying: tuple[Span, ...]
    attachment: Text | None = lies_at("files.pages.0", None)
    attachments: tuple[Text, ...] = lies_at("files.pages", ())
    preview: Text | None = lies_at("files.preview", None)
    figure: Text | None = lies_at("files.figure", None)
    highlight_checked: bool = lies_at("files.checked", False)
    url: Text | None = lies_at("edition.document.fields.source_uri")
    link: OrNothing

    @model_validator(mode="before")
    @classmethod
    def _with_files(cls, citation: Any, info: ValidationInfo) -> Joined:
        attached = (info.context or {}).get("attached", {})
        return Joined(citation, {"files": attached.get(citation.label)})


class ReadingView(View):
    """A page to read if nothing answers."""

    document: DocumentView = lies_at("edition.document")
    page: int
    begins: Text


class AnswerView(View):
    """Result of `ask`."""

    question: Text
    kind: Text
    queries: tuple[Text, ...]
    scope: ScopeView
    outcome: Text
    text: Text
    claims: tuple[Claim, ...]
    citations: tuple[CitationView, ...]
    missing: tuple[MissingSource, ...]
    sought: tuple[Text, ...]
    nearest: tuple[ReadingView, ...]
    confidence: Share
    confidence_level: Level = lies_at("confidence")
    notices: tuple[NoticeView, ...]
    rejected: tuple[Rejected, ...]
    answerer: Text
    trace: Text
    seconds: Seconds


class SentenceView(View):
    """The complete sentences around a quote, and what it omits of them."""

    text: Text
    left_out: tuple[Stretch, ...]
    why: Text | None


class MatchView(CitationView):
    """A place where an alleged quote was found. `following` is the sentence after it there."""

    sentence: SentenceView | None
    following: OrNothing


class ClaimedView(View):
    """To whom an alleged quote is attributed, and its claimed place."""

    parties: tuple[Text, ...]
    jurisdictions: tuple[Text, ...]
    documents: tuple[Text, ...]
    page: int | None
    last_page: int | None
    provisions: tuple[Text, ...]
    chapter: OrNothing
    unknown: OrNothing
    similar: tuple[Text, ...]
    turned: OrNothing


class FilteredView(View):
    """The filters within which a quote was not found as claimed, and where it is outside them."""

    within: Text
    outside: tuple[CitationView, ...]


class CheckView(View):
    """Result of `verify`."""

    text: Text
    verdict: Text
    matches: tuple[MatchView, ...]
    differences: tuple[Difference, ...]
    almost: bool
    wording: tuple[Piece, ...]
    changed: tuple[Text, ...]
    unseen: tuple[Text, ...]
    notices: tuple[NoticeView, ...]
    claimed: ClaimedView
    filtered: FilteredView | None

    @model_validator(mode="before")
    @classmethod
    def _with_sentences(cls, check: Joined) -> Joined:
        found = zip_longest(check.matches, check.settings, check.following)
        matches = [
            Joined(item, {"sentence": setting, "following": following}) for item, setting, following in found
        ]
        return Joined(check, {"matches": matches})


class QuotationView(View):
    """A quotation in a text and its check, or why it could not be checked."""

    start: int
    end: int
    said: Text
    check: CheckView | None
    error: ProblemView | None


class DraftView(View):
    """Every quotation of a text."""

    quotations: tuple[QuotationView, ...]


class DraftItemView(View):
    """A quotation of a file and its check, or why it could not be checked."""

    number: int
    kind: Text
    page: int
    text: Text
    verdict: Text | None
    check: CheckView | None
    error: ProblemView | None


class DraftFileView(View):
    """Result of `check`."""

    file: Text
    stands: bool
    counts: dict[str, int]
    items: tuple[DraftItemView, ...]
    omitted: int
    annotated: Text | None


def search_view(question: str, result: SearchResult, printed: Sequence[Sequence[str | None]]) -> SearchView:
    """Result of `search`; `printed` are the printed page numbers by hit."""
    notices = (Notice(key=REBUILDING),) if result.incomplete else ()
    hits = [Joined(hit, {"printed": labels}) for hit, labels in zip(result.hits, printed, strict=True)]
    return SearchView.showing(result, question=question, notices=notices, hits=hits)


def answer_view(answer: Answer, attached: Mapping[str, Attached], presenter: Presenter) -> AnswerView:
    """Result of `ask`."""
    presenter = presenter.within(answer.scope.collections)
    say = partial(presenter.notice, texts=presenter.texts(answer.language))
    return AnswerView.showing(answer, text=presenter.answer_text(answer), attached=attached, say=say)


def check_view(text: str, check: QuoteCheck, attached: Mapping[str, Attached]) -> CheckView:
    """Result of `verify`."""
    return CheckView.showing(check, text=text, attached=attached)


def draft_view(report: DraftReport, annotated: Path | None = None) -> DraftFileView:
    """Result of `check`; `annotated` is the file that was written."""
    return DraftFileView.showing(report, items=tuple(map(_draft_item, report.items)), annotated=annotated)


def _draft_item(item: DraftItem) -> DraftItemView:
    words = item.quotation.words
    return DraftItemView.showing(
        item,
        kind="statement" if item.quotation.statement else "quotation",
        text=words,
        verdict=item.check.verdict if item.check else None,
        check=check_view(words, item.check, {}) if item.check else None,
        error=problem(item.error) if item.error else None,
    )
