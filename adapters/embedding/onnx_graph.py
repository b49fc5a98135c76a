"""A small builder of ONNX graphs. `onnx` is needed (and imported) only while a model is made.

Operators of the domain `com.microsoft`:
https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

CONTRIB = "com.microsoft"

_OPSETS = (("", 18), (CONTRIB, 1))
_IR_VERSION = 10


class GraphBuilder:
    """Collects nodes and constants; values are known by name."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}

    def constant(self, name: str, values: NDArray[Any]) -> str:
        """Add a named constant."""
        from onnx import numpy_helper

        self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(values), name)
        return name

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node with one output."""
        return self.ops(kind, *inputs, outputs=1, domain=domain, **attributes)[0]

    def ops(self, kind: str, *inputs: str, outputs: int, domain: str = "", **attributes: Any) -> list[str]:
        """Add a node with several outputs."""
        from onnx import helper

        name = f"{kind}_{len(self._nodes)}"
        names = [f"{name}.{index}" for index in range(outputs)]
        self._nodes.append(helper.make_node(kind, inputs, names, domain=domain, name=name, **attributes))
        return names

    def eight_bit(self, name: str, weights: NDArray[np.float32]) -> tuple[str, str]:
        """Constants of `weights` (inputs, outputs) as int8 and of their scales, one per output."""
        scale = np.maximum(np.abs(weights).max(axis=0), np.finfo(np.float32).tiny) / 127.0
        quantised = np.round(weights / scale).astype(np.int8)
        return (
            self.constant(name + ".int8", quantised),
            self.constant(name + ".scale", scale.astype(np.float32)),
        )

    def save(
        self, path: Path, *, output: str, shape: list[str | int], inputs: tuple[str, ...] = ("input_ids",)
    ) -> None:
        """Write the graph from `inputs` (batch, sequence) int64 to `output` (`shape`) float32."""
        import onnx
        from onnx import TensorProto, helper

        self._nodes.append(helper.make_node("Identity", [output], ["output"]))
        given = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"]) for name in inputs
        ]
        result = helper.make_tensor_value_info("output", TensorProto.FLOAT, shape)
        constants = list(self._constants.values())
        graph = helper.make_graph(self._nodes, path.parent.name, given, [result], constants)
        opsets = [helper.make_opsetid(domain, version) for domain, version in _OPSETS]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)
        # Constants in a file of their own are mapped into memory: of a table of words, only the
        # rows that are used take any.
        data = path.name + ".data"
        path.with_name(data).unlink(missing_ok=True)
        onnx.save(model, str(path), save_as_external_data=True, location=data)
