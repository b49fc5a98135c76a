"""Comparisons, motions and summaries, as `--json` prints them."""

from datetime import date

from pydantic import model_validator

from bot.presentation.views.answers import CitationView, Level, MissingSource, NoticeView, ScopeView
from bot.presentation.views.documents import DocumentView
from bot.presentation.views.encoding import Joined, Moment, Seconds, Share, Text, View, lies_at
from core.answering.reports.motions import MotionRow
from core.domain.answers import Claim, Rejected


class CompareRowView(View):
    """A side's row, by its party or its place."""

    party: Text | None = lies_at("side.party", only_if_known=True)
    jurisdiction: Text | None = lies_at("side.jurisdiction", only_if_known=True)
    sisters: tuple[Text, ...] = lies_at("side.sisters")
    status: Text
    citations: tuple[CitationView, ...]
    further: tuple[CitationView, ...]
    confidence: Share
    confidence_level: Level = lies_at("confidence")


class ComparisonView(View):
    """Result of `compare`."""

    question: Text
    scope: ScopeView
    rows: tuple[CompareRowView, ...]
    text: Text
    table: Text | None
    notices: tuple[NoticeView, ...]
    trace: Text
    seconds: Seconds


class _GovernmentView(View):
    parties: tuple[Text, ...]
    since: date = lies_at("since", key="from")
    until: date | None = lies_at("until", key="to")


class _DemandView(View):
    number: int
    text: Text


class _ReasonView(View):
    demand: int
    relatedness: Share
    overlap: Share
    confidence: Share
    label: Text | None


class MotionCitationView(CitationView):
    """A quote and the number of the demand it was found for."""

    demand: int


class MotionRowView(View):
    """A party's row."""

    party: Text
    mover: bool
    governing: bool
    sisters: tuple[Text, ...]
    status: Text
    citations: tuple[MotionCitationView, ...]
    relatedness: Share | None
    reasons: tuple[_ReasonView, ...]
    stance: None = lies_at("stance", None)  # reserved: nothing distinguishes support from quotes yet

    @model_validator(mode="before")
    @classmethod
    def _with_demands(cls, row: MotionRow) -> Joined:
        pairs = zip(row.citations, row.demands, strict=True)
        return Joined(row, {"citations": [Joined(item, {"demand": demand}) for item, demand in pairs]})


class MotionView(View):
    """Result of `motion`."""

    jurisdiction: Text
    demands: tuple[_DemandView, ...]
    omitted: int
    government: _GovernmentView | None
    rows: tuple[MotionRowView, ...]
    text: Text
    table: Text | None
    notices: tuple[NoticeView, ...]
    trace: Text
    seconds: Seconds


class _TopicView(View):
    name: Text
    scope: ScopeView


class _SourceChangeView(View):
    kind: Text
    document: DocumentView
    labels: tuple[Text, ...]
    text: Text


class SummaryView(View):
    """Result of `summary new` and `summary show`."""

    id: int | None = lies_at("id", None)
    number: int | None = lies_at("number", None)
    topic: _TopicView
    scope: ScopeView
    made_at: Moment
    stale: bool
    changes: tuple[_SourceChangeView, ...]
    text: Text
    claims: tuple[Claim, ...]
    citations: tuple[CitationView, ...]
    missing: tuple[MissingSource, ...]
    confidence: Share
    confidence_level: Level = lies_at("confidence")
    notices: tuple[NoticeView, ...]
    rejected: tuple[Rejected, ...]
    answerer: Text
    prompt: Text | None


class ListedSummaryView(View):
    """An entry of `summary list`."""

    id: int = lies_at("entry.id")
    number: int = lies_at("entry.number")
    topic: _TopicView = lies_at("entry.topic")
    scope: ScopeView = lies_at("entry.scope")
    made_at: Moment = lies_at("entry.made_at")
    answerer: Text = lies_at("entry.answerer")
    versions: tuple[Text, ...] = lies_at("entry.versions")
    stale: bool
