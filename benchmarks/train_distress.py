"""Trains the head that knows distress over the packaged encoders, `core/search/distress.npz`.

`python -m benchmarks.train_distress --models FOLDER [--without FILE] [--out FILE]`

Lines are those of `distress_lines`: patterns of each language with words to choose from, and what writers
wrote, with those that the rules were written with; see `benchmarks/heads.py`. FOLDER holds the encoders'
files; those that are missing are made. A run takes a quarter of an hour on two cores, most of it for the
encoders.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from benchmarks.heads import (
    FIRST_ROUNDS,
    NONE,
    ROOT,
    WRITERS,
    Encoded,
    Row,
    fitted,
    harmless,
    in_haste,
    patterns,
    save,
    written_in,
)
from core.search.distress_reader import KINDS, WEIGHTS
from core.search.heads import PART, Head, parts_of

LINES = ROOT / "benchmarks" / "distress_lines"

HONEST, SOME = "honest", "distress"
"""Labels of writers."""

BEFORE = (
    *("hilfe ", "bitte ", "hallo ", "help ", "please ", "aidez moi ", "hey ", "ich weiß nicht weiter, "),
    *("sos ", "sorry, ", ""),
)
BEHIND = (
    *(" was soll ich tun", " bitte helft mir", " what do i do", " please help", " que faire", " aidez moi"),
    *("!!!", "...", " :(", " hilfe", "?"),
)


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--without", nargs="*", default=[], help="files of writers to leave out")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    encoders = (E5Embedder(given.models), UseEmbedder(given.models))
    encoded = Encoded(encoders, given.models / "distress-vectors.npz")
    save(trained(encoded, given.without), given.out)


def writers(without: Sequence[str] = ()) -> list[Row]:
    """What the writers wrote."""
    files = [file for file in sorted(LINES.glob("*.tsv")) if file.name not in without]
    return [row for file in files for row in written_in(file, HONEST, SOME)]


def rules_lines() -> list[Row]:
    """The lines that the rules were written with, and those that were kept from them."""
    folder = ROOT / "tests" / "search" / "distress"
    files = [(folder / name).read_text(encoding="utf-8") for name in ("written.tsv", "kept.tsv")]
    lines = (line.partition("\t") for file in files for line in file.splitlines())
    return [(kind, said) for kind, _, said in lines]


def trained(encoded: Encoded, without: Sequence[str]) -> Head:
    """The head: first without long messages of distress, of which nobody has said where it stands; then
    with the part of each that the head finds worst."""
    by_writers = writers(without)
    first = [*patterns(LINES, HONEST), *rules_lines()]
    plain = [*first, *in_haste(first, 2, BEFORE, BEHIND), *harmless()]
    weighed = [*by_writers, *in_haste(by_writers, 2, BEFORE, BEHIND)]
    rows = [(row, 1.0) for row in plain] + [(row, WRITERS) for row in weighed]
    short = [row for row in rows if row[0][0] == NONE or len(row[0][1].split()) <= PART]
    head = fitted(encoded, short, KINDS, FIRST_ROUNDS)
    worst = []
    for (kind, said), weight in rows:
        if kind != NONE and len(said.split()) > PART:
            parts = [part.text for part in parts_of(said)]
            vectors = encoded.of(parts)
            odds = [head.odds(part, [vector]).max() for part, vector in zip(parts, vectors, strict=True)]
            worst.append(((kind, parts[int(np.argmax(odds))]), weight))
    return fitted(encoded, [*short, *worst], KINDS)


if __name__ == "__main__":
    main()
