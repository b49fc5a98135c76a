"""Trains heads (`core/question/heads.py`): what the trainings of all of them share.

Lines are made of patterns of each language, with words to choose from, and written by writers. Questions of
the training sets and talk of groups are of no kind. Each line is read a second time as people write in haste.
"""

import asyncio
import json
import random
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.ports.models import Embedder
from core.question.heads import BUCKETS, Head, Network, parts_of, stretches

ROOT = Path(__file__).parents[1]

Row = tuple[str, str]
"""What a line is (NONE, a kind, or another word where nobody said which), and the line."""

WRITERS = 3.0
"""Weight of a writer's line beside one that was made of a pattern."""

NONE = "none"

EACH = 8
"""Lines that are made of a pattern, twice as many of one with much to choose from."""

MUCH = 700
"""Characters of such a pattern."""

ROUNDS, STEP, SHRINK_VECTORS, SHRINK_LETTERS = 120, 0.05, 1e-3, 1e-5
STRETCH = 20.0
"""Vectors of unit length are this much longer while the head is trained, so that one step suits all."""

_BEHIND_QUESTIONS = ("?", " bitte", "!", " danke", " please", "...", " merci", "??")


def made(pattern: str, chance: random.Random) -> str:
    """A line of a pattern: of {one|other} one or the other, which may have choices of their own."""
    line = pattern
    while "{" in line:
        line = re.sub(r"\{([^{}]*)\}", lambda found: chance.choice(found[1].split("|")), line)
    return " ".join(line.split()).replace("' ", "'")


