"""Documents are ingested again and again, read all the while, and the process is killed at any point."""

import asyncio
import random
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.library.lifecycle import Lifecycle, Terms
from core.ports.clock import Clock
from tests.support.fake_originals import FakeOriginals
from tests.support.reingesting import DOCUMENTS, opened_index, opened_library

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]


@dataclass
class Seen:
    """What the processes said."""

    done: int = 0
    reads: int = 0
    kills: int = 0
    torn: list[str] = field(default_factory=list)

    def hear(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "done":
            self.done = max(self.done, int(rest) + 1)
        elif word == "reads":
            self.reads += int(rest)
        elif word == "torn":
            self.torn.append(rest)


class Tomorrow(Clock):
    """When nothing of now is being worked on any more."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(days=2)


async def worked(folder: Path, seen: Seen, last: int, kill_after: float | None) -> None:
    """Run a process until it ends, or is killed so long after it has begun to say something."""
    command = [sys.executable, "-m", "tests.support.reingesting", str(folder), str(seen.done), str(last)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    killing: asyncio.Task[None] | None = None
    try:
        while line := (await process.stdout.readline()).decode().strip():
            seen.hear(line)
            if kill_after is not None and killing is None and seen.done >= DOCUMENTS:
                killing = asyncio.create_task(killed(process, kill_after))
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
        if killing is not None:
            killing.cancel()
    if process.returncode == -9:
        seen.kills += 1


async def killed(process: asyncio.subprocess.Process, after: float) -> None:
    await asyncio.sleep(after)
    if process.returncode is None:
        process.kill()


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("ingestions", "kills", "reads"),
    [(4, 2, 20), pytest.param(100, 50, 5000, marks=pytest.mark.slow)],
)
async def test_no_version_is_torn_mixed_or_missing(
    tmp_path: Path, ingestions: int, kills: int, reads: int
) -> None:
    chance, seen = random.Random(kills), Seen()
    last = ingestions + DOCUMENTS
    while seen.kills < kills or seen.done < last or seen.reads < reads:
        more = max(last, seen.done + 5)
        await worked(tmp_path, seen, more, chance.uniform(0.05, 0.6) if seen.kills < kills else None)
    assert seen.torn == []
    await nothing_is_left_behind(tmp_path)


async def nothing_is_left_behind(folder: Path) -> None:
    """After a collection the index holds what the library says, and nothing else."""
    library, index = await opened_library(folder), opened_index(folder)
    lifecycle = Lifecycle(
        library=library,
        index=index,
        originals=FakeOriginals(),
        clock=Tomorrow(),
        terms=Terms(superseded=timedelta(0)),
    )
    await lifecycle.collect()
    kept = await library.kept("public", before=datetime.now(UTC))
    assert set(await index.counts("public")) == kept
    assert len(kept) == DOCUMENTS
    for name in kept:
        version = await library.version(name)
        assert version is not None
        assert await index.count("public", name) == version.passages
    await index.close()
    await library.close()
