"""Files go with their term, and never while somebody still needs them."""

import os
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.chat.uploads import JOB
from bot.service.tidying import YOUNGEST, Tidying, drop_folders
from core.domain.journal import OutgoingReply
from core.domain.messages import Outgoing, ReplyFile
from tests.support.fake_journal import FakeJournal
from tests.support.fake_platform import FakePlatform, ManualClock


def folder_of(root: Path, name: str, clock: ManualClock, age: timedelta, *, file: str = "p.pdf") -> Path:
    folder = root / name
    (folder / "more").mkdir(parents=True)
    (folder / file).write_bytes(b"%PDF")
    then = (clock.now() - age).timestamp()
    os.utime(folder, (then, then))
    return folder / file


async def test_only_what_is_over_and_nobody_needs_goes(tmp_path: Path) -> None:
    clock, journal = ManualClock(), FakeJournal()
    outgoing, uploads = tmp_path / "outgoing", tmp_path / "uploads"
    long_ago = timedelta(days=3)
    pending = folder_of(outgoing, "pending", clock, long_ago)
    folder_of(outgoing, "over", clock, long_ago)
    folder_of(outgoing, "young", clock, YOUNGEST / 2)
    folder_of(uploads, "job", clock, long_ago, file=JOB)
    folder_of(uploads, "left", clock, long_ago)
    file = ReplyFile(name="p.pdf", caption="", path=pending)
    part = Outgoing(key="k", to=FakePlatform().message("x").ref, text="", files=(file,))
    await journal.enqueue([OutgoingReply(parts=(part,))], at=clock.now())
    tidying = Tidying(journal=journal, clock=clock, outgoing=outgoing, uploads=uploads, term=timedelta(0))
    await tidying.once()
    assert {path.name for path in outgoing.iterdir()} == {"pending", "young"}
    assert {path.name for path in uploads.iterdir()} == {"job"}
    item = await journal.claim_part("telegram", at=clock.now())
    assert item is not None
    await journal.sent(item, ["m"], at=clock.now())
    await tidying.once()
    assert not pending.exists()


async def test_a_time_of_the_future_is_over(tmp_path: Path) -> None:
    """The clock was wrong once; what was written then would stay for good."""
    clock = ManualClock()
    outgoing = tmp_path / "outgoing"
    folder_of(outgoing, "tomorrow", clock, -timedelta(days=1))
    folder_of(outgoing, "soon", clock, -timedelta(minutes=1))
    tidying = Tidying(
        journal=FakeJournal(), clock=clock, outgoing=outgoing, uploads=tmp_path / "none", term=timedelta(0)
    )
    await tidying.once()
    assert {path.name for path in outgoing.iterdir()} == {"soon"}


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
