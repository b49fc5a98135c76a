"""What the library and its readers come to, in numbers for the operator: nothing about who asked what."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.answers.records import Recorder
from bot.library.sources import Jobs
from bot.library.upkeep import IndexUpkeep
from bot.periodic import Supervisor
from core.domain.journal import FeedbackVerdict
from core.domain.sources import CheckResult
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.ports.lifecycle import CorrectionLog

EVER = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LibraryMeasures:
    """Counts what there is to count."""

    journal: Journal
    jobs: Jobs
    upkeep: IndexUpkeep
    corrections: CorrectionLog
    recorder: Recorder
    supervisor: Supervisor
    clock: Clock

    async def values(self) -> dict[str, float]:
        """By the names that Prometheus gets. What is counted is what is kept: a count falls when a term is
        over. Raises FundstelleError where the database does not answer."""
        said = Counter(item.verdict for item in await self.journal.feedback())
        jobs = await self.jobs.listed()
        now = self.clock.now()
        failing = sum(job.state.result is CheckResult.FAILED for job in jobs)
        values: dict[str, float] = {
            f'fundstelle_feedback{{verdict="{verdict.value}"}}': said[verdict] for verdict in FeedbackVerdict
        }
        values |= {
            f'fundstelle_task_failures_total{{task="{name}"}}': count
            for name, count in sorted(self.supervisor.failures.items())
        }
        values |= {
            f'fundstelle_rejected_total{{reason="{reason}"}}': count
            for reason, count in sorted(self.recorder.rejections.items())
        }
        lacking = await self.upkeep.lacking()
        return values | {
            "fundstelle_index_lacking_documents": len({lack.holding.document for lack in lacking}),
            "fundstelle_records_lost_total": self.recorder.lost,
            "fundstelle_correction_messages": await self.corrections.messages_since(None, EVER),
            "fundstelle_sources": len(jobs),
            'fundstelle_sources_not_in_order{state="held"}': sum(job.state.hold is not None for job in jobs),
            'fundstelle_sources_not_in_order{state="failing"}': failing,
            'fundstelle_sources_not_in_order{state="due"}': sum(job.is_due(now) for job in jobs),
        }
