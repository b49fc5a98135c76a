"""From settings to adapters, and the services on top of them: readers of files, sources, and what a
command opens."""

from __future__ import annotations

import os
import platform
import sys
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.database.database import NONE, Database, is_made
from adapters.database.library import SqlLibrary
from adapters.disk import PRIVATE_FOLDER, make_folder
from bot.settings.tree import Settings
from bot.wiring.stores import (
    MODELS,
    check_not_lost,
    database_url,
    file_store,
    keeps_nothing,
    other_library,
    remember,
    remembered,
)
from core.errors import Broken, Refused
from core.kept import keep_in
from core.ports.clock import Clock

if TYPE_CHECKING:
    from adapters.clamav import ClamAv
    from adapters.database.journal import SqlJournal
    from adapters.pymupdf.toolkit import PyMuPdfToolkit
    from adapters.web.addresses import Rules
    from adapters.web.source import WebSource
    from bot.http.tokens import TokenOffice
    from bot.library.audit import AuditTrail
    from bot.library.sources.jobs import Checked, Jobs
    from bot.wiring.composition import Composition, Metered
    from core.domain.registry import KnownPlace, Registry
    from core.library.formats import FileReader, ScanReader
    from core.ports.storage import FileStore, Originals


def file_reader(settings: Settings, pdf: PyMuPdfToolkit, originals: Originals, clock: Clock) -> FileReader:
    """Reads files of all kinds as pages."""
    from adapters.conversion.converter import DocumentConverter, Office
    from adapters.files.originals import QuarantineFolder
    from bot.wiring.plugins import converter
    from core.library.formats import Admission, FileReader

    scanner = _scanner(settings)
    quarantine = QuarantineFolder(settings.data / QUARANTINE, clock)
    return FileReader(
        pdf,
        originals,
        scans=_scans(settings, pdf),
        converter=converter(settings, DocumentConverter(Office())),
        admission=Admission(scanner, quarantine) if scanner else None,
    )


def pdf_toolkit(settings: Settings) -> PyMuPdfToolkit:
    """Reads PDFs; uses Tesseract, if installed, for cited lines whose fonts cannot be trusted."""
    from adapters.ocr import Tesseract
    from adapters.pymupdf.toolkit import PyMuPdfToolkit

    ocr = settings.ocr
    recogniser = Tesseract(ocr.languages, workers=settings.pdf.workers)
    used = recogniser.installed and ocr.enabled != "off"
    return PyMuPdfToolkit(workers=settings.pdf.workers, recogniser=recogniser if used else None)


def _scanner(settings: Settings) -> ClamAv | None:
    from adapters.clamav import ClamAv

    stated = settings.clamav
    if not (stated.socket or stated.host):
        return None
    return ClamAv(host=stated.host, port=stated.port, path=stated.socket, timeout_s=stated.timeout_s)


async def virus_scanner(settings: Settings) -> str:
    """The scanner that checks files first. Raises Unavailable if it does not respond."""
    scanner = _scanner(settings)
    return await scanner.version() if scanner else "none"


def set_aside(settings: Settings) -> int:
    """Files in quarantine."""
    from adapters.files.originals import ENDING

    return len(list((settings.data / QUARANTINE).glob(f"*{ENDING}")))


def _scans(settings: Settings, pdf: PyMuPdfToolkit) -> ScanReader | None:
    from adapters.ocr import Tesseract
    from core.library.formats import ScanReader

    ocr = settings.ocr
    if ocr.enabled == "off":
        return None
    recogniser = Tesseract(ocr.languages, workers=ocr.workers)
    return ScanReader(pdf, recogniser, min_confidence=ocr.min_confidence, at_once=ocr.workers)


async def recognition(settings: Settings) -> str:
    """The text recogniser for scans. Raises Refused if something has to be installed."""
    from adapters.ocr import Tesseract

    if settings.ocr.enabled == "off":
        return "off"
    return await Tesseract(settings.ocr.languages).name()


def office() -> str:
    """The finding about LibreOffice."""
    from adapters.conversion.converter import Office

    return "LibreOffice" if Office().installed else f"without LibreOffice; {Office.ADVICE}"


