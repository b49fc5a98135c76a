"""Files go with their term, and never while somebody still needs them."""

import os
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.files.folder import FolderFiles
from bot.chat.uploads import JOB
from bot.delivery.shared_files import FETCHED
from bot.service.schedule import YOUNGEST, Tidying, drop_folders
from core.domain.journal import OutgoingReply
from core.domain.messages import Outgoing, ReplyFile
from tests.support.fake_journal import FakeJournal
from tests.support.fake_platform import FakePlatform, ManualClock


def folder_of(root: Path, name: str, clock: ManualClock, age: timedelta, *, file: str = "p.pdf") -> Path:
    folder = root / name
    (folder / "more").mkdir(parents=True)
    (folder / file).write_bytes(b"%PDF")
    then = (clock.now() - age).timestamp()
    for path in (folder, folder / file):
        os.utime(path, (then, then))
    return folder / file


def tidying_in(data: Path, journal: FakeJournal, clock: ManualClock) -> Tidying:
    return Tidying(journal=journal, clock=clock, store=FolderFiles(data), data=data, term=timedelta(0))


@pytest.fixture(params=["once", "here"])
def part(request: pytest.FixtureRequest) -> str:
    """In the store of all processes, or in the folder of one: here they are the same."""
    name: str = request.param
    return name


@pytest.mark.parametrize("stored", [True, False], ids=["by key", "by path"])
async def test_only_what_is_over_and_nobody_needs_goes(tmp_path: Path, part: str, stored: bool) -> None:
    clock, journal = ManualClock(), FakeJournal()
    outgoing, uploads = tmp_path / "outgoing", tmp_path / "uploads"
    long_ago = timedelta(days=3)
    pending = folder_of(outgoing, "pending", clock, long_ago)
    folder_of(outgoing, "over", clock, long_ago)
    folder_of(outgoing, "young", clock, YOUNGEST / 2)
    folder_of(uploads, "job", clock, long_ago, file=JOB)
    folder_of(uploads, "left", clock, long_ago)
    path = pending.relative_to(tmp_path) if stored else pending
    file = ReplyFile(name="p.pdf", caption="", path=path)
    queued = Outgoing(key="k", to=FakePlatform().message("x").ref, text="", files=(file,))
    await journal.enqueue([OutgoingReply(parts=(queued,))], at=clock.now())
    tidy = getattr(tidying_in(tmp_path, journal, clock), part)
    await tidy()
    assert names(outgoing) == {"pending", "young"}
    assert names(uploads) == {"job"}
    item = await journal.claim_part("telegram", at=clock.now())
    assert item is not None
    await journal.sent(item, ["m"], at=clock.now())
    await tidy()
    assert not pending.exists()


def names(folder: Path) -> set[str]:
    """Of the folders with files in them."""
    return {path.parent.name for path in folder.glob("*/*") if path.is_file()}


async def test_what_was_handed_over_and_never_taken_goes(tmp_path: Path) -> None:
    clock = ManualClock()
    folder_of(tmp_path / FETCHED, "left", clock, YOUNGEST * 2)
    folder_of(tmp_path / FETCHED, "new", clock, YOUNGEST / 2)
    await tidying_in(tmp_path, FakeJournal(), clock).once()
    assert names(tmp_path / FETCHED) == {"new"}


async def test_a_time_of_the_future_is_over(tmp_path: Path, part: str) -> None:
    """The clock was wrong once; what was written then would stay for good."""
    clock = ManualClock()
    outgoing = tmp_path / "outgoing"
    folder_of(outgoing, "tomorrow", clock, -timedelta(days=1))
    folder_of(outgoing, "soon", clock, -timedelta(minutes=1))
    await getattr(tidying_in(tmp_path, FakeJournal(), clock), part)()
    assert names(outgoing) == {"soon"}


async def test_a_folder_that_vanishes_meanwhile_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock()
    outgoing = tmp_path / "outgoing"
    for name in ("first", "second", "third"):
        folder_of(outgoing, name, clock, timedelta(days=3))
    listed = Path.iterdir

    def vanishing(folder: Path) -> Iterator[Path]:
        for item in [*listed(folder)]:
            if item.name == "second":
                shutil.rmtree(item)
            yield item

    monkeypatch.setattr(Path, "iterdir", vanishing)
    assert drop_folders(outgoing, now=clock.now(), term=timedelta(0), needed=()) == 2
    assert not any(listed(outgoing))
