"""The application's use cases: what commands, chats and batches call."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from bot.answers.comparisons import Comparisons
from bot.answers.records import LOCAL, Explained, Recorder, explain
from bot.answers.summaries import Summarising
from bot.library.intake import Intake
from bot.library.lifecycle import DocumentLifecycle
from bot.library.publishing import Publishing
from bot.library.refreshing import Refresher
from bot.library.scoping import ScopeOptions, Scoping, find_document, no_document
from bot.periodic import Supervisor
from bot.presentation.attachments import Attached, Attacher
from bot.presentation.presenter import Presenter
from bot.presentation.results import PageResult
from core.answering.asker import Asker
from core.answering.entries import MAX_QUOTE, bounded
from core.answering.generated.previews import OnClaims
from core.answering.personal_data import warm_up as find_personal_data
from core.answering.quote_check import Claimed, QuoteCheck, QuoteVerifier
from core.domain.answers import Answer, Outcome
from core.domain.documents import Document, DocumentVersion, Edition, VersionStatus
from core.domain.journal import ChatKey, Pseudonym
from core.domain.pages import Page
from core.domain.passages import Passage, Span
from core.domain.search import SearchResult
from core.domain.threads import ThreadContext
from core.errors import Broken, Refused
from core.evidence.alignment import align
from core.evidence.index import DocumentIndex
from core.language.identification import detect
from core.library.completeness import Completeness, Rebuilder
from core.library.ingestion import Ingester
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.ports.lifecycle import CorrectionLog, LifecycleLibrary
from core.registry.registry import expand_party
from core.search.searcher import Searcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Result of `show`: passages of the active version."""

    document: Document
    versions: list[DocumentVersion]
    passages: list[Passage]


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything that is wired; see `bot.wiring.services`."""

    library: LifecycleLibrary
    intake: Intake
    ingester: Ingester
    completeness: Completeness
    rebuilder: Rebuilder
    searcher: Searcher
    asker: Asker
    verifier: QuoteVerifier
    attacher: Attacher
    comparisons: Comparisons
    summaries: Summarising
    scoping: Scoping
    presenter: Presenter
    publishing: Publishing
    sources: Refresher
    document_lifecycle: DocumentLifecycle
    corrections: CorrectionLog
    clock: Clock
    journal: Journal
    recorder: Recorder
    supervisor: Supervisor = field(default_factory=Supervisor)

    async def warm_up(self) -> None:
        """Load the models, so that the first answer is as quick as the next, and holds nobody up."""
        encoders = (self.ingester.dense, self.ingester.second)
        await asyncio.gather(
            *(encoder.warm_up() for encoder in encoders),
            asyncio.to_thread(detect, "warm up"),
            asyncio.to_thread(find_personal_data),
            asyncio.to_thread(self.scoping.warm_up),
            *(writer.warm_up() for writer in (self.asker.generator(None),) if writer is not None),
        )

    async def search(self, question: str, options: ScopeOptions, *, k: int) -> SearchResult:
        """Retrieval only. Raises Refused for an empty or over-long question and for unknown places, parties,
        collections or documents."""
        question = self.asker.checked(question)
        scope = await self.scoping.scope(options)
        lacking = await self.completeness.lacking(scope.collections)
        found = await self.searcher.search(
            question, scope=scope, chat_jurisdiction=options.chat_jurisdiction, k=k, today=self.today()
        )
        return replace(found, incomplete=bool(lacking))

    async def ask(
        self,
        question: str,
        options: ScopeOptions,
        *,
        out: Path | None = None,
        prefix: str = "",
        answerer: str | None = None,
        thread: ThreadContext | None = None,
        asked_by: Pseudonym = LOCAL,
        chat: ChatKey | None = None,
        progress: OnClaims | None = None,
    ) -> tuple[Answer, dict[str, Attached]]:
        """The whole answer, and its pages where `out` is given. The rest is as in `Asker.answered`;
        the answer's own `thread` goes with the next question. It is recorded who has asked, and where."""
        scope = await self.scoping.scope(options)
        incomplete = await self.completeness.notices(scope.collections)
        answered = await self.asker.answered(
            question,
            scope=scope,
            chat_jurisdiction=options.chat_jurisdiction,
            answerer=answerer,
            thread=thread,
            progress=progress,
        )
        answer = answered.answer
        if answer.outcome in (Outcome.GROUNDED, Outcome.NO_EVIDENCE):
            answer = replace(answer, notices=(*incomplete, *answer.notices))
        await self.recorder.answered(replace(answered, answer=answer), person=asked_by, chat=chat)
        attached = await self.attacher.attach(answer.citations, out, prefix=prefix) if out else {}
        return answer, attached

    async def verify(
        self, text: str, options: ScopeOptions, claimed: Claimed, *, out: Path | None = None, prefix: str = ""
    ) -> tuple[QuoteCheck, dict[str, Attached]]:
        """Whether an alleged quote is in the documents, and its pages where `out` is given. Raises Refused
        for one that is too long, and for unknown places, parties, collections or documents."""
        text = bounded(text, MAX_QUOTE, "verify.too_long")
        scope = await self.scoping.scope(options)
        incomplete = await self.completeness.notices(scope.collections)
        check = await self.verifier.verify(text, scope=scope, claimed=claimed, today=self.today())
        check = replace(check, notices=incomplete)
        attached = await self.attacher.attach(check.matches, out, prefix=prefix) if out else {}
        return check, attached

    async def why(self, trace: str) -> Explained:
        """How an answer came about. Raises Refused for an unknown one."""
        return await explain(trace, self.journal, self.library)

    async def claimed(self, party: str | None, document: str | None, page: int | None) -> Claimed:
        """What is claimed of a quote. Raises Refused for an unknown party or document."""
        parties = expand_party(self.scoping.registry, self.scoping.party(party)) if party else ()
        found = find_document(document, await self.library.documents()) if document else None
        return Claimed(parties=parties, document=found.id if found else None, page=page)

    async def page(
        self, name: str, number: int, quote: str | None, *, collections: Sequence[str] | None = None
    ) -> PageResult:
        """A one-page PDF, with `quote` marked where it stands. Raises Refused for no such document
        or page, and for a quote that is too long."""
        edition = await self.edition(name, collections)
        _check_page(edition, number)
        if quote is not None:
            return await self._marked_page(edition, number, bounded(quote, MAX_QUOTE, "verify.too_long"))
        plain = await self.attacher.page(edition, number, ())
        return PageResult(
            document=edition.document,
            page=number,
            found_page=None,
            highlighted=False,
            coverage=0.0,
            pdf=plain.pdf,
        )

    async def _marked_page(self, edition: Edition, number: int, quote: str) -> PageResult:
        pages = [page async for page in self.library.pages(edition.version.id)]
        here = [Span(page.number, 0, len(page.text)) for page in pages if page.number == number]
        found = await asyncio.to_thread(lambda: align(quote, DocumentIndex(pages), hint=here))
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

    async def documents(self, options: ScopeOptions, *, every_collection: bool) -> list[Document]:
        """Documents within the options' filters, a place with what stands above it."""
        scope = await self.scoping.scope(options)
        if every_collection:
            known = {document.collection for document in await self.library.documents()}
            scope = replace(scope, collections=tuple(sorted(known)) or scope.collections)
        editions = await self.library.editions(scope, on=self.today())
        return [edition.document for edition in editions if self.scoping.admits(scope, edition)]

    async def edition(self, name: str, collections: Sequence[str] | None = None) -> Edition:
        """The document that `name` means, with its active version. Raises Refused."""
        document = find_document(name, await self.library.documents(collections))
        for version in await self.library.versions(document.id):
            if version.status is VersionStatus.ACTIVE:
                return Edition(document=document, version=version)
        raise no_document(name, ())

    def today(self) -> date:
        """The date that validity is judged by."""
        return self.clock.now().date()


def _check_page(edition: Edition, number: int) -> None:
    title, pages = edition.document.fields.title, edition.version.pages
    if not 1 <= number <= pages:
        detail = f"{title} has no page {number}; it has {pages}"
        raise Refused("page.unknown", detail, title=title, page=number, pages=pages)
