"""Trains the head that knows frames of quotes which deny them, over the packaged encoders:
`core/search/frames.npz`.

`python -m benchmarks.train_frames --models FOLDER [--out FILE]`
`python -m benchmarks.train_frames --models FOLDER --count FILE`

Lines are made of the patterns in `frame_lines`, and written in its `first.tsv`: "@" stands for a party and
"…" between quotation marks for the quote; see `benchmarks/heads.py`. With --count it counts instead what of
FILE, written like that one ("says" or "turned", a language, a frame), is known. FOLDER holds the encoders'
files; those that are missing are made.
"""

import argparse
import asyncio
from collections import Counter
from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from benchmarks.heads import NONE, ROOT, WRITERS, Encoded, fitted, in_haste, patterns, save, written_in
from core.search.frame_reader import DENIES as DENIES_FROM
from core.search.frame_reader import SAYS as SAYS_UP_TO
from core.search.frame_reader import WEIGHTS, FrameReader, masked_frame

LINES = ROOT / "benchmarks" / "frame_lines"

FITTED = ("first", "second", "third", "fourth", "fifth", "sixth")
"""Files of writers that are learned from; `kept_back.tsv` is by another one, and only counted."""

SAYS, TURNED = "says", "turned"
"""Labels of lines."""

EACH = 40
"""Lines that are made of a pattern."""


def main() -> None:
    """Train and write, or count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--count", type=Path)
    given = parser.parse_args()
    encoders = (E5Embedder(given.models), UseEmbedder(given.models))
    if given.count:
        asyncio.run(count(FrameReader(encoders), given.count))
        return
    made = [(kind, masked_frame(line)) for kind, line in patterns(LINES, SAYS, EACH)]
    hasty = [(kind, masked_frame(line)) for kind, line in in_haste(made, 2, ("",), ("",), alike=True)]
    written = [
        (kind, masked_frame(line))
        for file in FITTED
        for kind, line in written_in(LINES / f"{file}.tsv", SAYS, TURNED)
    ]
    rows = [*((row, 1.0) for row in (*made, *hasty)), *((row, WRITERS) for row in written)]
    save(fitted(Encoded(encoders, given.models / "frame-vectors.npz"), rows, (TURNED,)), given.out)


async def count(reader: FrameReader, file: Path) -> None:
    """Print how frames of each kind are read."""
    found: Counter[tuple[str, str]] = Counter()
    for kind, frame in written_in(file, SAYS, TURNED):
        odds = await reader.odds(masked_frame(frame))
        found[kind, "denies" if odds >= DENIES_FROM else "says" if odds <= SAYS_UP_TO else "unsure"] += 1
    for kind, name in ((TURNED, "frames that deny"), (NONE, "frames that do not")):
        print(f"{file}: {name}: { {read: n for (own, read), n in found.items() if own == kind} }")


if __name__ == "__main__":
    main()