async def containment(settings: Settings) -> str:
    """The containment measures of the processes that read PDFs."""
    from adapters.pymupdf.toolkit import PyMuPdfToolkit

    pdf = PyMuPdfToolkit(workers=1)
    try:
        return f"{settings.pdf.workers} contained workers: {await pdf.containment()}"
    finally:
        await pdf.close()


def jobs_on(store: FileStore, database: Database, clock: Clock) -> Jobs:
    """The scheduled sources of an open database."""
    from adapters.database.jobs import SqlSources
    from adapters.files.originals import StoredOriginals
    from bot.library.sources.jobs import Jobs, planner

    return Jobs(
        library=SqlLibrary(database, clock.zone),
        journal=SqlSources(database),
        originals=StoredOriginals(store),
        clock=clock,
        plan=planner(zone=clock.zone),
    )


def web_source(settings: Settings) -> WebSource:
    """The fetcher of documents from the web on a schedule."""
    from adapters.web.source import WebSource

    return WebSource(
        max_bytes=settings.pdf.max_megabytes * 1_000_000,
        interval_s=settings.library.host_interval_s,
        robots=settings.library.robots,
        rules=web_rules(settings),
    )


def web_rules(settings: Settings) -> Rules:
    """Where documents are fetched from. Raises Broken("settings.invalid")."""
    from adapters.web.addresses import Intranet, Rules

    try:
        return Rules(intranet=Intranet.of(settings.library.intranet))
    except ValueError as error:
        detail = f"library.intranet: {error}; write HOST, HOST:PORT or a network such as 10.1.0.0/16"
        raise Broken("settings.invalid", detail) from error


class SystemClock(Clock):
    """The machine's clock."""

    def __init__(self, zone: tzinfo = UTC) -> None:
        self._zone = zone

    @property
    def zone(self) -> tzinfo:
        """See the port."""
        return self._zone

    def now(self) -> datetime:
        """Aware, UTC."""
        return datetime.now(UTC)


class KnownPlaces:
    """The places that everybody knows, put together when they are first looked at."""

    def __iter__(self) -> Iterator[KnownPlace]:
        from adapters.files.places import known_places

        return iter(known_places())


def _manifest(path: Path) -> Registry:
    from adapters.files.manifest import read_manifest

    return read_manifest(path)


QUARANTINE = "quarantine"
"""Folder of the files set aside, in the data folder."""

ROOM = 96_000_000
"""Bytes that must be free on the disk before a document is read: for its original, rows and points."""

SWITCH_INTERVAL_S = 0.0005
"""How long a computing thread may keep the others waiting. Cutting a document is pure Python; with the
interpreter's default of 5 ms each of the hundred steps of an answer would wait that long for it."""


