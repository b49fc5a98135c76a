import asyncio

import pytest

from core.domain.documents import DocumentType, VersionStatus
from core.domain.ids import document_id
from core.domain.ingestion import IngestStatus
from core.domain.pages import PageTrouble
from core.errors import Refused
from core.library.lifecycle import UNDER_WAY
from tests.support.fake_pdf import text_reading
from tests.support.world import RULES_HO, UFER_2021, UFER_2025, World, request


@pytest.fixture
async def world() -> World:
    return await World().with_registry()


async def test_a_file_becomes_searchable(world):
    receipt = await world.add("ufer.pdf", UFER_2025, jurisdiction="xv")
    assert receipt.status is IngestStatus.INDEXED
    assert receipt.passages == await world.index.count("public") > 0
    version = (await world.library.versions(receipt.document))[0]
    assert version.status is VersionStatus.ACTIVE
    assert world.originals.kept == {"ufer.pdf"}


async def test_the_same_again_is_unchanged(world):
    first = await world.add("ufer.pdf", UFER_2025)
    again = await world.add("ufer.pdf", UFER_2025)
    assert again.status is IngestStatus.UNCHANGED
    assert again.document == first.document
    assert len(await world.library.versions(first.document)) == 1


async def test_other_fields_update_the_row_without_reading(world):
    await world.add("ufer.pdf", UFER_2025)
    world.pdf.documents.clear()  # reading would fail now
    receipt = (await world.ingest(request("ufer.pdf", jurisdiction="xv-ho")))[0]
    assert receipt.status is IngestStatus.UPDATED
    document = await world.library.document(receipt.document)
    assert document.fields.jurisdiction == "xv-ho"
    assert len(await world.library.versions(receipt.document)) == 1


async def test_a_field_that_nobody_states_stays(world):
    await world.add("ufer.pdf", UFER_2025, jurisdiction="xv")
    receipt = (await world.ingest(request("ufer.pdf")))[0]
    assert receipt.status is IngestStatus.UNCHANGED
    assert (await world.library.document(receipt.document)).fields.jurisdiction == "xv"


async def test_other_bytes_under_the_name_are_a_new_version(world):
    first = await world.add("ufer.pdf", UFER_2021)
    world.originals.contents["ufer.pdf"] = "other bytes"
    second = await world.add("ufer.pdf", UFER_2025)
    assert second.status is IngestStatus.UPDATED
    assert second.document == first.document
    newest, oldest = await world.library.versions(first.document)
    assert (newest.number, newest.status) == (2, VersionStatus.ACTIVE)
    assert (oldest.number, oldest.status) == (1, VersionStatus.SUPERSEDED)


async def test_another_type_is_cut_anew_and_needs_the_earlier_points_no_more(world):
    first = await world.add("ufer.pdf", UFER_2025)
    second = await world.add("ufer.pdf", UFER_2025, doc_type=DocumentType.ACT)
    assert second.status is IngestStatus.UPDATED
    active = [v for v in await world.library.versions(first.document) if v.status is VersionStatus.ACTIVE]
    assert active[0].id in set(await world.index.counts("public"))
    later = world.app.clock.now() + UNDER_WAY
    assert await world.library.kept("public", before=later) == {active[0].id}


async def test_copies_within_a_batch_are_one_document(world):
    world.originals.contents |= {"a.pdf": "same", "b.pdf": "same", "c.pdf": "other", "d.pdf": "same"}
    for file in ("a.pdf", "b.pdf", "c.pdf", "d.pdf"):
        world.pdf.documents[file] = text_reading(UFER_2021 if file == "c.pdf" else UFER_2025)
    names = ("a.pdf", "b.pdf", "c.pdf", "d.pdf")
    found = await world.ingest(*(request(file, title="Programm") for file in names))
    assert [each.status for each in found] == [
        IngestStatus.INDEXED,
        IngestStatus.DUPLICATE,
        IngestStatus.INDEXED,
        IngestStatus.DUPLICATE,
    ]
    assert {each.document for each in found} == {found[0].document, found[2].document}
    assert len(await world.library.documents()) == 2


async def test_the_same_file_twice_in_a_batch_is_unchanged(world):
    world.pdf.documents["a.pdf"] = text_reading(UFER_2025)
    first, again = await world.ingest(request("a.pdf"), request("a.pdf"))
    assert (first.status, again.status) == (IngestStatus.INDEXED, IngestStatus.UNCHANGED)
    assert len(await world.library.versions(first.document)) == 1


async def test_a_copy_of_what_failed_in_a_batch_is_tried_itself(world, monkeypatch):
    world.originals.contents |= {"a.pdf": "same", "b.pdf": "same"}
    for file in ("a.pdf", "b.pdf"):
        world.pdf.documents[file] = text_reading(UFER_2025)
    activate, failed = world.library.activate, []

    async def fails_once(version, *, at):
        if not failed:
            failed.append(version)
            raise Refused("file.broken", "once")
        return await activate(version, at=at)

    monkeypatch.setattr(world.library, "activate", fails_once)
    first, second = await world.ingest(request("a.pdf", title="P"), request("b.pdf", title="P"))
    assert first.error is not None
    assert second.status is IngestStatus.INDEXED


async def test_copies_for_different_collections_are_documents_of_their_own(world):
    world.originals.contents |= {"a.pdf": "same", "b.pdf": "same"}
    for file in ("a.pdf", "b.pdf"):
        world.pdf.documents[file] = text_reading(UFER_2025)
    found = await world.ingest(request("a.pdf"), request("b.pdf", collection="internal"))
    assert [each.status for each in found] == [IngestStatus.INDEXED, IngestStatus.INDEXED]


