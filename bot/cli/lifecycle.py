"""Commands for the life cycle of documents: restore, publish, collect, diff, corrections; for what is
fetched on a schedule, jobs; and for whether the registry is in order."""

import time
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from bot.cli.frame import DONE, HERE, NO, CommandContext, OutOption, command
from bot.cli.output import complain, listing, print_json, progress, say
from bot.cli.terminal import texts, told
from bot.library.lifecycle import DocumentLifecycle
from bot.library.scoping import find_document
from bot.library.sources.jobs import Checked, Job, Jobs, held_text
from bot.library.upkeep import IndexUpkeep, NextIndex, Reindexing, in_words
from bot.presentation.i18n import Texts
from bot.presentation.views.documents import (
    CollectedView,
    FullDocumentView,
    RebuiltView,
    ReceiptView,
    RemovedDocumentView,
    VersionDiffView,
)
from bot.presentation.views.records import CorrectionRoundView, JobView, RegistryCheckView
from bot.service.corrections import Correction, Told
from bot.settings.tree import Settings
from bot.wiring.services import checked_registry, records
from bot.wiring.services import jobs as opened_jobs
from core.domain.documents import Document
from core.domain.ingestion import CheckResult, Hold, HoldReason
from core.domain.journal import AuditAction
from core.library.completeness import Rebuilt
from core.library.differences import counted
from core.library.formats import Report
from core.library.sources import ScheduledSource
from core.ports.clock import Clock

DocumentArgument = Annotated[str, typer.Argument()]


@command("restore")
async def restore(
    context: CommandContext, *, document: Annotated[str | None, typer.Argument()] = None
) -> int:
    """Bring back a removed document before it is deleted for good, or list those that can be brought back."""
    async with context.services(lambda wired: (wired.document_lifecycle, wired.audit)) as (lifecycle, audit):
        if document is None:
            return await _list_removed(lifecycle, context.json)
        back = await lifecycle.restore(document)
        await audit.noted(AuditAction.RESTORE, back)
        if context.json:
            print_json({"restored": FullDocumentView.showing(back)})
        else:
            say(told("cli.restored", title=back.fields.title, file=back.file))
        return DONE


async def _list_removed(lifecycle: DocumentLifecycle, json_output: bool) -> int:
    found = await lifecycle.lifecycle.withdrawn()
    if json_output:
        rows = [RemovedDocumentView.showing(each, until=until) for each, until in found]
        print_json({"removed": rows})
        return DONE
    for each, until in found:
        day = lifecycle.lifecycle.clock.day_of(until)
        say(f"{day}  {each.fields.title} ({each.file}), {each.collection}: {each.id}")
    say(told("cli.restorable", count=len(found)))
    return DONE


@command("publish")
async def publish(
    context: CommandContext,
    *,
    document: DocumentArgument,
    collection: Annotated[str, typer.Option()] = "public",
) -> int:
    """Copy a document into another collection."""
    async with context.services(lambda wired: (wired.documents, wired.publishing, wired.audit)) as picked:
        documents, publishing, audit = picked
        known = await documents.held()
        found = find_document(document, [each for each in known if each.collection != collection] or known)
        copy = await publishing.publish(found, collection)
        await audit.noted(AuditAction.PUBLISH, found, copy=copy.id)
        if context.json:
            print_json({"published": FullDocumentView.showing(copy)})
        else:
            say(told("cli.published", title=copy.fields.title, collection=collection, id=copy.id))
        return DONE


@command("collect")
async def collect(
    context: CommandContext, *, optimise: Annotated[bool, typer.Option("--optimise")] = False
) -> int:
    """Delete for good what has expired: removed documents, old versions, leftovers of interrupted work."""
    async with context.services(lambda wired: wired.document_lifecycle) as lifecycle:
        found = await lifecycle.collect()
        built = await lifecycle.lifecycle.optimise() if optimise else ()
        if context.json:
            print_json(CollectedView.showing(found, optimised=built))
            return DONE
        gone = {"documents": len(found.documents), "old": found.superseded}
        say(told("cli.collected", unfinished=found.unfinished, orphans=found.orphans, **gone))
        if built:
            say(told("cli.optimised", collections=", ".join(built)))
        return DONE


@command("diff")
async def diff(
    context: CommandContext,
    *,
    document: DocumentArgument,
    first: Annotated[int | None, typer.Option("--from", min=1)] = None,
    last: Annotated[int | None, typer.Option("--to", min=1)] = None,
    out: OutOption = None,
) -> int:
    """Show what changed between two versions of a document; --out gets the pages of both, marked."""
    async with context.services(lambda wired: wired.version_diffs) as diffs:
        found = await diffs.compare(document, first, last)
        pages = await diffs.spreads(found, out, Texts("en")) if out else []
        if context.json:
            print_json(VersionDiffView.showing(found, counts=counted(found.found), files=pages))
            return DONE
        for line in found.lines():
            say(line)
        if out:
            say(told("cli.pairs", count=len(pages), folder=out))
        return DONE


