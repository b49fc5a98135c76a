"""Awkward files, all in one `ingest`: crashes, hangs, files without a status.
`python -m benchmarks.robustness [--data FOLDER] [--files FOLDER] [--limit SECONDS] [--ocr auto|off]`.

Runs the product's own command on `robustness/` of the test data (environment FUNDSTELLE_TEST_DATA), as a user
does, with text recognition and without it unless `--ocr` says which. Exits 1 where a file crashed the run or
failed in a way that nobody foresaw, where a file hung, or where one has no status.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.support.pdfs import DATA

STATUSES = {"indexed", "unchanged", "duplicate", "updated", "refused"}
FILE_SECONDS = 300.0
"""A file that takes longer hangs."""


@dataclass(frozen=True)
class Run:
    """What one run of the command came to. `documents` is what it reports; `log` its standard error."""

    files: list[str]
    documents: list[dict[str, Any]]
    status: int | None
    log: str
    seconds: float

    @property
    def crashes(self) -> int:
        """Runs that ended otherwise than they say, and files at which something failed unforeseen."""
        failed = sum(1 for each in self.documents if (each["error"] or {}).get("code") == "ingest.failed")
        return failed + (self.status is not None and self.status not in (0, 1))

    @property
    def hangs(self) -> int:
        """Files that took too long, and the run itself where it had to be ended."""
        slow = sum(1 for each in self.documents if each["seconds"].get("total", 0) > FILE_SECONDS)
        return slow + (self.status is None)

    @property
    def without_status(self) -> int:
        """Files of which the run says nothing."""
        said = Counter(each["file"] for each in self.documents if each["status"] in STATUSES)
        return sum((Counter(self.files) - said).values())

    @property
    def holds(self) -> bool:
        """Whether all three figures are 0."""
        return not (self.crashes or self.hangs or self.without_status)


def ingested(folder: Path, library: Path, *, ocr: str, limit: float) -> Run:
    """`fundstelle ingest FOLDER --data LIBRARY --json` in a process of its own."""
    files = [path.name for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    command = [sys.executable, "-c", "from bot.cli import main; main()", "ingest", str(folder)]
    started = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--data", str(library), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"FUNDSTELLE_OCR__ENABLED": ocr},
    )
    try:
        said, log = process.communicate(timeout=limit)
        status: int | None = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        said, log = process.communicate()
        status = None
    return Run(files, _documents(said), status, log.decode(errors="replace"), time.perf_counter() - started)


def _documents(said: bytes) -> list[dict[str, Any]]:
    try:
        return list(json.loads(said)["documents"])
    except (ValueError, KeyError):
        return []


def show(run: Run, ocr: str) -> None:
    """Print one run."""
    statuses = Counter(each["status"] for each in run.documents)
    codes = Counter(each["error"]["code"] for each in run.documents if each["error"])
    print(f"text recognition {ocr}: {len(run.files)} files in {run.seconds:.0f} s")
    print(f"  statuses: {', '.join(f'{count} {name}' for name, count in statuses.most_common())}")
    print(f"  refused because: {', '.join(f'{count} {name}' for name, count in codes.most_common())}")
    print(
        f"  crashes {run.crashes}, hangs {run.hangs}, files without status {run.without_status}; each to be 0"
    )
    slowest = sorted(run.documents, key=lambda each: -each["seconds"].get("total", 0))[:3]
    for each in slowest:
        print(f"  slowest: {each['file']} {each['seconds']['total']:.1f} s, {each['status']}")
    if not run.holds:
        print(run.log[-4000:], file=sys.stderr)


def main() -> int:
    """Print the figures; 1 where one of them is not 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="where the library is made; default: a passing folder")
    parser.add_argument("--files", type=Path, default=DATA / "robustness")
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds of a run at most")
    parser.add_argument("--ocr", choices=("auto", "off"), help="only with or only without text recognition")
    given = parser.parse_args()
    print(f"{datetime.now(UTC):%Y-%m-%d} {platform.machine()} {platform.python_version()}")
    runs = []
    for ocr in [given.ocr] if given.ocr else ["auto", "off"]:
        with tempfile.TemporaryDirectory(prefix="robustness-") as passing:
            library = (given.data or Path(passing)) / f"ocr-{ocr}"
            runs.append(ingested(given.files, library, ocr=ocr, limit=given.limit))
        show(runs[-1], ocr)
    return 0 if all(run.holds and run.files for run in runs) else 1


if __name__ == "__main__":
    raise SystemExit(main())