async def test_the_same_bytes_under_another_name_are_a_duplicate(world):
    world.originals.contents |= {"a.pdf": "same", "b.pdf": "same"}
    first = await world.add("a.pdf", UFER_2025, title="Programm")
    twin = await world.add("b.pdf", UFER_2025, title="Programm")
    assert twin.status is IngestStatus.DUPLICATE
    assert twin.document == first.document


async def test_the_same_bytes_with_other_fields_are_no_duplicate(world):
    world.originals.contents |= {"a.pdf": "same", "b.pdf": "same"}
    await world.add("a.pdf", RULES_HO, jurisdiction="xv-ho", title="Gebühren")
    other = await world.add("b.pdf", RULES_HO, jurisdiction="xv-se", title="Gebühren")
    assert other.status is IngestStatus.INDEXED


async def test_collections_are_apart(world):
    world.originals.contents |= {"a.pdf": "same"}
    public = await world.add("a.pdf", UFER_2025)
    internal = await world.add("a.pdf", UFER_2025, collection="internal")
    assert internal.status is IngestStatus.INDEXED
    assert internal.document != public.document
    assert await world.index.count("internal") == await world.index.count("public")


async def test_a_separate_document_is_made_on_request(world):
    first = await world.add("a.pdf", UFER_2021)
    world.originals.contents["a.pdf"] = "other"
    world.pdf.documents["a.pdf"] = text_reading(UFER_2025)
    second = (await world.ingest(request("a.pdf", separate=True)))[0]
    assert second.status is IngestStatus.INDEXED
    assert second.document != first.document


async def test_what_is_refused_does_not_stop_the_others(world):
    world.pdf.documents["good.pdf"] = text_reading(UFER_2025)
    world.pdf.documents["empty.pdf"] = text_reading("")
    names = ("broken.pdf", "notes.txt", "missing.pdf", "empty.pdf", "good.pdf")
    receipts = await world.ingest(*(request(name) for name in names))
    assert [receipt.status for receipt in receipts] == [IngestStatus.REFUSED] * 4 + [IngestStatus.INDEXED]
    assert [receipt.error[0] for receipt in receipts[:4]] == [
        "pdf.not_a_pdf",
        "file.unsupported",
        "file.missing",
        "pdf.no_text",
    ]
    assert receipts[3].warnings == ("pages.no_text:1",), "a page that was looked at and holds nothing"
    assert [document.file for document in await world.library.documents()] == ["good.pdf"]


async def test_pages_without_text_are_counted_and_warned_of(world):
    receipt = await world.add("scan.pdf", UFER_2025, "")
    assert receipt.pages_without_text == 1
    assert f"pages.{PageTrouble.NO_TEXT.value}:1" in receipt.warnings


async def test_cut_off_pages_are_a_warning(world):
    receipt = await world.add("long.pdf", UFER_2025, UFER_2021, UFER_2021, max_pages=1)
    assert receipt.pages == 1
    assert "pages.cut_off:2" in receipt.warnings


async def test_removing_leaves_nothing(world):
    receipt = await world.add("ufer.pdf", UFER_2025)
    assert await world.ingester.remove(receipt.document)
    assert await world.index.count("public") == 0
    assert await world.library.documents() == []
    assert world.originals.kept == set()
    assert not await world.ingester.remove(receipt.document)
    assert (await world.add("ufer.pdf", UFER_2025)).status is IngestStatus.INDEXED


async def test_an_original_stays_while_another_document_needs_it(world):
    world.originals.contents |= {"a.pdf": "same"}
    public = await world.add("a.pdf", UFER_2025)
    await world.add("a.pdf", UFER_2025, collection="internal")
    await world.ingester.remove(public.document)
    assert world.originals.kept == {"a.pdf"}


async def test_ids_are_deterministic(world):
    receipt = await world.add("ufer.pdf", UFER_2025)
    assert receipt.document == document_id("public", "ufer.pdf")
    other = await World().with_registry()
    await other.add("ufer.pdf", UFER_2025)
    assert set(await other.index.counts("public")) == set(await world.index.counts("public"))


async def test_progress_reaches_the_end(world):
    world.pdf.documents["ufer.pdf"] = text_reading(UFER_2025, UFER_2021)
    seen = []
    receipts = [
        receipt
        async for receipt in world.ingester.ingest([request("ufer.pdf")], lambda *step: seen.append(step))
    ]
    assert ("ufer.pdf", "read", 2, 2) in seen
    assert ("ufer.pdf", "embed", receipts[0].passages, receipts[0].passages) in seen


async def test_an_unfinished_version_is_never_read_and_is_done_again(world, monkeypatch):
    async def fails(*_):
        raise asyncio.CancelledError

    monkeypatch.setattr(world.index, "upsert", fails)
    with pytest.raises(asyncio.CancelledError):
        await world.add("ufer.pdf", UFER_2025)
    monkeypatch.undo()
    assert await world.app.documents.listed(world_options(), every_collection=True) == []
    receipt = await world.add("ufer.pdf", UFER_2025)
    assert receipt.status is IngestStatus.INDEXED
    assert await world.index.count("public") == receipt.passages


def world_options():
    from bot.library.scoping import ScopeOptions

    return ScopeOptions()
