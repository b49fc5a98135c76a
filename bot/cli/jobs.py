"""The commands `jobs` and `registry`: what is fetched on a schedule, and whether the registry is in order."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.frame import DONE, NO, CommandContext, command
from bot.cli.output import listing, print_json, say
from bot.cli.terminal import texts, told
from bot.library.sources.jobs import Checked, Job, Jobs, held_text
from bot.presentation.views.records import JobView, RegistryCheckView
from bot.settings.tree import Settings
from bot.wiring.services import checked_registry, records
from bot.wiring.services import jobs as opened_jobs
from core.domain.ingestion import CheckResult, Hold, HoldReason
from core.domain.journal import AuditAction
from core.library.sources import ScheduledSource
from core.ports.clock import Clock


@command("jobs")
async def jobs(
    context: CommandContext,
    *,
    run: Annotated[str | None, typer.Option("--run", metavar="DOC")] = None,
    approve: Annotated[str | None, typer.Option("--approve", metavar="DOC")] = None,
    reject: Annotated[str | None, typer.Option("--reject", metavar="DOC")] = None,
) -> int:
    """List what is fetched on a schedule: next run, last result, held changes; or act on one."""
    if sum(name is not None for name in (run, approve, reject)) > 1:
        raise typer.BadParameter(told("cli.usage_jobs"))

    settings = await context.library_settings()
    async with opened_jobs(settings) as known:
        if reject is not None:
            source = await known.find(reject)
            hold = await known.reject(source)
            await _kept(settings, AuditAction.REJECT, source, hold)
            return await _show(known, source, context.json)
        name = run if run is not None else approve
        if name is None:
            return await _show(known, None, context.json)
        source = await known.find(name)
        if approve is not None:
            hold = await known.approve(source)
            await _kept(settings, AuditAction.APPROVE, source, hold)
        else:
            await known.request(source)
        queued = await known.is_served()
        if not queued:
            await _check(context, settings, source)
        return await _show(known, source, context.json, queued=queued)


async def _kept(settings: Settings, action: AuditAction, source: ScheduledSource, hold: Hold) -> None:
    async with records(settings) as audit:
        await audit.noted(action, source, held=hold.reason.value)


async def _check(context: CommandContext, settings: Settings, source: ScheduledSource) -> None:
    async with context.process.opened(settings, lambda wired: wired.sources) as sources:
        await sources.check(source.id)


async def _show(
    known: Jobs, source: ScheduledSource | None, json_output: bool, *, queued: bool = False
) -> int:
    """All jobs, or the one that was acted on; none if its document was removed."""
    listed = [job for job in await known.listed() if source is None or job.source.id == source.id]
    now = known.clock.now()
    if json_output:
        print_json({"jobs": [JobView.showing(job, due=job.is_due(now)) for job in listed], "queued": queued})
    elif queued:
        say(told("cli.queued"))
    elif source is not None and not listed:
        say(told("cli.was_removed", title=source.title))
    else:
        _print(listed, known.clock)
    failed = (
        source is not None and not queued and any(job.state.result is CheckResult.FAILED for job in listed)
    )
    return NO if failed else DONE


def _print(listed: list[Job], clock: Clock) -> None:
    now = clock.now()
    rows = [
        [
            job.source.title,
            job.source.schedule,
            told("cli.next_run", when=_when(job.next_run, clock))
            + (told("cli.is_due") if job.is_due(now) else ""),
            told("cli.last_run", when=_when(job.state.checked_at, clock)),
            result_of(job),
        ]
        for job in listed
    ]
    listing(told("cli.jobs", count=len(listed)), rows)
    for job in listed:
        if hold := job.state.hold:
            say(f"{held_text(job, texts())}\n  {decide(job, hold)}")


def decide(job: Job, hold: Hold) -> str:
    """How to decide on a held change."""
    key = "cli.decide_gone" if hold.reason is HoldReason.VANISHED else "cli.decide"
    return told(key, id=job.source.id)


def result_of(job: Job) -> str:
    """The last result in a few words."""
    state = job.state
    if state.error is not None:
        times = told("cli.times", count=state.failures) if state.failures > 1 else ""
        return f"{state.result.value if state.result else 'failed'}: {state.error}{times}"
    return state.result.value if state.result else told("cli.never_looked_at")


def _when(at: datetime | None, clock: Clock) -> str:
    if at is None:
        return told("cli.never")
    return f"{clock.local(at):%Y-%m-%d %H:%M}"


@command("check", founds=True)
async def check(
    context: CommandContext, *, files: Annotated[list[Path] | None, typer.Argument()] = None
) -> int:
    """Check manifests together: mistakes, contradictions, missing files, and what is due."""

    settings = await context.library_settings()
    paths = files or [settings.data / name for name in settings.library.manifests]
    found = await checked_registry(settings, paths)
    if context.json:
        print_json(RegistryCheckView.showing(found))
    else:
        _print_checked(found)
    return NO if found.errors else DONE


def _print_checked(found: Checked) -> None:
    for text in found.errors:
        say(told("cli.error", text=text))
    for text in found.warnings:
        say(told("cli.warning", text=text))
    for text in found.missing:
        say(told("cli.not_held", text=text))
    for job in found.due:
        say(told("cli.due", title=job.source.title, url=job.source.urls[0]))
    counts = {"errors": len(found.errors), "warnings": len(found.warnings)}
    say(told("cli.checked", documents=found.documents, **counts))


COMMANDS = (jobs,)
REGISTRY_COMMANDS = (check,)
