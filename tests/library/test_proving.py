"""A document is asked for some of its sentences when it comes in; what cannot be quoted is named."""

from dataclasses import replace

from core.domain.ingestion import IngestStatus
from core.domain.pages import Doubt
from tests.support.fake_pdf import text_reading
from tests.support.world import World, request

TEXT = "The harbour stays open for everybody in winter. Nobody pays a fee for a mooring there before noon."


async def test_pages_that_cannot_be_quoted_are_named() -> None:
    world = await World().with_registry()
    subjects = ("harbour", "library", "museum", "market", "garden")
    readings = [text_reading(TEXT.replace("harbour", subject)) for subject in subjects]
    pages = tuple(
        replace(reading.pages[0], page=replace(reading.pages[0].page, number=number))
        for number, reading in enumerate(readings, start=1)
    )
    world.pdf.documents["a.pdf"] = replace(readings[0], pages=pages, total_pages=5)
    for page, doubt in ((1, Doubt.NO_INK), (2, Doubt.OTHER_LETTERS), (4, Doubt.NO_INK), (5, Doubt.COMPARE)):
        world.pdf.doubts["a.pdf", page] = doubt
    (receipt,) = await world.ingest(request("a.pdf", title="Harbour", language="en"))
    assert receipt.status is IngestStatus.INDEXED
    told = [
        warning for warning in receipt.warnings if warning.startswith(("pages.unproven", "pages.compare"))
    ]
    assert told == ["pages.unproven:3/5 (1-2, 4)", "pages.compare:1/5 (5)"]


async def test_nothing_is_said_of_pages_that_can() -> None:
    world = await World().with_registry()
    world.pdf.documents["a.pdf"] = text_reading(TEXT)
    (receipt,) = await world.ingest(request("a.pdf", title="Harbour", language="en"))
    assert not [warning for warning in receipt.warnings if warning.startswith("pages.")]
