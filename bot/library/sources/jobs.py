"""The scheduled sources for people: listing, running now, deciding on held changes, and checking the
manifests as one registry.

Works on the database alone, so beside a running bot as well.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from apscheduler.triggers.cron import CronTrigger

from bot.library.scoping import find_document
from bot.presentation.i18n import Texts
from core.domain.documents import Document, DocumentStatus
from core.domain.ids import document_id
from core.domain.ingestion import CheckResult, Hold, HoldReason, SourceState
from core.domain.messages import Button
from core.domain.registry import Jurisdiction, RegisteredDocument, Registry
from core.errors import LONGEST_WAIT_S, Refused
from core.library.sources import MAX_JITTER, ScheduledSource, interval, named, scheduled, with_jitter
from core.ports.clock import Clock, lies_ahead
from core.ports.library import Library
from core.ports.sources import SourceJournal
from core.ports.storage import Originals
from core.registry.manifests import check, unite
from core.registry.registry import Places

LONGEST_WAIT = timedelta(seconds=LONGEST_WAIT_S)

LEASE = "schedule"
"""The lease of the process that checks sources."""
Plan = Callable[[str, datetime], datetime]
"""The next run by a schedule, after a moment. Raises Refused("schedule.invalid")."""


def planner(chance: Callable[[], float] = random.random, zone: tzinfo = UTC) -> Plan:
    """A plan with jitter; `chance` gives numbers from [0, 1). Hours and days of cron are those of `zone`."""

    def plan(schedule: str, now: datetime) -> datetime:
        return with_jitter(next_run(schedule, now, zone), now, chance())

    return plan


def next_run(schedule: str, now: datetime, zone: tzinfo = UTC) -> datetime:
    """The first time after `now` that `schedule` names in `zone`. Raises Refused("schedule.invalid")."""
    wait = interval(schedule)
    if wait is not None:
        return now + wait
    try:
        found: datetime | None = CronTrigger.from_crontab(schedule, timezone=zone).get_next_fire_time(
            now, now
        )
    except (ValueError, AttributeError) as error:
        raise _invalid(schedule, str(error)) from error
    if found is None:
        raise _invalid(schedule, "it never comes")
    return found.astimezone(UTC)


def _invalid(schedule: str, why: str) -> Refused:
    detail = (
        f'{schedule!r} is no schedule ({why}); write "every 6h", or five fields of cron such as "0 4 * * *"'
    )
    return Refused("schedule.invalid", detail, schedule=schedule)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A source and its state. `next_run` is None if the schedule cannot be read."""

    source: ScheduledSource
    state: SourceState
    next_run: datetime | None

    @property
    def collection(self) -> str:
        """The collection of its document; a message never mentions one that its reader may not see."""
        return self.source.collection

    def is_due(self, at: datetime) -> bool:
        """Whether it is due for a check by then."""
        return self.next_run is not None and self.next_run <= at


@dataclass(frozen=True, slots=True)
class Jobs:
    """Actions on sources that need no fetching or reading."""

    library: Library
    journal: SourceJournal
    originals: Originals
    clock: Clock
    plan: Plan

    async def sources(self) -> list[ScheduledSource]:
        """All scheduled sources of documents that were not removed."""
        rows = (await self.library.registry()).documents
        found = scheduled(await self.library.documents(), rows)
        return [
            source for source in found if source.document or await self.library.document(source.id) is None
        ]

    async def held_files(self) -> set[str]:
        """Names of the stored files of changes that are waiting for approval."""
        states = await self.journal.sources()
        return {state.hold.original for state in states if state.hold and state.hold.original}

    async def listed(self) -> list[Job]:
        """All jobs with their state, next one first."""
        known = {state.document: state for state in await self.journal.sources()}
        jobs = [self.job_of(source, known.get(source.id)) for source in await self.sources()]
        never = datetime.max.replace(tzinfo=self.clock.now().tzinfo)
        return sorted(jobs, key=lambda job: (job.next_run or never, job.source.title))

    def job_of(self, source: ScheduledSource, known: SourceState | None = None) -> Job:
        """A source that was never checked is due, and so is one whose next run is later than its schedule
        could make it: then the clock was wrong."""
        now = self.clock.now()
        state = known or SourceState(document=source.id)
        try:
            planned = self.plan(source.schedule, now)
        except Refused:
            return Job(source=source, state=state, next_run=state.next_run)
        longest = max(planned + MAX_JITTER - now, LONGEST_WAIT)
        waits = state.next_run is not None and lies_ahead(state.next_run, now, longest)
        due = min(state.next_run or now, now)
        return Job(source=source, state=state, next_run=state.next_run if waits else due)

    async def find(self, name: str, collections: Sequence[str] | None = None) -> ScheduledSource:
        """The source with an id, title, address or other name of its document, in one of `collections` if
        given. Raises Refused, with a different error for a known document that is not fetched."""
        sources = [each for each in await self.sources() if _is_in(each, collections)]
        try:
            return named(name, sources)
        except Refused as refusal:
            if refusal.key != "document.unknown":
                raise
        documents = [each for each in await self.library.documents() if _is_in(each, collections)]
        document = find_document(name, documents)
        for source in sources:
            if source.id == document.id:
                return source
        title = document.fields.title
        raise Refused("job.no_schedule", f"{title} has no address and schedule", title=title)

    async def request(self, source: ScheduledSource) -> None:
        """Have a source checked as soon as possible."""
        await self.journal.run_at(source.id, self.clock.now())

    async def fetch_listed(self, rows: Sequence[RegisteredDocument]) -> None:
        """Have those of `rows` that are fetched on a schedule fetched in full: their stated fields may have
        changed, and with them how they are cut."""
        listed = {document_id(row.collection, row.key) for row in rows}
        for source in await self.sources():
            state = await self.journal.source(source.id)
            if source.id in listed and state is not None:
                at = self.clock.now()
                await self.journal.save_source(replace(state, revision=None, next_run=at))

    async def approve(self, source: ScheduledSource) -> Hold:
        """Accept a held change. Raises Refused("job.nothing_held")."""
        hold = await self._held(source)
        await self.journal.approve(source.id, at=self.clock.now())
        return hold

    async def reject(self, source: ScheduledSource) -> Hold:
        """Keep the current version, and do not ask about this change again. Raises
        Refused("job.nothing_held")."""
        hold = await self._held(source)
        state = await self.journal.source(source.id)
        if state is not None:
            settled = replace(state, hold=None, approved=False, dismissed=hold.sign)
            await self.journal.save_source(replace(settled, result=CheckResult.UNCHANGED))
        await self.drop_held(hold)
        return hold

    async def _held(self, source: ScheduledSource) -> Hold:
        state = await self.journal.source(source.id)
        if state is None or state.hold is None:
            detail = f"no change of {source.title} waits for approval; `fundstelle jobs` lists those that do"
            raise Refused("job.nothing_held", detail, title=source.title)
        return state.hold

    async def drop_held(self, hold: Hold | None) -> None:
        """Delete held bytes that no version has."""
        if hold and hold.original and hold.sha256 and not await self.library.with_bytes(hold.sha256):
            await self.originals.drop(hold.original)

    async def is_served(self) -> bool:
        """Whether a running process checks the sources."""
        return await self.journal.lease_holder(LEASE) is not None


