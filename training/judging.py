"""Sheets on which somebody judges what the bot would have its reader read, and what comes back.

`python -m training.judging sheets --rows ROWS.jsonl --questions FILE... --out FOLDER [--size 50]`
`python -m training.judging collect --rows ROWS.jsonl --sheets FOLDER --out training/judgements.jsonl`

A sheet (`NAME.txt`) holds questions with the stretches that a search found for each, in the order of their
digests. Who judges writes `NAME.labels`: a line a question, its id, a colon and a digit for each stretch
(`training.rows.WORTH`). What is collected names stretches by a digest of their letters and holds no words of
the documents.
"""

import argparse
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from training.rows import WORTH, digest_of

SIZE = 50

Rows = list[dict[str, Any]]


def main() -> None:
    """Write sheets or collect what was judged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=("sheets", "collect"))
    parser.add_argument("--rows", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", default=[])
    parser.add_argument("--sheets", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", type=int, default=SIZE)
    asked = parser.parse_args()
    rows = [row for row in _lines(asked.rows) if row["read"]]
    if asked.action == "sheets":
        asked.out.mkdir(parents=True, exist_ok=True)
        whole = {row["id"]: row["question"] for row in _lines(asked.questions)}
        print(f"{write_sheets(rows, whole, asked.out, asked.size)} sheets of {len(rows)} questions")
    else:
        judged = collected(rows, asked.sheets)
        asked.out.write_text("".join(json.dumps(row) + "\n" for row in judged), "utf-8")
        print(f"{len(judged)} of {len(rows)} questions are judged")


def write_sheets(rows: Rows, whole: dict[str, str], folder: Path, size: int) -> int:
    """Sheets of `size` questions each; `whole`: the questions by their id, as they were asked."""
    chance = random.Random(7)
    chance.shuffle(rows)
    parts = [rows[start : start + size] for start in range(0, len(rows), size)]
    for number, part in enumerate(parts):
        lines = []
        for row in part:
            lines.append(f"\n##### {row['id']}\nQUESTION: {whole.get(row['id'], row['question'])}")
            texts = {digest_of(each["text"]): each["text"] for each in row["read"]}
            lines += [f"[{n}] {' '.join(texts[key].split())}" for n, key in enumerate(sorted(texts))]
        (folder / f"{number:02d}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return len(parts)


def collected(rows: Rows, folder: Path) -> Rows:
    """By question the digits above 0 by the digest of their stretch. A line that does not
    fit its question is left out and said."""
    known = {row["id"]: sorted({digest_of(each["text"]) for each in row["read"]}) for row in rows}
    found = []
    for file in sorted(folder.glob("*.labels")):
        for line in file.read_text("utf-8").splitlines():
            name, _, digits = line.partition(":")
            labels = [int(each) for each in digits.split() if each.isdigit()]
            stretches = known.get(name.strip(), [])
            if not stretches or len(labels) != len(stretches) or not WORTH.keys() >= set(labels):
                print(f"{file.name}: left out: {line[:60]}")
                continue
            given = {key: label for key, label in zip(stretches, labels, strict=True) if label}
            found.append({"id": name.strip(), "judged": given})
    return found


def _lines(files: Iterable[Path]) -> Rows:
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    main()
