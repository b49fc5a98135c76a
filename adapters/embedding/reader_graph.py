"""The reader's graph: the encoder over question and text together, and a head that gives one score."""

from pathlib import Path

import numpy as np

from adapters.embedding.e5_graph import E5Graph, WeightFormat
from adapters.embedding.trained_weights import TrainedWeights


class ReaderGraph(E5Graph):
    """Inputs `input_ids` and `parts` (0: question, 1: text), both (1, n) int64; output (1, 1) float32.

    Of the head, `part` (2, hidden) tells question from text and is added below layer `above`; `inner` and
    `outer` are two linear maps.
    """

    def __init__(self, reader: TrainedWeights, weights: WeightFormat) -> None:
        super().__init__(reader.model, weights, reader.matrices, reader.smoothing)
        self.head = reader.head

    def save(self, path: Path) -> None:
        """Build the graph and write it."""
        score = self._score(self.encode())
        self.graph.save(path, output=score, shape=["batch", 1], inputs=("input_ids", "parts"))

    def encode(self) -> str:
        """All layers, with the two parts told apart from layer `above` on."""
        hidden = self.embed()
        for layer in range(self.model.layers):
            if layer == int(self.head["above"]):
                parts = self.graph.constant("part", self.head["part"])
                hidden = self.graph.op("Add", hidden, self.graph.op("Gather", parts, "parts", axis=0))
            hidden = self.feed_forward(self.attend(hidden, layer), layer)
        return hidden

    def _score(self, hidden: str) -> str:
        """Two linear maps over the first token beside the mean of all."""
        first = self.graph.op("ReduceSum", self._first(hidden), self._axis(), keepdims=0)
        mean = self.graph.op("ReduceMean", hidden, self._axis(), keepdims=0)
        both = self.graph.op("Concat", first, mean, axis=-1)
        return self._plain(self.graph.op("Tanh", self._plain(both, "inner")), "outer")

    def _first(self, hidden: str) -> str:
        start = self.graph.constant("start", np.array([0], np.int64))
        end = self.graph.constant("end", np.array([1], np.int64))
        return self.graph.op("Slice", hidden, start, end, self._axis())

    def _axis(self) -> str:
        return self.graph.constant("tokens", np.array([1], np.int64))

    def _plain(self, values: str, name: str) -> str:
        weights = self.graph.constant(name + ".w", self.head[name + ".w"].T)
        bias = self.graph.constant(name + ".b", self.head[name + ".b"])
        return self.graph.op("Gemm", values, weights, bias)
