"""A library of documents, opened by a program: documents go in, answers with their pages come out."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from bot.wiring import opened

if TYPE_CHECKING:
    from bot.library.scoping import ScopeOptions
    from bot.wiring.composition import Composition
    from core.answering.quote_check import QuoteCheck
    from core.domain.answers import Answer, Citation
    from core.domain.documents import Document
    from core.domain.ingestion import IngestReceipt
    from core.domain.search import SearchResult

Asked = ParamSpec("Asked")
Found = TypeVar("Found")


@asynccontextmanager
async def open(  # noqa: A001 - as `fundstelle.open`
    folder: str | os.PathLike[str], *, config: str | os.PathLike[str] | None = None
) -> AsyncIterator[Library]:
    """The library of a data folder, which is made where there is none. Settings are those of its
    `fundstelle.toml`, or of `config`, and of the environment, as everywhere.

    While it is open, files that the process makes can be read by its own user only. An embedded index belongs
    to one process: raises Broken("index.in_use") when another has it.
    """
    from bot.settings import load

    mask, interval = os.umask(0o077), sys.getswitchinterval()
    try:
        loaded = load(data=Path(folder), config=Path(config) if config is not None else None)
        async with opened(loaded.settings) as services:
            yield Library(services)
    finally:
        os.umask(mask)
        sys.setswitchinterval(interval)


class Library:
    """An open library. Places are codes or names ("de", "Bayern"), parties and documents are named as people
    name them; what is unknown raises Refused with suggestions.

    Scopes narrow what is looked into: `jurisdiction` to a place and what stands above it, `parties`,
    `documents`, `type` of document, `collections` (the public one where none is said), `as_of` to what was
    valid on that day.
    """

    def __init__(self, services: Composition) -> None:
        self._services = services

    async def ingest(
        self,
        *sources: str | os.PathLike[str],
        jurisdiction: str | None = None,
        parties: Sequence[str] = (),
        type: str | None = None,  # noqa: A002 - as the command calls it
        title: str | None = None,
        language: str | None = None,
        valid_from: date | None = None,
        collection: str | None = None,
        max_pages: int | None = None,
    ) -> list[IngestReceipt]:
        """Take in files, folders and URLs: what became of each. What is stated here holds for all of them;
        what is not is read from the file. Raises Refused for a path that is not there, an unknown place or
        type."""
        from bot.library import IngestOptions

        options = IngestOptions(
            collection=collection,
            jurisdiction=jurisdiction,
            parties=tuple(parties),
            doc_type=type,
            title=title,
            language=language,
            valid_from=valid_from,
            max_pages=max_pages,
        )
        receipts = []
        async for receipt in self._services.intake.ingest(
            [os.fspath(each) for each in sources], options, None
        ):
            receipts.append(receipt)
            await self._services.audit.ingested(receipt)
        added = sum(each.passages for each in receipts if each.seconds.get("embed"))
        await self._services.document_lifecycle.added(added)
        return receipts

    async def documents(
        self,
        *,
        jurisdiction: str | None = None,
        parties: Sequence[str] = (),
        type: str | None = None,  # noqa: A002
        collections: Sequence[str] = (),
        as_of: date | None = None,
    ) -> list[Document]:
        """The documents of a scope; of every collection where none is said."""
        options = _options(jurisdiction, parties, (), type, collections, as_of)
        return await self._services.documents.listed(options, every_collection=not options.collections)

    async def remove(self, document: str, *, now: bool = False) -> Document:
        """Take the document out of every answer; it is deleted after its term, or `now`."""
        from core.domain.journal import AuditAction

        gone, _ = await self._services.document_lifecycle.remove(document, now=now)
        await self._services.audit.noted(AuditAction.REMOVE, gone, now="yes" if now else "no")
        return gone

    async def ask(
        self,
        question: str,
        *,
        jurisdiction: str | None = None,
        parties: Sequence[str] = (),
        documents: Sequence[str] = (),
        type: str | None = None,  # noqa: A002
        collections: Sequence[str] = (),
        as_of: date | None = None,
    ) -> Answer:
        """The answer: its claims, and the citations that carry them, each a verbatim quote. Where there is no
        evidence it has neither, and its `outcome` and `notices` say why."""
        scope = _options(jurisdiction, parties, documents, type, collections, as_of)
        return await self._services.questions.ask(question, scope)

    async def search(
        self,
        question: str,
        *,
        k: int = 10,
        jurisdiction: str | None = None,
        parties: Sequence[str] = (),
        documents: Sequence[str] = (),
        type: str | None = None,  # noqa: A002
        collections: Sequence[str] = (),
        as_of: date | None = None,
    ) -> SearchResult:
        """The `k` nearest passages; nothing is answered."""
        scope = _options(jurisdiction, parties, documents, type, collections, as_of)
        return await self._services.questions.search(question, scope, k=k)

    async def verify(
        self,
        quote: str,
        *,
        said_by: str | None = None,
        said_in: str | None = None,
        said_on: int | None = None,
        jurisdiction: str | None = None,
        parties: Sequence[str] = (),
        documents: Sequence[str] = (),
        type: str | None = None,  # noqa: A002
        collections: Sequence[str] = (),
        as_of: date | None = None,
    ) -> QuoteCheck:
        """Whether an alleged quote stands in the documents, and where: `verdict` and `matches`. It may be
        said to be of a party or place (`said_by`), to stand in a document (`said_in`) and on a page of it
        (`said_on`)."""
        scope = _options(jurisdiction, parties, documents, type, collections, as_of)
        return await self._services.questions.verify(
            quote, scope, party=said_by, document=said_in, page=said_on
        )

    async def page(self, citation: Citation, number: int | None = None) -> bytes:
        """The one-page PDF on which a citation stands, its quote marked; of a quote that goes over several
        pages the first, or the one with that `number`."""
        quote = citation.quote
        made = await self._services.attacher.page(
            citation.edition, number or citation.page, quote.spans, citation.carrying
        )
        return made.pdf

    async def warm_up(self) -> None:
        """Load the models now, so that the first answer is as quick as the next."""
        await self._services.questions.warm_up()


def _options(
    jurisdiction: str | None,
    parties: Sequence[str],
    documents: Sequence[str],
    doc_type: str | None,
    collections: Sequence[str],
    as_of: date | None,
) -> ScopeOptions:
    from bot.library.scoping import ScopeOptions

    return ScopeOptions(
        jurisdiction=jurisdiction,
        parties=tuple(parties),
        collections=tuple(collections),
        documents=tuple(documents),
        doc_type=doc_type,
        as_of=as_of,
    )


@contextmanager
def open_blocking(
    folder: str | os.PathLike[str], *, config: str | os.PathLike[str] | None = None
) -> Iterator[BlockingLibrary]:
    """The same for programs without an event loop: `with fundstelle.open_blocking(folder) as library`."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        library = runner.run(stack.enter_async_context(open(folder, config=config)))
        try:
            yield BlockingLibrary(library, runner)
        finally:
            runner.run(stack.aclose())


class BlockingLibrary:
    """An open library whose methods are those of `Library`, and wait."""

    def __init__(self, library: Library, runner: asyncio.Runner) -> None:
        def waiting(
            method: Callable[Asked, Coroutine[Any, Any, Found]],
        ) -> Callable[Asked, Found]:
            return lambda *args, **options: runner.run(method(*args, **options))

        self.ingest = waiting(library.ingest)
        self.documents = waiting(library.documents)
        self.remove = waiting(library.remove)
        self.ask = waiting(library.ask)
        self.search = waiting(library.search)
        self.verify = waiting(library.verify)
        self.page = waiting(library.page)
        self.warm_up = waiting(library.warm_up)