@command("reindex")
async def reindex(
    context: CommandContext,
    *,
    missing: Annotated[bool, typer.Option("--missing")] = False,
    server: Annotated[str | None, typer.Option("--to", metavar="URL")] = None,
) -> int:
    """Rebuild documents made by an earlier pipeline (reading, cutting, encoders), or --missing; --to moves
    the embedded index to a Qdrant server, while questions are answered."""
    if server is not None:
        return await _moved(context, _server_of(server, missing=missing))
    async with context.services(lambda wired: (wired.reindexing, wired.upkeep, wired.next_index)) as (
        reindexing,
        upkeep,
        following,
    ):
        if not missing and following is not None:
            return await _followed(following, context.json)
        if not missing:
            return await _outdated(reindexing, context.json)
        with progress(not context.json) as report:
            return await _missing(upkeep, report, context.json)


async def _outdated(reindexing: Reindexing, json_output: bool) -> int:
    started, receipts = time.monotonic(), []
    async for document, receipt in reindexing.rebuilt():
        receipts.append(receipt)
        if not json_output:
            error = receipt.error
            say(rebuilt_file(document, error))
    if json_output:
        passages = sum(receipt.passages for receipt in receipts)
        done = {"passages": passages, "seconds": round(time.monotonic() - started, 3)}
        print_json({"documents": [ReceiptView.showing(receipt) for receipt in receipts], **done})
    else:
        say(told("cli.outdated", count=len(receipts)))
    return NO if any(receipt.error for receipt in receipts) else DONE


async def _followed(following: NextIndex, json_output: bool) -> int:
    """First the index of the encoders in the settings, then cutting documents for them."""
    with progress(not json_output) as report:
        is_whole = await following.build(report)
    if json_output:
        print_json({"encoders": following.generation.encoders, "answers": is_whole})
    else:
        key = "cli.next_index" if is_whole else "cli.next_index_lacks"
        say(told(key, name=following.generation.encoders))
    return DONE if is_whole else NO


def _server_of(stated: str, *, missing: bool) -> str:
    """The given address. Raises typer.BadParameter without one, and together with --missing."""
    if missing:
        raise typer.BadParameter(told("cli.usage_reindex"))
    try:
        parts = urlsplit(stated)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none
        is_address = False
    if not is_address:
        raise typer.BadParameter(told("cli.usage_server"))
    return stated


async def _moved(context: CommandContext, server: str) -> int:
    from bot.wiring.index import without_password

    async with context.services(lambda wired: wired.move_index) as move:
        with progress(not context.json) as report:
            points = await move(server, report)
    shown = without_password(server)
    if context.json:
        print_json({"points": points, "url": shown})
    else:
        say(told("cli.index_moved", points=points, url=shown))
    return DONE


async def _missing(upkeep: IndexUpkeep, report: Report | None, json_output: bool) -> int:
    """Progress lines go to standard error: standard output may be JSON for programs, and long work should
    show that it continues."""
    started, made = time.monotonic(), []
    line = complain if json_output else say
    line(in_words(await upkeep.completeness.lacking(), texts()))
    async for _, one in upkeep.rebuilder.rebuild(report):
        made.append(one)
        line(rebuilt_line(one))
    failed = [one for one in made if one.error]
    done = RebuiltView.showing(
        documents=len({one.document.id for one in made if not one.error}),
        passages=sum(one.passages for one in made),
        seconds=round(time.monotonic() - started, 3),
        failed=failed,
    )
    if json_output:
        print_json(done)
    elif made:
        seconds = f"{done.seconds:.1f}"
        say(told("cli.rebuilt_all", documents=done.documents, passages=done.passages, seconds=seconds))
    return NO if failed else DONE


def rebuilt_line(one: Rebuilt) -> str:
    """The result for a document that was missing from the index."""
    line = rebuilt_file(one.document, one.error)
    size = told("cli.rebuilt_size", count=one.passages, seconds=f"{one.seconds:.1f}")
    return line if one.error else line + size


def rebuilt_file(document: Document, error: tuple[str, str] | None) -> str:
    """A line saying whether a document was rebuilt, or why not."""
    if error:
        return told("cli.rebuild_failed", file=document.file, why=error[1])
    return told("cli.rebuilt", file=document.file)


@command("corrections")
async def corrections(
    context: CommandContext, *, dry_run: Annotated[bool, typer.Option("--dry-run")] = False
) -> int:
    """Check the quotes of earlier answers against the documents as they are now, and queue corrections."""
    async with context.services(lambda wired: wired.correcting) as correcting:
        async with AsyncExitStack() as stack:
            for each in correcting.platforms.values() if context.process is HERE else ():
                stack.push_async_callback(each.close)
            found = await correcting.round(dry_run=dry_run)
        if context.json:
            print_json(CorrectionRoundView.showing(found))
            return DONE
        for item in found.corrections:
            say(correction_line(item))
        sent = sum(1 for item in found.corrections if item.told is Told.SENT)
        say(told("cli.corrected", kept=found.kept, changed=len(found.corrections), sent=sent))
        return DONE


def correction_line(item: Correction) -> str:
    """A correction in two lines."""
    found = item.found
    title = found.edition.document.fields.title
    now = found.now.quote.text if found.now else told("cli.nothing_like_it")
    head = f"{found.outcome.value:<8} {item.told.value:<8} {found.trace} [{found.was.label}] {title}"
    return f"{head}\n  {told('cli.was', quote=found.was.quote)}\n  {told('cli.now', quote=now)}"


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


COMMANDS = (restore, publish, collect, diff, reindex, corrections, jobs)
REGISTRY_COMMANDS = (check,)
