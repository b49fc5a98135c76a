"""Records, cross-references, scheduled sources, backups, data about people and everything else for operators,
as `--json` prints it."""

from datetime import date
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo, model_validator

from bot.presentation.views.answers import Level, MissingSource, ScopeView
from bot.presentation.views.documents import DocumentView, FullDocumentView, SectionView
from bot.presentation.views.encoding import Figure, Joined, Moment, Numbered, Seconds, Text, View, lies_at
from core.domain.answers import Claim
from core.domain.passages import Span
from core.domain.records import CitationRecord
from core.library.references import label

Label = Annotated[str, BeforeValidator(label)]
"""A provision in human-readable form."""


class _PlanView(View):
    kind: Text
    groups: int
    quota: int


class _HitRecordView(View):
    rank: int
    passage: Text
    version: Text
    title: Text
    pages: tuple[int, ...]
    score: Figure
    scores: Seconds
    found_by: tuple[Text, ...]
    trail: tuple[Text, ...]
    in_context: bool


class _RecordedDocumentView(View):
    id: Text = lies_at("document")
    title: Text
    valid_from: date | None = lies_at("effective")


class _CitationRecordView(View):
    label: Text
    kind: Text = lies_at("passage_kind")
    document: _RecordedDocumentView = lies_at("itself")
    version: Text
    version_status: Text
    passage: Text | None
    section: SectionView | None
    pages: tuple[int, ...]
    spans: tuple[Span, ...]
    quote: Text
    verdict: Text
    text_source: Text

    @model_validator(mode="before")
    @classmethod
    def _with_status(cls, item: CitationRecord, info: ValidationInfo) -> Joined:
        status = (info.context or {})["statuses"].get(item.version)
        return Joined(item, {"version_status": status or "gone"})


class _RejectedView(View):
    what: Text
    text: Text
    reason: Text = lies_at("why")


class _ModelView(View):
    name: Text = lies_at("model")
    prompt: Text
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class _ConfidenceView(View):
    value: Figure = lies_at("confidence")
    level: Level = lies_at("confidence")


class RecordView(View):
    """Result of `why`; expired parts are null."""

    trace: Text
    at: Moment
    kind: Text
    question: Text | None = lies_at("texts.question", None)
    queries: tuple[Text, ...] | None = lies_at("texts.queries", None)
    language: Text
    outcome: Text
    scope: ScopeView
    missing: tuple[MissingSource, ...]
    plan: _PlanView | None
    hits: Annotated[tuple[_HitRecordView, ...], Numbered]
    claims: tuple[Claim, ...]
    citations: tuple[_CitationRecordView, ...]
    notices: tuple[Text, ...]
    rejected: int
    rejected_items: tuple[_RejectedView, ...] | None = lies_at("texts.rejected", None)
    answerer: Text
    model: _ModelView | None
    outputs: tuple[Text, ...] | None = lies_at("texts.outputs", None)
    confidence: _ConfidenceView = lies_at("itself")
    reported: bool
    seconds: Seconds


class JudgedView(View):
    """A row of `feedback`."""

    trace: Text = lies_at("feedback.trace")
    verdict: Text = lies_at("feedback.verdict")
    at: Moment = lies_at("feedback.at")
    question: Text | None = lies_at("record.texts.question", None)
    outcome: Text | None = lies_at("record.outcome", None)
    answerer: Text | None = lies_at("record.answerer", None)


class UnresolvedView(View):
    """An unresolvable reference."""

    label: Label = lies_at("target")
    name: Text | None = lies_at("reference.name")
    why: Text


class _ReferenceView(View):
    kind: Text
    document: DocumentView = lies_at("end.edition.document")
    section: SectionView | None
    label: Label = lies_at("end")
    pages: tuple[int, ...]
    trail: tuple[Text, ...]
    text: Text


class _ProvisionView(View):
    document: DocumentView = lies_at("provision.edition.document")
    section: SectionView | None
    label: Label = lies_at("provision")
    pages: tuple[int, ...]
    cites: tuple[_ReferenceView, ...]
    cited_by: tuple[_ReferenceView, ...]
    implemented_by: tuple[_ReferenceView, ...]
    unresolved: tuple[UnresolvedView, ...]


class ReferencesView(View):
    """Result of `references`."""

    section: Text
    provisions: tuple[_ProvisionView, ...]


class _HoldView(View):
    reason: Text
    at: Moment
    sha256: Text | None
    values: dict[str, Any]


class JobView(View):
    """A scheduled source, and whether it is due."""

    id: Text = lies_at("source.id")
    title: Text = lies_at("source.title")
    url: Text = lies_at("source.urls.0")
    mirrors: Annotated[tuple[Text, ...], BeforeValidator(lambda urls: urls[1:])] = lies_at("source.urls")
    schedule: Text = lies_at("source.schedule")
    in_library: Annotated[bool, BeforeValidator(lambda known: known is not None)] = lies_at("source.document")
    next_run: Moment | None
    due: bool
    last_run: Moment | None = lies_at("state.checked_at")
    result: Text | None = lies_at("state.result")
    error: Text | None = lies_at("state.error")
    failures: int = lies_at("state.failures")
    held: _HoldView | None = lies_at("state.hold")


