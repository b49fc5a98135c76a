"""What the library and its readers come to, in numbers for the operator: nothing about who asked what."""

from collections import Counter
from datetime import UTC, datetime

from bot.answers.app import App
from core.domain.journal import FeedbackVerdict
from core.domain.sources import CheckResult

EVER = datetime(1, 1, 1, tzinfo=UTC)


async def library_measures(app: App) -> dict[str, float]:
    """Values by the names that Prometheus gets. What is counted is what is kept: a count falls when a term
    is over. Raises FundstelleError where the database does not answer."""
    said = Counter(item.verdict for item in await app.journal.feedback())
    jobs = await app.sources.jobs.listed()
    now = app.clock.now()
    failing = sum(job.state.result is CheckResult.FAILED for job in jobs)
    values: dict[str, float] = {
        f'fundstelle_feedback{{verdict="{verdict.value}"}}': said[verdict] for verdict in FeedbackVerdict
    }
    values |= {
        f'fundstelle_task_failures_total{{task="{name}"}}': count
        for name, count in sorted(app.supervisor.failures.items())
    }
    values |= {
        f'fundstelle_rejected_total{{reason="{reason}"}}': count
        for reason, count in sorted(app.recorder.rejections.items())
    }
    lacking = await app.completeness.lacking()
    return values | {
        "fundstelle_index_lacking_documents": len({lack.holding.document for lack in lacking}),
        "fundstelle_records_lost_total": app.recorder.lost,
        "fundstelle_correction_messages": await app.corrections.messages_since(None, EVER),
        "fundstelle_sources": len(jobs),
        'fundstelle_sources_not_in_order{state="held"}': sum(job.state.hold is not None for job in jobs),
        'fundstelle_sources_not_in_order{state="failing"}': failing,
        'fundstelle_sources_not_in_order{state="due"}': sum(job.is_due(now) for job in jobs),
    }
