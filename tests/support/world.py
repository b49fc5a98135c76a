"""A small world to test use cases in: real rules and texts, quick stores and encoders."""

import itertools
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, tzinfo
from functools import cached_property
from pathlib import Path

from adapters.files.folder import FolderFiles
from bot.library.sources.jobs import planner
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from core.answering.extractive.sentences import Extractor
from core.answering.reports.motions import MotionReader, MotionSettings
from core.domain.documents import DocumentFields, DocumentType
from core.domain.ids import TraceId
from core.domain.ingestion import IngestReceipt, IngestRequest
from core.domain.pages import DocumentReading
from core.domain.registry import Jurisdiction, Party, Registry
from core.ports.clock import Clock
from core.question.carried import CarriedReader
from core.question.turns import TurnReader
from tests.support.encoders import packaged_encoders, packaged_words
from tests.support.fake_access import FakeAccess, FakePageLinks
from tests.support.fake_embedder import FakeEmbedder, FakeLexicalEncoder
from tests.support.fake_index import FakeIndex
from tests.support.fake_journal import FakeJournal
from tests.support.fake_library import FakeLibrary
from tests.support.fake_life import FakeCorrections
from tests.support.fake_originals import FakeOriginals
from tests.support.fake_pdf import FakePdfToolkit, text_reading
from tests.support.fake_sources import FakeSource, FakeSources
from tests.support.fake_subscriptions import FakeSubscriptions
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
class FixedClock(Clock):
    """A clock that stands still until it is set."""

    at: datetime = NOW
    zone: tzinfo = UTC

    def now(self) -> datetime:
        return self.at


class WorldServices(Composition):
    """Every service, with one encoder for sentences, and no threshold for motions. Messages are read by the
    real encoders."""

    @cached_property
    def turns(self) -> TurnReader:
        return TurnReader(packaged_encoders(), lambda: self.scoping.registry)

    @cached_property
    def carried(self) -> CarriedReader:
        """The one of production, with its real encoder."""
        return CarriedReader(packaged_words())

    @cached_property
    def extractor(self) -> Extractor:
        return Extractor(self.secondary, reader=self.reader)

    @cached_property
    def motions(self) -> MotionReader:
        settings = MotionSettings(floor=0.0)
        return MotionReader(library=self.library, sides=self.sides, clock=self.clock, settings=settings)


@dataclass
class World:
    """Stores and the services over them."""

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
        traces = itertools.count(1)
        self.app = WorldServices(
            settings=self._settled(Settings(data=Path("no folder"))),
            registry=REGISTRY,
            library=self.library,
            index=self.index,
            journal=self.journal,
            corrections=FakeCorrections(self.journal),
            kept_summaries=FakeSummaries(self.library),
            source_journal=self.sources,
            access=FakeAccess(),
            page_links=FakePageLinks(),
            subscriptions=FakeSubscriptions(self.journal),
            store=FolderFiles(Path("no folder")),
            transit=FolderFiles(Path("/dev/null/no folder")),
            originals=self.originals,
            pdf=self.pdf,
            primary=FakeEmbedder(64),
            secondary=FakeEmbedder(64),
            lexical=FakeLexicalEncoder(),
            clock=self.clock,
            plan=planner(lambda: 0.0),
            source=self.source,
            read_manifest=lambda path: REGISTRY,
            fetch=self._fetch,
            new_trace=lambda: TraceId(f"trace-{next(traces)}"),
        )
        self.app.outgoing = self.outgoing
        self.ingester = self.app.ingester

    async def _fetch(self, url: str) -> bytes:
        raise AssertionError("nothing is fetched in this world")

    def _settled(self, settings: Settings) -> Settings:
        threshold = -1.0 if self.threshold is None else self.threshold
        answer = settings.answer.model_copy(update={"threshold": threshold})
        return settings.model_copy(update={"answer": answer})

    def use(self, settings: Settings) -> WorldServices:
        """The services over the same stores, as these settings have them."""
        transit = FolderFiles(settings.data)
        self.app = replace(self.app, settings=self._settled(settings), transit=transit)
        self.ingester = self.app.ingester
        return self.app

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