@asynccontextmanager
async def opened(settings: Settings, *, metered: Metered | None = None) -> AsyncIterator[Composition]:
    """The services over the adapters that the settings choose; everything is closed again in reverse order.
    `metered` puts a meter on the model."""
    from adapters.cutting.cutter import ProcessCutter
    from adapters.database.access import SqlAccessTokens, SqlPageLinks
    from adapters.database.corrections import SqlCorrections
    from adapters.database.jobs import SqlIndexGenerations, SqlSources
    from adapters.database.processes import SqlProcesses
    from adapters.database.subscriptions import SqlSubscriptions
    from adapters.database.summaries import SqlSummaries
    from adapters.disk import require
    from adapters.embedding.bm25 import Bm25Encoder
    from adapters.files.originals import StoredOriginals
    from bot.library.sources.jobs import planner
    from bot.telemetry.metrics import Metrics
    from bot.wiring import logs
    from bot.wiring.composition import Composition
    from bot.wiring.index import drop_index, index_beside, index_of
    from bot.wiring.models import (
        Ledger,
        encoders,
        judging_model,
        language_model,
        packaged_reader,
        question_encoder,
        reranker,
    )

    logs.hide(settings)
    logs.apply(settings.log)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    make_data_folder(settings.data)
    async with AsyncExitStack() as stack:
        database = await database_of(settings)
        stack.push_async_callback(database.close)
        library = SqlLibrary(database, settings.zone)
        pdf = pdf_toolkit(settings)
        stack.push_async_callback(pdf.close)
        models = settings.data / MODELS
        keep_in(models)
        clock, name = await _clock(settings, database), process_name()
        lexical, generations = Bm25Encoder(), SqlIndexGenerations(database)
        chosen, following = await encoders(settings, models, lexical, generations, clock)
        primary, secondary, place = chosen.primary, chosen.secondary, chosen.generation.place
        index = await index_of(settings, library, primary.dimension, secondary.dimension, place)
        stack.push_async_callback(index.close)
        next_index = await index_beside(settings, library, index, following) if following else None
        if next_index is not None:
            stack.push_async_callback(next_index.close)
        cutter = ProcessCutter()
        stack.push_async_callback(cutter.close)
        metrics = Metrics()
        processes = SqlProcesses(database, name) if database.is_shared else None
        ledger = Ledger(processes, clock) if processes else None
        model = language_model(settings, metrics.model_called, ledger)
        if model is not None:
            stack.push_async_callback(model.close)
        asked = metered(model) if model and metered else model
        judge = judging_model(settings, metrics.model_called, ledger)
        if judge is not None:
            stack.push_async_callback(judge.close)
        reader = packaged_reader(settings, primary, models)
        whose = await library.identity()
        store = await stack.enter_async_context(file_store(settings, whose))
        transit = await stack.enter_async_context(file_store(settings, whose, caching=False))
        originals = StoredOriginals(store)
        yield Composition(
            settings=settings,
            registry=await library.registry(),
            library=library,
            index=index,
            journal=await _journal(settings, database, name),
            processes=processes,
            corrections=SqlCorrections(database),
            kept_summaries=SqlSummaries(database),
            source_journal=SqlSources(database),
            access=SqlAccessTokens(database),
            page_links=SqlPageLinks(database),
            subscriptions=SqlSubscriptions(database),
            store=store,
            transit=transit,
            originals=originals,
            pdf=pdf,
            files=file_reader(settings, pdf, originals, clock),
            primary=primary,
            secondary=secondary,
            question_encoder=question_encoder(settings.encoders, primary, models),
            lexical=lexical,
            generations=generations,
            generation=chosen.generation,
            following=(following, next_index) if following and next_index else None,
            drop_index=partial(drop_index, settings, library, index),
            clock=clock,
            plan=planner(zone=settings.zone),
            source=web_source(settings),
            read_manifest=_manifest,
            fetch=partial(_fetched, settings.pdf.max_megabytes, web_rules(settings)),
            known_places=KnownPlaces(),
            cutter=cutter,
            model=asked,
            judging_model=metered(judge) if judge and metered else judge,
            reranker=reranker(settings),
            reader=None if settings.answer.reader == "off" else reader,
            check_room=partial(require, settings.data, ROOM),
            metrics=metrics,
        )


@asynccontextmanager
async def records(settings: Settings) -> AsyncIterator[AuditTrail]:
    """The audit trail with the journal and the library, which another process may be using meanwhile."""
    from adapters.database.access import changed_at
    from bot.library.audit import AuditTrail

    make_data_folder(settings.data)
    database = await database_of(settings)
    try:
        journal = await _journal(settings, database)
        library, clock = SqlLibrary(database, settings.zone), SystemClock(settings.zone)
        yield AuditTrail(journal, library, clock, await changed_at(database))
    finally:
        await database.close()


@asynccontextmanager
async def token_office(settings: Settings) -> AsyncIterator[TokenOffice]:
    """The tokens; another process may be serving meanwhile."""
    from adapters.database.access import SqlAccessTokens
    from bot.http.tokens import TokenOffice
    from bot.library.audit import AuditTrail
    from core.domain.documents import PUBLIC

    make_data_folder(settings.data)
    database = await database_of(settings)
    try:
        library, clock = SqlLibrary(database, settings.zone), SystemClock(settings.zone)
        trail = AuditTrail(await _journal(settings, database), library, clock)

        async def known() -> frozenset[str]:
            chats = (name for chat in settings.chat for name in (*chat.collections, chat.upload_to))
            return frozenset({PUBLIC, *await library.collections(), *filter(None, chats)})

        yield TokenOffice(SqlAccessTokens(database), trail, known)
    finally:
        await database.close()