def held_text(job: Job, texts: Texts) -> str:
    """The held change of a job's source, in words; "" if nothing is held."""
    hold = job.state.hold
    if hold is None:
        return ""
    named = {"title": job.source.title, "url": job.source.urls[0]}
    return texts(f"source.{hold.reason.value}", **{**named, **hold.values})


def choice(document: str, reason: HoldReason, texts: Texts, prefix: str) -> tuple[str, tuple[Button, ...]]:
    """The possible decisions on a held change in a staff chat: in words, and as buttons."""
    suffix = "_gone" if reason is HoldReason.VANISHED else ""
    buttons = tuple(
        Button(label=texts(f"button.{word}{suffix}"), command=f"/library {word} {document}")
        for word in ("approve", "reject")
    )
    return texts(f"staff.decide{suffix}", prefix=prefix, document=document), buttons


def unreadable(rows: Sequence[RegisteredDocument], plan: Plan, at: datetime) -> list[str]:
    """Problems with the schedules of listed documents, one line each."""
    found = []
    for row in rows:
        try:
            if row.fields.schedule:
                plan(row.fields.schedule, at)
        except Refused as error:
            found.append(f"document {row.key}: {error.detail}")
    return found


def _is_in(source: ScheduledSource | Document, collections: Sequence[str] | None) -> bool:
    return collections is None or source.collection in collections


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The findings: how many documents are listed, what is wrong, what the library lacks, and what is due to
    be fetched."""

    documents: int
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    missing: tuple[str, ...]
    due: tuple[Job, ...]


async def check_registry(
    manifests: Mapping[str, Registry], known: Iterable[Jurisdiction], jobs: Jobs
) -> Checked:
    """Check `manifests` (by path) together. Nothing is saved."""
    try:
        registry = unite(manifests)
    except Refused as error:
        return Checked(
            documents=sum(len(rows.documents) for rows in manifests.values()),
            errors=tuple((error.detail or error.key).splitlines()),
            warnings=(),
            missing=(),
            due=(),
        )
    found = check(registry, Places(registry, known))
    now = jobs.clock.now()
    wrong = unreadable(registry.documents, jobs.plan, now)
    lost = [text for path, rows in manifests.items() for text in _lost_files(Path(path), rows)]
    return Checked(
        documents=len(registry.documents),
        errors=(*found.errors, *wrong, *lost),
        warnings=found.warnings,
        missing=tuple([row.key for row in registry.documents if not await _is_held(row, jobs)]),
        due=tuple(await _due(registry, jobs)),
    )


def _lost_files(manifest: Path, rows: Registry) -> Iterable[str]:
    for row in rows.documents:
        if row.file and not (manifest.parent / row.file).is_file():
            yield f"document {row.key}: there is no such file beside {manifest.name}; correct the path"


async def _is_held(row: RegisteredDocument, jobs: Jobs) -> bool:
    document = await jobs.library.document(document_id(row.collection, row.key))
    return document is not None and document.status is DocumentStatus.ACTIVE


async def _due(registry: Registry, jobs: Jobs) -> list[Job]:
    """The sources that these manifests schedule, registered yet or not."""
    ids = {source.id for source in scheduled((), registry.documents)}
    listed = {job.source.id: job for job in await jobs.listed()}
    new = [jobs.job_of(source) for source in scheduled((), registry.documents) if source.id not in listed]
    now = jobs.clock.now()
    return [job for job in (*listed.values(), *new) if job.source.id in ids and job.is_due(now)]
