"""Who reads messages for distress: the rules, and a small network head over the encoders that the library is
searched with, since nobody can write down beforehand how people say it.

The head (`benchmarks/train_distress.py`) weighs the vectors of both encoders and the letters of a text. Of a
long text every part is read by its letters; the parts that those find worst go to rules and encoders, so that
no message takes longer than a few parts do.
"""

import asyncio
import hashlib
import re
import unicodedata
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.domain.search import Vector
from core.errors import FundstelleError
from core.language.identification import spoken_language
from core.ports.embedding import Embedder
from core.recent import Recent
from core.search.distress import Distress, DistressKind, distress

WEIGHTS = Path(__file__).with_name("distress.npz")

BUCKETS = 1 << 14
"""Stretches of letters are told apart by this many numbers."""

PART = 40
"""Words of a text that are read together at most."""

READ = 8
"""Parts of a text that rules and encoders read, those that the letters find worst."""

THRESHOLD = 2.5
"""Logarithm of the odds from which on a text is distress: chosen so that of 2,400 honest questions none is
over it."""

SURER = 3.0
"""What the odds of a sentence have to be higher by that is read without those beside it: "My father is 84 and
cannot breathe well. Who pays for ...?"."""

_STRETCHES = (3, 4, 5)
"""Letters of the stretches that are counted, beside words and pairs of words."""

_SENTENCE = re.compile(r"(?<=[.!?;…])\s+|\n+")
_APOSTROPHES = re.compile("['’‘`´]")
_WORD = re.compile(r"[^\W_](?:[*@$]?[^\W_])*")
_REPEATED = re.compile(r"([a-z])\1+")
_UMLAUT = re.compile("([aou])e")
_SIGNS = str.maketrans({"1": "i", "0": "o", "3": "e", "4": "a", "5": "s", "@": "a", "$": "s", "ß": "s"})

KINDS = (DistressKind.EMERGENCY, DistressKind.SUICIDE, DistressKind.VIOLENCE)
"""The head's outputs, behind that for what is no distress."""


@dataclass(frozen=True, slots=True)
class Head:
    """Weights by kind, that of no distress first: of the vectors of `encoders` side by side, less their
    `mean` (n,), of stretches of letters (BUCKETS, 4), and the biases (4,)."""

    encoders: tuple[str, ...]
    mean: NDArray[np.float32]
    vectors: NDArray[np.float32]
    letters: NDArray[np.float32]
    bias: NDArray[np.float32]

    def by_letters(self, text: str) -> NDArray[np.float32]:
        """What the letters of a text say for each kind, without the biases: (4,)."""
        found = stretches(text)
        total: NDArray[np.float32] = self.letters[found].sum(axis=0) / np.sqrt(len(found))
        return total

    def odds(self, text: str, vectors: Sequence[Vector]) -> NDArray[np.float32]:
        """The logarithms of the odds of each of KINDS against no distress: (3,)."""
        vector = np.concatenate(vectors) - self.mean
        logits = self.by_letters(text) + vector @ self.vectors + self.bias
        less: NDArray[np.float32] = logits[1:] - logits[0]
        return less


@cache
def head() -> Head:
    """The packaged weights."""
    with np.load(WEIGHTS, allow_pickle=False) as kept:
        return Head(
            encoders=tuple(str(name) for name in kept["encoders"]),
            mean=kept["mean"].astype(np.float32),
            vectors=kept["vectors"].astype(np.float32),
            letters=kept["letters"].astype(np.float32) * kept["scale"].astype(np.float32),
            bias=kept["bias"].astype(np.float32),
        )


