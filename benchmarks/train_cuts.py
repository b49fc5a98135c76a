"""Trains the network that judges what quotes leave out, `core/answering/cuts.npz`, and counts it on the lines
that it did not learn from.

`python -m benchmarks.train_cuts --models FOLDER [--data ../shared/data] [--out FILE] [--held-out]`

It learns from `cut_lines/` (see `benchmarks/misleading_cuts.py`), but `kept_back.txt` and `third_writer.txt`,
and from misleading cuts generated from documents of the half `tune`. With --held-out nothing is written: each
fifth of the lines of `learned.txt`, and of what is left out of the generated ones, is judged by a network
that learned from all others. FOLDER holds the encoders' files; those that are missing are made."""

import argparse
import asyncio
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from adapters.embedding.e5 import PackagedWords
from adapters.embedding.use import UseEmbedder
from benchmarks.heads import ROOT, arrays_of
from benchmarks.misleading_cuts import halved, placed, quotes
from benchmarks.networks import fitted, joined
from benchmarks.quotes import example_papers, papers
from core.answering.cut_judge import SURE, WEIGHTS, read_cut
from core.domain.answers import Verdict
from core.evidence.alignment import in_its_sentences
from core.question.carried import Stretch
from core.question.heads import Floats, Network

LINES = ROOT / "benchmarks" / "cut_lines"
LEARNED = ("fitted", "unseen", "made", "learned", "fourth_writer", "sixth_writer")
EACH = 60
"""Generated cuts of a class and language."""
WEIGHT = 0.5
"""Of a generated cut; a written one weighs 1."""
HIDDEN, SEEDS = 24, 3
PARTS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """What is left out of a sentence: where that comes from, its fifth, what is read of each run of words,
    and whether it is harmless."""

    source: str
    part: int
    read: Floats
    harmless: bool


def main() -> None:
    """Train and write, or count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--held-out", action="store_true", help="count instead of writing")
    given = parser.parse_args()
    words, texts = PackagedWords(given.models), UseEmbedder(given.models)
    rows = asyncio.run(_rows(words, texts, given.data))
    if given.held_out:
        _count(rows)
        return
    np.savez_compressed(given.out, encoders=np.array([words.name, texts.name]), **arrays_of(trained(rows)))


def marked(line: str) -> tuple[str, list[Stretch]]:
    """The sentence of a line of `cut_lines`, and what its quote lacks."""
    text, lacking = "", []
    for n, part in enumerate(line.replace(">", "<").split("<")):
        if not n % 2 and part:
            lacking.append((len(text), len(text) + len(part)))
        text += part
    return text, lacking


async def _rows(words: PackagedWords, texts: UseEmbedder, data: Path) -> list[Row]:
    found = []
    for name in LEARNED:
        for line in (LINES / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            kind, _, said = line.split("|", 2)
            read = await read_cut(words, texts, *marked(said))
            if read is not None:
                found.append(Row(name, _part(line), read, kind == "h"))
    for title, text, lacking in _generated(data):
        read = await read_cut(words, texts, text, lacking)
        if read is not None:
            phrase = " ".join(text[start:end] for start, end in lacking)
            found.append(Row(title, _part(phrase), read, harmless=False))
    return found


def _generated(data: Path) -> list[tuple[str, str, Sequence[Stretch]]]:
    """Misleading cuts about which the rules are unsure."""
    with tempfile.TemporaryDirectory() as folder:
        documents = halved([*papers(data), *example_papers(Path(folder))], "tune")
    found = []
    for title, misleads, make in quotes(documents, 0, each=EACH, seed=7):
        for document, made in make() if misleads else ():
            alignment = in_its_sentences(made[1], placed(document, made[0]))
            if alignment.verdict is Verdict.CUT and alignment.unsure and alignment.setting:
                found.append((title, alignment.setting.text, alignment.setting.left_out))
    return found


def _part(text: str) -> int:
    return zlib.crc32(text.encode()) % PARTS


def trained(rows: Sequence[Row]) -> Network:
    """One network of several that began otherwise. Of several runs in a misleading quote, which one misleads
    is not known: they count as one."""
    read = np.concatenate([row.read for row in rows])
    harmless = np.concatenate([np.full(len(row.read), row.harmless) for row in rows])
    weights = np.concatenate([np.full(len(row.read), _weight(row), np.float32) for row in rows])
    return joined([fitted(read, harmless, HIDDEN, seed=seed, weights=weights) for seed in range(SEEDS)])


def _weight(row: Row) -> float:
    """Of each run."""
    weight = 1.0 if row.source in LEARNED else WEIGHT
    return weight if row.harmless else weight / len(row.read)


def _count(rows: Sequence[Row]) -> None:
    odds: dict[str, list[tuple[bool, float]]] = defaultdict(list)
    for part in range(PARTS):
        left = [row.part == part and row.source not in LEARNED[:-1] for row in rows]
        network = trained([row for row, out in zip(rows, left, strict=True) if not out])
        for row in (row for row, out in zip(rows, left, strict=True) if out):
            odds[row.source].append((row.harmless, float(network.odds(row.read).min())))
    for source, found in sorted(odds.items()):
        for harmless in (True, False):
            own = [value for kind, value in found if kind is harmless]
            if own:
                passed = sum(value > SURE for value in own)
                print(f"{source}: {'harmless' if harmless else 'misleading'}, passed {passed} of {len(own)}")


if __name__ == "__main__":
    main()
