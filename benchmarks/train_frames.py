"""Trains the head that knows frames of quotes which deny them, over the packaged encoders:
`core/search/frames.npz`.

`python -m benchmarks.train_frames --models FOLDER [--out FILE]`
`python -m benchmarks.train_frames --models FOLDER --count FILE`
`python -m benchmarks.train_frames --models FOLDER --held-out`

Lines are made of the patterns in `frame_lines`, and written in its files from `first.tsv` on: "@" stands for
a party and "…" between quotation marks for the quote; see `benchmarks/heads.py`. Each written line is learned
once more with what people exclaim, ask or say of a quote (`remarks.tsv`) before or behind it: this changes
nothing. With --count it counts instead what of FILE, written like those ("says" or "turned", a language, a
frame), is known; with --held-out, what of each writer is known to a head that did not learn from it. FOLDER
holds the encoders' files; those that are missing are made.
"""

import argparse
import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from benchmarks.heads import NONE, ROOT, WRITERS, Encoded, Row, fitted, patterns, save, written_in
from core.question.heads import Head, plain
from core.search.frame_reader import CHANGES, MARKED, REMARKS, WEIGHTS, FrameReader, masked_frame, placed
from core.search.frame_reader import DENIES as DENIES_FROM
from core.search.frame_reader import SAYS as SAYS_UP_TO

LINES = ROOT / "benchmarks" / "frame_lines"

FITTED = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
)
"""Files of writers that are learned from; `kept_back.tsv` and those named like it, by three others, are only
counted."""

SAYS, TURNED = "says", "turned"
"""Labels of lines."""

BUCKETS = 1 << 16
"""Hash buckets for the letters of a line and for its words by their place."""

EACH = 12
"""Lines that are made of a pattern."""

MADE, REMARKED = 0.3, 2.0
"""Weights of a line that was made, and of a writer's with remarks; more made ones hide what writers say."""

BEFORE, BEHIND = (": ", "! ", ". ", "... ", " ", ", "), (". ", " ", "! ", " – ", ", ")
"""What parts remarks from the line."""


def main() -> None:
    """Train and write, or count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--count", type=Path)
    parser.add_argument("--held-out", action="store_true")
    given = parser.parse_args()
    encoders = (E5Embedder(given.models), UseEmbedder(given.models))
    if given.count:
        asyncio.run(count(FrameReader(encoders), given.count))
        return
    encoded = Encoded(encoders, given.models / "frame-vectors.npz")
    if given.held_out:
        for file in FITTED[1:]:
            print(
                file, told_apart(learned(encoded, [each for each in FITTED if each != file]), encoded, file)
            )
        return
    save(learned(encoded, FITTED), given.out)


def learned(encoded: Encoded, files: Sequence[str]) -> Head:
    """The head learned from the writers `files` and patterns; of remarked lines by letters alone."""
    made = [(row, MADE) for row in patterns(LINES, SAYS, EACH)]
    written = [(row, WRITERS) for file in files for row in written_in(LINES / f"{file}.tsv", SAYS, TURNED)]
    said = [(row, REMARKED) for file in files for row in remarked(LINES / f"{file}.tsv")]
    read, by_letters = (
        [((kind, masked_frame(line)), weight) for (kind, line), weight in rows]
        for rows in ([*made, *written], said)
    )
    return fitted(encoded, read, (TURNED,), by_letters=by_letters, more=placed, buckets=BUCKETS)


def told_apart(head: Head, encoded: Encoded, file: str) -> str:
    """How many honest and turned lines of a writer a head accepts, and for sure denies."""
    found: dict[str, list[float]] = {NONE: [], TURNED: []}
    for kind, line in written_in(LINES / f"{file}.tsv", SAYS, TURNED):
        said = plain(masked_frame(line))
        found[kind].append(float(head.odds(said, [encoded.of([said])[0]], placed(said))[0]))
    return "; ".join(
        f"{kind}: {sum(each <= REMARKS for each in odds)} accepted, "
        f"{sum(each >= CHANGES for each in odds)} denied of {len(odds)}"
        for kind, odds in found.items()
    )


def remarked(file: Path) -> list[Row]:
    """The lines of a writer with a remark before or behind each, or both."""
    chance, rows = random.Random(2), []
    remarks = defaultdict[tuple[str, str], list[str]](list)
    for side, language, remark in _fields(LINES / "remarks.tsv"):
        remarks[side, language].append(remark)
    for label, language, line in _fields(file):
        leads = chance.random() < 0.5
        if leads:
            line = chance.choice(remarks["before", language]) + chance.choice(BEFORE) + line
        if not leads or chance.random() < 0.6:
            parted = " " if line[-1] in ".!?" else chance.choice(BEHIND)
            line += parted + chance.choice(remarks["behind", language]) + chance.choice(("", "!", "."))
        rows.append((NONE if label == SAYS else TURNED, line))
    return rows


def _fields(file: Path) -> list[list[str]]:
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]


async def count(reader: FrameReader, file: Path) -> None:
    """Print how frames of each kind are read, and how many are accepted, alone or with a word to that, and
    denied as all that stands around a quote."""
    found: Counter[tuple[str, str]] = Counter()
    for kind, frame in written_in(file, SAYS, TURNED):
        odds = await reader.odds(masked_frame(frame))
        found[kind, "accepted"] += odds <= REMARKS
        found[kind, "accepted or told"] += odds <= MARKED
        found[kind, "denied"] += odds >= CHANGES
        found[kind, "denies" if odds >= DENIES_FROM else "says" if odds <= SAYS_UP_TO else "unsure"] += 1
    for kind, name in ((TURNED, "frames that deny"), (NONE, "frames that do not")):
        print(f"{file}: {name}: { {read: n for (own, read), n in found.items() if own == kind} }")


if __name__ == "__main__":
    main()
