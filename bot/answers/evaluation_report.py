"""The results of an evaluation as JSON-ready dictionaries and as rows of a table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.presentation.result_json import Json
from core.evaluation import metrics
from core.evaluation import symmetry as symmetric
from core.evaluation.metrics import Observed, Rate
from core.evaluation.symmetry import SymmetryRound

THRESHOLDS = tuple(n / 20 for n in range(20))
"""Points of the abstention curve."""

GROUPS = ("corpus", "language", "kind")
"""What questions are told apart by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What a variant did. `rounds` is None where symmetry was not asked for; `errors` are the questions that
    could not be asked, which no measure counts."""

    name: str
    answerer: str | None
    changes: dict[str, str]
    observed: Sequence[Observed]
    rounds: Sequence[SymmetryRound] | None = None
    errors: Sequence[Json] = ()


def comparison(measured: Sequence[Measured]) -> Json:
    """Several variants: the report of each, with what makes it different."""
    return {
        "variants": [
            {
                "name": each.name,
                "answerer": each.answerer,
                "settings": each.changes,
                **whole(each),
            }
            for each in measured
        ]
    }


def whole(measured: Measured) -> Json:
    """The report of what a variant did, with what it could not do."""
    return {**report(measured.observed, measured.rounds), "errors": list(measured.errors)}


def report(observed: Sequence[Observed], rounds: Sequence[SymmetryRound] | None = None) -> Json:
    """All measures; rates as {hits, of, value, low, high} with their 95 % interval."""
    seconds = [item.seconds for item in observed]
    found: Json = {
        "questions": len(observed),
        "answerable": len(metrics.answerable(observed)),
        "search": {
            "hit@1": rate_json(metrics.hit_at(observed, 1)),
            "hit@5": rate_json(metrics.hit_at(observed, 5)),
            "hit@10": rate_json(metrics.hit_at(observed, 10)),
            "mrr": round(metrics.mean_reciprocal_rank(observed), 4),
        },
        "answers": {name: rate_json(rate) for name, rate in _answer_rates(observed)},
        "outcomes": metrics.outcomes(observed),
        "seconds": {
            "median": round(metrics.percentile(seconds, 0.5), 4),
            "p95": round(metrics.percentile(seconds, 0.95), 4),
        },
        "usage": _usage_json(observed),
    }
    if rounds is not None:
        found["symmetry"] = symmetry_json(rounds)
    return {
        **found,
        "groups": {by: groups_json(observed, by) for by in GROUPS},
        "curve": curve(observed),
        "rows": [row_json(item) for item in observed],
    }


def groups_json(observed: Sequence[Observed], by: str) -> list[Json]:
    """How the questions of each kind, language or corpus were answered."""
    return [
        {
            "name": name,
            "questions": len(items),
            "quote_right@1": rate_json(metrics.quote_right(items, 1)),
            "quote_right@3": rate_json(metrics.quote_right(items, 3)),
            "quote_share": rate_json(metrics.quote_share(items)),
            "abstention_recall": rate_json(metrics.silent_rightly(items)),
            "wrongly_silent": rate_json(metrics.silent_wrongly(items)),
        }
        for name, items in metrics.grouped(observed, by).items()
    ]


def _answer_rates(observed: Sequence[Observed]) -> list[tuple[str, Rate]]:
    return [
        ("page_correct@1", metrics.cited_at(observed, 1)),
        ("page_correct@3", metrics.cited_at(observed, 3)),
        ("answered_rightly", metrics.answered_rightly(observed)),
        ("citation_precision", metrics.citation_precision(observed)),
        ("citation_recall", metrics.citation_recall(observed)),
        ("quote_right@1", metrics.quote_right(observed, 1)),
        ("quote_right@3", metrics.quote_right(observed, 3)),
        ("quote_share", metrics.quote_share(observed)),
        ("quote_precision", metrics.citation_precision(observed, words=True)),
        ("quote_recall", metrics.citation_recall(observed, words=True)),
        ("quote_exact", metrics.quotes_exact(observed)),
        ("highlight_checked", metrics.highlights_checked(observed)),
        ("labels_known", metrics.labels_known(observed)),
        ("abstention_recall", metrics.silent_rightly(observed)),
        ("abstention_precision", metrics.abstention_precision(observed)),
        ("wrongly_silent", metrics.silent_wrongly(observed)),
        ("scope_violations", metrics.scope_violations(observed)),
        ("fallback", metrics.fallbacks(observed)),
    ]


def _usage_json(observed: Sequence[Observed]) -> Json:
    used = metrics.usage(observed)
    return {
        "asked": sum(item.usage is not None for item in observed),
        "prompt_tokens": used.prompt_tokens,
        "completion_tokens": used.completion_tokens,
        "usd": None if used.usd is None else round(used.usd, 6),
    }


def symmetry_json(rounds: Sequence[SymmetryRound]) -> Json:
    """Rates of equal treatment, every party's share, and what departed from it."""
    return {
        "questions": len(rounds),
        "same_form": rate_json(symmetric.same_form(rounds)),
        "within_quota": rate_json(symmetric.within_quota(rounds)),
        "same_order_compare": rate_json(symmetric.same_order(rounds, "compare")),
        "same_order_ask": rate_json(symmetric.same_order(rounds, "ask")),
        "same_outcome": rate_json(symmetric.same_outcome(rounds)),
        "parties": [
            {"party": each.party, "asked": each.asked, "answered": each.answered, "quotes": each.quotes}
            for each in symmetric.shares(rounds)
        ],
        "departures": [departure for each in rounds for departure in _departures(each)],
    }


