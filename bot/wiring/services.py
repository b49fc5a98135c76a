"""Settings to App: the only place where adapters are chosen and objects are built."""

import os
import sys
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TextIO

from adapters.console.platform import ConsolePlatform
from adapters.cutting.cutter import ProcessCutter
from adapters.database.corrections import SqlCorrections
from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.library import SqlLibrary
from adapters.database.summaries import SqlSummaries
from adapters.disk import require
from adapters.durable import PRIVATE_FOLDER, make_folder
from adapters.embedding.bm25 import Bm25Encoder
from adapters.embedding.e5 import E5Embedder
from adapters.embedding.text_model import FastEmbedEmbedder
from adapters.embedding.use import UseEmbedder
from adapters.files.keys import secret_key
from adapters.files.manifest import read_manifest
from adapters.files.originals import FileOriginals
from adapters.files.places import known_places
from adapters.web.fetching import fetch
from bot.answers.answerers import Answerers
from bot.answers.app import App
from bot.answers.comparisons import Comparisons
from bot.answers.questions import Questions
from bot.answers.records import Recorder
from bot.answers.references import References
from bot.answers.summaries import Summarising
from bot.answers.version_diff import VersionDiffs
from bot.library.audit import AuditTrail
from bot.library.documents import Documents
from bot.library.index_upkeep import IndexUpkeep
from bot.library.intake import Intake
from bot.library.lifecycle import OUTGOING, DocumentLifecycle
from bot.library.publishing import Publishing
from bot.library.reindexing import Reindexing
from bot.library.scoping import Scoping
from bot.library.sources import Jobs
from bot.periodic import Supervisor
from bot.presentation.attachments import Attacher
from bot.presentation.presenter import Presenter
from bot.settings.stores import EncoderSettings
from bot.settings.tree import Settings
from bot.wiring import logs
from bot.wiring.files import file_reader, pdf_toolkit
from bot.wiring.index import index_of
from bot.wiring.models import language_model, reranker
from bot.wiring.sources import jobs_on, refresher
from core.answering.extractive.sentences import Extractor
from core.answering.quote_check import QuoteVerifier
from core.answering.reports.comparisons import Comparer, CompareSettings
from core.answering.reports.motions import MotionReader
from core.answering.reports.sides import SideSearch
from core.answering.sight import PageSight
from core.domain.ids import TraceId
from core.domain.journal import Pseudonyms
from core.domain.registry import Registry
from core.errors import Broken
from core.library.completeness import Completeness, Rebuilder
from core.library.ingestion import Ingester
from core.library.lifecycle import Lifecycle
from core.ports.chat import ChatPlatform
from core.ports.clock import Clock
from core.ports.embedding import Embedder
from core.ports.journal import Journal
from core.ports.library import Library
from core.ports.models import LanguageModel
from core.search.nearest import Nearest
from core.search.rewrites import Synonyms
from core.search.searcher import Searcher

Metered = Callable[[LanguageModel], LanguageModel]
"""Gives a model back whose calls are counted."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Aware, UTC."""
        return datetime.now(UTC)


ROOM = 96_000_000
"""Bytes that must be left on the disk before a document is read: its original, its rows, its points."""

SWITCH_INTERVAL_S = 0.0005
"""How long a computing thread may keep the others waiting. Cutting a document is pure Python; with the
interpreter's 5 ms every one of the hundred steps of an answer would wait that long for it."""


