"""Commands about the library: ingest, documents, show, remove, page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli import batch
from bot.cli.frame import (
    DONE,
    NO,
    BatchOption,
    CommandContext,
    JurisdictionOption,
    PartyOption,
    TypeOption,
    command,
    day,
    scoped,
)
from bot.cli.output import listing, print_json, progress, say
from bot.cli.terminal import texts, told
from bot.library.scoping import ScopeOptions
from core.errors import Refused
from core.one_line import one_line

if TYPE_CHECKING:
    from bot.presentation.views.documents import PageView
    from core.domain.ingestion import IngestReceipt


@command("ingest", founds=True)
async def ingest(
    context: CommandContext,
    *,
    sources: Annotated[list[str] | None, typer.Argument()] = None,
    collection: Annotated[str | None, typer.Option()] = None,
    jurisdiction: JurisdictionOption = None,
    party: PartyOption = None,
    doc_type: TypeOption = None,
    title: Annotated[str | None, typer.Option()] = None,
    language: Annotated[str | None, typer.Option()] = None,
    valid_from: Annotated[str | None, typer.Option()] = None,
    max_pages: Annotated[int | None, typer.Option(min=1)] = None,
    manifest: Annotated[Path | None, typer.Option()] = None,
    new: Annotated[bool, typer.Option("--new")] = False,
) -> int:
    """Bring files, folders or URLs into the library; a manifest alone ingests all it lists."""
    from bot.library.intake import IngestOptions
    from bot.presentation.views.documents import ReceiptView
    from core.domain.ingestion import IngestStatus

    options = IngestOptions(
        collection=collection,
        jurisdiction=jurisdiction,
        parties=tuple(party or ()),
        doc_type=doc_type,
        title=title,
        language=language,
        valid_from=day(valid_from),
        max_pages=max_pages,
        separate=new,
        presumes=True,
    )
    if not sources and manifest is None:
        raise typer.BadParameter(told("cli.usage_ingest"))

    async with context.services(
        lambda wired: (wired.intake, wired.audit, wired.document_lifecycle)
    ) as picked:
        intake, audit, lifecycle = picked
        receipts = []
        with progress(not context.json) as report:
            seen = context.process.path
            async for receipt in intake.ingest(sources or [], options, manifest, report, seen=seen):
                receipts.append(receipt)
                await audit.ingested(receipt)
                if not context.json:
                    say(receipt_line(receipt))
        await lifecycle.added(sum(each.passages for each in receipts if each.seconds.get("embed")))
        if context.json:
            print_json({"documents": [ReceiptView.showing(receipt) for receipt in receipts]})
        refused = any(receipt.status is IngestStatus.REFUSED for receipt in receipts)
        return NO if refused else DONE


def receipt_line(receipt: IngestReceipt) -> str:
    """A receipt in one line, with its warnings below."""
    if receipt.error:
        return told("cli.refused", file=one_line(receipt.file), why=receipt.error[1])
    line = told(
        "cli.ingested",
        status=f"{receipt.status.value:<10}",
        file=one_line(receipt.file),
        title=one_line(receipt.title),
        pages=receipt.pages,
        passages=receipt.passages,
        seconds=f"{receipt.seconds.get('total', 0.0):.1f}",
    )
    notes = [told("cli.presumed", fields=presumed(receipt))] if receipt.presumed else []
    notes += [told("cli.warning", text=in_words(warning)) for warning in receipt.notable_warnings]
    if recognition := receipt.seconds.get("ocr"):
        notes.append(told("cli.recognised", seconds=f"{recognition:.1f}"))
    if receipt.hidden_characters:
        notes.append(told("cli.hidden", count=receipt.hidden_characters))
    return "\n".join([line, *(f"           {note}" for note in notes)])


def presumed(receipt: IngestReceipt) -> str:
    """The fields taken from a file because nobody had stated them, in the form of options."""
    message = (
        (name.replace("_", "-"), f'"{value}"' if " " in value else value)
        for name, value in receipt.presumed.items()
    )
    return " ".join(f"--{name} {value}" for name, value in message)


def in_words(warning: str) -> str:
    """A warning in words, given by its key, with a count after a colon if it has one."""
    key, _, count = warning.partition(":")
    return told(f"warning.{key}", count=count) if texts().has(f"warning.{key}") else warning


@command("documents")
async def documents(
    context: CommandContext,
    *,
    scope: Annotated[ScopeOptions, scoped("jurisdiction", "party", "collection", "doc_type", "as_of")],
) -> int:
    """List the documents of the library."""
    from bot.presentation.views.documents import FullDocumentView

    async with context.services(lambda wired: wired.documents) as documents:
        found = await documents.listed(scope, every_collection=not scope.collections)
        if context.json:
            print_json({"documents": [FullDocumentView.showing(document) for document in found]})
            return DONE
        rows = [
            [
                document.fields.title,
                document.fields.jurisdiction or "",
                ", ".join(document.fields.parties),
                document.fields.doc_type.value,
                str(document.fields.valid_from or ""),
                document.collection,
                document.file,
            ]
            for document in found
        ]
        listing(told("cli.documents", count=len(found)), rows)
        return DONE


@command("show")
async def show(
    context: CommandContext,
    *,
    document: Annotated[str, typer.Argument()],
    page: Annotated[int | None, typer.Option(min=1)] = None,
) -> int:
    """Show a document: versions, pages, passages, warnings; or the text of a page."""
    from bot.presentation.phrases import page_names
    from bot.presentation.views.documents import PageTextView, ShownDocumentView

    async with context.services(lambda wired: wired.documents) as documents:
        if page is not None:
            found = await documents.page_text(document, page)
            print_json(PageTextView.showing(found)) if context.json else say(found.text)
            return DONE
        shown = await documents.show(document)
        result = ShownDocumentView.showing(shown)
        if context.json:
            print_json(result)
            return DONE
        for name, value in result.document.json_object.items():
            say(f"{name:<14} {value}")
        for version in result.versions:
            warnings = ", ".join(version.warnings) or told("cli.none")
            say(told("cli.version", **dict(version) | {"warnings": warnings}))
        for passage in shown.passages:
            pages = page_names(passage.pages, (), texts())
            say(f"{pages:<13} {passage.heading[:50]:<50} {passage.text[:60]}")
        return DONE


@command("remove")
async def remove(
    context: CommandContext,
    *,
    document: Annotated[str, typer.Argument()],
    now: Annotated[bool, typer.Option("--now")] = False,
) -> int:
    """Take a document out of every answer at once; it is deleted for good after a while, or with --now."""
    from bot.presentation.views.documents import RemovedView
    from core.domain.journal import AuditAction

    async with context.services(lambda wired: (wired.document_lifecycle, wired.audit)) as (lifecycle, audit):
        gone, until = await lifecycle.remove(document, now=now)
        await audit.noted(AuditAction.REMOVE, gone, now="yes" if now else "no")
        if context.json:
            print_json(RemovedView.showing(removed=gone, until=until))
            return DONE
        say(told("cli.removed", title=gone.fields.title, file=gone.file))
        if until:
            say(
                told(
                    "cli.removed_until", id=gone.id, date=lifecycle.lifecycle.clock.day_of(until).isoformat()
                )
            )
        return DONE


@command("page")
async def page(
    context: CommandContext,
    *,
    document: Annotated[str | None, typer.Argument()] = None,
    number: Annotated[int | None, typer.Argument(metavar="PAGE", min=1)] = None,
    quote: Annotated[str | None, typer.Option()] = None,
    out: Annotated[Path | None, typer.Option()] = None,
    batch_file: BatchOption = None,
) -> int:
    """Write a page as a one-page PDF, with a quote highlighted on it."""
    from bot.presentation.views.documents import PageView

    if batch_file is None and (document is None or number is None or out is None):
        raise typer.BadParameter(told("cli.usage_page"))

    async with context.services(lambda wired: wired.documents) as documents:

        async def one(name: str, wanted: int, words: str | None, file: Path | None) -> PageView:
            result = await documents.page(name, wanted, words)
            if file is not None:
                write(file, result.pdf)
            return PageView.showing(result, file=file)

        async def row(line: batch.Row) -> PageView:
            name, wanted = batch.text_of(line, "document"), batch.number_of(line, "page")
            if wanted is None:
                raise Refused("batch.missing_key", "the line needs page as a whole number")
            words = batch.optional_text(line, "quote")
            target = out / f"{batch.files_prefix(line)}p{wanted}.pdf" if out else None
            return await one(name, wanted, words, target)

        if batch_file is not None:
            return await batch.run(batch_file, row)
        result = await one(document or "", number or 0, quote, out)
        print_json(result) if context.json else say(_said_of(result, number, quote, out))
        return NO if quote and (result.found_page is None or _is_unseen(result)) else DONE


def _said_of(result: PageView, number: int | None, quote: str | None, out: Path | None) -> str:
    """The message of `page` after writing a page."""
    if quote and result.found_page is None:
        return told("cli.quote_absent", page=number, file=out)
    if _is_unseen(result):
        return told("cli.quote_unseen", page=result.found_page, file=out)
    written = told("cli.page_written", page=result.found_page or number, file=out)
    return f"{written}\n{told('notice.compare_picture')}" if result.doubt else written


def _is_unseen(result: PageView) -> bool:
    """Whether the words are not visible on the page that was written."""
    return bool(result.doubt) and not result.highlighted


def write(file: Path, content: bytes) -> None:
    """Write a file and its folder. Raises Refused if that cannot be done."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    except OSError as error:
        raise Refused("file.missing", f"cannot write {file}: {error}") from error


COMMANDS = (ingest, documents, show, remove, page)
