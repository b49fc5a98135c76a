"""The reader beside the choice without one: which sentence comes first, and what reading costs.

`python -m benchmarks.reader --library DIR [--questions FILE...] [--sample N]`

`DIR` is a data folder with the documents of the question sets. The peer in the same run is the choice by the
encoders' similarities and words alone, and a bare encoder A. The shipped weights have read most questions of
the default sets in training: what they are worth shows on other questions.
"""

import argparse
import asyncio
import os
import platform
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import psutil

from benchmarks.people import sampled
from bot.library.scoping import ScopeOptions
from bot.settings.tree import AnswerSettings, Settings
from bot.wiring.models import packaged_reader
from bot.wiring.services import opened
from core.answering.extractive.candidates import PASSAGES
from core.answering.extractive.choice import in_context
from core.answering.extractive.extracts import Extract
from core.answering.extractive.sentences import READ, Extractor
from core.evaluation import SetQuestion, holds, percentile, read_questions
from core.ports.models import AnswerReader

EVERYTHING = 10_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(os.environ.get("FUNDSTELLE_TEST_DATA", "../shared/data"))
    sets = [default / "manifestos" / "people.jsonl", default / "statutes" / "people.jsonl"]
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", default=sets)
    parser.add_argument("--sample", type=int, default=100)
    asked = parser.parse_args()
    questions = [
        item for file in asked.questions for item in read_questions(file.read_text()) if item.answerable
    ]
    asyncio.run(measure(asked.library, sampled(questions, asked.sample)))


async def measure(library: Path, questions: Sequence[SetQuestion]) -> None:
    """The first and one of the first three sentences by each way, milliseconds and memory."""
    ways = ("encoder A", "without a reader", "reader")
    right = {way: [0, 0] for way in ways}
    milliseconds: list[float] = []
    async with opened(Settings(data=library, answer=AnswerSettings(reader="off"))) as app:
        primary, secondary = app.ingester.primary, app.ingester.secondary
        reader = packaged_reader(Settings(data=library), primary, library / "models")
        await app.questions.warm_up()
        before = psutil.Process().memory_info().rss
        await reader.warm_up()
        taken = psutil.Process().memory_info().rss - before
        for question in questions:
            place = question.jurisdiction if question.corpus == "statutes" else None
            result = await app.questions.search(question.question, ScopeOptions(jurisdiction=place), k=10)
            hits = result.best[:PASSAGES]
            pool = await Extractor(secondary, primary).pick(
                result.subject, hits, EVERYTHING, spare=EVERYTHING
            )
            timed = Timed(reader)
            read = await Extractor(secondary, primary, reader=timed).pick(
                result.subject, hits, EVERYTHING, spare=EVERYTHING
            )
            milliseconds.append(1000 * timed.seconds)
            texts = [in_context(extract, extract.text) for extract in pool]
            asked = await primary.query(result.subject.text)
            cosines = await primary.passages(texts) @ asked if texts else []
            by_cosine = [pool[n] for n in np.argsort(-np.asarray(cosines))]
            for way, order in zip(ways, (by_cosine, pool, read), strict=True):
                right[way][0] += any(answers(extract, question) for extract in order[:1])
                right[way][1] += any(answers(extract, question) for extract in order[:3])
    load, today = os.getloadavg()[0], f"{datetime.now(UTC):%Y-%m-%d}"
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}, {today}")
    print(f"{len(questions)} questions; sentences that hold the answer, %{'first':>12}{'of three':>12}")
    for way, counts in right.items():
        print(f"{way:<48}" + "".join(f"{100 * count / len(questions):>12.0f}" for count in counts))
    p50, p95 = (percentile(milliseconds, share) for share in (0.5, 0.95))
    print(f"reading {READ} sentences, ms: p50 {p50:.0f}, p95 {p95:.0f}")
    print(f"memory of the loaded reader: {taken / 1e6:.0f} MB")


def answers(extract: Extract, question: SetQuestion) -> bool:
    """Whether the sentence holds a gold quote."""
    return any(holds(extract.text, gold.quote) for gold in question.gold)


class Timed:
    """A reader with a clock."""

    def __init__(self, reader: AnswerReader) -> None:
        self._reader = reader
        self.name = reader.name
        self.warm_up = reader.warm_up
        self.seconds = 0.0

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Those of the reader."""
        started = time.perf_counter()
        found = await self._reader.scores(question, texts)
        self.seconds += time.perf_counter() - started
        return found


if __name__ == "__main__":
    main()
