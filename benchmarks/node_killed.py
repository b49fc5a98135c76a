"""A node of a Qdrant cluster ends while it is asked and written to: wrong, torn and failed answers.

`python -m benchmarks.node_killed URL --kill COMMAND --restart COMMAND [--reads 2000]`

URL is a node that stays. COMMANDs are run by the shell after three tenths of the reads and 8 s later, such
as `--kill 'docker kill qdrant-3' --restart 'docker start qdrant-3'`. Four readers ask 20 questions in turn
of two versions of 400 passages, kept as the preset `cluster` says but not quantised, while a third version
is written twelve times; each answer is compared with the one before, passages and scores. A failed write is
repeated.
"""

import argparse
import asyncio
import subprocess
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field, replace

from adapters.qdrant.server import ServerIndex
from adapters.qdrant.tuning import PRESETS
from core.domain.search import Candidate, QueryVectors
from core.errors import FundstelleError
from core.search.scoped_index import ScopedIndex
from tests.support.index_points import LIBRARY, PRIMARY, SECONDARY, points, question, version

A, B, C = version("a"), version("b"), version("c")
LIMIT, QUESTIONS, READERS, WRITES = 10, 20, 4, 12
Answer = list[tuple[str, tuple[tuple[str, float], ...]]]


@dataclass(slots=True)
class Run:
    """An index under test, what it should answer, and what came of it."""

    index: ScopedIndex
    asked: list[QueryVectors]
    wanted: list[Answer] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    failed_at: list[float] = field(default_factory=list)
    some: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, number: int) -> Answer:
        """The passages that answer a question, with their scores."""
        [found] = await self.index.candidates("public", [self.asked[number]], [A, B], limit=LIMIT)
        return sorted(map(_known, found))


def _known(candidate: Candidate) -> tuple[str, tuple[tuple[str, float], ...]]:
    return candidate.passage, tuple(
        sorted((space.value, round(score, 3)) for space, score in candidate.scores.items())
    )


def main() -> None:
    """Fill, kill, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--kill", required=True)
    parser.add_argument("--restart", required=True)
    parser.add_argument("--reads", type=int, default=2000)
    asyncio.run(measured(parser.parse_args()))


async def measured(given: argparse.Namespace) -> None:
    """Ask and write while the node ends."""
    tuning = replace(PRESETS["cluster"], is_quantised=False, shards=6)
    server = ServerIndex.connect(
        given.url,
        api_key=None,
        prefix=f"killed-{uuid.uuid4().hex[:8]}",
        library=LIBRARY,
        primary=PRIMARY,
        secondary=SECONDARY,
        tuning=tuning,
    )
    run = Run(ScopedIndex(server), [question(seed, lexical=False) for seed in range(QUESTIONS)])
    for seed, held in enumerate((A, B)):
        await run.index.upsert("public", points(400, of=held, seed=seed))
    run.wanted = [await run.answer(number) for number in range(QUESTIONS)]
    started = time.perf_counter()
    readers = (_read(run, given.reads // READERS, started) for _ in range(READERS))
    await asyncio.gather(*readers, _write(run), _kill(run, given))
    counts = await run.index.counts("public")
    await run.index.close()
    seconds = sorted(run.seconds)
    print(dict(run.outcomes), "passages:", sorted(counts.values()))
    print(f"reads: p50 {seconds[len(seconds) // 2]:.2f} s, longest {seconds[-1]:.2f} s")
    if run.failed_at:
        print(f"failed from {min(run.failed_at):.1f} to {max(run.failed_at):.1f} s")


async def _read(run: Run, times: int, started: float) -> None:
    for number in range(times):
        asked, before = number % QUESTIONS, time.perf_counter()
        try:
            right = await run.answer(asked) == run.wanted[asked]
            run.outcomes["right" if right else "wrong"] += 1
        except FundstelleError as error:
            run.outcomes[f"failed: {error.key}"] += 1
            run.failed_at.append(time.perf_counter() - started)
        run.seconds.append(time.perf_counter() - before)
        if number > 0.3 * times:
            run.some.set()


async def _write(run: Run) -> None:
    for seed in range(WRITES):
        written = False
        while not written:
            try:
                await run.index.upsert("public", points(60, of=C, seed=seed))
                written = True
            except FundstelleError as error:
                run.outcomes[f"write failed: {error.key}"] += 1
                await asyncio.sleep(1)
        run.outcomes["written"] += 1


async def _kill(run: Run, given: argparse.Namespace) -> None:
    await run.some.wait()
    await asyncio.to_thread(subprocess.run, given.kill, shell=True, check=True)
    await asyncio.sleep(8)
    await asyncio.to_thread(subprocess.run, given.restart, shell=True, check=True)


if __name__ == "__main__":
    main()
