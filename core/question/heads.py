"""Heads: small networks on top of the search encoders, for things people express in too many ways to write
rules for.

A head weighs the vectors of both encoders and the letters of a text. `benchmarks/heads.py` trains them.
"""

import re
import unicodedata
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.domain.search import Vector
from core.ports.models import Embedder

BUCKETS = 1 << 14
"""Number of hash buckets for character n-grams, where a head has no other."""

PART = 40
"""Maximum words of a text that are read together."""

READ = 8
"""Number of parts of a text that the encoders read: those that score worst by their letters."""

_STRETCHES = (3, 4, 5)
"""Lengths of the character n-grams counted besides words and word pairs."""

_APOSTROPHES = re.compile("['’‘`´]")
_WORD = re.compile(r"[^\W_](?:[*@$]?[^\W_])*")
_REPEATED = re.compile(r"([a-z])\1+")
_UMLAUT = re.compile("([aou])e")
_SIGNS = str.maketrans({"1": "i", "0": "o", "3": "e", "4": "a", "5": "s", "@": "a", "$": "s", "ß": "s"})


Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Network:
    """One hidden layer: (inputs, hidden), (hidden,), (hidden,), ()."""

    first: Floats
    shift: Floats
    second: Floats
    bias: Floats

    @classmethod
    def stored(cls, arrays: Mapping[str, NDArray[np.generic]], name: str = "") -> Self:
        """The network `name` in the `arrays` of a weights file; the only one has none."""
        prefix = f"{name}." if name else ""
        parts = ("first", "shift", "second", "bias")
        return cls(*(arrays[f"{prefix}{part}"].astype(np.float32) for part in parts))

    def odds(self, read: Floats) -> Floats:
        """The log-odds of each row of `read` (rows, inputs): (rows,)."""
        return np.asarray(np.maximum(read @ self.first + self.shift, 0) @ self.second + self.bias, np.float32)


@dataclass(frozen=True, slots=True)
class Head:
    """Weights by kind, with "none" first: for the concatenated vectors of `encoders` minus their `mean` (n,),
    for character n-grams (buckets, 1 + kinds), and the biases (1 + kinds,)."""

    encoders: tuple[str, ...]
    mean: NDArray[np.float32]
    vectors: NDArray[np.float32]
    letters: NDArray[np.float32]
    bias: NDArray[np.float32]

    def usable(self, encoders: Sequence[Embedder]) -> Sequence[Embedder]:
        """`encoders` if they are those that the head was trained with, else none."""
        return encoders if tuple(each.name for each in encoders) == self.encoders else ()

    def by_letters(self, text: str, more: Iterable[str] = ()) -> NDArray[np.float32]:
        """The score of each kind from a text's letters and what `more` is counted of it, without the biases:
        (1 + kinds,)."""
        found = stretches(text, more, len(self.letters))
        said: NDArray[np.float32] = self.letters[found].sum(axis=0) / np.sqrt(len(found))
        return said

    def odds(self, text: str, vectors: Sequence[Vector], more: Iterable[str] = ()) -> NDArray[np.float32]:
        """The log-odds of each kind against none: (kinds,)."""
        vector = np.concatenate(vectors) - self.mean
        logits = self.by_letters(text, more) + vector @ self.vectors + self.bias
        less: NDArray[np.float32] = logits[1:] - logits[0]
        return less


@cache
def packaged(weights: Path) -> Head:
    """The head stored in a weights file."""
    with np.load(weights, allow_pickle=False) as kept:
        return Head(
            encoders=tuple(str(name) for name in kept["encoders"]),
            mean=kept["mean"].astype(np.float32),
            vectors=kept["vectors"].astype(np.float32),
            letters=kept["letters"].astype(np.float32) * kept["scale"].astype(np.float32),
            bias=kept["bias"].astype(np.float32),
        )


def parts_of(text: str) -> Sequence[str]:
    """The parts of `text`, normalised by `plain`, that are read together: a short text as a whole, a longer
    one in overlapping windows, regardless of sentence boundaries."""
    words = plain(text).split()
    starts = range(0, max(1, len(words) - PART // 2), PART // 2) if words else ()
    return list(dict.fromkeys(" ".join(words[start : start + PART]) for start in starts))


def plain(text: str) -> str:
    """A text as the encoders read it: lower case, one kind of apostrophe; line breaks are kept."""
    return unicodedata.normalize("NFC", text).lower().replace("’", "'")


def stretches(text: str, more: Iterable[str] = (), buckets: int = BUCKETS) -> NDArray[np.int64]:
    """The bucket numbers of a text's character n-grams, words and word pairs, in the plainest spelling, and
    of what `more` is counted of it."""
    folded = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", text.casefold()))
    bare = "".join(letter for letter in folded if not unicodedata.combining(letter))
    read = (word if word.isdigit() else word.translate(_SIGNS) for word in _WORD.findall(bare))
    words = _UMLAUT.sub(r"\1", _REPEATED.sub(r"\1", " ".join(read))).split()
    line = f" {' '.join(words)} "
    found = {line[at : at + size] for size in _STRETCHES for at in range(len(line) - size + 1)}
    found |= {f"#{word}" for word in words}
    found |= {f"#{one} {other}" for one, other in pairwise(words)}
    found.update(more)
    numbers = sorted({zlib.crc32(each.encode("utf-8", "surrogatepass")) % buckets for each in found})
    return np.array(numbers or [0], np.int64)
