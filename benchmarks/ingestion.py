"""Ingestion of real documents, beside the usual pipeline with the same encoder A.

`python -m benchmarks.ingestion [--data DIR] [--pages N] [--peer-pages N]`

The usual pipeline is what frameworks do: pypdf reads, a recursive character splitter cuts (1,000
characters, 200 overlap), the plain encoder A embeds in document order in batches of 8, a local Qdrant stores.
Ours reads in contained processes, cuts at sections, embeds with two encoders in three ways, indexes and
saves pages with the places of all words. While ours runs, questions are asked of what is there already.
"""

import argparse
import asyncio
import itertools
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pypdf
from langchain_text_splitters import RecursiveCharacterTextSplitter
from qdrant_client import QdrantClient, models

from adapters.files.manifest import read_manifest
from benchmarks.plain_e5 import load_plain_e5
from bot.library.intake import ManifestRows, from_manifest
from bot.library.scoping import ScopeOptions
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.domain.ingestion import IngestReceipt, IngestRequest

QUESTIONS = (
    "Was ist zum Mindestlohn geplant?",
    "What is the fee for registration?",
    "Wer wählt den Bundestag?",
)


@dataclass(frozen=True, slots=True)
class Run:
    """What a pipeline did: pages, passages, wall and CPU seconds, and peak memory in MB."""

    name: str
    pages: int
    passages: int
    wall: float
    cpu: float
    memory: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("FUNDSTELLE_TEST_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default))
    parser.add_argument("--pages", type=int, default=10_000, help="pages that ours ingests at most")
    parser.add_argument(
        "--peer-pages", type=int, default=150, help="pages that the usual way ingests at most"
    )
    parser.add_argument("--models", type=Path, default=None, help="folder of prepared models")
    arguments = parser.parse_args()
    requests = [
        request
        for corpus in ("manifestos", "statutes")
        for request in listed(arguments.data / corpus / "library.toml")
    ]
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        if arguments.models:
            (data / "models").symlink_to(arguments.models.resolve())
        ours, answers, stages, read_seconds = asyncio.run(measure_ours(requests, arguments.pages, data))
        files = [request.path for request in requests]
        usual = measure_usual(files, arguments.peer_pages, Path(folder) / "plain")
    load, today = os.getloadavg()[0], f"{datetime.now(UTC):%Y-%m-%d}"
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}, {today}")
    print(f"{'pipeline':<34}{'pages':>7}{'passages':>10}{'pages/s':>9}{'pages/CPU s':>13}")
    for run in (usual, ours):
        print(
            f"{run.name:<34}{run.pages:>7}{run.passages:>10}{run.pages / run.wall:>9.2f}"
            f"{run.pages / run.cpu:>13.2f}"
        )
    print(f"ratio pages/s {ours.pages / ours.wall / (usual.pages / usual.wall):.2f}, ", end="")
    print(f"pages/CPU s {ours.pages / ours.cpu / (usual.pages / usual.cpu):.2f}")
    print(f"peak memory of ours, children included: {ours.memory:.0f} MB")
    print(f"encoders alone {stages:.1f} s wall; whole ingestion {ours.wall / stages:.2f} times that")
    print(f"reading and cutting, summed over documents: {read_seconds:.1f} s")
    ordered = sorted(answers)
    p95 = ordered[int(0.95 * (len(ordered) - 1))]
    print(f"{len(answers)} answers meanwhile: median {statistics.median(answers):.2f} s, p95 {p95:.2f} s")


async def measure_ours(
    requests: Sequence[IngestRequest], limit: int, data: Path
) -> tuple[Run, list[float], float, float]:
    """Ingest with the product, asking meanwhile; then time the encoders alone on the same passages."""
    async with opened(Settings(data=data)) as app:
        await app.questions.warm_up()
        answers: list[float] = []
        asking = asyncio.create_task(keep_asking(app, answers))
        started, cpu = time.perf_counter(), cpu_seconds()
        receipts: list[IngestReceipt] = []
        pages = peak = 0
        async for receipt in app.ingester.ingest(requests):
            receipts.append(receipt)
            pages += receipt.pages
            peak = max(peak, memory())
            if pages >= limit:
                break
        wall, used = time.perf_counter() - started, cpu_seconds() - cpu
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        passages = sum(receipt.passages for receipt in receipts)
        encoders = await encoders_alone(app, receipts)
        read = sum(receipt.seconds.get("read", 0.0) for receipt in receipts)
        return Run("fundstelle", pages, passages, wall, used, peak / 1e6), answers, encoders, read


async def encoders_alone(app: Composition, receipts: Sequence[IngestReceipt]) -> float:
    """Wall seconds of the three embeddings of all passages, nothing else running."""
    texts, windows = [], []
    for receipt in receipts:
        if receipt.document is None:
            continue
        version = (await app.library.versions(receipt.document))[0]
        for passage in await app.library.passages_at(version.id, range(version.passages)):
            texts.append(passage.embedded_text)
            windows += [passage.text[start:end] for start, end in passage.windows]
    started = time.perf_counter()
    await asyncio.gather(
        app.ingester.primary.passages(texts),
        app.ingester.secondary.passages(texts),
        app.ingester.secondary.passages(windows),
    )
    return time.perf_counter() - started


async def keep_asking(app: Composition, answers: list[float]) -> None:
    """Ask one question after another, with a pause between, and note the seconds of each."""
    for question in itertools.cycle(QUESTIONS):
        started = time.perf_counter()
        await app.questions.ask(question, ScopeOptions())
        answers.append(time.perf_counter() - started)
        await asyncio.sleep(2)


def measure_usual(files: Sequence[Path], limit: int, models_dir: Path) -> Run:
    """The usual pipeline on the first pages of the same files."""
    model = load_plain_e5(models_dir, threads=os.cpu_count() or 1)
    splitter = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200)
    client = QdrantClient(":memory:")
    vectors = models.VectorParams(size=384, distance=models.Distance.COSINE)
    client.create_collection("usual", vectors_config=vectors)
    started, cpu = time.perf_counter(), cpu_seconds()
    pages = passages = 0
    for file in files:
        for page in pypdf.PdfReader(file).pages:
            if pages >= limit:
                break
            pages += 1
            texts = splitter.split_text(page.extract_text())
            rows = model.embed([f"passage: {text}" for text in texts], batch_size=8)
            points = [
                models.PointStruct(
                    id=passages + n, vector=row.tolist(), payload={"text": text, "page": pages}
                )
                for n, (row, text) in enumerate(zip(rows, texts, strict=True))
            ]
            if points:
                client.upsert("usual", points)
            passages += len(points)
    wall, used = time.perf_counter() - started, cpu_seconds() - cpu
    return Run("pypdf, splitter, local Qdrant", pages, passages, wall, used, 0.0)


def listed(manifest: Path) -> list[IngestRequest]:
    """Requests for all that a manifest lists."""
    return from_manifest(ManifestRows(folder=manifest.parent, documents=read_manifest(manifest).documents))


def family() -> list[psutil.Process]:
    """This process and its children."""
    me = psutil.Process()
    return [me, *me.children(recursive=True)]


def memory() -> int:
    """Resident bytes of the family."""
    return sum(process.memory_info().rss for process in family())


def cpu_seconds() -> float:
    """CPU seconds of the family."""
    times = [process.cpu_times() for process in family()]
    return sum(item.user + item.system for item in times)


if __name__ == "__main__":
    main()
