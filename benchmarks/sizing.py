"""What a library takes: disk, memory and CPU time by its pages.
`python -m benchmarks.sizing [--pages 100 400 ...] [--questions N] [--json]`.

Libraries of generated statutes of each size go into fresh data folders by the product's own command,
each in a process of its own; then questions are asked in one process. Printed for each size, as
Markdown: megabytes on the disk (as allocated: some files of the index are sparse) and as listed, minutes
of CPU time of the ingestion with all its children, the largest resident memory of any process of it and
of the asking one, and seconds of CPU time for a question.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import pymupdf

WORDS = (  # noqa: SIM905 - read as prose
    "assembly budget building bridge citizen commission community cost council county court "
    "cultivation day decision district duty education energy farm fee field forest harbour health "
    "house income inhabitant land law levy library licence market minister mobility month "
    "municipality office parish permit person plan port product programme project quarter railway "
    "registry rent rule school season service share ship state street support tax teacher thaler town "
    "trade transport treasury tribunal valley vessel village wage water well winter work workshop "
    "year"
).split()
VERBS = ("may not exceed", "is paid by", "is set by", "shall be reported to", "belongs to", "is kept for")
LINES, LENGTH, DOCUMENT = 36, 11, 100
"""Lines on a page, words of a line, pages of a document."""
MEGA = 1e6
_ASKED = """
import resource, sys
from bot.cli.root import app
try:
    app(sys.argv[1:], standalone_mode=False)
except SystemExit:
    pass
used = resource.getrusage(resource.RUSAGE_SELF)
print("[used]", used.ru_maxrss, used.ru_utime + used.ru_stime, file=sys.stderr)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """What a library of `pages` took. Disk in MB, allocated and as listed; CPU in minutes for the ingestion
    and in seconds for a question, start not counted; memory in MB at its highest."""

    pages: int
    passages: int
    disk_mb: float
    listed_mb: float
    originals_mb: float
    cpu_min: float
    ingest_mb: float
    asking_mb: float
    question_s: float


def sentence(chance: random.Random) -> str:
    """A sentence like those of a statute."""
    words = chance.choices(WORDS, k=LENGTH - 3)
    return f"The {' '.join(words[:4])} {chance.choice(VERBS)} the {' '.join(words[4:])}."


def document(file: Path, pages: int, seed: int) -> None:
    """A PDF of numbered sections, of words that its seed chooses."""
    chance = random.Random(seed)
    with pymupdf.open() as pdf:
        for number in range(pages):
            text = [f"Section {number + 1} Of the {' '.join(chance.choices(WORDS, k=3))}", ""]
            text += [sentence(chance) for _ in range(LINES)]
            page = pdf.new_page()
            page.insert_textbox(pymupdf.Rect(60, 60, 540, 800), "\n".join(text), fontsize=9)
        pdf.save(file, garbage=4, deflate=True)


def files(folder: Path, pages: int) -> Iterator[Path]:
    """Documents of `pages` pages together."""
    folder.mkdir()
    for number, first in enumerate(range(0, pages, DOCUMENT)):
        file = folder / f"statute-{number}.pdf"
        document(file, min(DOCUMENT, pages - first), number)
        yield file


def fundstelle(*arguments: str) -> tuple[str, float, float]:
    """What the product's command printed, and what its process used: memory (KB) and CPU seconds."""
    command = [sys.executable, "-c", _ASKED, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    (used,) = [line for line in done.stderr.splitlines() if line.startswith("[used] ")]
    memory, cpu = used.split()[1:]
    return done.stdout, float(memory), float(cpu)


def measured(pages: int, questions: int, folder: Path) -> Sizing:
    """One size, in a folder that is there and empty."""
    data, sources = folder / "data", folder / "sources"
    originals = sum(file.stat().st_size for file in files(sources, pages))
    before = _children()
    said, memory, _ = fundstelle("ingest", str(sources), "--type", "act", "--json", "--data", str(data))
    cpu = _children() - before
    passages = sum(each["passages"] for each in json.loads(said)["documents"])
    held = [file.stat() for file in data.rglob("*") if file.is_file()]
    _, once, many = (
        _asked(data, folder, count) for count in (1, 1, questions + 1)
    )  # the first builds models
    return Sizing(
        pages=pages,
        passages=passages,
        disk_mb=sum(each.st_blocks * 512 for each in held) / MEGA,
        listed_mb=sum(each.st_size for each in held) / MEGA,
        originals_mb=originals / MEGA,
        cpu_min=cpu / 60,
        ingest_mb=max(memory, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) * 1024 / MEGA,
        asking_mb=many[0] * 1024 / MEGA,
        question_s=(many[1] - once[1]) / questions,
    )


def _asked(data: Path, folder: Path, count: int) -> tuple[float, float]:
    """Memory (KB) and CPU seconds of a process that answers `count` questions."""
    chance = random.Random(count)
    rows = [
        {"id": str(number), "question": f"Who pays the {' '.join(chance.choices(WORDS, k=2))}?"}
        for number in range(count)
    ]
    batch = folder / f"questions-{count}.jsonl"
    batch.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return fundstelle("ask", "--batch", str(batch), "--json", "--data", str(data))[1:]


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--pages", type=int, nargs="+", default=[100, 500, 1000])
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.json:
        names = "pages|passages|disk|listed|PDFs|CPU of ingesting|its memory|memory of asking|CPU a question"
        print(f"| {names.replace('|', ' | ')} |\n{'|---' * 9}|", flush=True)
    for pages in options.pages:
        with tempfile.TemporaryDirectory() as folder:
            found = measured(pages, options.questions, Path(folder))
        print(json.dumps(asdict(found)) if options.json else row(found), flush=True)


def row(found: Sizing) -> str:
    """One size as a row of the table."""
    return (
        f"| {found.pages:,} | {found.passages:,} | {found.disk_mb:.0f} MB | {found.listed_mb:.0f} MB "
        f"| {found.originals_mb:.1f} MB | {found.cpu_min:.1f} min | {found.ingest_mb:.0f} MB "
        f"| {found.asking_mb:.0f} MB | {found.question_s:.2f} s |"
    )


if __name__ == "__main__":
    main()
