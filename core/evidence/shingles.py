"""Which pages of a whole library may hold an alleged quote: winnowed fingerprints of page texts.

Winnowing (Schleimer, Wilkerson, Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD
2003): hashes of all 12-grams of the skeleton, of every 8 in a row the smallest is kept. Any text that shares
19 characters in a row with a page shares at least one fingerprint with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.domain.pages import Page
from core.evidence.skeleton import skeleton, word_skeleton

GRAM = 12
WINDOW = 8
_BASE = np.uint64(0x9E3779B97F4A7C15)
_MAGIC = b"FSH1"

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True, eq=False)
class Shingles:
    """Fingerprints of one document version: `hashes` (n,) ascending, `pages` (n,) the 1-based PDF page
    each begins on. About 6 bytes for every 4 to 5 characters of text."""

    hashes: NDArray[np.uint32]
    pages: NDArray[np.uint16]

    @classmethod
    def of(cls, pages: Sequence[Page]) -> "Shingles":
        """Fingerprints of `pages` in order, furniture left out, so that quotes over page breaks count."""
        texts = ["".join(word_skeleton(w) for w in page.words if not w.furniture) for page in pages]
        hashes, offsets = _fingerprints("".join(texts))
        ends = np.cumsum([len(text) for text in texts])
        numbers = np.array([page.number for page in pages], dtype=np.uint16)
        rows = np.searchsorted(ends, offsets, side="right")
        order = np.argsort(hashes, kind="stable")
        return cls(hashes[order], numbers[rows][order] if len(offsets) else numbers[:0])

    def to_bytes(self) -> bytes:
        """Little-endian, for a column or a file."""
        head = _MAGIC + len(self.hashes).to_bytes(4, "little")
        return head + self.hashes.astype("<u4").tobytes() + self.pages.astype("<u2").tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> "Shingles":
        """Inverse of `to_bytes`. Raises ValueError if `data` is something else."""
        count = int.from_bytes(data[4:8], "little")
        if data[:4] != _MAGIC or len(data) != 8 + 6 * count:
            raise ValueError("not the fingerprints of a document")
        hashes = np.frombuffer(data, "<u4", count, 8).astype(np.uint32)
        return cls(hashes, np.frombuffer(data, "<u2", count, 8 + 4 * count).astype(np.uint16))


@dataclass(frozen=True, slots=True)
class Place(Generic[Key]):
    """A page that may hold a text: `share` of the text's fingerprints (0 to 1) lie on it or the next one."""

    key: Key
    page: int
    share: float


def likely_places(
    text: str, library: Mapping[Key, Shingles], *, limit: int = 20, least: float = 0.2
) -> list[Place[Key]]:
    """The pages of `library` that share most with `text`, best first, at most `limit`.

    Pages with less than `least` of the text's fingerprints are left out; so is a page where the one
    before it has more. Empty for texts under 12 letters and digits.
    """
    wanted = np.unique(_fingerprints(skeleton(text), every=True)[0])
    places: list[Place[Key]] = []
    for key, shingles in library.items():
        places.extend(_places_in(key, shingles, wanted, least))
    return sorted(places, key=lambda place: -place.share)[:limit]


def _places_in(
    key: Key, shingles: Shingles, wanted: NDArray[np.uint32], least: float
) -> Iterable[Place[Key]]:
    left = np.searchsorted(shingles.hashes, wanted, side="left")
    right = np.searchsorted(shingles.hashes, wanted, side="right")
    rows = [np.arange(a, b) for a, b in zip(left, right, strict=True) if b > a]
    if not rows:
        return
    counts = np.bincount(shingles.pages[np.concatenate(rows)])
    both = counts + np.append(counts[1:], 0)
    expected = max(len(wanted) * 2 / (WINDOW + 1), 1.0)
    for page in np.flatnonzero(counts):
        share = min(float(both[page]) / expected, 1.0)
        if share >= least and (page == 0 or counts[page - 1] < counts[page]):
            yield Place(key, int(page), share)


def _fingerprints(text: str, *, every: bool = False) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """(hashes, offsets) of the kept 12-grams of a skeleton, or of every one."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4").astype(np.uint64)
    count = len(codes) - GRAM + 1
    if count <= 0:
        return np.empty(0, np.uint32), np.empty(0, np.int64)
    mixed = np.zeros(count, np.uint64)
    for i in range(GRAM):
        mixed = (mixed + codes[i : i + count] + np.uint64(1)) * _BASE
        mixed ^= mixed >> np.uint64(29)
    hashes = (mixed >> np.uint64(32)).astype(np.uint32)
    offsets = np.arange(count) if every or count < WINDOW else _winnowed(hashes)
    return hashes[offsets], offsets


def _winnowed(hashes: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Offsets of the smallest hash of every window, ascending, each once."""
    windows = np.lib.stride_tricks.sliding_window_view(hashes, WINDOW)
    return np.unique(np.arange(len(windows)) + windows.argmin(axis=1))
