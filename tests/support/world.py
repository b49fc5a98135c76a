"""A small world to test use cases in: real rules and texts, quick stores and encoders."""

import itertools
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

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
from bot.library.lifecycle import DocumentLifecycle
from bot.library.planning import planner
from bot.library.publishing import Publishing
from bot.library.refreshing import Refresher
from bot.library.reindexing import Reindexing
from bot.library.scoping import Scoping
from bot.library.sources import Jobs
from bot.periodic import Supervisor
from bot.presentation.attachments import Attacher
from bot.presentation.presenter import Presenter
from bot.settings.tree import Settings
from core.answering.asker import Asker, AskSettings
from core.answering.extractive.sentences import Extractor
from core.answering.quote_check import QuoteVerifier
from core.answering.reports.comparisons import Comparer
from core.answering.reports.motions import MotionReader, MotionSettings
from core.answering.reports.sides import SideSearch
from core.answering.reports.summaries import SummaryWriter
from core.answering.sight import PageSight
from core.domain.documents import DocumentFields, DocumentType
from core.domain.ids import TraceId
from core.domain.ingestion import IngestReceipt, IngestRequest
from core.domain.journal import Retention
from core.domain.pages import DocumentReading
from core.domain.registry import Jurisdiction, Party, Registry
from core.library.completeness import Completeness, Rebuilder
from core.library.ingestion import Ingester
from core.library.lifecycle import Lifecycle
from core.search.nearest import Nearest
from core.search.searcher import Searcher
from tests.support.fake_embedder import FakeEmbedder, FakeLexicalEncoder
from tests.support.fake_index import FakeIndex
from tests.support.fake_journal import FakeJournal
from tests.support.fake_library import FakeLibrary
from tests.support.fake_life import FakeCorrections
from tests.support.fake_originals import FakeOriginals
from tests.support.fake_pdf import FakePdfToolkit, text_reading
from tests.support.fake_sources import FakeSource, FakeSources
from tests.support.fake_summaries import FakeSummaries

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)

REGISTRY = Registry(
    jurisdictions=(
        Jurisdiction(code="xv", name="Valdorien", aliases=("Valdoria",)),
        Jurisdiction(code="xv-ho", name="Hochau"),
        Jurisdiction(code="xv-se", name="Seemoor"),
    ),
    parties=(
        Party(name="Uferpartei", aliases=("Riverside Party",)),
        Party(name="Windmüller", aliases=("Windmillers",)),
        Party(name="Drachenflieger", aliases=()),
    ),
)


@dataclass
class FixedClock:
    """Time that stands still until it is set."""

    at: datetime = NOW

    def now(self) -> datetime:
        return self.at


@dataclass
class World:
    """Stores and the App on them."""

    library: FakeLibrary = field(default_factory=FakeLibrary)
    index: FakeIndex = field(default_factory=FakeIndex)
    pdf: FakePdfToolkit = field(default_factory=FakePdfToolkit)
    originals: FakeOriginals = field(default_factory=FakeOriginals)
    journal: FakeJournal = field(default_factory=FakeJournal)
    sources: FakeSources = field(default_factory=FakeSources)
    source: FakeSource = field(default_factory=FakeSource)
    threshold: float | None = 0.0
    outgoing: Path = Path("no folder")
    clock: FixedClock = field(default_factory=FixedClock)

    def __post_init__(self) -> None:
        dense, second, lexical = FakeEmbedder(64), FakeEmbedder(64), FakeLexicalEncoder()
        clock, traces = self.clock, itertools.count(1)
        encoders = {"dense": dense, "second": second, "lexical": lexical}
        stores = {"library": self.library, "index": self.index}
        self.ingester = Ingester(**stores, **encoders, pdf=self.pdf, originals=self.originals, clock=clock)
        searcher = Searcher(**stores, **encoders)
        presenter = Presenter(REGISTRY)
        scoping = Scoping(library=self.library, registry=REGISTRY, known=())
        sight = PageSight(originals=self.originals, pdf=self.pdf)
        attacher = Attacher(library=self.library, originals=self.originals, pdf=self.pdf)
        sides = SideSearch(
            searcher=searcher,
            library=self.library,
            extractor=Extractor(second),
            threshold=self.threshold,
            sight=sight,
        )
        asker = Asker(
            searcher=searcher,
            library=self.library,
            extractor=Extractor(second),
            clock=clock,
            new_trace=lambda: TraceId(f"trace-{next(traces)}"),
            settings=AskSettings(threshold=self.threshold),
            sight=sight,
        )
        recorder = Recorder(self.journal, clock, Retention(), lambda: TraceId(f"trace-{next(traces)}"))
        intake = Intake(
            ingester=self.ingester,
            library=self.library,
            scoping=scoping,
            read_manifest=lambda path: REGISTRY,
            fetch=self._fetch,
            changed=lambda registry: (presenter.use(registry), scoping.use(registry))[0],
        )
        jobs = Jobs(self.library, self.sources, self.originals, clock, planner(lambda: 0.0))
        completeness = Completeness(self.library, self.index)
        publishing = Publishing(self.library, self.ingester, intake, self.originals)
        supervisor = Supervisor()
        self.app = App(
            settings=Settings(),
            library=self.library,
            intake=intake,
            ingester=self.ingester,
            completeness=completeness,
            searcher=searcher,
            asker=asker,
            attacher=attacher,
            audit=AuditTrail(self.journal, self.library, clock),
            questions=Questions(
                library=self.library,
                scoping=scoping,
                completeness=completeness,
                searcher=searcher,
                asker=asker,
                verifier=QuoteVerifier(
                    library=self.library, nearest=Nearest(**stores, **encoders), sight=sight
                ),
                recorder=recorder,
                journal=self.journal,
                clock=clock,
                encoders=(dense, second),
            ),
            documents=Documents(library=self.library, scoping=scoping, attacher=attacher, clock=clock),
            references=References(library=self.library, scoping=scoping, clock=clock),
            version_diffs=VersionDiffs(self.library, attacher),
            comparisons=Comparisons(
                comparer=Comparer(searcher=searcher, library=self.library, sides=sides, clock=clock),
                motions=MotionReader(
                    library=self.library, sides=sides, clock=clock, settings=MotionSettings(floor=0.0)
                ),
                scoping=scoping,
                attacher=attacher,
                presenter=presenter,
                pdf=self.pdf,
                recorder=recorder,
                completeness=completeness,
            ),
            summaries=Summarising(
                completeness=completeness,
                writer=SummaryWriter(
                    searcher=searcher,
                    library=self.library,
                    sides=sides,
                    clock=clock,
                    count_tokens=dense.count_tokens,
                ),
                summaries=FakeSummaries(self.library),
                library=self.library,
                scoping=scoping,
                attacher=attacher,
                asker=asker,
                presenter=presenter,
                clock=clock,
            ),
            scoping=scoping,
            presenter=presenter,
            publishing=publishing,
            reindexing=Reindexing(self.library, self.ingester, publishing, supervisor),
            upkeep=IndexUpkeep(completeness, Rebuilder(completeness, self.library, self.ingester.repairs)),
            supervisor=supervisor,
            sources=Refresher(jobs, self.source, self.ingester, self.ingester.remove),
            document_lifecycle=DocumentLifecycle(
                self.library, Lifecycle(**stores, originals=self.originals, clock=clock), self.outgoing
            ),
            corrections=FakeCorrections(self.journal),
            clock=clock,
            journal=self.journal,
            recorder=recorder,
        )

    async def _fetch(self, url: str) -> bytes:
        raise AssertionError("nothing is fetched in this world")

    async def with_registry(self) -> "World":
        await self.library.save_registry(REGISTRY)
        return self

    async def ingest(self, *requests: IngestRequest) -> list[IngestReceipt]:
        return [receipt async for receipt in self.ingester.ingest(requests)]

    async def add(self, file: str, *texts: str, **fields: object) -> IngestReceipt:
        """Ingest a document of one page per text."""
        self.pdf.documents[file] = text_reading(*texts)
        return (await self.ingest(request(file, **fields)))[0]


