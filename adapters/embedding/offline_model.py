"""Models built once from packaged weights and then loaded, without a network.

`onnx` is needed (and imported) only while a model is made. Operators of the domain `com.microsoft`:
https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
"""

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from adapters import disk
from adapters.embedding.text_model import Prefixes, TextEmbedder
from adapters.embedding.unigram import UnigramTokenizer
from core.domain.search import Vector
from core.errors import Broken
from core.kept import kept

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


_LEAST_NORM = 1e-12


# Folders of model files that are built once, atomically.

CHECKSUMS = "SHA256SUMS"
"""In the format of `sha256sum --check`."""

_LOCK_TIMEOUT_S = 300


def provide(folder: Path, make: Callable[[Path], None]) -> Path:
    """Return `folder`, made by `make(temporary folder)` unless it is there and intact.

    A lock lets one process build it while others wait; a rename puts it in place. A folder with a missing or
    changed file is rebuilt. Raises Broken if the folder cannot be written.
    """
    if intact(folder):
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_name(folder.name + ".lock"), timeout=_LOCK_TIMEOUT_S):
            if not intact(folder):
                _make(folder, make)
    except (OSError, TimeoutError) as error:
        if disk.is_full(error):
            raise Broken(disk.FULL, f"the models need 200 MB in {folder.parent}: {disk.ADVICE}") from error
        raise Broken(
            "embedding.models_folder", f"cannot write models to {folder.parent}: {error}", folder=str(folder)
        ) from error
    return folder


def intact(folder: Path) -> bool:
    """Whether every file named in the folder's checksum file is there and unchanged. Files that nobody has
    written to since they were last checked are not read again."""
    try:
        lines = (folder / CHECKSUMS).read_text("utf-8").splitlines()
        sums = {name: expected for expected, name in (line.split("  ", 1) for line in lines)}
        found = {name: (folder / name).stat() for name in sums}
        written = [
            (name, sums[name], now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
            for name, now in found.items()
        ]

        def checked() -> bool:
            return bool(sums) and all(_sha256(folder / name) == expected for name, expected in sums.items())

        return bool(kept(f"checked-{folder.name}", str(written), checked))
    except (OSError, ValueError):
        return False


def _make(folder: Path, make: Callable[[Path], None]) -> None:
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=folder.name + ".") as scratch:
        fresh = Path(scratch) / "new"
        fresh.mkdir()
        make(fresh)
        names = sorted(path.name for path in fresh.iterdir())
        sums = "".join(f"{_sha256(fresh / name)}  {name}\n" for name in names)
        (fresh / CHECKSUMS).write_text(sums, "utf-8")
        if folder.exists():
            shutil.rmtree(folder)
        fresh.replace(folder)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineModel:
    """How to make a model and how to read its output.

    `make` writes model.onnx and tokenizer.json into an empty folder. Increase `revision` when its output
    changes: the name changes with it, and the index is rebuilt. `pooled`: the model's output is already the
    vector, not one vector per token. `step`: number of texts encoded per step of work.
    """

    name: str
    revision: int
    dimension: int
    max_tokens: int
    pooled: bool
    step: int
    make: Callable[[Path], None]


class LoadedOffline:
    """The model in `folder`."""

    def __init__(self, model: OfflineModel, folder: Path) -> None:
        self.tokenizer = UnigramTokenizer(folder)
        self._session = session(folder / "model.onnx")
        self._model = model

    @property
    def dimension(self) -> int:
        return self._model.dimension

    @property
    def max_tokens(self) -> int:
        return self._model.max_tokens

    def counts(self, texts: list[str]) -> list[int]:
        return [len(self.tokenizer.encode(text)) for text in texts]

    def vectors(self, texts: list[str]) -> Vector:
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vector:
        ids = self.tokenizer.encode(text, self.max_tokens)
        (output,) = self._session.run(None, {"input_ids": np.array([ids], np.int64)})
        vector = output[0] if self._model.pooled else output[0].mean(axis=0, dtype=np.float64)
        unit: Vector = (vector / max(np.linalg.norm(vector), _LEAST_NORM)).astype(np.float32)
        return unit


class OfflineEmbedder(TextEmbedder[LoadedOffline]):
    """An encoder whose files are made in `models_dir` on first use and checked on every load."""

    def __init__(
        self, model: OfflineModel, *, models_dir: Path, threads: int, prefixes: Prefixes | None = None
    ) -> None:
        super().__init__(
            model.name, cache_dir=models_dir, prefixes=prefixes, threads=threads, step=model.step
        )
        self._offline = model

    @property
    def name(self) -> str:
        return f"{self._offline.name}/{self._offline.revision}"

    @property
    def dimension(self) -> int:
        return self._offline.dimension

    @property
    def max_tokens(self) -> int:
        """Tokens per text, prefix and special tokens included; the rest is cut off."""
        return self._offline.max_tokens

    def tokenizer(self) -> UnigramTokenizer:
        """The model's tokenizer; loads the model."""
        return self._model().tokenizer

    def _load(self) -> LoadedOffline:
        folder = self._cache_dir / f"{self._offline.name}-{self._offline.revision}"
        return LoadedOffline(self._offline, provide(folder, self._offline.make))


def session(file: Path) -> Any:
    """The model in `file`, to be run on the calling thread. onnxruntime raises many kinds of errors."""
    from onnxruntime import InferenceSession, SessionOptions  # type: ignore[import-untyped]

    options = SessionOptions()
    options.intra_op_num_threads = 1
    return InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def packaged_file(package: str, name: str) -> Path:
    """A data file of an installed package, which is not imported. Raises Broken if it is missing."""
    spec = find_spec(package)
    path = Path(spec.origin).parent / name if spec and spec.origin else None
    if path is None or not path.is_file():
        raise Broken("embedding.model_missing", f"{name} of package {package} is missing; install {package}")
    return path
