"""The status of `serve`: which platforms, stores and models are missing, whether questions are answered,
and metrics for Prometheus, which identify nobody."""

import asyncio
import platform
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Final

from prometheus_client import generate_latest
from prometheus_client.core import CollectorRegistry, CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.library.sources.jobs import Job, Jobs
from bot.library.upkeep import IndexUpkeep, in_words
from bot.periodic import Supervisor
from bot.telemetry.metrics import Metrics
from core.domain.ids import DocumentId
from core.domain.ingestion import CheckResult
from core.domain.journal import Backlog, FeedbackVerdict
from core.domain.messages import Contact
from core.errors import Broken, FundstelleError
from core.library.completeness import IndexCount
from core.ports.chat import ChatPlatform
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.ports.library import CorrectionLog
from core.ports.storage import FileStore

STUCK = timedelta(minutes=10)
"""A message waiting longer than this means that nothing is moving."""

DATABASE: Final = "database"
INDEX: Final = "index"
FILES: Final = "files"
STORES = (DATABASE, INDEX, FILES)

ANSWERS_S = 5.0
"""Seconds that the store of files has to answer in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The status `at` a time. Questions are answered `since` then, None while they are not. `errors` are the
    keys of errors that keep a store from responding; `backlog` and `counts` are then None. `broken` platforms
    are not served, `failing` models did not answer when they were last called."""

    at: datetime
    since: datetime | None
    backlog: Backlog | None
    counts: Sequence[IndexCount] | None
    contacts: Mapping[str, Contact]
    broken: Mapping[str, Broken]
    failing: Mapping[str, str]
    errors: Mapping[str, str]

    @property
    def obstacles(self) -> list[str]:
        """Reasons why questions are not answered."""
        return list(self._obstacles())

    def _obstacles(self) -> Iterator[str]:
        if self.since is None:
            yield "starting or stopping"
        for store, key in self.errors.items():
            yield f"the {'store of files' if store == FILES else store} does not answer: {key}"
        oldest = self.backlog.oldest_waiting if self.backlog else None
        if oldest is not None and self.since is not None and self.at - max(oldest, self.since) > STUCK:
            yield "a message has been waiting for more than 10 minutes"
        if self.contacts and all(contact.error for contact in self.contacts.values()):
            yield "no platform is reachable"

    @property
    def lines(self) -> list[str]:
        """Lines saying whether it is ready, and everything that is missing."""
        obstacles = self.obstacles
        return ["not ready" if obstacles else "ready", *obstacles, *self._platforms(), *self._gaps()]

    def _platforms(self) -> Iterator[str]:
        for name, contact in self.contacts.items():
            if name in self.broken:
                yield f"{name} is not served: {self.broken[name].key}, see the log"
            elif contact.error:
                ago = contact.at and timedelta(seconds=(self.at - contact.at) // timedelta(seconds=1))
                seen = f"last reached {ago} ago" if contact.at else "not reached so far"
                yield f"{name} is not reachable: {contact.error}, {seen}"

    def _gaps(self) -> Iterator[str]:
        for model, key in self.failing.items():
            yield f"the model {model} did not answer its last call: {key}"
        lacking = [count for count in self.counts or () if not count.is_whole]
        if lacking:
            yield f"the library is being rebuilt: {in_words(lacking)}"


@dataclass(slots=True, kw_only=True)
class Lookout:
    """Determines the status. `serve` sets `since`; `heard_at` says when messages of a platform last
    arrived."""

    journal: Journal
    upkeep: IndexUpkeep
    store: FileStore
    clock: Clock
    platforms: Mapping[str, ChatPlatform]
    broken: Mapping[str, Broken]
    heard_at: Callable[[str], datetime | None]
    metrics: Metrics
    since: datetime | None = field(default=None, init=False)

    async def look(self) -> Standing:
        """The current status; failures of stores are in `errors`."""
        errors: dict[str, str] = {}
        backlog, counts = None, None
        try:
            backlog = await self.journal.backlog()
        except FundstelleError as error:
            errors[DATABASE] = error.key
        try:
            counts = await self.upkeep.completeness.counted() if backlog else None
        except FundstelleError as error:
            errors[INDEX] = error.key
        try:
            async with asyncio.timeout(ANSWERS_S):
                await self.store.check()
        except TimeoutError:
            errors[FILES] = "files.unreachable"
        except FundstelleError as error:
            errors[FILES] = error.key
        return Standing(
            at=self.clock.now(),
            since=self.since,
            backlog=backlog,
            counts=counts,
            contacts={name: platform.contact for name, platform in self.platforms.items()},
            broken={name: error for name, error in self.broken.items() if self._stands(name, error)},
            failing=self.metrics.failing,
            errors=errors,
        )

    def _stands(self, platform: str, error: Broken) -> bool:
        """Whether the error is the platform's latest one and the connection is being retried."""
        return self.platforms[platform].contact.error == error.key


EVER = datetime(1, 1, 1, tzinfo=UTC)

Rows = Iterable[tuple[float, *tuple[str, ...]]]
"""A value, and the values of its labels in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Collects all metrics. `data` is the folder whose disk is measured, `pipeline` the pipeline's
    version."""

    lookout: Lookout
    jobs: Jobs
    corrections: CorrectionLog
    supervisor: Supervisor
    data: Path
    pipeline: str

    async def exposition(self) -> bytes:
        """The text format of Prometheus. Metrics of a failing store are left out, as its gauge shows."""
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
        existing = next(each for each in (self.data, *self.data.absolute().parents) if each.exists())
        disk = shutil.disk_usage(existing)
        yield _gauge("disk_free_bytes", "Room on the data folder's disk", [(disk.free,)])
        yield _gauge("disk_size_bytes", "Size of the data folder's disk", [(disk.total,)])

    async def _kept(self, now: datetime) -> Iterable[Metric]:
        """Counts from the database only cover stored rows: they fall when data expire."""
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
    help_text = "Time since a platform's last event, or since the start"
    yield _ages("platform_event_age", help_text, heard, now, "platform")


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
