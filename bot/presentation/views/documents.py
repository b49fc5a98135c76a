"""Documents and what belongs to them, as `--json` prints them."""

from datetime import date
from typing import Annotated

from pydantic import BeforeValidator

from bot.presentation.views.encoding import Figure, Joined, Moment, OrNothing, Seconds, Text, View, lies_at


class DocumentView(View):
    """A document as named in a result."""

    id: Text
    title: Text = lies_at("fields.title")
    file: Text
    jurisdiction: Text | None = lies_at("fields.jurisdiction")
    parties: tuple[Text, ...] = lies_at("fields.parties")
    collection: Text
    valid_from: date | None = lies_at("fields.valid_from")


class FullDocumentView(DocumentView):
    """A document with all its fields, as listings show it."""

    type: Text = lies_at("fields.doc_type")
    language: Text = lies_at("fields.language")
    valid_to: date | None = lies_at("fields.valid_to")
    series: Text | None
    reference: Text | None = lies_at("fields.reference")
    tags: tuple[Text, ...] = lies_at("fields.tags")
    max_pages: int | None = lies_at("fields.max_pages")
    url: Text | None = lies_at("fields.source_uri")
    key: Text


class RemovedDocumentView(FullDocumentView):
    """A document that can be restored until `until`."""

    until: Moment


class RemovedView(View):
    """Result of `remove`: until when it can be restored."""

    removed: FullDocumentView
    until: Moment | None


class _QuotedDocumentView(DocumentView):
    version: Text


QuotedDocument = Annotated[
    _QuotedDocumentView,
    BeforeValidator(lambda edition: Joined(edition.document, {"version": edition.version.id})),
]
"""The document of an edition, with the id of its version."""


class VersionView(View):
    """A version of a document."""

    id: Text
    number: int
    status: Text
    sha256: Text
    pages: int
    pages_ocr: int
    pages_empty: int = lies_at("pages_without_text")
    passages: int
    hidden_characters_dropped: int = lies_at("hidden_characters")
    warnings: tuple[Text, ...]
    seen_from: Moment
    seen_to: Moment | None
    pipeline: Text


class SectionView(View):
    """A section of a statute, or a heading."""

    id: Text
    title: Text


class PassageView(View):
    """A passage as `show` lists it."""

    id: Text
    pages: tuple[int, ...]
    kind: Text
    section: SectionView | None
    heading: Text
    text: Text


class ShownDocumentView(View):
    """Result of `show`."""

    document: FullDocumentView
    versions: tuple[VersionView, ...]
    passages: tuple[PassageView, ...]


class PageTextView(View):
    """Result of `show --page`: the text to which `start` and `end` of citations refer."""

    number: int
    printed: Text | None = lies_at("label")
    width: float
    height: float
    rotation: int
    text_source: Text
    text: Text


class PageView(View):
    """Result of `page`."""

    document: DocumentView
    page: int
    found_page: int | None
    highlighted: bool
    doubt: Text | None
    coverage: Figure
    file: Text | None


class ProblemView(View):
    """An error: its key, and what to do."""

    code: Text
    message: Text


Problem = Annotated[ProblemView, BeforeValidator(lambda said: ProblemView(code=said[0], message=said[1]))]
"""The key and the detail of an error in a result."""


class ReceiptView(View):
    """The result of ingesting a file."""

    file: Text
    id: Text | None = lies_at("document")
    title: Text
    status: Text
    pages: int
    pages_ocr: int
    pages_empty: int = lies_at("pages_without_text")
    passages: int
    hidden_characters_dropped: int = lies_at("hidden_characters")
    presumed: dict[str, Text]
    warnings: tuple[Text, ...]
    error: Problem | None
    trace: OrNothing
    seconds: Seconds


class CollectedView(View):
    """Result of `collect`."""

    documents: tuple[FullDocumentView, ...]
    superseded: int
    unfinished: int
    orphans: int
    optimised: tuple[Text, ...]


class RebuiltView(View):
    """Result of `reindex --missing`."""

    documents: int
    passages: int
    seconds: float
    failed: tuple["FailedRebuildView", ...]


class FailedRebuildView(View):
    """A document that could not be rebuilt, and why."""

    file: Text = lies_at("document.file")
    error: Problem


class _StretchView(View):
    text: Text
    pages: tuple[int, ...]


class _WordsView(View):
    old: Text = lies_at("claimed", key="from")
    new: Text = lies_at("source", key="to")


class _ChangeView(View):
    kind: Text
    old: _StretchView | None = lies_at("old", key="from")
    new: _StretchView | None = lies_at("new", key="to")
    words: tuple[_WordsView, ...]


class _SpreadView(View):
    old_page: int | None = lies_at("old_page", key="from_page")
    new_page: int | None = lies_at("new_page", key="to_page")
    old: Text | None = lies_at("old", key="from")
    new: Text | None = lies_at("new", key="to")
    both: Text


class VersionDiffView(View):
    """Result of `diff`: two versions, what differs, and the files written."""

    document: DocumentView = lies_at("new.document")
    old: VersionView = lies_at("old.version", key="from")
    new: VersionView = lies_at("new.version", key="to")
    counts: dict[str, int]
    unchanged: int = lies_at("found.unchanged")
    pages_from: tuple[int, ...] = lies_at("found.old_pages")
    pages_to: tuple[int, ...] = lies_at("found.new_pages")
    changes: tuple[_ChangeView, ...] = lies_at("found.changes")
    files: tuple[_SpreadView, ...]
