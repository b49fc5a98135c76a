"""The results of an evaluation as JSON-ready dictionaries and as rows of a table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Annotated

from pydantic import model_validator

from bot.presentation.views.encoding import Figure, Joined, Json, Share, Text, View, lies_at, rounded
from bot.presentation.views.problems import FailureView
from core import evaluation as metrics
from core.evaluation import Observed, Rate, SymmetryRound

THRESHOLDS = tuple(n / 20 for n in range(20))
"""Points of the abstention curve."""

GROUPS = ("corpus", "language", "kind")
"""Attributes by which questions are grouped."""

BY_GROUP = ("quote_right@1", "quote_right@3", "quote_share", "abstention_recall", "wrongly_silent")
"""The measures of each group."""

Measure = Callable[[Sequence[Observed]], Rate]

SEARCH: Mapping[str, Measure] = {f"hit@{rank}": partial(metrics.hit_at, k=rank) for rank in (1, 5, 10)}
ANSWERS: Mapping[str, Measure] = {
    "page_correct@1": partial(metrics.cited_at, k=1),
    "page_correct@3": partial(metrics.cited_at, k=3),
    "answered_rightly": metrics.answered_rightly,
    "citation_precision": metrics.citation_precision,
    "citation_recall": metrics.citation_recall,
    "quote_right@1": partial(metrics.quote_right, k=1),
    "quote_right@3": partial(metrics.quote_right, k=3),
    "quote_share": metrics.quote_share,
    "quote_precision": partial(metrics.citation_precision, words=True),
    "quote_recall": partial(metrics.citation_recall, words=True),
    "quote_exact": metrics.quotes_exact,
    "highlight_checked": metrics.highlights_checked,
    "labels_known": metrics.labels_known,
    "abstention_recall": metrics.silent_rightly,
    "abstention_precision": metrics.abstention_precision,
    "wrongly_silent": metrics.silent_wrongly,
    "scope_violations": metrics.scope_violations,
    "fallback": metrics.fallbacks,
}
SYMMETRY: Mapping[str, Callable[[Sequence[SymmetryRound]], Rate]] = {
    "same_form": metrics.same_form,
    "within_quota": metrics.within_quota,
    "same_order_compare": partial(metrics.same_order, way="compare"),
    "same_order_ask": partial(metrics.same_order, way="ask"),
    "same_outcome": metrics.same_outcome,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The results of a variant. `rounds` is None if symmetry was not requested; `errors` are the questions
    that could not be asked and are in no measure; `passages` counts those of every party's documents."""

    name: str
    answerer: str | None
    changes: dict[str, str]
    observed: Sequence[Observed]
    rounds: Sequence[SymmetryRound] | None = None
    errors: Sequence[FailureView] = ()
    passages: Mapping[str, int] = field(default_factory=dict)


def comparison(measured: Sequence[Measured]) -> Json:
    """Several variants: the report of each, with its differing settings."""
    return {
        "variants": [
            {"name": each.name, "answerer": each.answerer, "settings": each.changes, **whole(each)}
            for each in measured
        ]
    }


def whole(measured: Measured) -> Json:
    """The report of a variant, including its errors."""
    errors = [each.json_object for each in measured.errors]
    return {**report(measured.observed, measured.rounds, measured.passages), "errors": errors}


def report(
    observed: Sequence[Observed],
    rounds: Sequence[SymmetryRound] | None = None,
    passages: Mapping[str, int] = MappingProxyType({}),
) -> Json:
    """All measures; rates as {hits, of, value, low, high} with their 95 % interval. `passages` of each party
    are reported next to how often it was chosen."""
    seconds = [item.seconds for item in observed]
    equal = {} if rounds is None else {"symmetry": _symmetry(rounds, observed, passages)}
    return {
        "questions": len(observed),
        "answerable": len(metrics.answerable(observed)),
        "search": {**_rates(SEARCH, observed), "mrr": round(metrics.mean_reciprocal_rank(observed), 4)},
        "answers": _rates(ANSWERS, observed),
        "outcomes": metrics.outcomes(observed),
        "seconds": {
            "median": round(metrics.percentile(seconds, 0.5), 4),
            "p95": round(metrics.percentile(seconds, 0.95), 4),
        },
        "usage": UsageView.showing(
            metrics.usage(observed), asked=sum(item.usage is not None for item in observed)
        ).json_object,
        **equal,
        "groups": {by: _groups(observed, by) for by in GROUPS},
        "curve": curve(observed),
        "rows": [RowView.showing(item).json_object for item in observed],
    }


def _rates(measures: Mapping[str, Measure], observed: Sequence[Observed]) -> Json:
    return {name: _rate(measure(observed)) for name, measure in measures.items()}


def _rate(rate: Rate) -> Json:
    return RateView.showing(rate, interval=rate.interval()).json_object


def _groups(observed: Sequence[Observed], by: str) -> list[Json]:
    """How the questions of each kind, language or corpus were answered."""
    measures = {name: ANSWERS[name] for name in BY_GROUP}
    return [
        {"name": name, "questions": len(items), **_rates(measures, items)}
        for name, items in metrics.grouped(observed, by).items()
    ]