def request(
    file: str, *, collection: str = "public", separate: bool = False, **fields: object
) -> IngestRequest:
    """A request for `file`; every field given is a stated one."""
    stated = {"title": file.removesuffix(".pdf"), "language": "de", **fields}
    return IngestRequest(
        path=Path(file),
        key=file,
        file=file,
        collection=collection,
        fields=DocumentFields(**stated),  # type: ignore[arg-type]
        stated=frozenset(stated),
        separate=separate,
    )


UFER_2021 = """Wohnen

Wir bauen jedes Jahr 4.000 neue Wohnungen in den Städten am Fluss. Die Mieten sollen nicht schneller steigen
als die Löhne."""
UFER_2025 = """Wohnen

Wir bauen jedes Jahr 6.000 neue Wohnungen in den Städten am Fluss. Die Mieten werden für drei Jahre
eingefroren. Der Mindestlohn steigt auf 15 Taler in der Stunde."""
WIND_2025 = """Arbeit

Einen Mindestlohn lehnen wir ab. Löhne handeln die Tarifpartner aus, nicht der Staat. Die Windräder gehören
den Dörfern."""
RULES_HO = """Gebühren in Hochau

Die Anmeldung eines Hausboots kostet 90 Taler im Jahr und wird vom Wasseramt Hochau erhoben."""
RULES_SE = """Gebühren in Seemoor

Die Anmeldung eines Hausboots kostet 40 Taler im Jahr und wird vom Wasseramt Seemoor erhoben."""


def reading(*texts: str) -> DocumentReading:
    """A document of one page per text."""
    return text_reading(*texts)


async def populated(threshold: float | None = 0.0) -> World:
    """The world with two parties, two editions, two states and an internal paper."""
    world = await World(threshold=threshold).with_registry()
    manifesto = {"jurisdiction": "xv", "doc_type": DocumentType.MANIFESTO}
    await world.add(
        "ufer21.pdf", UFER_2021, parties=("Uferpartei",), valid_from=date(2021, 5, 1), **manifesto
    )
    await world.add(
        "ufer25.pdf", UFER_2025, parties=("Uferpartei",), valid_from=date(2025, 5, 1), **manifesto
    )
    await world.add(
        "wind25.pdf", WIND_2025, parties=("Windmüller",), valid_from=date(2025, 5, 1), **manifesto
    )
    await world.add("gebuehr_ho.pdf", RULES_HO, jurisdiction="xv-ho", doc_type=DocumentType.GUIDANCE)
    await world.add("gebuehr_se.pdf", RULES_SE, jurisdiction="xv-se", doc_type=DocumentType.GUIDANCE)
    await world.add(
        "intern.pdf",
        "Strategie\n\nDer geheime Plan KANARIENVOGEL zum Mindestlohn bleibt unter uns und nirgends sonst.",
        jurisdiction="xv",
        collection="internal",
    )
    return world
