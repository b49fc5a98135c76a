"""Whole answers with attachments in a warm process: seconds, memory, and what searching alone takes.

`python -m benchmarks.answers --library DIR [--questions FILE...] [--rounds N]`

`DIR` is a data folder with the documents of the question sets. The peer in the same run is the search
alone: the rest of an answer (sentences, verification, one-page PDFs, previews) is what it costs more.
"""

import argparse
import asyncio
import os
import platform
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import psutil

from bot.answers.questions import Questions
from bot.library.scoping import ScopeOptions
from bot.presentation.attachments import Attacher
from bot.service.watches import settle
from bot.settings.tree import Settings
from bot.wiring.services import opened
from core.evaluation import SetQuestion, percentile, read_questions


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(os.environ.get("FUNDSTELLE_TEST_DATA", "../shared/data"))
    sets = [default / "manifestos" / "questions.jsonl", default / "statutes" / "questions.jsonl"]
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", default=sets)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    questions = [item for file in arguments.questions for item in read_questions(file.read_text())]
    asyncio.run(measure(arguments.library, questions, arguments.rounds))


async def shown(
    questions: Questions, attacher: Attacher, question: str, options: ScopeOptions, folder: Path
) -> None:
    """Ask, with the highlighted pages."""
    answer = await questions.ask(question, options)
    await attacher.attach(answer.citations, folder)


async def measure(library: Path, questions: Sequence[SetQuestion], rounds: int) -> None:
    """Ask everything `rounds` times after a first answer has warmed the process up."""
    asks: list[float] = []
    searches: list[float] = []
    peak = 0
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Settings(data=library)) as app:
            await app.questions.warm_up()
            await shown(app.questions, app.attacher, questions[0].question, ScopeOptions(), Path(folder))
            settle()  # as `serve` does
            for question in [*questions] * rounds:
                place = question.jurisdiction if question.corpus == "statutes" else None
                options = ScopeOptions(jurisdiction=place)
                started = time.perf_counter()
                await app.questions.search(question.question, options, k=10)
                searches.append(time.perf_counter() - started)
                started = time.perf_counter()
                await shown(app.questions, app.attacher, question.question, options, Path(folder))
                asks.append(time.perf_counter() - started)
                peak = max(peak, memory())
    load, today = os.getloadavg()[0], f"{datetime.now(UTC):%Y-%m-%d}"
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}, {today}; {len(asks)} answers")
    print(f"{'':<28}{'p50 ms':>9}{'p95 ms':>9}")
    for name, seconds in (("search", searches), ("ask, with attachments", asks)):
        print(f"{name:<28}{1000 * percentile(seconds, 0.5):>9.0f}{1000 * percentile(seconds, 0.95):>9.0f}")
    print(f"ratio ask / search at p50: {percentile(asks, 0.5) / percentile(searches, 0.5):.1f}")
    print(f"peak memory, children included: {peak / 1e6:.0f} MB")


def memory() -> int:
    """Resident bytes of this process and its children."""
    me = psutil.Process()
    return sum(process.memory_info().rss for process in (me, *me.children(recursive=True)))


if __name__ == "__main__":
    main()
