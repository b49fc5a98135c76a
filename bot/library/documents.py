"""The documents of the library by the names people use: listing, inspecting, and their pages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.library.scoping import ScopeOptions, Scoping, find_document, no_document
from bot.presentation.attachments import Attacher
from bot.presentation.results import PageResult
from core.answering.entries import MAX_QUOTE, bounded
from core.domain.documents import Document, DocumentVersion, Edition, Holding, VersionStatus
from core.domain.ids import DocumentId
from core.domain.pages import Page
from core.domain.passages import Passage, Span
from core.domain.scope import Scope
from core.errors import Broken, Refused
from core.ports.clock import Clock
from core.ports.library import LifecycleLibrary


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Result of `show`: passages of the active version."""

    document: Document
    versions: list[DocumentVersion]
    passages: list[Passage]


@dataclass(frozen=True, slots=True, kw_only=True)
class Documents:
    """Finds documents and shows their contents."""

    library: LifecycleLibrary
    scoping: Scoping
    attacher: Attacher
    clock: Clock

    async def listed(self, options: ScopeOptions, *, every_collection: bool = False) -> list[Document]:
        """Documents within the options' filters; a place includes the places above it."""
        scope = await self.scoping.scope(options)
        if every_collection:
            known = {document.collection for document in await self.library.documents()}
            scope = replace(scope, collections=tuple(sorted(known)) or scope.collections)
        editions = await self.library.editions(scope, on=self.clock.today())
        names = self.scoping.within(scope.collections)
        return [edition.document for edition in editions if names.admits(scope, edition)]

    async def held(self, collections: Sequence[str] | None = None) -> list[Document]:
        """All documents of `collections`, or of every collection."""
        return await self.library.documents(collections)

    async def editions(self) -> list[Edition]:
        """The editions that are current today, in every collection."""
        known = {document.collection for document in await self.library.documents()}
        if not known:
            return []
        scope = Scope(collections=tuple(sorted(known)))
        return await self.library.editions(scope, on=self.clock.today())

    async def holdings(self) -> list[Holding]:
        """What the index and the stored files must contain, version by version."""
        return await self.library.holdings()

    async def document(self, identity: DocumentId) -> Document | None:
        """The document of that id."""
        return await self.library.document(identity)

    async def edition(self, name: str, collections: Sequence[str] | None = None) -> Edition:
        """The document that `name` refers to, with its active version. Raises Refused."""
        document = find_document(name, await self.library.documents(collections))
        for version in await self.library.versions(document.id):
            if version.status is VersionStatus.ACTIVE:
                return Edition(document=document, version=version)
        raise no_document(name, {})

    async def show(self, name: str) -> Shown:
        """A document with its versions and the passages of the active one. Raises Refused."""
        edition = await self.edition(name)
        ordinals = range(edition.version.passages)
        return Shown(
            document=edition.document,
            versions=await self.library.versions(edition.document.id),
            passages=await self.library.passages_at(edition.version.id, ordinals),
        )

    async def page_text(self, name: str, number: int) -> Page:
        """A page of a document. Raises Refused for no such document or page."""
        edition = await self.edition(name)
        _check_page(edition, number)
        page = await self.library.page(edition.version.id, number)
        if page is None:
            raise Broken(
                "library.page_lost", f"page {number} of {name} is not in the database; ingest it again"
            )
        return page

    async def first_pages(self, name: str, count: int) -> list[Page]:
        """Up to `count` first pages of a document. Raises Refused."""
        edition = await self.edition(name)
        return await self.library.pages_at(edition.version.id, range(1, count + 1))

    async def page(
        self, name: str, number: int, quote: str | None = None, *, collections: Sequence[str] | None = None
    ) -> PageResult:
        """A one-page PDF, with `quote` marked. Raises Refused for no such document or page, and for a quote
        that is too long."""
        edition = await self.edition(name, collections)
        _check_page(edition, number)
        if quote is not None:
            return await self._marked_page(edition, number, bounded(quote, MAX_QUOTE, "verify.too_long"))
        plain = await self.attacher.page(edition, number, ())
        page = await self.library.page(edition.version.id, number)
        return PageResult(
            document=edition.document,
            page=number,
            found_page=None,
            highlighted=False,
            coverage=0.0,
            pdf=plain.pdf,
            printed=page.label if page else None,
        )

    async def _marked_page(self, edition: Edition, number: int, quote: str) -> PageResult:
        pages = [page async for page in self.library.pages(edition.version.id)]
        page_spans = [Span(page.number, 0, len(page.text)) for page in pages if page.number == number]
        from core.evidence.alignment import Alignment, align, in_its_sentences
        from core.evidence.index import DocumentIndex

        def sought() -> Alignment:
            index = DocumentIndex(pages)
            aligned = align(quote, index, hint=page_spans)
            return aligned if aligned.citable else in_its_sentences(quote, index)

        found = await asyncio.to_thread(sought)
        spans = found.spans if found.citable else ()
        stands = {span.page for span in spans}
        target = number if not stands or number in stands else min(stands)
        made = await self.attacher.page(edition, target, spans)
        return PageResult(
            document=edition.document,
            page=number,
            found_page=target if stands else None,
            highlighted=made.marked,
            coverage=found.coverage if stands else 0.0,
            pdf=made.pdf,
            doubt=made.doubt,
        )


def _check_page(edition: Edition, number: int) -> None:
    title, pages = edition.document.fields.title, edition.version.pages
    if not 1 <= number <= pages:
        detail = f"{title} has no page {number}; it has {pages}"
        raise Refused("page.unknown", detail, title=title, page=number, pages=pages)
