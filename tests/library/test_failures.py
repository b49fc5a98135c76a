"""Whatever goes wrong with one document is that document's: it is refused under a trace, the others go on."""

import inspect
import logging
from dataclasses import replace

import pytest

from core.domain.documents import DocumentType, VersionStatus
from core.domain.ingestion import IngestReceipt, IngestStatus
from core.domain.pages import DocumentReading, PageTrouble
from core.errors import Broken
from tests.support.fake_pdf import text_reading
from tests.support.world import RULES_HO, UFER_2021, UFER_2025, WIND_2025, World, request

PanicException = type("PanicException", (BaseException,), {})
"""As the Rust libraries raise it."""

ERRORS = [
    IndexError("list index out of range"),
    RecursionError("maximum recursion depth exceeded"),
    MemoryError(),
    UnicodeEncodeError("utf-8", "\udcff", 0, 1, "surrogates not allowed"),
    OSError(28, "No space left on device"),
    Broken("index.failed", "the index failed"),
    PanicException("called unwrap on None"),
]
PLACES = ["pdf.read", "originals.keep", "primary.count_tokens", "library.add_version", "primary.passages"]
PLACES += ["lexical.passages", "index.upsert", "library.save_references", "library.activate"]


@pytest.fixture
async def world() -> World:
    return await World().with_registry()


def fail(world: World, place: str, error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one part of the machinery raise `error`."""
    name, method = place.split(".")
    parts = {"primary": world.ingester.primary, "lexical": world.ingester._writer.lexical}

    def failing(*_: object, **__: object) -> object:
        raise error

    async def failing_later(*_: object, **__: object) -> object:
        raise error

    part = parts.get(name) or getattr(world, name)
    is_async = inspect.iscoroutinefunction(getattr(part, method))
    monkeypatch.setattr(part, method, failing_later if is_async else failing)


async def added(world: World, *names: str) -> list[IngestReceipt]:
    texts = {"ufer.pdf": UFER_2025, "wind.pdf": WIND_2025, "rules.pdf": RULES_HO}
    world.pdf.documents |= {name: text_reading(texts[name]) for name in names}
    return await world.ingest(*(request(name) for name in names))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
async def test_a_failure_is_that_documents_alone(world, place, error, monkeypatch, caplog):
    await added(world, "ufer.pdf")
    points = await world.index.count("public")
    with monkeypatch.context() as patched:
        fail(world, place, error, patched)
        receipt = (await added(world, "wind.pdf"))[0]
    assert receipt.status is IngestStatus.REFUSED
    assert receipt.error[0] == (error.key if isinstance(error, Broken) else "ingest.failed")
    assert receipt.trace in receipt.error[1]
    logged = [record for record in caplog.records if receipt.trace in record.getMessage()]
    assert [(record.levelno, record.exc_info[1]) for record in logged] == [(logging.ERROR, error)]
    assert await world.index.count("public") == points
    assert [document.file for document in await world.library.documents()] == ["ufer.pdf"]
    assert world.originals.kept == {"ufer.pdf"}
    again = await added(world, "wind.pdf", "rules.pdf")
    assert [receipt.status for receipt in again] == [IngestStatus.INDEXED] * 2


@pytest.mark.parametrize("place", ["pdf.read", "primary.passages", "library.activate"])
async def test_the_run_goes_on(world, place, monkeypatch):
    """Only the second of three files fails."""
    calls = iter([False, True, False])
    name, method = place.split(".")
    part = world.ingester.primary if name == "primary" else getattr(world, name)
    real = getattr(part, method)

    async def sometimes(*given: object, **named: object) -> object:
        if next(calls):
            raise IndexError
        return await real(*given, **named)

    monkeypatch.setattr(part, method, sometimes)
    receipts = await added(world, "ufer.pdf", "wind.pdf", "rules.pdf")
    assert [receipt.status.value for receipt in receipts] == ["indexed", "refused", "indexed"]
    assert [document.file for document in await world.library.documents()] == ["rules.pdf", "ufer.pdf"]


@pytest.mark.parametrize("place", ["primary.passages", "index.upsert", "library.activate"])
async def test_the_version_before_stays(world, place, monkeypatch):
    first = await world.add("ufer.pdf", UFER_2021)
    points = await world.index.count("public")
    world.originals.contents["ufer.pdf"] = "other bytes"
    with monkeypatch.context() as patched:
        fail(world, place, RuntimeError(), patched)
        assert (await world.add("ufer.pdf", UFER_2025)).status is IngestStatus.REFUSED
    versions = await world.library.versions(first.document)
    assert [version.status for version in versions if version.status is not VersionStatus.DELETED] == [
        VersionStatus.ACTIVE
    ]
    assert await world.index.count("public") == points
    assert (await world.add("ufer.pdf", UFER_2025)).status is IngestStatus.UPDATED


async def test_stores_that_fail_while_it_is_taken_back_end_nothing(world, monkeypatch):
    with monkeypatch.context() as patched:
        fail(world, "index.upsert", OSError(28, "No space left on device"), patched)
        fail(world, "index.remove_version", OSError(5, "Input/output error"), patched)
        receipts = await added(world, "ufer.pdf", "wind.pdf")
    assert [receipt.status for receipt in receipts] == [IngestStatus.REFUSED] * 2
    assert (await added(world, "wind.pdf"))[0].status is not IngestStatus.REFUSED


@pytest.mark.parametrize("doc_type", [DocumentType.MANIFESTO, DocumentType.ACT, DocumentType.OTHER])
@pytest.mark.parametrize("missing", [(1,), (2,), (1, 2), (3,)])
async def test_pages_that_are_left_out_leave_the_others_their_numbers(world, missing, doc_type):
    texts = [UFER_2021, UFER_2025, WIND_2025]
    world.pdf.documents["a.pdf"] = garbled(text_reading(*texts), missing)
    receipt = (await world.ingest(request("a.pdf", doc_type=doc_type)))[0]
    assert receipt.status is IngestStatus.INDEXED
    version = (await world.library.versions(receipt.document))[0]
    passages = await world.library.passages_at(version.id, range(version.passages))
    assert {page for passage in passages for page in passage.pages} == {1, 2, 3} - set(missing)


def garbled(reading: DocumentReading, missing: tuple[int, ...]) -> DocumentReading:
    """`reading` with the text of the pages `missing` unreadable."""
    return replace(
        reading,
        pages=tuple(
            replace(item, trouble=PageTrouble.GARBLED) if item.page.number in missing else item
            for item in reading.pages
        ),
    )
