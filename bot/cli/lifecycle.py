"""Commands about the life of documents: restore, publish, collect, diff, corrections."""

import time
from contextlib import AsyncExitStack
from typing import Annotated

import typer

from bot.answers.version_diff import difference_lines
from bot.cli.frame import CommandContext, command
from bot.cli.options import (
    OutOption,
)
from bot.cli.output import complain, print_json, progress, say
from bot.cli.running import DONE, NO
from bot.library.index_upkeep import IndexUpkeep, in_words
from bot.library.lifecycle import DocumentLifecycle
from bot.library.reindexing import Reindexing
from bot.library.scoping import find_document
from bot.presentation.document_views import (
    CollectedView,
    FullDocumentView,
    RebuiltView,
    ReceiptView,
    RemovedDocumentView,
    VersionDiffView,
)
from bot.presentation.i18n import Texts
from bot.presentation.record_views import CorrectionRoundView
from bot.service.corrections import Correction, Told
from core.domain.journal import AuditAction
from core.library.completeness import Rebuilt
from core.library.differences import counted
from core.library.formats import Report

DocumentArgument = Annotated[str, typer.Argument()]


@command("restore")
async def restore(
    context: CommandContext,
    *,
    document: Annotated[str | None, typer.Argument()] = None,
) -> int:
    """Bring a removed document back within its term, or list those that can be."""
    async with context.services(lambda wired: (wired.document_lifecycle, wired.audit)) as (lifecycle, audit):
        if document is None:
            return await _list_removed(lifecycle, context.json)
        back = await lifecycle.restore(document)
        await audit.noted(AuditAction.RESTORE, back)
        if context.json:
            print_json({"restored": FullDocumentView.showing(back)})
        else:
            say(f"restored {back.fields.title} ({back.file})")
        return DONE


async def _list_removed(lifecycle: DocumentLifecycle, json_output: bool) -> int:
    found = await lifecycle.lifecycle.withdrawn()
    if json_output:
        rows = [RemovedDocumentView.showing(each, until=until) for each, until in found]
        print_json({"removed": rows})
        return DONE
    for each, until in found:
        say(f"{until:%Y-%m-%d}  {each.fields.title} ({each.file}), {each.collection}: {each.id}")
    say(f"{len(found)} removed documents can be restored until the day shown")
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
            say(f"published {copy.fields.title} in {collection}: {copy.id}")
        return DONE


@command("collect")
async def collect(
    context: CommandContext,
    *,
    optimise: Annotated[bool, typer.Option("--optimise")] = False,
) -> int:
    """Delete for good what is over: removed documents, old versions, what interrupted work left behind."""
    async with context.services(lambda wired: wired.document_lifecycle) as lifecycle:
        found = await lifecycle.collect()
        built = await lifecycle.lifecycle.optimise() if optimise else ()
        if context.json:
            print_json(CollectedView.showing(found, optimised=built))
            return DONE
        say(
            f"deleted: {len(found.documents)} removed documents, {found.superseded} old versions, "
            f"{found.unfinished} unfinished ones, {found.orphans} that only the index knew"
        )
        if built:
            say(f"rebuilt: the index of {', '.join(built)}")
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
        for line in difference_lines(found):
            say(line)
        if out:
            say(f"{len(pages)} pairs of pages are in {out}")
        return DONE


@command("reindex")
async def reindex(
    context: CommandContext,
    *,
    missing: Annotated[bool, typer.Option("--missing")] = False,
) -> int:
    """Rebuild documents that an earlier pipeline (reading, cutting, encoders) has made, or --missing."""
    async with context.services(lambda wired: (wired.reindexing, wired.upkeep)) as (reindexing, upkeep):
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
            say(f"failed  {document.file}: {error[1]}" if error else f"rebuilt {document.file}")
    if json_output:
        passages = sum(receipt.passages for receipt in receipts)
        done = {"passages": passages, "seconds": round(time.monotonic() - started, 3)}
        print_json({"documents": [ReceiptView.showing(receipt) for receipt in receipts], **done})
    else:
        say(f"{len(receipts)} documents were made by another pipeline")
    return NO if any(receipt.error for receipt in receipts) else DONE


async def _missing(upkeep: IndexUpkeep, report: Report | None, json_output: bool) -> int:
    """Lines go where they disturb nobody: JSON is read by programs, and long work shows that it goes on."""
    started, made = time.monotonic(), []
    line = complain if json_output else say
    line(in_words(await upkeep.lacking()))
    async for _, one in upkeep.rebuild(report):
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
        say(f"rebuilt {done.documents} documents, {done.passages} passages in {done.seconds:.1f} s")
    return NO if failed else DONE


def rebuilt_line(one: Rebuilt) -> str:
    """What became of a document that was not in the index."""
    if one.error:
        return f"failed  {one.document.file}: {one.error[1]}"
    return f"rebuilt {one.document.file}: {one.passages} passages, {one.seconds:.1f} s"


@command("corrections")
async def corrections(
    context: CommandContext,
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
) -> int:
    """Hold the quotes of earlier answers against the documents as they are now, and queue corrections."""
    async with context.services(lambda wired: wired.correcting) as correcting:
        async with AsyncExitStack() as stack:
            for each in correcting.platforms.values():
                stack.push_async_callback(each.close)
            found = await correcting.round(dry_run=dry_run)
        if context.json:
            print_json(CorrectionRoundView.showing(found))
            return DONE
        for item in found.corrections:
            say(correction_line(item))
        sent = sum(1 for item in found.corrections if item.told is Told.SENT)
        say(f"{found.kept} quotes stand as they were, {len(found.corrections)} do not; {sent} to be told")
        return DONE


def correction_line(item: Correction) -> str:
    """A correction in two lines."""
    found = item.found
    title = found.edition.document.fields.title
    now = found.now.quote.text if found.now else "(nothing like it)"
    head = f"{found.outcome.value:<8} {item.told.value:<8} {found.trace} [{found.was.label}] {title}"
    return f"{head}\n  was: {found.was.quote}\n  now: {now}"


COMMANDS = (restore, publish, collect, diff, reindex, corrections)