def patterns(folder: Path, none: str, each: int = EACH) -> list[Row]:
    """Lines of the patterns of all languages in `folder`, `each` of one; `none` heads those of no kind."""
    chance, rows = random.Random(1), []
    for language in ("de", "en", "fr"):
        kind = ""
        for line in (folder / f"{language}.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith("# "):
                kind = NONE if line[2:] == none else line[2:]
            elif line:
                times = 2 * each if len(line) > MUCH else each
                rows += [(kind, said) for said in sorted({made(line, chance) for _ in range(times)})]
    return rows


def written_in(file: Path, none: str, some: str) -> list[Row]:
    """The lines of a writer: a label, `none` for no kind, a language, a line. All others are `some`."""
    lines = (line.split("\t") for line in file.read_text(encoding="utf-8").splitlines())
    return [(NONE if label == none else some, said) for label, _, said in lines]


def rows_of(file: Path) -> Iterable[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())


def in_haste(
    rows: Sequence[Row], seed: int, before: Sequence[str], behind: Sequence[str], *, alike: bool = False
) -> list[Row]:
    """The same lines as people write them in haste: without umlauts and signs, with slips, with a word
    of `before` or `behind`; `alike`: with those of no kind as well."""
    chance, hasty = random.Random(seed), []
    for kind, said in rows:
        line = plainer(said, chance)
        if chance.random() < 0.7:
            line = slipped(line, chance)
        if kind == NONE and not alike:
            line += chance.choice(_BEHIND_QUESTIONS) if chance.random() < 0.3 else ""
        else:
            line = (chance.choice(before) if chance.random() < 0.25 else "") + line
            line += chance.choice(behind) if chance.random() < 0.25 else ""
        hasty.append((kind, line))
    return hasty


def plainer(line: str, chance: random.Random) -> str:
    """`line` perhaps without umlauts and apostrophes."""
    kept = chance.random()
    if kept < 0.4:
        for sign, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
            line = line.replace(sign, letters)
    elif kept < 0.6:
        line = "".join(each for each in unicodedata.normalize("NFD", line) if not unicodedata.combining(each))
    return line.replace("'", "") if chance.random() < 0.5 else line


def slipped(line: str, chance: random.Random) -> str:
    """`line` with a slip or two."""
    letters = list(line)
    for _ in range(max(1, len(letters) // 25)):
        if len(letters) < 4:
            break
        at, slip = chance.randrange(1, len(letters) - 2), chance.random()
        if slip < 0.35:
            letters[at : at + 2] = letters[at : at + 2][::-1]
        elif slip < 0.65:
            del letters[at]
        elif slip < 0.85:
            letters.insert(at, letters[at])
        else:
            letters[at] = chance.choice("abcdefghijklmnoprstuw")
    return "".join(letters)


class Encoded:
    """Vectors of both encoders side by side, kept in a file between runs."""

    def __init__(self, encoders: Sequence[Embedder], file: Path) -> None:
        self.names = tuple(each.name for each in encoders)
        self._encoders, self._file = encoders, file
        self._kept: dict[str, NDArray[np.float32]] = {}
        if file.exists():
            with np.load(file, allow_pickle=False) as kept:
                self._kept = dict(zip(kept["lines"].tolist(), kept["vectors"], strict=True))

    def of(self, lines: Sequence[str]) -> NDArray[np.float32]:
        """(n, 896), a row a line."""
        asyncio.run(self._encode([line for line in dict.fromkeys(lines) if line not in self._kept]))
        return np.stack([self._kept[line] for line in lines])

    async def _encode(self, lines: Sequence[str]) -> None:
        for line in lines:
            found = [await encoder.query(line) for encoder in self._encoders]
            self._kept[line] = np.concatenate(found).astype(np.float32)
        if lines:
            names = np.array(list(self._kept))
            beside = self._file.with_name(f"new-{self._file.name}")  # a run that is cut off loses nothing
            np.savez(beside, lines=names, vectors=np.stack(list(self._kept.values())))
            beside.replace(self._file)


def fitted(
    encoded: Encoded,
    rows: Sequence[tuple[Row, float]],
    kinds: Sequence[str],
    rounds: int = ROUNDS,
    *,
    by_letters: Sequence[tuple[Row, float]] = (),
    more: Callable[[str], Iterable[str]] | None = None,
    buckets: int = BUCKETS,
) -> Head:
    """The head of least loss over lines with their weights, by Adam. Of a line of no kind every part
    is of none. Lines `by_letters` teach letters alone. `more`: what is counted of a part beside its letters,
    all in `buckets`."""
    lines = [
        (kind, part, weight)
        for (kind, said), weight in (*rows, *by_letters)
        for part in parts_of(said)[: None if kind == NONE else 1]
    ]
    read = sum(len(parts_of(said)[: None if kind == NONE else 1]) for (kind, said), _ in rows)
    vectors = encoded.of([part for _, part, _ in lines[:read]])
    mean = vectors.mean(axis=0)
    dense = np.zeros((len(lines), vectors.shape[1]), np.float32)
    dense[:read] = (vectors - mean) * STRETCH
    letters = Letters([stretches(part, more(part) if more else (), buckets) for _, part, _ in lines], buckets)
    names = (NONE, *kinds)
    known = np.array([names.index(kind) if kind in names else -1 for kind, _, _ in lines])
    weights = np.array([weight for _, _, weight in lines], np.float32)
    weights /= weights.sum()
    size = len(names)
    sure = np.eye(size, dtype=np.float32)[known]
    values = [np.zeros((dense.shape[1], size)), np.zeros((buckets, size)), np.zeros((1, size))]
    values = [each.astype(np.float32) for each in values]
    moments = [(np.zeros_like(each), np.zeros_like(each)) for each in values]
    for turn in range(1, rounds + 1):
        logits = dense @ values[0] + letters.times(values[1]) + values[2]
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        wanted = sure.copy()
        some = chances[known < 0] * (np.arange(size) > 0)  # of an unknown kind: what it seems to be
        wanted[known < 0] = some / np.maximum(some.sum(axis=1, keepdims=True), 1e-9)
        off = (chances - wanted) * weights[:, None]
        slopes = [
            dense.T @ off + SHRINK_VECTORS * values[0],
            letters.transposed_times(off) + SHRINK_LETTERS * values[1],
            off.sum(axis=0, keepdims=True),
        ]
        step = STEP if turn < 0.6 * rounds else STEP / 5
        for value, slope, (first, second) in zip(values, slopes, moments, strict=True):
            first += 0.1 * (slope - first)
            second += 0.01 * (slope**2 - second)
            value -= step * (first / (1 - 0.9**turn)) / (np.sqrt(second / (1 - 0.99**turn)) + 1e-8)
    return Head(encoded.names, mean, values[0] * STRETCH, values[1], values[2][0])


class Letters:
    """The stretches `found` in lines as a sparse matrix, a row of unit length a line."""

    def __init__(self, found: Sequence[NDArray[np.int64]], buckets: int) -> None:
        self._buckets = buckets
        sizes = np.array([len(each) for each in found])
        self._numbers = np.concatenate(found)
        self._rows = np.repeat(np.arange(len(found)), sizes)
        self._values = np.repeat(1 / np.sqrt(sizes), sizes).astype(np.float32)
        self._starts = np.cumsum(sizes) - sizes

    def times(self, matrix: NDArray[np.float32]) -> NDArray[np.float32]:
        """(lines, k) of (buckets, k)."""
        product: NDArray[np.float32] = np.add.reduceat(
            matrix[self._numbers] * self._values[:, None], self._starts, axis=0
        )
        return product

    def transposed_times(self, matrix: NDArray[np.float32]) -> NDArray[np.float32]:
        """(buckets, k) of (lines, k)."""
        columns = [
            np.bincount(self._numbers, column[self._rows] * self._values, minlength=self._buckets)
            for column in matrix.T
        ]
        return np.stack(columns, axis=1).astype(np.float32)


def save(head: Head, file: Path) -> None:
    """Write a head: vectors in sixteen bits, letters in eight."""
    scale = np.abs(head.letters).max(axis=0, keepdims=True) / 127
    np.savez_compressed(
        file,
        encoders=np.array(head.encoders),
        mean=head.mean.astype(np.float16),
        vectors=head.vectors.astype(np.float16),
        letters=np.round(head.letters / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        bias=head.bias.astype(np.float32),
    )


def arrays_of(network: Network) -> dict[str, NDArray[np.generic]]:
    """A network as a weights file has it (`Network.stored`): its first layer in sixteen bits."""
    return {
        "first": network.first.astype(np.float16),
        "shift": np.asarray(network.shift, np.float32),
        "second": np.asarray(network.second, np.float32),
        "bias": np.asarray(network.bias, np.float32),
    }
