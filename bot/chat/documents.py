"""The view that chats have of the library itself: its documents, their names, and their cross-references."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.answers.references import Listed, Referenced, References
from bot.chat.command_table import Command, handles
from bot.chat.request import Request, said
from bot.library.documents import Documents
from bot.library.upkeep import copy_key
from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from bot.presentation.phrases import page_names
from bot.presentation.presenter import Presenter
from core.domain.documents import PUBLIC, Document
from core.domain.ids import DocumentId
from core.domain.messages import Reply
from core.domain.scope import Scope
from core.library.references import label


@dataclass(frozen=True, slots=True)
class DocumentCommands:
    """The commands that list documents and references."""

    documents: Documents
    references: References
    presenter: Presenter

    @handles("sources")
    async def _sources(self, request: Request, _: Command) -> Reply:
        state = request.state
        options = replace(request.options, jurisdiction=state.jurisdiction, parties=state.parties)
        documents = await self.documents.listed(options)
        own = with_copies(documents)
        documents = [each for each in documents if each.id in own]
        places = (state.jurisdiction,) if state.jurisdiction else ()
        scope = Scope(collections=request.chat.collections, jurisdictions=places, parties=state.parties)
        narrowed = scope if places or state.parties else None
        return said(self.presenter.documents(documents, request.texts, narrowed))

    @handles("references")
    async def _references(self, request: Request, command: Command) -> Reply:
        if not command.rest:
            return said(request.hint("command.usage_references"))
        options = replace(request.options, jurisdiction=request.state.jurisdiction)
        found = await self.references.of(command.rest, options)
        return said(*references_blocks(found, request.texts))


# Cross-references in the words of a chat.

LISTED = 12
"""Maximum references listed per kind."""


def references_blocks(found: Sequence[Referenced], texts: Texts) -> list[str]:
    """A block for each document that has the section."""
    return [_block(item, texts) for item in found] or [texts("references.none")]


def _block(item: Referenced, texts: Texts) -> str:
    title = f", {item.section.title}" if item.section and item.section.title else ""
    document = item.provision.edition.document.fields.title
    lines = [defused(f"{label(item.provision)}{title} ({document}{_pages(item, texts)})")]
    for key, rows in (
        ("references.implemented_by", item.implemented_by),
        ("references.cited_by", item.cited_by),
        ("references.cites", item.cites),
    ):
        lines += [texts(key), *(f"- {defused(_line(row, texts))}" for row in rows[:LISTED])] if rows else []
        if len(rows) > LISTED:
            lines.append(texts("info.more", count=len(rows) - LISTED))
    return "\n".join(lines if len(lines) > 1 else [*lines, texts("references.alone")])


def _line(row: Listed, texts: Texts) -> str:
    title = f" {row.section.title}" if row.section and row.section.title else ""
    path = f" [{' -> '.join(row.trail)}]" if len(row.trail) > 2 else ""
    document = row.end.edition.document.fields.title
    return f"{label(row.end)}{title}, {document}{_pages(row, texts)}{path}"


def _pages(row: Referenced | Listed, texts: Texts) -> str:
    return f", {page_names(row.pages, row.printed, texts)}" if row.pages else ""


# How staff name documents: which part of a command is a name, and what to type for each document.

LABEL = 40
"""Maximum characters of a file name on a button."""

_FIRST = re.compile(r"\s*(?:\"(?P<quoted>[^\"]+)\"|(?P<word>\S+))")


def first_name(text: str) -> tuple[str, str]:
    """The first word, or the text in quotation marks, and the rest."""
    match = _FIRST.match(text)
    return (match["quoted"] or match["word"], text[match.end() :].strip()) if match else ("", "")


def typed_names(documents: Sequence[Document]) -> dict[DocumentId, str]:
    """What to type for each document: its file name if that identifies it (an upload before a public one),
    else its id."""
    files = Counter((document.collection == PUBLIC, document.file) for document in documents)
    means = {
        document.id: files[document.collection == PUBLIC, document.file] == 1
        and not (document.collection == PUBLIC and files[False, document.file])
        for document in documents
    }
    return {document.id: document.file if means[document.id] else document.id for document in documents}


def button_label(document: Document, others: Sequence[Document]) -> str:
    """The name of a document on a button: its file, with the collection if another of `others` has the same
    file name."""
    same = sum(each.file == document.file for each in others) > 1
    return f"{document.file} ({document.collection})" if same else document.file[:LABEL]


def example_name(documents: Sequence[Document]) -> str:
    """A document name for examples: an existing one, if there is any."""
    return documents[0].file if documents else "document.pdf"


def with_copies(documents: Sequence[Document]) -> dict[DocumentId, str]:
    """The collections of each document; a copy is not a separate document but one more collection of the
    original."""
    copies = {document.key: document.collection for document in documents}
    originals = {copy_key(document) for document in documents}
    return {
        each.id: ", ".join(filter(None, (each.collection, copies.get(copy_key(each)))))
        for each in documents
        if each.key not in originals
    }
