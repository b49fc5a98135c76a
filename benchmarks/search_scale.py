"""How fast and how big the passage index is at 5,000 and 100,000 passages.

    python -m benchmarks.search_scale [--passages 5000 100000] [--searches 40] [--peer-passages 5000]
        [--server http://127.0.0.1:6333 [--presets small large]]

Synthetic clustered vectors (primary 384 with the narrow cone of E5, secondary 512, three windows each, about
60 of 40,000 terms), 100 versions of equal size. Every step runs in a process of its own, so that memory is
that of the step: `fill` upserts, `search` reopens and asks, `optimise` optimises. A search is `candidates()`
with limit 100, all rounds included; "cpu ms" is its processor time with the making of the questions, for
machines that are busy otherwise. Recall: share of the exact best 100 of each space that are among the
candidates. The peer is qdrant-client's local mode in the same run, through the same adapter. With --server
only the server is measured, kept as the presets say, after it has indexed what it was sent; its memory is
that of the process "qdrant" on this machine, if there is one.
"""

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import psutil

from adapters.qdrant.edge import EdgeIndex
from core.domain.ids import PassageId, VersionId, passage_id
from core.domain.search import IndexPoint, QueryVectors, SparseVector, Vector
from core.ports.index import PassageIndex
from core.search.scoped_index import ScopedIndex
from tests.support.index_points import LIBRARY

PRIMARY, SECONDARY, WINDOWS = 384, 512, 3
VERSIONS = 100
TERMS, VOCABULARY = 60, 40_000
LIMIT = 100
RECALL_QUESTIONS = 8
COLLECTION = "public"


class Corpus:
    """Reproducible passages, made version by version, and questions near some of them."""

    def __init__(self, passages: int) -> None:
        rng = np.random.default_rng(1)
        self.per_version = passages // VERSIONS
        self._cone = _unit(rng.standard_normal(PRIMARY))
        self._topics = (
            _unit(rng.standard_normal((500, PRIMARY))),
            _unit(rng.standard_normal((500, SECONDARY))),
        )
        self.versions = [VersionId(f"{number:08x}-0000-4000-8000-000000000000") for number in range(VERSIONS)]

    def points(self, number: int) -> list[IndexPoint]:
        """The passages of version `number`."""
        rng = np.random.default_rng([2, number])
        size = self.per_version
        topic = rng.integers(500, size=size)
        primary = self._primary(self._topics[0][topic], rng)
        secondary = _near(self._topics[1][topic], rng, 0.8)
        windows = _near(np.repeat(secondary, WINDOWS, axis=0), rng, 0.6).reshape(size, WINDOWS, SECONDARY)
        return [
            IndexPoint(
                passage=passage_id(self.versions[number], "synthetic", row),
                version=self.versions[number],
                primary=primary[row],
                secondary=secondary[row],
                windows=windows[row],
                lexical=_terms(rng, TERMS),
            )
            for row in range(size)
        ]

    def question(self, seed: int) -> QueryVectors:
        """A question on a topic."""
        rng = np.random.default_rng([3, seed])
        topic = rng.integers(500)
        return QueryVectors(
            primary=self._primary(self._topics[0][[topic]], rng)[0],
            secondary=_near(self._topics[1][[topic]], rng, 0.8)[0],
            lexical=_terms(rng, 12),
        )

    def _primary(self, topics: Vector, rng: np.random.Generator) -> Vector:
        return _unit(_near(topics, rng, 0.8) + 2 * self._cone)  # cosines about .8, as E5 has them


def _unit(vectors: Vector) -> Vector:
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def _near(centres: Vector, rng: np.random.Generator, noise: float) -> Vector:
    spread = noise / np.sqrt(centres.shape[-1])
    return _unit(centres + spread * rng.standard_normal(centres.shape, dtype=np.float32))


