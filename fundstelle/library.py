"""A library of documents, opened by a program: put documents in, get answers with their pages out."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from bot.wiring.services import opened
from core.errors import Refused

if TYPE_CHECKING:
    from bot.library.scoping import ScopeOptions
    from bot.wiring.composition import Composition
    from core.answering.quote_check import QuoteCheck
    from core.domain.answers import Answer, Citation
    from core.domain.documents import Document
    from core.domain.ingestion import IngestReceipt
    from core.search.plan import SearchResult

Asked = ParamSpec("Asked")
Found = TypeVar("Found")


@asynccontextmanager
async def open(  # noqa: A001 - as `fundstelle.open`
    folder: str | os.PathLike[str], *, config: str | os.PathLike[str] | None = None
) -> AsyncIterator[Library]:
    """The library of a data folder, which is created if necessary. Settings come from its `fundstelle.toml`,
    or from `config`, and from the environment, as everywhere.

    While it is open, files that the process creates are readable by its own user only. An embedded index
    belongs to one process: raises Broken("index.in_use") when another has it.
    """
    from bot.settings.tree import load

    data = Path(_path(folder, "folder"))
    settings_file = None if config is None else Path(_path(config, "config"))
    mask, interval = os.umask(0o077), sys.getswitchinterval()
    try:
        async with opened(load(data=data, config=settings_file).settings) as services:
            library = Library(services)
            try:
                yield library
            finally:
                library._open = False
    finally:
        os.umask(mask)
        sys.setswitchinterval(interval)


class Library:
    """An open library. Places are codes or names ("de", "Bayern"); parties and documents go by the names
    people use; unknown names raise Refused with suggestions. An argument of the wrong type raises
    Refused("call.invalid"), and every call after closing raises Refused("library.closed").

    Scopes narrow the search: `jurisdiction` to a place and those above it, `parties`, `documents`, `type` of
    document, `collections` (the public one by default), `as_of` to what was valid on that day. One name may
    stand for a list of names, and "2021-06-01" for a day.
    """

    def __init__(self, services: Composition) -> None:
        self._composition = services
        self._open = True

    @property
    def _services(self) -> Composition:
        self._check_open()
        return self._composition

    def _check_open(self) -> None:
        if not self._open:
            raise Refused("library.closed", "the library is closed: call its methods inside the `with` block")

    async def ingest(
        self,
        *sources: str | os.PathLike[str],
        jurisdiction: str | None = None,
        parties: str | Sequence[str] = (),
        type: str | None = None,  # noqa: A002 - as the command calls it
        title: str | None = None,
        language: str | None = None,
        valid_from: date | str | None = None,
        collection: str | None = None,
        max_pages: int | None = None,
    ) -> list[IngestReceipt]:
        """Ingest files, folders and URLs; returns a receipt for each file. The arguments apply to all of
        them; whatever is not stated is read from the file. Raises Refused for a missing path or an unknown
        place or type."""
        from bot.library.intake import IngestOptions

        options = IngestOptions(
            collection=_stated(collection, "collection"),
            jurisdiction=_stated(jurisdiction, "jurisdiction"),
            parties=_names(parties, "parties"),
            doc_type=_stated(type, "type"),
            title=_stated(title, "title"),
            language=_stated(language, "language"),
            valid_from=_day(valid_from, "valid_from"),
            max_pages=_count(max_pages, "max_pages"),
            presumes=True,
        )
        named = [_path(each, "each source") for each in sources]
        receipts = []
        async for receipt in self._services.intake.ingest(named, options, None):
            receipts.append(receipt)
            await self._services.audit.ingested(receipt)
        added = sum(each.passages for each in receipts if each.seconds.get("embed"))
        await self._services.document_lifecycle.added(added)
        return receipts

    async def documents(
        self,
        *,
        jurisdiction: str | None = None,
        parties: str | Sequence[str] = (),
        type: str | None = None,  # noqa: A002
        collections: str | Sequence[str] = (),
        as_of: date | str | None = None,
    ) -> list[Document]:
        """The documents in a scope; of every collection by default."""
        options = _options(jurisdiction, parties, (), type, collections, as_of)
        return await self._services.documents.listed(options, every_collection=not options.collections)

    async def remove(self, document: str, *, now: bool = False) -> Document:
        """Take the document out of every answer; it is deleted after the retention period, or at once with
        `now`."""
        from core.domain.journal import AuditAction

        removed, _ = await self._services.document_lifecycle.remove(_text(document, "document"), now=now)
        await self._services.audit.noted(AuditAction.REMOVE, removed, now="yes" if now else "no")
        return removed

    async def ask(
        self,
        question: str,
        *,
        jurisdiction: str | None = None,
        parties: str | Sequence[str] = (),
        documents: str | Sequence[str] = (),
        type: str | None = None,  # noqa: A002
        collections: str | Sequence[str] = (),
        as_of: date | str | None = None,
    ) -> Answer:
        """The answer: its claims, and the citations that support them, each a verbatim quote. Without
        evidence it has neither, and its `outcome` and `notices` say why."""
        scope = _options(jurisdiction, parties, documents, type, collections, as_of)
        return await self._services.questions.ask(_text(question, "question"), scope)

    async def search(
        self,
        question: str,
        *,
        k: int = 10,
        jurisdiction: str | None = None,
        parties: str | Sequence[str] = (),
        documents: str | Sequence[str] = (),
        type: str | None = None,  # noqa: A002
        collections: str | Sequence[str] = (),
        as_of: date | str | None = None,
    ) -> SearchResult:
        """The `k` nearest passages; nothing is answered."""
        scope = _options(jurisdiction, parties, documents, type, collections, as_of)
        least = _count(k, "k")
        if least is None:
            raise _wrong("k", "a whole number from 1", k)
        return await self._services.questions.search(_text(question, "question"), scope, k=least)

    async def verify(
        self,
        quote: str,
        *,
        said_by: str | None = None,
        said_in: str | None = None,
        said_on: int | None = None,
        jurisdiction: str | None = None,
        parties: str | Sequence[str] = (),
        documents: str | Sequence[str] = (),
        type: str | None = None,  # noqa: A002
        collections: str | Sequence[str] = (),
        as_of: date | str | None = None,
    ) -> QuoteCheck:
        """Whether and where an alleged quote is in the documents: `verdict` and `matches`. It may be
        attributed to a party or place (`said_by`), to a document (`said_in`) and to a page of it
        (`said_on`)."""
        scope = _options(jurisdiction, parties, documents, type, collections, as_of)
        return await self._services.questions.verify(
            _text(quote, "quote"),
            scope,
            party=_stated(said_by, "said_by"),
            document=_stated(said_in, "said_in"),
            page=_count(said_on, "said_on"),
        )

    async def page(self, citation: Citation, number: int | None = None) -> bytes:
        """A one-page PDF of the page with a citation, its quote highlighted; for a quote across several pages
        the first, or the one with that `number`."""
        from core.domain.answers import Citation

        if not isinstance(citation, Citation):
            raise _wrong("citation", "a Citation of an answer", citation)
        quote, page = citation.quote, _count(number, "number") or citation.page
        made = await self._services.attacher.page(citation.edition, page, quote.spans, citation.carrying)
        return made.pdf

    async def warm_up(self) -> None:
        """Load the models now, so that the first answer is as quick as the next."""
        await self._services.questions.warm_up()


def _options(
    jurisdiction: str | None,
    parties: str | Sequence[str],
    documents: str | Sequence[str],
    doc_type: str | None,
    collections: str | Sequence[str],
    as_of: date | str | None,
) -> ScopeOptions:
    from bot.library.scoping import ScopeOptions

    return ScopeOptions(
        jurisdiction=_stated(jurisdiction, "jurisdiction"),
        parties=_names(parties, "parties"),
        collections=_names(collections, "collections"),
        documents=_names(documents, "documents"),
        doc_type=_stated(doc_type, "type"),
        as_of=_day(as_of, "as_of"),
    )


# Arguments are checked here, once, since not every caller runs a type checker.


def _wrong(what: str, wanted: str, given: object) -> Refused:
    return Refused("call.invalid", f"{what} has to be {wanted}, not {given!r:.80}", name=what)


def _text(given: object, what: str) -> str:
    if not isinstance(given, str):
        raise _wrong(what, "a text", given)
    return given


def _stated(given: object, what: str) -> str | None:
    return None if given is None else _text(given, what)


def _names(given: object, what: str) -> tuple[str, ...]:
    if isinstance(given, str):  # a string is also a sequence of its characters
        return (given,)
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        raise _wrong(what, "a name or a list of names", given)
    return tuple(_text(each, f"each of {what}") for each in given)


def _count(given: object, what: str) -> int | None:
    if given is not None and (not isinstance(given, int) or isinstance(given, bool) or given < 1):
        raise _wrong(what, "a whole number from 1", given)
    return given


def _day(given: object, what: str) -> date | None:
    try:
        if isinstance(given, str):  # as the command does
            return datetime.strptime(given, "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no time zone
    except ValueError:
        raise _wrong(what, 'a day such as "2021-06-01"', given) from None
    if given is None or (isinstance(given, date) and not isinstance(given, datetime)):
        return given
    raise _wrong(what, 'a date or a text such as "2021-06-01"', given)


def _path(given: object, what: str) -> str:
    """The given path or URL. An empty one would mean the current working directory."""
    path = os.fspath(given) if isinstance(given, os.PathLike) else given
    if not isinstance(path, str) or not path.strip() or "\0" in path:
        raise _wrong(what, "a path that is not empty", given)
    return path


def _outside_a_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise Refused(
        "library.in_a_loop",
        "an event loop runs here, which must not wait: use `async with fundstelle.open(...)` and `await`",
    )


@contextmanager
def open_blocking(
    folder: str | os.PathLike[str], *, config: str | os.PathLike[str] | None = None
) -> Iterator[BlockingLibrary]:
    """Like `open`, for programs without an event loop: `with fundstelle.open_blocking(folder) as library`.
    Raises Refused("library.in_a_loop") inside an event loop, as do the library's methods."""
    _outside_a_loop()
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        library = runner.run(stack.enter_async_context(open(folder, config=config)))
        try:
            yield BlockingLibrary(library, runner)
        finally:
            runner.run(stack.aclose())


class BlockingLibrary:
    """An open library with the methods of `Library`, which block."""

    def __init__(self, library: Library, runner: asyncio.Runner) -> None:
        def waiting(
            method: Callable[Asked, Coroutine[Any, Any, Found]],
        ) -> Callable[Asked, Found]:
            def wait(*args: Asked.args, **options: Asked.kwargs) -> Found:
                _outside_a_loop()
                library._check_open()  # once closed, the runner has ended as well
                return runner.run(method(*args, **options))

            return wait

        self.ingest = waiting(library.ingest)
        self.documents = waiting(library.documents)
        self.remove = waiting(library.remove)
        self.ask = waiting(library.ask)
        self.search = waiting(library.search)
        self.verify = waiting(library.verify)
        self.page = waiting(library.page)
        self.warm_up = waiting(library.warm_up)
