"""A backup while questions are answered, and the way back: seconds, and how long answers take meanwhile.

`python -m benchmarks.backup [--pages 2000] [--library DIR] [--questions N]`

A library of generated statutes is ingested by the product's own command (5 CPU minutes for 1,000 pages), or a
copy of the data folder DIR is used. Questions are asked one after the other, first alone, then while backups
with the index are made, one after the other until as many questions were asked; then one is restored into an
empty folder and a question is asked there, both by their commands, models prepared anew. Goals: a backup
<= 30 s, the answers' p95 <= 1.5 times, the first answer <= 60 s.
"""

import argparse
import asyncio
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from benchmarks.sizing import files, fundstelle
from bot.answers.questions import Questions
from bot.library.scoping import ScopeOptions
from bot.settings.tree import load
from bot.wiring.services import opened
from core.domain.backups import BackupManifest

QUESTIONS = (
    "Who sets the levy for the harbour?",
    "What may the rent of a house not exceed?",
    "To whom shall the licence of a vessel be reported?",
    "By whom is the wage of the season paid?",
    "What is kept for the school of the parish?",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """Seconds of each answer, alone and while backups were made, and of each of these, with the last one."""

    alone: Sequence[float]
    meanwhile: Sequence[float]
    backups: Sequence[float]
    manifest: BackupManifest


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--library", type=Path, default=None, help="a data folder to copy")
    parser.add_argument("--questions", type=int, default=60, help="asked alone, and meanwhile")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _made(folder, arguments.library, arguments.pages)
        found = asyncio.run(served(folder, arguments.questions))
        first = restored(folder, folder / "backup-1.zip")
    pages, passages = found.manifest.count("pages"), found.manifest.count("passages")
    print(f"{pages} pages, {passages} passages, {found.manifest.size / 1e6:.0f} MB with the index")
    print(f"{'backup while serving':<36}{statistics.median(found.backups):>8.1f} s (goal 30)")
    ratio = p95(found.meanwhile) / p95(found.alone)
    seconds = f"{p95(found.alone):.2f} s alone, {p95(found.meanwhile):.2f} s meanwhile"
    print(f"{'answers, 95th percentile':<36}{ratio:>8.2f} times (goal 1.5); {seconds}")
    print(f"{'':<36}{len(found.alone)} and {len(found.meanwhile)} questions")
    print(f"{'restore to the first answer':<36}{first:>8.1f} s (goal 60)")


def _made(folder: Path, library: Path | None, pages: int) -> None:
    if library is not None:
        shutil.copytree(library, folder / "data")
        return
    for file in files(folder / "sources", pages):
        fundstelle("ingest", str(file), "--data", str(folder / "data"), "--jurisdiction", "xx")


async def served(folder: Path, count: int) -> Served:
    """Answers alone and beside backups, by the services of one process as `serve` has them."""
    async with opened(load(data=folder / "data").settings) as wired:
        await wired.questions.warm_up()
        await timed(wired.questions, len(QUESTIONS))
        alone = await timed(wired.questions, count)
        collections = await wired.library.collections()
        meanwhile: list[float] = []
        backups: list[float] = []
        while len(meanwhile) < count:
            file, started = folder / f"backup-{len(backups) + 1}.zip", time.perf_counter()
            making = asyncio.create_task(wired.backups.create(file, collections=collections))
            while not making.done():
                meanwhile += await timed(wired.questions, 1, skip=len(meanwhile))
                if making.done() and not backups:
                    break
            manifest = await making
            backups.append(time.perf_counter() - started)
    return Served(alone=alone, meanwhile=meanwhile, backups=backups, manifest=manifest)


async def timed(questions: Questions, count: int, *, skip: int = 0) -> list[float]:
    """Seconds of so many answers."""
    found = []
    for _, question in zip(range(skip + count), cycle(QUESTIONS), strict=False):
        found.append(question)
    seconds = []
    for question in found[skip:]:
        started = time.perf_counter()
        await questions.ask(question, ScopeOptions())
        seconds.append(time.perf_counter() - started)
    return seconds


def restored(folder: Path, backup: Path) -> float:
    """Seconds from the command that restores to the first answer."""
    data, started = str(folder / "restored"), time.perf_counter()
    fundstelle("backup", "restore", str(backup), "--data", data)
    answer = json.loads(fundstelle("ask", QUESTIONS[0], "--data", data, "--json")[0])
    seconds = time.perf_counter() - started
    assert "notice.rebuilding" not in {notice["key"] for notice in answer["notices"]}
    return seconds


def p95(seconds: Sequence[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(seconds, n=20)[-1]


if __name__ == "__main__":
    main()
