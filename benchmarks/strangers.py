"""Questions about documents that no rule, weight or threshold of this project was made with.

`python -m benchmarks.strangers FOLDER --library DIR [--part blind|open] [--cache DIR] [--out FILE]`

`FOLDER` holds the files of `strangers/documents.json`, which says of each where it is public: repository,
path, commit and SHA-256. Nothing is downloaded: without them nothing is measured. `DIR` is a data folder; one
that is not there is made, with the parties, places and types of `strangers/library.toml`. A question names
no scope but by its words. The `blind` documents, every third of each kind by its SHA-256, are counted and
never looked at; the `open` ones may be read when something is to be understood.
"""

import argparse
import asyncio
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.people import measure, side_by_side, table
from benchmarks.sealed import turned
from core.answering.extractive.confidence import SURE
from core.evaluation import Observed, Rate, SetQuestion, quote_rank, read_questions

HERE = Path(__file__).parent / "strangers"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--part", choices=("blind", "open"), default="blind")
    parser.add_argument("--cache", type=Path, default=Path("build/strangers"))
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    documents = json.loads((HERE / "documents.json").read_text("utf-8"))
    if lacking := not_there(documents, asked.folder):
        sys.exit(
            f"skipped: {asked.folder} lacks {len(lacking)} of {len(documents)} files:\n" + "\n".join(lacking)
        )
    blind = {each["file"] for each in documents if each["blind"]}
    if not asked.library.exists():
        ingested(asked.folder, asked.library)
    questions = questions_of(asked.library)
    own = [each for each in questions if (written_for(each) in blind) == (asked.part == "blind")]
    asked.cache.mkdir(parents=True, exist_ok=True)
    asked.reader, asked.never_silent = "packaged", False
    seen = asyncio.run(measure(asked, own))
    print(table(seen))
    print(confidence_kept(seen))
    if asked.out:
        rows = side_by_side(seen)
        asked.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def not_there(documents: Sequence[dict[str, Any]], folder: Path) -> list[str]:
    """Where the files come from that `folder` lacks, or has in another version."""
    return [
        f"{each['file']}: {each['path']} of https://github.com/{each['repository']} at {each['commit'][:12]}"
        for each in documents
        if not (file := folder / each["file"]).is_file()
        or hashlib.sha256(file.read_bytes()).hexdigest() != each["sha256"]
    ]


def ingested(folder: Path, library: Path) -> None:
    """The files of `folder` stand in `library`, with what the registry of the set says of them."""
    with tempfile.TemporaryDirectory() as place:
        for file in (*folder.iterdir(), HERE / "library.toml"):
            shutil.copy(file, place)
        command = Path(sys.executable).with_name("fundstelle")
        subprocess.run((command, "ingest", place, "--data", library), check=False)


def questions_of(library: Path) -> list[SetQuestion]:
    """The questions with the words of their gold quotes, as `library` has them."""
    rows = [json.loads(line) for line in (HERE / "questions.jsonl").read_text("utf-8").splitlines()]
    rows, lost = asyncio.run(turned("open", rows, library))
    print(f"{len(rows)} questions; {len(lost)} gold quotes do not stand on their pages as read")
    return read_questions("\n".join(json.dumps(row) for row in rows))


def written_for(question: SetQuestion) -> str:
    """The file that a question was written for: the beginning of its id."""
    return question.id.rpartition(":")[0]


def confidence_kept(seen: Sequence[Observed]) -> str:
    """How many first quotes shown with high confidence are right; for questions without an answer none is."""
    high = [item for item in seen if item.quotes and item.confidence >= SURE]
    right = Rate(sum(quote_rank(item) == 1 for item in high), len(high))
    return f"high confidence: {len(high)} of {len(seen)}, of which right {100 * right.value:.1f} %"


if __name__ == "__main__":
    main()
