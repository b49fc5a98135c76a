"""The ports, and the document services on top of them, whatever the adapters."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot.settings.tree import Settings
from bot.telemetry.metrics import Metrics
from core.domain.ids import TraceId

if TYPE_CHECKING:
    from adapters.database.processes import SqlProcesses
    from bot.answers.records.recorder import Recorder
    from bot.delivery.shared_files import SharedFiles
    from bot.library.audit import AuditTrail
    from bot.library.documents import Documents
    from bot.library.intake import Fetch, Intake, ReadManifest
    from bot.library.lifecycle import DocumentLifecycle
    from bot.library.scoping import Scoping
    from bot.library.sources.jobs import Jobs, Plan
    from bot.library.sources.refreshing import Refresher, Watcher
    from bot.library.upkeep import (
        IndexGenerationsUpkeep,
        IndexUpkeep,
        KeysUpkeep,
        NextIndex,
        Publishing,
        Reindexing,
    )
    from bot.periodic import Supervisor
    from bot.presentation.attachments import Attacher
    from bot.presentation.presenter import Presenter
    from bot.service.watches import ClockWatch
    from bot.wiring.models import Encoders
    from core.answering.sight import PageSight
    from core.domain.registry import KnownPlace, Registry
    from core.library.completeness import Completeness
    from core.library.cutting import Cutter
    from core.library.formats import FileReader
    from core.library.ingestion import Ingester
    from core.ports.access import AccessTokens, PageLinks
    from core.ports.clock import Clock
    from core.ports.index import IndexGeneration, IndexGenerations, PassageIndex
    from core.ports.journal import Journal, Subscriptions
    from core.ports.library import CorrectionLog, LifecycleLibrary, Summaries
    from core.ports.models import AnswerReader, Embedder, LanguageModel, LexicalEncoder, QuestionEncoder
    from core.ports.pdf import PdfToolkit
    from core.ports.sources import DocumentSource, SourceJournal
    from core.ports.storage import FileStore, Originals
    from core.search.reranking import HitReranker


@dataclass(kw_only=True, eq=False)
class LibraryServices:
    """The ports and the document services, each built once, on first use."""

    settings: Settings
    registry: Registry
    library: LifecycleLibrary
    index: PassageIndex
    journal: Journal
    corrections: CorrectionLog
    kept_summaries: Summaries
    source_journal: SourceJournal
    access: AccessTokens
    page_links: PageLinks
    subscriptions: Subscriptions
    processes: SqlProcesses | None = None
    store: FileStore
    transit: FileStore
    originals: Originals
    pdf: PdfToolkit
    files: FileReader | None = None
    primary: Embedder
    secondary: Embedder
    lexical: LexicalEncoder
    question_encoder: QuestionEncoder | None = None
    generations: IndexGenerations | None = None
    generation: IndexGeneration | None = None
    following: tuple[Encoders, PassageIndex] | None = None
    drop_index: Callable[[str], Awaitable[None]] | None = None
    clock: Clock
    plan: Plan
    source: DocumentSource
    read_manifest: ReadManifest
    fetch: Fetch
    known_places: Iterable[KnownPlace] = ()
    cutter: Cutter | None = None
    model: LanguageModel | None = None
    judging_model: LanguageModel | None = None
    reranker: HitReranker | None = None
    reader: AnswerReader | None = None
    check_room: Callable[[], None] = lambda: None
    metrics: Metrics = field(default_factory=Metrics)
    registry_changed: Callable[[Registry], None] = lambda _: None
    new_trace: Callable[[], TraceId] = lambda: TraceId(uuid.uuid4().hex)

    def trace(self) -> TraceId:
        """The trace of the answer being made, else a new one."""
        from bot.telemetry import current_trace

        return current_trace() or self.new_trace()

    @cached_property
    def supervisor(self) -> Supervisor:
        from bot.periodic import Supervisor

        return Supervisor()

    @cached_property
    def presenter(self) -> Presenter:
        from bot.presentation.presenter import Presenter

        stated = {"en": self.settings.answer.disclaimer_en, "de": self.settings.answer.disclaimer_de}
        disclaimers = {language: text for language, text in stated.items() if text}
        return Presenter(
            self.registry,
            language=self.settings.language,
            disclaimers=disclaimers,
            known=self.known_places,
            zone=self.clock.zone,
        )

    @cached_property
    def scoping(self) -> Scoping:
        from bot.library.scoping import Scoping

        return Scoping(library=self.library, registry=self.registry, known=self.known_places)

    @cached_property
    def attacher(self) -> Attacher:
        from bot.presentation.attachments import Attacher

        return Attacher(library=self.library, originals=self.originals, pdf=self.pdf)

    @cached_property
    def sight(self) -> PageSight:
        from core.answering.sight import PageSight

        return PageSight(originals=self.originals, pdf=self.pdf)

    @cached_property
    def completeness(self) -> Completeness:
        from core.library.completeness import COMPARED_EVERY_S, Completeness

        return Completeness(self.library, self.index, believed_s=2 * COMPARED_EVERY_S)

    @cached_property
    def recorder(self) -> Recorder:
        from bot.answers.records.recorder import Recorder

        return Recorder(
            self.journal,
            self.clock,
            self.settings.retention.terms,
            new_trace=self.trace,
            privacy=self.settings.privacy.allowed,
            metrics=self.metrics,
            check_clock=self.clock_watch.require,
        )

    @cached_property
    def clock_watch(self) -> ClockWatch:
        from bot.service.watches import ClockWatch
        from bot.wiring.clocks import clocks

        async def written() -> datetime | None:
            return (await self.journal.backlog()).purged_at

        return ClockWatch(
            self.clock, self.source_journal.server_time, written, partial(clocks, self.settings)
        )

    @cached_property
    def audit(self) -> AuditTrail:
        from bot.library.audit import AuditTrail

        return AuditTrail(self.journal, self.library, self.clock)

    @cached_property
    def documents(self) -> Documents:
        from bot.library.documents import Documents

        return Documents(library=self.library, scoping=self.scoping, attacher=self.attacher, clock=self.clock)

    @cached_property
    def ingester(self) -> Ingester:
        from core.library.ingestion import Ingester

        return Ingester(
            library=self.library,
            index=self.index,
            pdf=self.pdf,
            originals=self.originals,
            primary=self.primary,
            secondary=self.secondary,
            lexical=self.lexical,
            clock=self.clock,
            files=self.files,
            cutter=self.cutter,
            check_room=self.check_room,
        )

    @cached_property
    def intake(self) -> Intake:
        from bot.library.intake import Intake

        return Intake(
            ingester=self.ingester,
            library=self.library,
            scoping=self.scoping,
            read_manifest=self.read_manifest,
            fetch=self.fetch,
            changed=self.registry_has_changed,
            known_places=self.known_places,
            today=self.clock.today,
        )

    def registry_has_changed(self, registry: Registry) -> None:
        """Use the names of `registry` from now on."""
        self.presenter.use(registry)
        self.scoping.use(registry)
        self.registry_changed(registry)

    @cached_property
    def publishing(self) -> Publishing:
        from bot.library.upkeep import Publishing

        return Publishing(self.library, self.ingester, self.intake, self.originals)

    @cached_property
    def shared_files(self) -> SharedFiles:
        from bot.delivery.shared_files import SharedFiles

        return SharedFiles(self.transit)

    @cached_property
    def outgoing(self) -> Path:
        from bot.library.lifecycle import OUTGOING

        return self.settings.data / OUTGOING

    @cached_property
    def document_lifecycle(self) -> DocumentLifecycle:
        from bot.library.lifecycle import DocumentLifecycle
        from core.library.lifecycle import Lifecycle

        core = Lifecycle(
            library=self.library,
            index=self.index,
            originals=self.originals,
            clock=self.clock,
            terms=self.settings.retention.library,
            held=self.jobs.held_files,
        )
        return DocumentLifecycle(self.library, core, self.transit, self.clock_watch.require)

    @cached_property
    def jobs(self) -> Jobs:
        from bot.library.sources.jobs import Jobs

        return Jobs(self.library, self.source_journal, self.originals, self.clock, self.plan)

    @cached_property
    def sources(self) -> Refresher:
        from bot.library.sources.refreshing import Refresher

        return Refresher(self.jobs, self.source, self.ingester, self.document_lifecycle.lifecycle.withdraw)

    @cached_property
    def watcher(self) -> Watcher:
        from bot.library.sources.refreshing import WatchedFolder, Watcher

        library, data = self.settings.library, self.settings.data
        return Watcher(
            intake=self.intake,
            refresher=self.sources,
            read_manifest=self.read_manifest,
            folders=[
                WatchedFolder(path=data / row.folder, collection=row.collection) for row in library.watch
            ],
            manifests=[data / name for name in library.manifests],
        )

    @cached_property
    def reindexing(self) -> Reindexing:
        from bot.library.upkeep import Reindexing

        return Reindexing(self.library, self.ingester, self.publishing, self.supervisor)

    @cached_property
    def next_index(self) -> NextIndex | None:
        """Builds the index of the encoders in the settings, if others are in use; else None."""
        from bot.library.upkeep import NextIndex
        from core.library.completeness import Completeness, Rebuilder
        from core.library.ingestion import Ingester

        if self.following is None or self.generations is None:
            return None
        encoders, index = self.following
        repairs = Ingester(
            library=self.library,
            index=index,
            pdf=self.pdf,
            originals=self.originals,
            primary=encoders.primary,
            secondary=encoders.secondary,
            lexical=self.lexical,
            clock=self.clock,
            files=self.files,
            cutter=self.cutter,
        ).repairs
        completeness = Completeness(self.library, index)
        return NextIndex(
            generation=encoders.generation,
            generations=self.generations,
            current=self.completeness,
            completeness=completeness,
            rebuilder=Rebuilder(completeness, self.library, repairs),
            clock=self.clock,
        )

    @cached_property
    def index_generations(self) -> IndexGenerationsUpkeep | None:
        from bot.library.upkeep import IndexGenerationsUpkeep

        if self.generations is None or self.generation is None or self.drop_index is None:
            return None
        return IndexGenerationsUpkeep(
            generation=self.generation,
            generations=self.generations,
            current=self.completeness,
            following=self.next_index,
            drop=self.drop_index,
            clock=self.clock,
        )

    @cached_property
    def keys_upkeep(self) -> KeysUpkeep:
        from bot.library.upkeep import KeysUpkeep

        return KeysUpkeep(self.library, self.index, self.clock)

    @cached_property
    def upkeep(self) -> IndexUpkeep:
        from bot.library.upkeep import IndexUpkeep
        from core.library.completeness import Rebuilder

        return IndexUpkeep(
            self.completeness, Rebuilder(self.completeness, self.library, self.ingester.repairs)
        )