def _departures(found: SymmetryRound) -> list[Json]:
    over = [turn for turn in found.turns if turn.sentences > found.quota]
    cases = [("form", turn.question) for turn in found.departures()]
    cases += [("quota", turn.question) for turn in over]
    cases += [(f"order_{pair.way}", pair.question) for pair in found.ordered if not pair.equal]
    return [{"id": found.id, "what": what, "question": question} for what, question in cases]


def curve(observed: Sequence[Observed]) -> list[Json]:
    """Abstention over the threshold of confidence: what would be met with silence."""
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
    """Questions about what has no source stay silent at every threshold: their confidence is 0, or
    nothing was found at all."""
    no_source = item.silent and not item.question.answerable and not item.hits
    return no_source or item.confidence < threshold


def rate_json(rate: Rate) -> Json:
    """A rate with its number of questions and 95 % interval."""
    low, high = rate.interval()
    return {
        "hits": rate.hits,
        "of": rate.of,
        "value": round(rate.value, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def row_json(item: Observed) -> Json:
    """A question with what became of it."""
    return {
        "id": item.question.id,
        "question": item.question.question,
        "answerable": item.question.answerable,
        "gold": [{"file": gold.file, "page": gold.page, "quote": gold.quote} for gold in item.question.gold],
        "shown": [
            {
                "file": places[0][0],
                "pages": [page for _, page in places],
                "quote": quote,
                "right": metrics.holds_answer(item.question, places, quote),
            }
            for places, quote in zip(item.citations, item.quotes, strict=True)
        ],
        "quote_rank": metrics.quote_rank(item),
        "rank": metrics.first_rank(item.question, item.hits),
        "cited_rank": metrics.first_rank(item.question, item.citations),
        "outcome": item.outcome,
        "silent": item.silent,
        "confidence": round(item.confidence, 3),
        "seconds": round(item.seconds, 4),
    }


def rates(result: Json) -> list[tuple[str, Json]]:
    """Name and rate of every rate in a report."""
    groups = (result["search"], result["answers"], result.get("symmetry", {}))
    return [(name, value) for group in groups for name, value in group.items() if isinstance(value, dict)]


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