class _DueView(View):
    title: Text = lies_at("source.title")
    url: Text = lies_at("source.urls.0")


class RegistryCheckView(View):
    """Result of `registry check`."""

    documents: int
    errors: tuple[Text, ...]
    warnings: tuple[Text, ...]
    missing: tuple[Text, ...]
    due: tuple[_DueView, ...]


class _OldQuoteView(View):
    quote: Text
    pages: tuple[int, ...]


class _NewQuoteView(View):
    quote: Text = lies_at("quote.text")
    pages: tuple[int, ...] = lies_at("quote.pages")


class CorrectionView(View):
    """A quote that reads differently now."""

    trace: Text = lies_at("found.trace")
    label: Text = lies_at("found.was.label")
    document: FullDocumentView = lies_at("found.edition.document")
    version: Text = lies_at("found.edition.version.id")
    outcome: Text = lies_at("found.outcome")
    told: Text
    was: _OldQuoteView = lies_at("found.was")
    now: _NewQuoteView | None = lies_at("found.now")


class CorrectionRoundView(View):
    """Result of `corrections`."""

    kept: int
    corrections: tuple[CorrectionView, ...]


class DeadLetterView(View):
    """A dead letter, without its content or anybody's id."""

    letter: Text
    platform: Text
    state: Text
    error: Text
    attempts: int
    at: Moment


class AuditEntryView(View):
    """Who did what: the person's `name` and the document's `title` where they are known."""

    at: Moment
    actor: Text
    name: Text | None
    action: Text
    subject: Text
    title: Text | None
    values: dict[str, Text]


class TokenView(View):
    """A token as listed, without its secret."""

    name: Text
    role: Text
    collections: tuple[Text, ...]
    rate: int = lies_at("per_minute")
    created_at: Moment
    expires_at: Moment | None


class NewTokenView(TokenView):
    """Result of `token new`."""

    token: Text


class CheckedView(View):
    """One check of `doctor`."""

    name: Text
    state: Text
    message: Text
    advice: Text


# Backups: creating, checking, restoring.


class BackupView(View):
    """The contents of a backup. `index` is the number of passages in its index, null if left out."""

    file: Text
    bytes: int = lies_at("size")
    made_at: Moment
    version: Text = lies_at("product")
    schema_revision: Text = lies_at("database.revision", key="schema")
    library: Text | None = lies_at("database.library")
    store: Text = lies_at("database.store")
    rows: dict[str, int] = lies_at("database.rows")
    originals: int | None = lies_at("kept_files")
    missing: tuple[Text, ...]
    damaged: tuple[Text, ...]
    index: int | None = lies_at("passages_of_index")
    secrets: tuple[Text, ...]
    seconds: float | None


class CheckedBackupView(View):
    """Result of `backup check`."""

    ok: bool
    backup: BackupView | None
    problems: tuple[Text, ...]


class RestoredBackupView(View):
    """Result of `backup restore`."""

    backup: BackupView
    set_aside: tuple[Text, ...]


# What is stored about a person, and the result of erasing it, as `--json` prints it.


class _KeptTextView(View):
    at: Moment
    state: Text
    text: Text | None
    files: tuple[Text, ...]


class _KeptAnswerView(View):
    trace: Text
    at: Moment
    kind: Text
    outcome: Text
    question: Text | None = lies_at("texts.question", None)
    queries: tuple[Text, ...] | None = lies_at("texts.queries", None)
    outputs: tuple[Text, ...] | None = lies_at("texts.outputs", None)


class _KeptFeedbackView(View):
    trace: Text
    at: Moment
    verdict: Text


class _KeptThreadView(View):
    until: Moment
    questions: tuple[Text, ...]


class _KeptTopicView(View):
    at: Moment
    topic: Text


class _KeptActionView(View):
    at: Moment
    action: Text
    subject: Text
    values: dict[str, Text]


class _ChatStateView(View):
    jurisdiction: Text | None
    parties: tuple[Text, ...]
    language: Text
    corrections: bool


class PersonFileView(View):
    """Result of `person export`; expired texts are null."""

    person: Text
    pseudonym: Text
    messages: tuple[_KeptTextView, ...]
    replies: tuple[_KeptTextView, ...]
    answers: tuple[_KeptAnswerView, ...]
    feedback: tuple[_KeptFeedbackView, ...]
    threads: tuple[_KeptThreadView, ...]
    summaries: tuple[_KeptTopicView, ...]
    subscriptions: tuple[_KeptTopicView, ...]
    actions: tuple[_KeptActionView, ...]
    told_at: Moment | None
    settings: _ChatStateView | None = lies_at("state")


class KeptView(View):
    """What remains after an erasure: `count` if countable, and the reason."""

    what: Text
    count: int | None
    why: Text


class ErasureView(View):
    """Result of `person erase`."""

    person: Text
    erased: int
    kept: tuple[KeptView, ...]
