"""A small library of invented parties and places, in memory, for tests of the search."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from core.domain.documents import (
    Document,
    DocumentFields,
    DocumentType,
    DocumentVersion,
    Edition,
    VersionStatus,
)
from core.domain.ids import document_id, passage_id, version_id
from core.domain.passages import Passage, PassageKind, Section, Span
from core.domain.registry import Jurisdiction, Party, Registry
from core.domain.search import IndexPoint
from core.question.turns import TurnReader
from core.search.rewrites import Synonyms
from core.search.searcher import Searcher
from core.search.settings import SearchSettings
from tests.support.fake_embedder import FakeEmbedder, FakeLexicalEncoder
from tests.support.fake_index import FakeIndex
from tests.support.fake_library import FakeLibrary

SEEN = datetime(2020, 1, 1, tzinfo=UTC)
TODAY = date(2026, 6, 1)

REGISTRY = Registry(
    jurisdictions=(
        Jurisdiction(code="eu", name="Europäische Union", aliases=("European Union", "EU")),
        Jurisdiction(code="de", name="Deutschland", aliases=("Germany", "Bund"), parent="eu"),
        Jurisdiction(code="de-nw", name="Nordrhein-Westfalen", aliases=("NRW",)),
        Jurisdiction(code="de-nw-muenster", name="Münster", aliases=("Muenster",)),
        Jurisdiction(code="de-bw", name="Baden-Württemberg", aliases=("BW",)),
        Jurisdiction(code="in", name="India"),
        Jurisdiction(code="in-gj", name="Gujarat"),
        Jurisdiction(code="in-dd", name="Daman and Diu", aliases=("Daman & Diu",)),
        Jurisdiction(code="in-up", name="Uttar Pradesh", aliases=("UP",)),
        Jurisdiction(code="us-ca", name="California"),
    ),
    parties=(
        Party(name="CDU/CSU", aliases=("Union", "Unionsparteien"), members=("CDU", "CSU")),
        Party(name="CDU"),
        Party(name="CSU"),
        Party(name="SPD", aliases=("Sozialdemokraten", "Social Democrats")),
        Party(name="GRÜNE", aliases=("Grüne", "Grünen", "Bündnis 90/Die Grünen", "Greens", "Green party")),
        Party(name="Die Linke", aliases=("Linke", "Linken", "The Left")),
        Party(name="AfD", aliases=("Alternative für Deutschland",)),
        Party(name="Bündnis Deutschland"),
        Party(name="Volt", aliases=("Volt Deutschland",)),
        Party(name="dieBasis", aliases=("Die Basis",)),
        Party(name="Die PARTEI"),
        Party(name="PIRATEN", aliases=("Piraten", "Pirates")),
        Party(name="Freie Wähler", aliases=("Freien Wähler",)),
        Party(name="Bayernpartei", aliases=("BP",)),
        Party(name="PdF", aliases=("Partei des Fortschritts",)),
        Party(name="REP", aliases=("Republikaner",)),
        Party(name="Leuchtturmpartei", aliases=("Leuchttürmer", "LTP")),
    ),
)


def edition(
    file: str,
    *,
    title: str | None = None,
    jurisdiction: str | None = "de",
    parties: tuple[str, ...] = (),
    doc_type: DocumentType = DocumentType.MANIFESTO,
    valid_from: date | None = None,
    valid_to: date | None = None,
    language: str = "de",
    collection: str = "public",
) -> Edition:
    """An active edition of a document named `file`."""
    fields = DocumentFields(
        title=title or file, language=language, jurisdiction=jurisdiction, parties=parties,
        doc_type=doc_type, valid_from=valid_from, valid_to=valid_to,
    )  # fmt: skip
    document = Document(
        id=document_id(collection, file), collection=collection, key=file, file=file, fields=fields
    )
    version = DocumentVersion(
        id=version_id(document.id, file), document=document.id, number=1, sha256=file, pipeline="test",
        pages=9, status=VersionStatus.ACTIVE, seen_from=SEEN, original=f"{file}.pdf",
    )  # fmt: skip
    return Edition(document=document, version=version)


def programme(party: str | tuple[str, ...], year: int, place: str = "de") -> Edition:
    """A party's programme, named like `SPD-2025-de`."""
    parties = (party,) if isinstance(party, str) else party
    name = "+".join(parties)
    return edition(
        f"{name}-{year}-{place}", title=f"{name}: Programm {year} ({place})", jurisdiction=place,
        parties=parties, valid_from=date(year, 1, 1),
    )  # fmt: skip