class DistressReader:
    """Reads messages. `encoders` are those that the head was trained over; with others only the rules read.
    What was found in the last messages is remembered by digest, since each is asked about several times."""

    def __init__(self, encoders: Sequence[Embedder] = ()) -> None:
        self._encoders = encoders if tuple(each.name for each in encoders) == head().encoders else ()
        self._recent = Recent[bytes, Distress | None](1000)

    async def warm_up(self) -> None:
        """Load rules and weights."""
        await self.find("warm up")

    async def find(self, text: str) -> Distress | None:
        """The distress that `text` speaks of; None for anything else."""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        if digest not in self._recent:
            self._recent[digest] = await self._found(text)
        return self._recent[digest]

    async def _found(self, text: str) -> Distress | None:
        parts, found = await asyncio.to_thread(_by_rules, text)
        if found is not None or not self._encoders:
            return found
        odds = [await self._odds(part) for part in parts]
        worst = max(odds, key=total, default=None)
        if worst is None or total(worst) < THRESHOLD:
            return None
        return Distress(KINDS[int(worst.argmax())], spoken_language(text[: 2 * READ * PART]))

    async def _odds(self, part: "Part") -> NDArray[np.float32]:
        """Where an encoder cannot be run, what the letters say is too little to go by."""
        try:
            vectors = [await encoder.query(part.text) for encoder in self._encoders]
        except FundstelleError:  # whoever answers runs into it as well, and says so
            return np.full(len(KINDS), -np.inf, np.float32)
        odds = head().odds(part.text, vectors)
        return odds - SURER if part.alone else odds


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a text that are read together; `alone` is a sentence without those beside it."""

    text: str
    alone: bool = False


def total(odds: NDArray[np.float32]) -> float:
    """The logarithm of the odds of any distress from those of each kind."""
    return float(np.logaddexp.reduce(odds))


def _by_rules(text: str) -> tuple[Sequence[Part], Distress | None]:
    """The parts of a text that are worth a look, and the distress that the rules find in them. What is asked
    in the next sentence matters to the rules: they read none alone."""
    found = parts_of(text)
    if len(found) > READ:
        weights = head()
        said = {part: weights.by_letters(part.text) for part in found}
        found = sorted(found, key=lambda part: said[part][0] - said[part][1:].max())[:READ]
    kinds = [each for part in found if not part.alone and (each := distress(part.text)) is not None]
    return found, min(kinds, key=lambda each: KINDS.index(each.kind), default=None)


def parts_of(text: str) -> Sequence[Part]:
    """What of `text` is read together, as `plain` has it: a short text as a whole, a longer one in
    overlapping stretches, which do not care where sentences end; and of both each sentence."""
    sentences = [found.split() for line in _SENTENCE.split(plain(text)) if (found := line.strip())]
    words = [word for sentence in sentences for word in sentence]
    together = [Part(each) for each in _stretched(words)]
    known = {part.text for part in together}
    alone = (each for sentence in sentences for each in _stretched(sentence) if each not in known)
    return [*together, *(Part(each, alone=True) for each in dict.fromkeys(alone))]


def _stretched(words: Sequence[str]) -> Sequence[str]:
    """All words, PART at a time, each stretch half over the one before."""
    starts = range(0, max(1, len(words) - PART // 2), PART // 2) if words else ()
    return list(dict.fromkeys(" ".join(words[start : start + PART]) for start in starts))


def plain(text: str) -> str:
    """A text as the encoders read it: small letters, one apostrophe; lines are kept."""
    return unicodedata.normalize("NFC", text).lower().replace("’", "'")


def stretches(text: str) -> NDArray[np.int64]:
    """The numbers of a text's stretches of letters, words and pairs of words, in the plainest spelling."""
    folded = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", text.casefold()))
    bare = "".join(letter for letter in folded if not unicodedata.combining(letter))
    read = (word if word.isdigit() else word.translate(_SIGNS) for word in _WORD.findall(bare))
    words = _UMLAUT.sub(r"\1", _REPEATED.sub(r"\1", " ".join(read))).split()
    line = f" {' '.join(words)} "
    found = {line[at : at + size] for size in _STRETCHES for at in range(len(line) - size + 1)}
    found |= {f"#{word}" for word in words}
    found |= {f"#{one} {other}" for one, other in pairwise(words)}
    numbers = sorted({zlib.crc32(each.encode("utf-8", "surrogatepass")) % BUCKETS for each in found})
    return np.array(numbers or [0], np.int64)
