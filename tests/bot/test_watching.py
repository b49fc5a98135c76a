"""Watched folders and manifests."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from adapters.files.manifest import read_manifest
from bot.library.intake import Intake
from bot.library.scoping import Scoping
from bot.library.sources.refreshing import WatchedFolder, Watcher
from core.domain.ids import document_id
from core.domain.ingestion import IngestReceipt, IngestStatus, SourceState
from core.domain.registry import Registry
from core.errors import Refused
from tests.support.refreshing import URL, Refreshed, pdf_of, programme

MANIFEST = """
[[document]]
file = "listed.pdf"
title = "Satzung"
language = "de"

[[document]]
url = "https://example.org/programme.pdf"
title = "Programm"
schedule = "every 6h"
"""
Look = Callable[[], Awaitable[list[IngestReceipt]]]


@pytest.fixture
def world(tmp_path: Path) -> Refreshed:
    (tmp_path / "folder").mkdir()
    return Refreshed(tmp_path)


@pytest.fixture
def look(world: Refreshed) -> Look:
    async def fetch(url: str) -> bytes:
        raise AssertionError(f"{url} is fetched on its schedule")

    intake = Intake(
        ingester=world.ingester,
        library=world.library,
        scoping=Scoping(library=world.library, registry=Registry(), known=()),
        read_manifest=read_manifest,
        fetch=fetch,
        changed=lambda registry: None,
    )
    watcher = Watcher(
        intake=intake,
        refresher=world.refresher,
        read_manifest=read_manifest,
        folders=[WatchedFolder(path=world.folder / "folder", collection="drafts")],
        manifests=[world.folder / "folder" / "library.toml", world.folder / "none.toml"],
    )
    return watcher.look


def put(world: Refreshed, name: str, content: bytes, *, age_s: float = 60) -> Path:
    """Write a file of the watched folder, some time ago."""
    path = world.folder / "folder" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    written = world.clock.now().timestamp() - age_s
    os.utime(path, (written, written))
    return path


def statuses(receipts: list[IngestReceipt]) -> dict[str, IngestStatus]:
    return {receipt.file: receipt.status for receipt in receipts}


class TestFolders:
    async def test_new_files_are_taken_in(self, world: Refreshed, look: Look) -> None:
        put(world, "a.pdf", programme(2))
        put(world, "deep/b.pdf", programme(3))
        put(world, ".hidden.pdf", programme(4))
        assert statuses(await look()) == {"a.pdf": IngestStatus.INDEXED, "b.pdf": IngestStatus.INDEXED}
        assert {each.collection for each in await world.library.documents()} == {"drafts"}

    async def test_files_of_the_same_name_in_other_folders(self, world: Refreshed, look: Look) -> None:
        put(world, "a.pdf", programme(2))
        put(world, "deep/a.pdf", programme(3))
        assert {receipt.status for receipt in await look()} == {IngestStatus.INDEXED}
        assert {each.key for each in await world.library.documents()} == {"a.pdf", "deep/a.pdf"}

    async def test_nothing_changed_nothing_read(self, world: Refreshed, look: Look) -> None:
        put(world, "a.pdf", programme(2))
        await look()
        world.pdf.parsed = 0
        assert await look() == []
        assert world.pdf.parsed == 0

    async def test_a_changed_file_is_a_new_version(self, world: Refreshed, look: Look) -> None:
        put(world, "a.pdf", programme(2))
        await look()
        put(world, "a.pdf", programme(3), age_s=30)
        assert statuses(await look()) == {"a.pdf": IngestStatus.UPDATED}

    async def test_a_file_that_is_being_written_waits(self, world: Refreshed, look: Look) -> None:
        put(world, "a.pdf", programme(2), age_s=1)
        assert await look() == []
        world.clock.pass_(seconds=60)
        assert statuses(await look()) == {"a.pdf": IngestStatus.INDEXED}

    @pytest.mark.parametrize("ahead_s", [60.0, 1e9, 8e9])
    async def test_one_with_a_time_of_the_future_is_read(
        self, world: Refreshed, look: Look, ahead_s: float
    ) -> None:
        put(world, "a.pdf", programme(2), age_s=-ahead_s)
        assert statuses(await look()) == {"a.pdf": IngestStatus.INDEXED}
        assert await look() == []

    async def test_one_folder_that_cannot_be_read_hides_no_other(
        self, world: Refreshed, look: Look, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(world, "a.pdf", programme(2))
        put(world, "library.toml", b"")
        plain = Watcher._manifest

        def failing(watcher: Watcher, manifest: Path) -> AsyncIterator[IngestReceipt]:
            if manifest.name == "library.toml":
                raise OSError(5, "Input/output error")
            return plain(watcher, manifest)

        async def later(watcher: Watcher, manifest: Path) -> AsyncIterator[IngestReceipt]:
            async for receipt in failing(watcher, manifest):
                yield receipt

        monkeypatch.setattr(Watcher, "_manifest", later)
        with pytest.raises(Refused, match="Input/output error"):
            await look()
        assert [each.file for each in await world.library.documents()] == ["a.pdf"]

    async def test_a_refused_one_is_told_of_once(self, world: Refreshed, look: Look) -> None:
        put(world, "a.pdf", pdf_of("encrypted"))
        for _ in range(2):
            await look()
        assert [key for key, _ in world.told] == ["source.file_refused"]
        assert (world.told[0][1]["file"], world.told[0][1]["collection"]) == ("a.pdf", "drafts")

    async def test_a_vanished_one_stays_in_the_library(self, world: Refreshed, look: Look) -> None:
        path = put(world, "a.pdf", programme(2))
        await look()
        path.unlink()
        for _ in range(2):
            await look()
        said = {"file": "a.pdf", "folder": str(world.folder / "folder"), "collection": "drafts"}
        assert world.told == [("source.file_vanished", said)]
        assert len(await world.library.documents()) == 1

    async def test_a_folder_that_is_not_there(self, world: Refreshed, look: Look) -> None:
        (world.folder / "folder").rmdir()
        with pytest.raises(Refused) as caught:
            await look()
        assert caught.value.key == "watch.missing"


class TestManifests:
    async def test_what_it_lists_has_its_fields(self, world: Refreshed, look: Look) -> None:
        put(world, "listed.pdf", programme(2))
        put(world, "library.toml", MANIFEST.encode())
        assert statuses(await look()) == {"listed.pdf": IngestStatus.INDEXED}
        documents = await world.library.documents()
        assert [(each.collection, each.fields.title) for each in documents] == [("public", "Satzung")]
        assert [job.source.title for job in await world.jobs.listed()] == ["Programm"]

    async def test_is_read_once(self, world: Refreshed, look: Look) -> None:
        put(world, "listed.pdf", programme(2))
        put(world, "library.toml", MANIFEST.encode())
        await look()
        assert await look() == []

    async def test_a_listed_file_that_changes(self, world: Refreshed, look: Look) -> None:
        put(world, "listed.pdf", programme(2))
        put(world, "library.toml", MANIFEST.encode())
        await look()
        put(world, "listed.pdf", programme(3), age_s=30)
        assert statuses(await look()) == {"listed.pdf": IngestStatus.UPDATED}

    async def test_other_fields_of_what_is_fetched(self, world: Refreshed, look: Look) -> None:
        put(world, "listed.pdf", programme(2))
        put(world, "library.toml", MANIFEST.encode())
        await look()
        world.source.web[URL] = programme(2)
        first = await world.check()
        assert first.revision is not None
        put(world, "library.toml", MANIFEST.replace("Programm", "Wahlprogramm").encode(), age_s=30)
        await look()
        state = await world.journal.source(document_id("public", URL))
        assert isinstance(state, SourceState)
        assert (state.revision, state.next_run) == (None, world.clock.now())

    async def test_a_removed_document_does_not_come_back(self, world: Refreshed, look: Look) -> None:
        put(world, "listed.pdf", programme(2))
        put(world, "library.toml", MANIFEST.encode())
        await look()
        await world.ingester.remove(document_id("public", "listed.pdf"))
        put(world, "library.toml", MANIFEST.replace("Satzung", "Statut").encode(), age_s=30)
        assert await look() == []
        assert await world.library.documents() == []

    async def test_a_bad_one_does_not_keep_others_waiting(self, world: Refreshed, look: Look) -> None:
        put(world, "library.toml", b"[[documents]]")
        put(world, "a.pdf", programme(2))
        with pytest.raises(Refused) as caught:
            await look()
        assert caught.value.key == "manifest.invalid"
