"""Files go with their term, and never while somebody still needs them."""

import asyncio
import os
from datetime import timedelta
from pathlib import Path

from bot.sending import cancelled
from bot.tidying import YOUNGEST, tidy
from bot.uploads import JOB
from core.domain.journal import OutgoingReply
from core.domain.messages import Outgoing, ReplyFile
from tests.support.chat_harness import eventually
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
    tidying = asyncio.create_task(tidy(journal, clock, outgoing, uploads, timedelta(0)))

    async def done() -> bool:
        return not (outgoing / "over").exists() and not (uploads / "left").exists()

    await eventually(done)
    await cancelled([tidying])
    assert {path.name for path in outgoing.iterdir()} == {"pending", "young"}
    assert {path.name for path in uploads.iterdir()} == {"job"}
    item = await journal.claim_part("telegram", at=clock.now())
    assert item is not None
    await journal.sent(item.id, ["m"], at=clock.now())
    tidying = asyncio.create_task(tidy(journal, clock, outgoing, uploads, timedelta(0)))

    async def gone() -> bool:
        return not pending.exists()

    await eventually(gone)
    await cancelled([tidying])