async def with_new_key(settings: Settings) -> Path:
    """Make the key in the key file the library's from now on, whatever it was before; returns the file's
    path. Nobody may use the library meanwhile: raises Broken("index.in_use")."""
    from adapters.database.access import pseudonyms_of
    from adapters.files.originals import secret_key
    from bot.wiring.index import alone

    make_data_folder(settings.data)
    file = settings.retention.key(settings.data)
    with alone(settings):
        database = await database_of(settings)
        try:
            await pseudonyms_of(database, file, secret_key, at=SystemClock().now(), anew=True)
        finally:
            await database.close()
    return file


@asynccontextmanager
async def jobs(settings: Settings) -> AsyncIterator[Jobs]:
    """Only the scheduled sources, which another process may be checking meanwhile."""
    make_data_folder(settings.data)
    database = await database_of(settings)
    try:
        library = await SqlLibrary(database, settings.zone).identity()
        async with file_store(settings, library) as store:
            yield jobs_on(store, database, SystemClock(settings.zone))
    finally:
        await database.close()


async def checked_registry(settings: Settings, paths: Sequence[Path]) -> Checked:
    """The manifests at `paths` checked against each other, the library and the known places. Raises Refused
    for one that cannot be read."""
    from bot.library.sources.jobs import check_registry

    async with jobs(settings) as known:
        return await check_registry(
            {str(path): _manifest(path) for path in paths}, list(KnownPlaces()), known
        )


async def require_library(settings: Settings) -> None:
    """Raises Refused("library.none") if nothing has been created yet, Broken("database.lost") if it is gone.
    Creates nothing itself."""
    check_not_lost(settings)
    if await is_made(database_url(settings)):
        return
    where = "the configured database" if settings.database_url.get_secret_value() else str(settings.data)
    detail = (
        f"there is no library in {where}: `fundstelle ingest` makes one. If there should be one, look at"
        " --data, FUNDSTELLE_DATA and database_url"
    )
    raise Refused("library.none", detail)


async def database_of(settings: Settings, *, outdated: bool = False) -> Database:
    """The open database from the settings. Raises Broken if it is lost, or another library's, or, unless it
    may be `outdated`, of an earlier version."""
    check_not_lost(settings)
    library, url = remembered(settings), database_url(settings)
    try:
        database = await Database.open(url, library=library, outdated=outdated)
    except Broken as error:
        if error.key != "database.other_library":
            raise
        if error.detail != NONE or not keeps_nothing(settings):
            raise other_library(settings, error.detail) from error
        library, database = None, await Database.open(url, outdated=outdated)
    if library is None and not outdated:
        try:
            remember(settings, await SqlLibrary(database).identity())
        except BaseException:
            await database.close()
            raise
    return database


def process_name() -> str:
    """A name that no other process has."""
    return f"{platform.node()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


async def _clock(settings: Settings, database: Database) -> Clock:
    """The server's clock, if several processes may share it."""
    if not database.is_shared:
        return SystemClock(settings.zone)
    from adapters.database.processes import SqlProcesses
    from bot.wiring.clocks import SharedClock

    return SharedClock(settings.zone, await SqlProcesses(database, "").server_time())


async def _journal(settings: Settings, database: Database, process: str = "") -> SqlJournal:
    from adapters.database.access import pseudonyms_of
    from adapters.database.journal import SqlJournal
    from adapters.files.originals import secret_key

    file = settings.retention.key(settings.data)
    at = SystemClock().now()
    return SqlJournal(database, await pseudonyms_of(database, file, secret_key, at=at), process)


async def _fetched(max_megabytes: int, rules: Rules, url: str) -> bytes:
    from adapters.web.fetching import fetch

    fetched = await fetch(url, max_bytes=max_megabytes * 1_000_000, rules=rules)
    return fetched.content


def make_data_folder(folder: Path) -> None:
    """Create the data folder; files written from now on are readable by the process's user only."""
    os.umask(0o777 & ~PRIVATE_FOLDER)
    try:
        make_folder(folder)
    except OSError as error:
        raise Broken("settings.data", f"cannot create {folder}: {error}; choose another --data") from error
