"""Running a question set through search and answer, and the report of it."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bot.app import App
from bot.rendering import Json
from bot.scoping import ScopeOptions
from core.domain.answers import Answer, Citation, Outcome, Verdict
from core.domain.documents import GLOBAL, Edition
from core.domain.search import SearchResult
from core.evaluation import metrics
from core.evaluation.metrics import Observed, Place, Rate
from core.evaluation.questions import SetQuestion
from core.evidence.alignment import align
from core.evidence.index import DocumentIndex

HITS = 10
"""Hits looked at per question."""

THRESHOLDS = tuple(n / 20 for n in range(20))
"""Points of the abstention curve."""


async def observe(
    app: App, questions: Sequence[SetQuestion], progress: Callable[[int, int], None]
) -> list[Observed]:
    """Ask every question of a set; its jurisdiction is used as the option, its party is not."""
    found = []
    await app.warm_up()
    with tempfile.TemporaryDirectory() as folder:
        for done, question in enumerate(questions, start=1):
            found.append(await _observe(app, question, Path(folder)))
            progress(done, len(questions))
    return found


async def _observe(app: App, question: SetQuestion, folder: Path) -> Observed:
    options = ScopeOptions(jurisdiction=question.jurisdiction)
    result = await app.search(question.question, options, k=HITS)
    answer, attached = await app.ask(question.question, options, out=folder, prefix=f"{question.id}-")
    exact = [await _is_exact(app, citation) for citation in answer.citations]
    editions = [hit.edition for hit in result.hits] + [item.edition for item in answer.citations]
    return Observed(
        question=question,
        hits=tuple(_places(hit.edition, hit.passage.pages) for hit in result.hits),
        citations=tuple(_places(item.edition, item.quote.pages) for item in answer.citations),
        exact_quotes=sum(exact),
        highlights=sum(item.checked for item in attached.values()),
        silent=_is_silent(answer, question),
        confidence=answer.confidence,
        places=frozenset(_place(edition) for edition in editions),
        allowed=_allowed(app, result),
        seconds=answer.seconds["total"],
    )


def _places(edition: Edition, pages: Sequence[int]) -> tuple[Place, ...]:
    return tuple((edition.document.file, page) for page in pages)


def _place(edition: Edition) -> str:
    return edition.document.fields.jurisdiction or ""


def _is_silent(answer: Answer, question: SetQuestion) -> bool:
    """Silence; for a question without an answer, saying that there is no source counts as well."""
    if not question.answerable and answer.missing:
        return True
    return answer.outcome is not Outcome.GROUNDED


def _allowed(app: App, result: SearchResult) -> frozenset[str] | None:
    asked = result.plan.scope.jurisdictions
    if not asked:
        return None
    chain = {place for code in asked for place in (code, *app.scoping.places.ancestors(code))}
    return frozenset(chain | {GLOBAL})


async def _is_exact(app: App, citation: Citation) -> bool:
    """Whether the quote shown stands word for word on the pages named, checked anew from the pages."""
    pages = [await app.library.page(citation.edition.version.id, number) for number in citation.quote.pages]
    found = align(citation.quote.text, DocumentIndex([page for page in pages if page is not None]))
    return found.verdict is Verdict.VERBATIM


def report(observed: Sequence[Observed]) -> Json:
    """All measures; rates as {hits, of, value, low, high} with their 95 % interval."""
    seconds = [item.seconds for item in observed]
    return {
        "questions": len(observed),
        "answerable": len(metrics.answerable(observed)),
        "search": {
            "hit@1": rate_json(metrics.hit_at(observed, 1)),
            "hit@5": rate_json(metrics.hit_at(observed, 5)),
            "hit@10": rate_json(metrics.hit_at(observed, 10)),
            "mrr": round(metrics.mean_reciprocal_rank(observed), 4),
        },
        "answers": {
            "page_correct@1": rate_json(metrics.cited_at(observed, 1)),
            "page_correct@3": rate_json(metrics.cited_at(observed, 3)),
            "quote_exact": rate_json(metrics.quotes_exact(observed)),
            "highlight_checked": rate_json(metrics.highlights_checked(observed)),
            "abstention_recall": rate_json(metrics.silent_rightly(observed)),
            "abstention_precision": rate_json(metrics.abstention_precision(observed)),
            "wrongly_silent": rate_json(metrics.silent_wrongly(observed)),
            "scope_violations": rate_json(metrics.scope_violations(observed)),
        },
        "seconds": {
            "median": round(metrics.percentile(seconds, 0.5), 4),
            "p95": round(metrics.percentile(seconds, 0.95), 4),
        },
        "curve": curve(observed),
        "rows": [row_json(item) for item in observed],
    }


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
        "answerable": item.question.answerable,
        "rank": metrics.first_rank(item.question, item.hits),
        "cited_rank": metrics.first_rank(item.question, item.citations),
        "silent": item.silent,
        "confidence": round(item.confidence, 3),
        "seconds": round(item.seconds, 4),
    }


def rates(result: Json) -> list[tuple[str, Json]]:
    """Name and rate of every rate in a report."""
    groups = (result["search"], result["answers"])
    return [(name, value) for group in groups for name, value in group.items() if isinstance(value, dict)]


def plot(result: Json) -> str:
    """An SVG: silence over the threshold of confidence, for answerable and unanswerable questions."""
    import pygal  # only here: it hooks itself into the import system

    chart = pygal.Line(
        title="Silence over the threshold of confidence",
        x_title="threshold",
        y_title="share of questions",
        range=(0, 1),
        js=(),
        disable_xml_declaration=True,
    )
    chart.x_labels = [f"{point['threshold']:.2f}" for point in result["curve"]]
    chart.add("unanswerable, rightly silent", [point["rightly_silent"] for point in result["curve"]])
    chart.add("answerable, wrongly silent", [point["wrongly_silent"] for point in result["curve"]])
    return str(chart.render(is_unicode=True))


def report_page(result: Json, name: str) -> str:
    """The report as one HTML page: table and plot."""
    rows = "".join(
        f"<tr><td>{label}</td><td>{rate['value']:.1%}</td><td>{rate['hits']} of {rate['of']}</td>"
        f"<td>{rate['low']:.1%} – {rate['high']:.1%}</td></tr>"
        for label, rate in rates(result)
    )
    seconds = result["seconds"]
    return (
        f"<!doctype html><meta charset='utf-8'><title>{name}</title><h1>{name}</h1>"
        f"<table border='1' cellpadding='4'><tr><th>measure</th><th>rate</th><th>questions</th>"
        f"<th>95 % interval</th></tr>{rows}</table>"
        f"<p>MRR {result['search']['mrr']:.3f}; seconds per answer: median {seconds['median']:.3f}, "
        f"p95 {seconds['p95']:.3f}; {result['questions']} questions.</p>{plot(result)}"
    )