@asynccontextmanager
async def opened(settings: Settings, *, metered: Metered | None = None) -> AsyncIterator[App]:
    """The wired App; everything is closed again in reverse order. `metered` puts a meter on the model."""
    logs.hide(settings)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    _make_data_folder(settings.data)
    async with AsyncExitStack() as stack:
        database = await Database.open(database_url(settings))
        stack.push_async_callback(database.close)
        library = SqlLibrary(database)
        pdf = pdf_toolkit(settings)
        stack.push_async_callback(pdf.close)
        models = settings.data / "models"
        dense = _dense(settings.encoders, models)
        second = UseEmbedder(models, threads=settings.encoders.threads)
        lexical = Bm25Encoder(models)
        index = await index_of(settings, library, dense.dimension, second.dimension)
        stack.push_async_callback(index.close)
        completeness = Completeness(library, index)
        originals = FileOriginals(settings.data / "originals")
        clock = SystemClock()
        cutter = ProcessCutter()
        stack.push_async_callback(cutter.close)
        ingester = Ingester(
            library=library,
            index=index,
            pdf=pdf,
            originals=originals,
            dense=dense,
            second=second,
            lexical=lexical,
            clock=clock,
            files=file_reader(settings, pdf, originals, clock),
            check_room=partial(require, settings.data, ROOM),
            cutter=cutter,
        )
        sight = PageSight(originals=originals, pdf=pdf)
        places = known_places()
        model = language_model(settings)
        if model is not None:
            stack.push_async_callback(model.close)
        asked = metered(model) if model and metered else model
        searcher = Searcher(
            library=library,
            index=index,
            dense=dense,
            second=second,
            lexical=lexical,
            known_places=places,
            reranker=reranker(settings, asked, models),
            synonyms=[Synonyms(terms=row.terms, jurisdiction=row.jurisdiction) for row in settings.synonyms],
        )
        answers = Answerers(settings, asked, library, places, clock, sight)
        nearest = Nearest(library=library, index=index, dense=dense, second=second, lexical=lexical)
        registry = await library.registry()
        presenter = Presenter(registry, language=settings.language, disclaimers=_disclaimers(settings))
        scoping = Scoping(library=library, registry=registry, known=places)

        def changed(registry: Registry) -> None:
            presenter.use(registry)
            scoping.use(registry)

        intake = Intake(
            ingester=ingester,
            library=library,
            scoping=scoping,
            read_manifest=read_manifest,
            fetch=lambda url: _fetched(url, settings.pdf.max_megabytes),
            changed=changed,
        )
        publishing, supervisor = Publishing(library, ingester, intake, originals), Supervisor()
        attacher = Attacher(library=library, originals=originals, pdf=pdf)
        extractor = Extractor(second, dense)
        sides = SideSearch(
            searcher=searcher,
            library=library,
            extractor=extractor,
            threshold=answers.threshold,
            sight=sight,
        )
        asker = answers.asker(searcher, extractor)
        journal = _journal(settings, database)
        recorder = Recorder(
            journal,
            clock,
            settings.retention.terms,
            new_trace=lambda: TraceId(uuid.uuid4().hex),
            privacy=settings.privacy.allowed,
        )
        lifecycle = Lifecycle(
            library=library, index=index, originals=originals, clock=clock, terms=settings.retention.library
        )
        yield App(
            settings=settings,
            library=library,
            intake=intake,
            ingester=ingester,
            completeness=completeness,
            searcher=searcher,
            asker=asker,
            attacher=attacher,
            audit=AuditTrail(journal, library, clock),
            questions=Questions(
                library=library,
                scoping=scoping,
                completeness=completeness,
                searcher=searcher,
                asker=asker,
                verifier=QuoteVerifier(library=library, nearest=nearest, sight=sight),
                recorder=recorder,
                journal=journal,
                clock=clock,
                encoders=(dense, second),
            ),
            documents=Documents(library=library, scoping=scoping, attacher=attacher, clock=clock),
            references=References(library=library, scoping=scoping, clock=clock),
            version_diffs=VersionDiffs(library, attacher),
            comparisons=Comparisons(
                comparer=Comparer(
                    searcher=searcher,
                    library=library,
                    sides=sides,
                    clock=clock,
                    settings=CompareSettings(max_question=settings.answer.max_question),
                ),
                motions=MotionReader(library=library, sides=sides, clock=clock),
                scoping=scoping,
                attacher=attacher,
                presenter=presenter,
                pdf=pdf,
                recorder=recorder,
                completeness=completeness,
            ),
            summaries=Summarising(
                completeness=completeness,
                privacy=settings.privacy.allowed,
                writer=answers.summary_writer(searcher, sides, dense),
                summaries=SqlSummaries(database),
                library=library,
                scoping=scoping,
                attacher=attacher,
                asker=asker,
                presenter=presenter,
                clock=clock,
            ),
            scoping=scoping,
            presenter=presenter,
            publishing=publishing,
            reindexing=Reindexing(library, ingester, publishing, supervisor),
            upkeep=IndexUpkeep(completeness, Rebuilder(completeness, library, ingester.repairs)),
            supervisor=supervisor,
            sources=refresher(jobs_on(settings, database, clock), settings, ingester, lifecycle.withdraw),
            document_lifecycle=DocumentLifecycle(library, lifecycle, settings.data / OUTGOING),
            corrections=SqlCorrections(database),
            clock=clock,
            journal=journal,
            recorder=recorder,
        )


@asynccontextmanager
async def records(settings: Settings) -> AsyncIterator[tuple[Journal, Library]]:
    """The journal and the library alone, which another process may be working with meanwhile."""
    _make_data_folder(settings.data)
    database = await Database.open(database_url(settings))
    try:
        yield _journal(settings, database), SqlLibrary(database)
    finally:
        await database.close()


@asynccontextmanager
async def jobs(settings: Settings) -> AsyncIterator[Jobs]:
    """The scheduled sources alone, which another process may be looking at meanwhile."""
    _make_data_folder(settings.data)
    database = await Database.open(database_url(settings))
    try:
        yield jobs_on(settings, database, SystemClock())
    finally:
        await database.close()


def _journal(settings: Settings, database: Database) -> SqlJournal:
    return SqlJournal(database, Pseudonyms(secret_key(settings.retention.key(settings.data))))


async def _fetched(url: str, max_megabytes: int) -> bytes:
    fetched = await fetch(url, max_bytes=max_megabytes * 1_000_000)
    return fetched.content


def console(clock: Clock, chat: str, lines: TextIO, write: Callable[[str], None]) -> ChatPlatform:
    """The console as a chat platform."""
    return ConsolePlatform(lines=lines, write=write, clock=clock, chat=chat)


def _make_data_folder(folder: Path) -> None:
    """Whatever this process writes from now on is for its own user."""
    os.umask(0o777 & ~PRIVATE_FOLDER)
    try:
        make_folder(folder)
    except OSError as error:
        raise Broken("settings.data", f"cannot create {folder}: {error}; choose another --data") from error


def database_url(settings: Settings) -> str:
    """Where the database is: as set, or a file in the data folder."""
    stated = settings.database_url.get_secret_value()
    return stated or f"sqlite:///{settings.data / 'fundstelle.sqlite3'}"


def _dense(encoders: EncoderSettings, models: Path) -> Embedder:
    if encoders.dense == "packaged":
        return E5Embedder(models, threads=encoders.threads)
    return FastEmbedEmbedder(encoders.dense, cache_dir=models, threads=encoders.threads)


def _disclaimers(settings: Settings) -> dict[str, str]:
    stated = {"en": settings.answer.disclaimer_en, "de": settings.answer.disclaimer_de}
    return {language: text for language, text in stated.items() if text}