def _terms(rng: np.random.Generator, count: int) -> SparseVector:
    drawn = np.unique(np.minimum(rng.pareto(0.8, size=count) * 20, VOCABULARY).astype(int))
    weights = (rng.random(len(drawn)) + 0.5).astype(np.float32)
    return SparseVector(indices=tuple(drawn.tolist()), values=tuple(weights.tolist()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a child process is asked to do."""

    name: str
    store: str
    passages: int
    searches: int
    folder: str


def build(step: Step) -> PassageIndex:
    """The store under test."""
    if step.store == "edge":
        return ScopedIndex(
            EdgeIndex(Path(step.folder), library=LIBRARY, primary=PRIMARY, secondary=SECONDARY)
        )
    from qdrant_client import AsyncQdrantClient  # only where it is measured: it takes memory

    from adapters.qdrant.server import ServerIndex
    from adapters.qdrant.tuning import PRESETS

    if step.store in PRESETS:
        return ScopedIndex(
            ServerIndex.connect(
                step.folder,
                api_key=None,
                prefix=f"bench-{step.passages}-{step.store}",
                library=LIBRARY,
                primary=PRIMARY,
                secondary=SECONDARY,
                tuning=PRESETS[step.store],
            )
        )
    client = AsyncQdrantClient(path=step.folder)
    return ScopedIndex(
        ServerIndex(client, prefix="bench", library=LIBRARY, primary=PRIMARY, secondary=SECONDARY, local=True)
    )


async def fill(step: Step) -> dict[str, float]:
    """Upsert everything, one version per call; seconds without the making of the vectors."""
    index, corpus, seconds = build(step), Corpus(step.passages), 0.0
    for number in range(VERSIONS):
        points = corpus.points(number)
        started = time.perf_counter()
        await index.upsert(COLLECTION, points)
        seconds += time.perf_counter() - started
    await index.close()
    return {"upsert s": seconds} | (await _indexed(step) if step.store != "edge" else {})


async def _indexed(step: Step) -> dict[str, float]:
    """Seconds until a server has indexed all that it was sent."""
    from qdrant_client import AsyncQdrantClient, models

    if not step.folder.startswith("http"):
        return {}
    client, started = AsyncQdrantClient(url=step.folder, check_compatibility=False), time.perf_counter()
    green = False
    while not green:
        await asyncio.sleep(1)
        names = [each.name for each in (await client.get_collections()).collections]
        found = [await client.get_collection(name) for name in names]
        green = all(each.status is models.CollectionStatus.GREEN for each in found)
    await client.close()
    return {"indexing s": time.perf_counter() - started}


def _server_memory() -> dict[str, float]:
    processes = [each for each in psutil.process_iter(["name"]) if "qdrant" in each.info["name"]]
    resident = sum(each.memory_full_info().uss for each in processes)
    return {"server MB, own": resident / 1e6} if processes else {}


async def optimise(step: Step) -> dict[str, float]:
    """Optimise, with the time of a search meanwhile."""
    index, corpus = build(step), Corpus(step.passages)
    await _timed(index, corpus, 0, corpus.versions, 1)
    started = time.perf_counter()
    task = asyncio.create_task(index.optimise(COLLECTION))
    during = []
    while not task.done():
        await asyncio.wait([task], timeout=0.2)
        during.append(await _timed(index, corpus, len(during), corpus.versions, 1))
    await task
    seconds = time.perf_counter() - started
    await index.close()
    return {"optimise s": seconds, "longest search meanwhile ms": 1000 * max(during)}


async def search(step: Step) -> dict[str, float]:
    """Reopen, ask, and look at the memory."""
    corpus = Corpus(step.passages)
    before = _resident_mb()
    index = build(step)
    started = time.perf_counter()
    await index.count(COLLECTION)
    result = {"reopen s": time.perf_counter() - started}
    result["first search ms"] = 1000 * await _timed(index, corpus, 0, corpus.versions, 1)
    for share in (1.0, 0.1):
        admitted = corpus.versions[: round(VERSIONS * share)]
        for questions in (1, 3):
            await _timed(index, corpus, 1, admitted, questions)
            busy = time.process_time()
            times = [
                await _timed(index, corpus, 10 * number, admitted, questions)
                for number in range(step.searches)
            ]
            label = f"{share:.0%}, {questions} q"
            result[f"{label} cpu ms"] = 1000 * (time.process_time() - busy) / step.searches
            result[f"{label} p50 ms"] = 1000 * float(np.percentile(times, 50))
            result[f"{label} p95 ms"] = 1000 * float(np.percentile(times, 95))
    result["memory MB"] = _resident_mb() - before
    result |= _server_memory() if step.folder.startswith("http") else {}
    result |= await _recall(index, corpus)
    await index.close()
    return result


async def _timed(
    index: PassageIndex, corpus: Corpus, seed: int, admitted: list[VersionId], questions: int
) -> float:
    asked = [corpus.question(seed + number) for number in range(questions)]
    started = time.perf_counter()
    await index.candidates(COLLECTION, asked, admitted, limit=LIMIT)
    return time.perf_counter() - started


async def _recall(index: PassageIndex, corpus: Corpus) -> dict[str, float]:
    asked = [corpus.question(seed) for seed in range(RECALL_QUESTIONS)]
    found = await index.candidates(COLLECTION, asked, corpus.versions, limit=LIMIT)
    scores: dict[str, list[Vector]] = {"dense": [], "second": [], "windows": []}
    ids: list[PassageId] = []
    seconds = np.stack([query.secondary for query in asked], axis=1)
    for number in range(VERSIONS):
        points = corpus.points(number)
        ids += [point.passage for point in points]
        scores["dense"].append(
            np.stack([p.primary for p in points]) @ np.stack([q.primary for q in asked], axis=1)
        )
        scores["second"].append(np.stack([p.secondary for p in points]) @ seconds)
        scores["windows"].append((np.stack([p.windows for p in points]) @ seconds).max(axis=1))
    return {f"recall {space}": _share(np.concatenate(parts), ids, found) for space, parts in scores.items()}


def _share(scores: Vector, ids: list[PassageId], found: list[list]) -> float:  # type: ignore[type-arg]
    best = np.argsort(-scores, axis=0)[:LIMIT]
    kept = [{candidate.passage for candidate in candidates} for candidates in found]
    hits = [ids[row] in kept[column] for column in range(best.shape[1]) for row in best[:, column]]
    return float(np.mean(hits))


def _resident_mb() -> float:
    return float(psutil.Process().memory_info().rss) / 1e6


STEPS: dict[str, Callable[[Step], Awaitable[dict[str, float]]]] = {
    "fill": fill,
    "search": search,
    "optimise": optimise,
}


def run(step: Step) -> dict[str, float]:
    """Run a step in a process of its own."""
    fields = [step.name, step.store, str(step.passages), str(step.searches), step.folder]
    child = subprocess.run(
        [sys.executable, "-m", "benchmarks.search_scale", "--step", *fields],
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    measured: dict[str, float] = json.loads(child.stdout.splitlines()[-1])
    return measured


def measure(store: str, passages: int, searches: int) -> dict[str, dict[str, float]]:
    """All steps of one store at one size: fresh, and optimised where that means anything."""
    with tempfile.TemporaryDirectory() as folder:

        def step(name: str) -> dict[str, float]:
            return run(Step(name=name, store=store, passages=passages, searches=searches, folder=folder))

        label = f"{store} {passages:,}"
        rows = {label: step("fill") | step("search") | {"disk MB": _disk_mb(folder)}}
        if store == "edge":
            rows[f"{label} optimised"] = step("optimise") | step("search") | {"disk MB": _disk_mb(folder)}
        return rows


def measure_server(url: str, preset: str, passages: int, searches: int) -> dict[str, dict[str, float]]:
    """Filling and asking a server at `url`."""
    steps = (
        Step(name=name, store=preset, passages=passages, searches=searches, folder=url)
        for name in ("fill", "search")
    )
    return {
        f"server {preset} {passages:,}": {name: value for step in steps for name, value in run(step).items()}
    }


def _disk_mb(folder: str) -> float:
    return sum(path.stat().st_blocks * 512 for path in Path(folder).rglob("*")) / 1e6


def show(rows: dict[str, dict[str, float]]) -> None:
    """The table, one column per store and size."""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    print("| |" + "|".join(f" {label} " for label in rows) + "|")
    print("|---|" + "---|" * len(rows))
    for name in names:
        cells = (f" {row[name]:,.3g} " if name in row else " - " for row in rows.values())
        print(f"| {name} |" + "|".join(cells) + "|")


def machine() -> str:
    """Processor, cores, date."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.split(":")[1].strip() for line in lines if "model name" in line), platform.processor())
    load = os.getloadavg()[0]
    return f"{model}, {os.cpu_count()} cores, load {load:.1f} at the end, {datetime.now(UTC):%Y-%m-%d}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--passages", type=int, nargs="*", default=[5_000, 100_000])
    parser.add_argument("--peer-passages", type=int, default=5_000)
    parser.add_argument("--searches", type=int, default=40)
    parser.add_argument("--server")
    parser.add_argument("--presets", nargs="*", default=["small", "large"])
    parser.add_argument("--step", nargs=5, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        name, store, passages, searches, folder = arguments.step
        step = Step(name=name, store=store, passages=int(passages), searches=int(searches), folder=folder)
        print(json.dumps(asyncio.run(STEPS[name](step))))  # type: ignore[arg-type]
        return
    rows: dict[str, dict[str, float]] = {}
    if arguments.server:
        for size in arguments.passages:
            for preset in arguments.presets:
                rows |= measure_server(arguments.server, preset, size, arguments.searches)
        show(rows)
        print(f"\n{machine()}")
        return
    for size in arguments.passages:
        rows |= measure("edge", size, arguments.searches)
    if arguments.peer_passages:
        peer = f"local {arguments.peer_passages:,}"
        rows |= measure("local", arguments.peer_passages, min(arguments.searches, 4))
        ours = rows.get(f"edge {arguments.peer_passages:,}")
        if ours:
            name = "100%, 1 q p50 ms"
            print(
                f"qdrant-client local mode takes {rows[peer][name] / ours[name]:.0f} times as long ({name})"
            )
    show(rows)
    print(f"\n{machine()}")


if __name__ == "__main__":
    main()
