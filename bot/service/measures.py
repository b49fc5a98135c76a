"""Metrics for Prometheus: counters kept while running, and values counted on request. They identify
nobody."""

import platform
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from prometheus_client import generate_latest
from prometheus_client.core import CollectorRegistry, CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.library.sources.jobs import Job, Jobs
from bot.periodic import Supervisor
from bot.service.standing import STORES, Lookout, Standing
from core.domain.ids import DocumentId
from core.domain.journal import Backlog, FeedbackVerdict
from core.domain.sources import CheckResult
from core.errors import FundstelleError
from core.library.completeness import IndexCount
from core.ports.lifecycle import CorrectionLog

EVER = datetime(1, 1, 1, tzinfo=UTC)

Rows = Iterable[tuple[float, *tuple[str, ...]]]
"""A value, and the values of its labels in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Collects everything. `data` is the folder whose disk is looked at, `pipeline` the pipeline's
    version."""

    lookout: Lookout
    jobs: Jobs
    corrections: CorrectionLog
    supervisor: Supervisor
    data: Path
    pipeline: str

    async def exposition(self) -> bytes:
        """The text format of Prometheus. What a store cannot say is left out, and says so by its gauge."""
        standing = await self.lookout.look()
        families = [*self._of_process(standing), *_platforms(standing, self.lookout)]
        if standing.backlog is not None:
            try:
                families += [*_boxes(standing.backlog, standing.at), *await self._kept(standing.at)]
            except FundstelleError:  # deleted in between
                families += []
        if standing.counts is not None:
            families += _index(standing.counts)
        whole = CollectorRegistry()
        for collector in (self.lookout.metrics.registry, _Collected(families)):
            whole.register(collector)
        return generate_latest(whole)

    def _of_process(self, standing: Standing) -> Iterator[Metric]:
        build = (1, version("fundstelle"), platform.python_version(), self.pipeline)
        yield _gauge("build_info", "What is running", [build], "version", "python", "pipeline")
        yield _gauge("ready", "1 if questions are answered", [(not standing.obstacles,)])
        up = ((store not in standing.errors, store) for store in STORES)
        yield _gauge("store_up", "1 if a store answers", up, "store")
        failed = CounterMetricFamily("fundstelle_task_failures", "Errors in recurring work", labels=["task"])
        yield _filled(failed, ((count, name) for name, count in sorted(self.supervisor.failures.items())))
        there = next(each for each in (self.data, *self.data.absolute().parents) if each.exists())
        disk = shutil.disk_usage(there)
        yield _gauge("disk_free_bytes", "Room on the data folder's disk", [(disk.free,)])
        yield _gauge("disk_size_bytes", "Size of the data folder's disk", [(disk.total,)])

    async def _kept(self, now: datetime) -> Iterable[Metric]:
        """What is counted in the database is what is kept: a count falls when a term is over."""
        said = Counter(item.verdict for item in await self.lookout.journal.feedback())
        verdicts = ((said[verdict], verdict.value) for verdict in FeedbackVerdict)
        told = await self.corrections.messages_since(None, EVER)
        return [
            _gauge("feedback", "Words on answers that are kept", verdicts, "verdict"),
            _gauge("correction_messages", "Messages with corrections that are kept", [(told,)]),
            *_sources(await self.jobs.listed(), now),
        ]


class _Collected(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = tuple(families)

    def collect(self) -> Iterable[Metric]:
        return self._families


def _gauge(name: str, said: str, rows: Rows, *labels: str) -> Metric:
    return _filled(GaugeMetricFamily(f"fundstelle_{name}", said, labels=labels), rows)


def _filled(family: GaugeMetricFamily | CounterMetricFamily, rows: Rows) -> Metric:
    for value, *labels in rows:
        family.add_metric(labels, float(value))
    return family


def _ages(
    name: str, said: str, moments: Iterable[tuple[datetime | None, str]], now: datetime, label: str
) -> Metric:
    """Ages in seconds; events that never happened have none."""
    rows = ((max(0.0, (now - at).total_seconds()), value) for at, value in moments if at is not None)
    return _gauge(f"{name}_seconds", said, rows, label)


def _platforms(standing: Standing, lookout: Lookout) -> Iterator[Metric]:
    now, contacts = standing.at, standing.contacts
    served = ((name not in standing.broken, name) for name in contacts)
    yield _gauge("platform_served", "0 if only the operator can mend a platform", served, "platform")
    reached = ((not contact.error, name) for name, contact in contacts.items())
    yield _gauge("platform_reachable", "1 if a platform answers", reached, "platform")
    answers = ((contact.at, name) for name, contact in contacts.items())
    yield _ages("platform_contact_age", "Time since a platform last answered", answers, now, "platform")
    heard = ((lookout.heard_at(name) or standing.since, name) for name in contacts)
    said = "Time since a platform's last event, or since the start"
    yield _ages("platform_event_age", said, heard, now, "platform")


def _boxes(backlog: Backlog, now: datetime) -> Iterator[Metric]:
    messages = ((getattr(backlog, state), state) for state in ("waiting", "working", "dead"))
    yield _gauge("messages", "Messages that came in; dead ones are dead letters", messages, "state")
    parts = ((getattr(backlog, state), state) for state in ("pending", "sending", "failed", "unknown"))
    said = "Parts of replies; failed and unknown ones are dead letters"
    yield _gauge("parts", said, parts, "state")
    for name, oldest in (("messages", backlog.oldest_waiting), ("parts", backlog.oldest_pending)):
        age = 0.0 if oldest is None else max(0.0, (now - oldest).total_seconds())
        yield _gauge(f"oldest_{name}_seconds", f"Age of the oldest of the {name} that wait", [(age,)])


def _index(counts: Sequence[IndexCount]) -> Iterator[Metric]:
    documents: dict[str, set[DocumentId]] = {}
    passages: Counter[tuple[str, str]] = Counter()
    for count in counts:
        holding = count.holding
        documents.setdefault(holding.collection, set()).add(holding.document)
        passages[holding.collection, "database"] += holding.kept
        passages[holding.collection, "index"] += count.points
    numbers = ((len(found), name) for name, found in documents.items())
    yield _gauge("documents", "Documents that can be read", numbers, "collection")
    rows = ((number, *labels) for labels, number in passages.items())
    said = "Passages of their versions, in the database and in the index"
    yield _gauge("passages", said, rows, "collection", "store")
    lacking = {count.holding.document for count in counts if not count.is_whole}
    said = "Documents that are not, or not as a whole, in the index"
    yield _gauge("index_lacking_documents", said, [(len(lacking),)])


def _sources(jobs: Sequence[Job], now: datetime) -> Iterator[Metric]:
    yield _gauge("sources", "Documents that are fetched on a schedule", [(len(jobs),)])
    states = (
        (sum(job.state.hold is not None for job in jobs), "held"),
        (sum(job.state.result is CheckResult.FAILED for job in jobs), "failing"),
        (sum(job.is_due(now) for job in jobs), "due"),
    )
    yield _gauge("sources_not_in_order", "Of these, by what is the matter", states, "state")
    looks = ((job.state.checked_at, job.source.id) for job in jobs)
    yield _ages("source_age", "Time since a source was last looked at", looks, now, "document")
    results = ((1, job.source.id, job.state.result.value) for job in jobs if job.state.result)
    said = "What became of the last look at a source"
    yield _gauge("source_last_result", said, results, "document", "result")
    failures = ((job.state.failures, job.source.id) for job in jobs)
    yield _gauge("source_failures", "Failed looks at a source in a row", failures, "document")