def _symmetry(
    rounds: Sequence[SymmetryRound], observed: Sequence[Observed], passages: Mapping[str, int]
) -> Json:
    """Rates of equal treatment, every party's share, the departures, and who was chosen if nobody was
    named."""
    return {
        "questions": len(rounds),
        **{name: _rate(measure(rounds)) for name, measure in SYMMETRY.items()},
        "parties": [PartyShareView.showing(each).json_object for each in metrics.shares(rounds)],
        "departures": [departure for each in rounds for departure in _departures(each)],
        "unnamed": {
            "questions": len(metrics.of_any_party(observed)),
            "parties": [
                ChosenPartyView.showing(each).json_object for each in metrics.chosen(observed, passages)
            ],
        },
    }


def _departures(found: SymmetryRound) -> list[Json]:
    exceeding = [turn for turn in found.turns if turn.sentences > found.quota]
    cases = [("form", turn.question) for turn in found.departures()]
    cases += [("quota", turn.question) for turn in exceeding]
    cases += [(f"order_{pair.way}", pair.question) for pair in found.ordered if not pair.equal]
    return [{"id": found.id, "what": what, "question": question} for what, question in cases]


def curve(observed: Sequence[Observed]) -> list[Json]:
    """Abstention as a function of the confidence threshold."""
    points = []
    for threshold in THRESHOLDS:
        moved = [replace(item, silent=_silent_at(item, threshold)) for item in observed]
        points.append(
            {
                "threshold": threshold,
                "rightly_silent": metrics.silent_rightly(moved).value,
                "wrongly_silent": metrics.silent_wrongly(moved).value,
            }
        )
    return points


def _silent_at(item: Observed, threshold: float) -> bool:
    """Whether a question is silent at a threshold; one without a source is at every threshold: its confidence
    is 0, or nothing was found."""
    no_source = item.silent and not item.question.answerable and not item.hits
    return no_source or item.confidence < threshold


class RateView(View):
    """A rate with its number of questions and 95 % interval."""

    hits: int
    of: int
    value: Figure
    low: Figure = lies_at("interval.0")
    high: Figure = lies_at("interval.1")


class UsageView(View):
    """Language model usage for the questions."""

    asked: int
    prompt_tokens: int
    completion_tokens: int
    usd: Annotated[float, rounded(6)] | None


class PartyShareView(View):
    """How often a party was asked about, answered and quoted."""

    party: Text
    asked: int
    answered: int
    quotes: int


class ChosenPartyView(View):
    """How often each party was quoted for questions that name none, or named as having something on the
    topic."""

    party: Text
    cited: int
    named: int
    passages: int
    share: Figure


class _GoldView(View):
    file: Text
    page: int
    quote: Text


class _ShownQuoteView(View):
    file: Text = lies_at("places.0.0")
    pages: tuple[int, ...]
    quote: Text
    right: bool


class RowView(View):
    """A question with its outcome."""

    id: Text = lies_at("question.id")
    question: Text = lies_at("question.question")
    answerable: bool = lies_at("question.answerable")
    gold: tuple[_GoldView, ...] = lies_at("question.gold")
    shown: tuple[_ShownQuoteView, ...]
    quote_rank: int | None
    rank: int | None
    cited_rank: int | None
    outcome: Text
    silent: bool
    confidence: Share
    seconds: Figure

    @model_validator(mode="before")
    @classmethod
    def _ranked(cls, item: Observed) -> Joined:
        return Joined(
            item,
            {
                "shown": [
                    {
                        "places": places,
                        "pages": [page for _, page in places],
                        "quote": quote,
                        "right": metrics.holds_answer(item.question, places, quote),
                    }
                    for places, quote in zip(item.citations, item.quotes, strict=True)
                ],
                "quote_rank": metrics.quote_rank(item),
                "rank": metrics.first_rank(item.question, item.hits),
                "cited_rank": metrics.first_rank(item.question, item.citations),
            },
        )


def rates(result: Json) -> list[tuple[str, Json]]:
    """Name and rate of every rate in a report."""
    groups = (result["search"], result["answers"], result.get("symmetry", {}))
    return [
        (name, value)
        for group in groups
        for name, value in group.items()
        if isinstance(value, dict) and "value" in value
    ]


def side_by_side(results: Sequence[Json]) -> list[list[str]]:
    """The rows of a table: a measure and its value in each of `results`, which have the same measures.
    A value has its number of questions or citations and its 95 % interval."""
    columns = [dict(rates(result)) for result in results]
    rows = [[name, *(cell(column[name]) for column in columns)] for name in columns[0]]
    return rows + [[name, *(value(result) for result in results)] for name, value in _FIGURES]


def cell(rate: Json) -> str:
    """A rate for people: its share, how many of how many and the 95 % interval; "-" for none."""
    if not rate["of"]:
        return "-"
    return f"{rate['value']:.1%}  {rate['hits']} of {rate['of']}  ({rate['low']:.0%}-{rate['high']:.0%})"


def _cost(result: Json) -> str:
    used = result["usage"]
    if not used["asked"]:
        return "-"
    return "unknown" if used["usd"] is None else f"{used['usd']:.4f}"


def _tokens(result: Json) -> str:
    used = result["usage"]
    return f"{used['prompt_tokens']} + {used['completion_tokens']}" if used["asked"] else "-"


_FIGURES = (
    ("MRR", lambda result: f"{result['search']['mrr']:.3f}"),
    (
        "outcomes",
        lambda result: ", ".join(f"{name} {count}" for name, count in sorted(result["outcomes"].items())),
    ),
    ("tokens read + written", _tokens),
    ("US dollars", _cost),
    ("seconds, median", lambda result: f"{result['seconds']['median']:.3f}"),
    ("seconds, p95", lambda result: f"{result['seconds']['p95']:.3f}"),
)