EDITIONS = (
    programme(("CDU", "CSU"), 2013),
    programme(("CDU", "CSU"), 2025),
    programme("SPD", 2013),
    programme("SPD", 2025),
    programme("GRÜNE", 2025),
    programme("AfD", 2025),
    programme("Volt", 2025),
    programme("Bündnis Deutschland", 2025),
    programme("Die Linke", 2013),
    programme("Die Linke", 2025),
    programme("PIRATEN", 2013),
    programme("CDU", 2014, "de-nw-muenster"),
    programme("SPD", 2014, "de-nw-muenster"),
    programme("Die Linke", 2014, "de-nw"),
    edition(
        "coalition", title="Koalitionsvertrag Baden-Württemberg 2021", jurisdiction="de-bw",
        parties=("GRÜNE", "CDU"), doc_type=DocumentType.COALITION_AGREEMENT, valid_from=date(2021, 1, 1),
    ),
    edition("basic law", title="Grundgesetz (Stand 2002)", doc_type=DocumentType.ACT),
    edition(
        "act", title="Building Act 2016", jurisdiction="in", doc_type=DocumentType.ACT, language="en",
        valid_from=date(2016, 5, 1),
    ),
    edition(
        "gj rules", title="Gujarat Building Rules", jurisdiction="in-gj", doc_type=DocumentType.RULES,
        language="en",
    ),
    edition(
        "dd rules", title="Daman Building Rules", jurisdiction="in-dd", doc_type=DocumentType.RULES,
        language="en",
    ),
    edition(
        "privacy", title="General Data Protection Regulation (Council 5419/16)", jurisdiction="eu",
        doc_type=DocumentType.ACT, language="en",
    ),
    edition("placeless", jurisdiction=None, doc_type=DocumentType.OTHER),
    edition("worldwide", jurisdiction="global", doc_type=DocumentType.GUIDANCE, language="en"),
)  # fmt: skip


def passage(
    of: Edition, ordinal: int, text: str, *, pages: Sequence[int] = (), section: Section | None = None
) -> Passage:
    """A passage on `pages`, by default the one with its number."""
    spans = tuple(Span(page, 0, len(text)) for page in pages or (ordinal + 1,))
    return Passage(
        id=passage_id(of.version.id, "test", ordinal), version=of.version.id, ordinal=ordinal, spans=spans,
        text=text, heading="", kind=PassageKind.PROSE, section=section, windows=((0, len(text)),),
    )  # fmt: skip


async def world(
    contents: dict[str, Sequence[Passage]] | None = None,
    editions: Sequence[Edition] = EDITIONS,
    *,
    registry: Registry = REGISTRY,
    settings: SearchSettings | None = None,
    synonyms: Sequence[Synonyms] = (),
    turns: TurnReader | None = None,
) -> tuple[Searcher, FakeLibrary, FakeIndex]:
    """A searcher over `editions`; documents without `contents` (by file) get three passages each."""
    library, index = FakeLibrary(), FakeIndex()
    primary, secondary, lexical = FakeEmbedder(), FakeEmbedder(48), FakeLexicalEncoder()
    await library.save_registry(registry)
    for item in editions:
        given = (contents or {}).get(item.document.file)
        passages = given or [passage(item, n, f"{item.document.file} rule fee number {n}") for n in range(3)]
        await library.save_document(item.document)
        await library.add_version(replace(item.version, status=VersionStatus.PENDING), [], passages)
        await library.activate(item.version.id, at=SEEN)
        texts = [each.text for each in passages]
        a, b = await primary.passages(texts), await secondary.passages(texts)
        terms = await lexical.passages(texts, item.document.fields.language)
        points = [
            IndexPoint(
                passage=each.id, version=each.version, primary=a[n], secondary=b[n], windows=b[n : n + 1],
                lexical=terms[n],
            )
            for n, each in enumerate(passages)
        ]  # fmt: skip
        await index.upsert(item.document.collection, points)
    searcher = Searcher(
        library=library, index=index, primary=primary, secondary=secondary, lexical=lexical,
        settings=settings, synonyms=synonyms, turns=turns,
    )  # fmt: skip
    return searcher, library, index
