"""Files that one process stores and another one sends or reads, on machines that share a store and nothing
else."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.files.folder import FolderFiles
from adapters.s3 import LocalCache, S3Files
from bot.delivery.outbox import Outbox
from bot.delivery.shared_files import FETCHED, SharedFiles
from bot.presentation.presenter import Presenter
from core.domain.journal import OutgoingReply
from core.domain.messages import MessageRef, Outgoing, Reply, ReplyFile
from core.domain.registry import Registry
from core.errors import FundstelleError, Unavailable
from core.ports.storage import FileStore
from tests.support.fake_journal import FakeJournal
from tests.support.fake_platform import FakePlatform, ManualClock

PAGE, SMALL = b"%PDF page", b"\xff\xd8\xff small"
TO = MessageRef(platform="telegram", workspace="", chat="c", thread=None, message="m")


@pytest.fixture(params=["folder", "s3"])
async def stores(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[tuple[FileStore, FileStore]]:
    """The same one as two machines have it."""
    if request.param == "folder":
        yield FolderFiles(tmp_path / "shared"), FolderFiles(tmp_path / "shared")
        return
    bucket = request.getfixturevalue("s3_server").bucket()
    made = [S3Files(bucket, LocalCache(tmp_path / name, 10**7), "library", caching=False) for name in "ab"]
    yield made[0], made[1]
    for each in made:
        await each.close()


def reply_in(folder: Path) -> OutgoingReply:
    folder.mkdir(parents=True)
    (folder / "seite 1.pdf").write_bytes(PAGE)
    (folder / "small.jpg").write_bytes(SMALL)
    file = ReplyFile(
        name="seite 1.pdf", caption="S1", path=folder / "seite 1.pdf", thumbnail=folder / "small.jpg"
    )
    parts = (Outgoing(key="k-0", to=TO, text="said"), Outgoing(key="k-1", to=TO, text="", files=(file,)))
    return OutgoingReply(parts=parts)


async def keys(store: FileStore) -> list[str]:
    return [file.key async for file in store.listing("") if not file.key.startswith(".")]


async def test_another_machine_sends_what_one_has_made(
    stores: tuple[FileStore, FileStore], tmp_path: Path
) -> None:
    here, there = map(SharedFiles, stores)
    kept = await here.kept(reply_in(tmp_path / "here" / "outgoing" / "abc"))
    await asyncio.to_thread(shutil.rmtree, tmp_path / "here")
    assert [part.key for part in kept.parts] == ["k-0", "k-1"]
    async with there.at_hand(kept.parts[1]) as part:
        (file,) = part.files
        assert file.thumbnail is not None
        assert (file.path.read_bytes(), file.thumbnail.read_bytes()) == (PAGE, SMALL)
        assert (file.name, file.caption) == ("seite 1.pdf", "S1")
    async with there.at_hand(kept.parts[0]) as part:
        assert part == kept.parts[0]
    again = await here.kept(reply_in(tmp_path / "here" / "outgoing" / "abc"))
    assert again == kept
    assert await keys(stores[0]) == ["outgoing/abc/seite 1.pdf", "outgoing/abc/small.jpg"]


async def test_what_is_in_its_place_stays_there(tmp_path: Path) -> None:
    """In an installation of one folder nothing is copied."""
    files = SharedFiles(FolderFiles(tmp_path))
    reply = reply_in(tmp_path / "outgoing" / "abc")
    before = reply.parts[1].files[0].path.stat().st_ino
    kept = await files.kept(reply)
    async with files.at_hand(kept.parts[1]) as part:
        assert part.files[0].path == reply.parts[1].files[0].path
        assert part.files[0].path.stat().st_ino == before


async def test_files_queued_by_earlier_versions_are_sent_from_where_they_are(tmp_path: Path) -> None:
    files = SharedFiles(FolderFiles(tmp_path / "store"))
    part = reply_in(tmp_path / "outgoing" / "abc").parts[1]
    async with files.at_hand(part) as found:
        assert found == part
    part.files[0].path.unlink()
    async with files.at_hand(part) as found:
        assert found == replace(part, files=())


async def test_what_is_lost_is_left_out(stores: tuple[FileStore, FileStore], tmp_path: Path) -> None:
    here, there = map(SharedFiles, stores)
    kept = await here.kept(reply_in(tmp_path / "outgoing" / "abc"))
    await stores[0].delete("outgoing/abc/small.jpg")
    async with there.at_hand(kept.parts[1]) as part:
        assert [file.thumbnail for file in part.files] == [None]
    await stores[0].delete("outgoing/abc/seite 1.pdf")
    async with there.at_hand(kept.parts[1]) as part:
        assert part.files == ()


async def test_what_cannot_be_stored_raises(tmp_path: Path) -> None:
    reply = reply_in(tmp_path / "outgoing" / "abc")
    (tmp_path / "store").write_bytes(b"no folder")
    with pytest.raises(FundstelleError):
        await SharedFiles(FolderFiles(tmp_path / "store")).kept(reply)


async def test_a_file_is_handed_over_once(stores: tuple[FileStore, FileStore], tmp_path: Path) -> None:
    here, there = map(SharedFiles, stores)
    (tmp_path / "plan b.pdf").write_bytes(PAGE)
    key = await here.hand_over(tmp_path / "plan b.pdf")
    assert key.startswith(f"{FETCHED}/")
    (tmp_path / "into").mkdir()
    taken = await there.take(key, tmp_path / "into")
    assert (taken.name, taken.read_bytes()) == ("plan b.pdf", PAGE)
    assert await keys(stores[0]) == []
    with pytest.raises(Unavailable) as caught:
        await there.take(key, tmp_path / "into")
    assert caught.value.key == "file.lost"


async def test_a_reply_whose_files_cannot_be_stored_says_so(tmp_path: Path) -> None:
    (file,) = reply_in(tmp_path / "outgoing" / "abc").parts[1].files
    (tmp_path / "store").write_bytes(b"no folder")
    files, platform = SharedFiles(FolderFiles(tmp_path / "store")), FakePlatform()
    outbox = Outbox(FakeJournal(), ManualClock(), Presenter(Registry()), files)
    reply = Reply(blocks=("said",), files=(file,), language="de")
    found = await outbox.outgoing(platform, platform.message("question"), reply)
    assert [part.files for part in found.parts] == [()]
    assert found.parts[0].text.startswith("said\n\n")
    assert found.parts[0].text != "said\n\n"
