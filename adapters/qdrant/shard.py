"""The folder of one collection: Qdrant Edge shards, one generation of them current.

    <collection>/CURRENT        name of the current generation
    <collection>/<generation>/  a shard

`CURRENT` is replaced atomically, so that a crash at any point leaves the old or the new generation; what it
does not name is left over and swept at the next opening.
"""

import os
import shutil
import subprocess
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path

import qdrant_edge as edge

from adapters.qdrant.codec import VERSION
from adapters.qdrant.errors import edge_errors
from core.domain.search import Space
from core.errors import Broken

_CURRENT = "CURRENT"
_QUANTISE_ABOVE_KB = 64 * 1024
"""Size of the largest space from which `optimise` quantises: about 20,000 passages. Below, plain exact
search takes a few milliseconds and nothing is gained."""


def shard_config(*, dense: int, second: int) -> edge.EdgeConfig:
    """Vectors as float16 (cosines within 1e-3), scanned exactly: no graph (`m=0`), since a scan of 100,000
    passages takes less time than embedding the question, keeps exact recall under every filter, and
    leaves only an 8-bit copy to build."""
    int8 = edge.ScalarQuantizationConfig(type=edge.ScalarType.Int8, quantile=0.99)
    maximum = edge.MultiVectorConfig(edge.MultiVectorComparator.MaxSim)

    def vector(size: int, windows: edge.MultiVectorConfig | None = None) -> edge.EdgeVectorParams:
        return edge.EdgeVectorParams(
            size,
            edge.Distance.Cosine,
            multivector_config=windows,
            datatype=edge.VectorStorageDatatype.Float16,
            quantization_config=int8,
        )

    return edge.EdgeConfig(
        vectors={
            Space.DENSE.value: vector(dense),
            Space.SECOND.value: vector(second),
            Space.WINDOWS.value: vector(second, maximum),
        },
        sparse_vectors={Space.LEXICAL.value: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        hnsw_config=edge.HnswIndexConfig(
            m=0, ef_construct=100, full_scan_threshold=10_000, max_indexing_threads=1
        ),
        optimizers=edge.EdgeOptimizersConfig(default_segment_number=2, indexing_threshold=_QUANTISE_ABOVE_KB),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardFolder:
    """A collection's folder, and the dimensions of its vectors."""

    path: Path
    dense: int
    second: int

    def exists(self) -> bool:
        """Whether the collection was ever created."""
        return (self.path / _CURRENT).exists()

    def open(self) -> edge.EdgeShard:
        """Open the current generation and sweep others. Raises Broken("index.damaged")."""
        current = self._current()
        for entry in self.path.iterdir():
            if entry.is_dir() and entry != current:
                shutil.rmtree(entry, ignore_errors=True)
        return self._load(current)

    def create(self) -> edge.EdgeShard:
        """Create the first generation, empty."""
        generation = self._new_generation()
        generation.mkdir(parents=True)
        shard = edge.EdgeShard.create(str(generation), shard_config(dense=self.dense, second=self.second))
        shard.update(edge.UpdateOperation.create_field_index(VERSION, edge.KeywordIndexParams()))
        shard.flush()
        self._make_current(generation)
        return shard

    def start_optimising(self, shard: edge.EdgeShard) -> "Optimisation":
        """Start a child process that optimises a copy of `shard`. Nothing may be written meanwhile.

        The engine holds Python's interpreter lock for as long as a call takes, so that optimising 100,000
        passages in this process would stop everything for ten seconds.
        """
        shard.flush()
        generation = self._new_generation()
        shutil.copytree(self._current(), generation)
        command = [sys.executable, "-m", "adapters.qdrant.optimise", str(generation)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        process = subprocess.Popen(  # noqa: S603 (our own module with our own path)
            [*command, str(self.dense), str(self.second)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        return Optimisation(folder=self, generation=generation, process=process)

    def switch(self, generation: Path) -> edge.EdgeShard:
        """Make `generation` the current one and drop the one before. Who still reads the old one may
        finish: its files stay until its handle goes."""
        previous = self._current()
        shard = self._load(generation)
        self._make_current(generation)
        shutil.rmtree(previous, ignore_errors=True)
        return shard

    def _load(self, generation: Path) -> edge.EdgeShard:
        try:
            with edge_errors(generation):
                return edge.EdgeShard.load(
                    str(generation), shard_config(dense=self.dense, second=self.second)
                )
        except Broken as error:
            raise Broken(
                "index.damaged",
                f"the index {generation} cannot be opened: {error.detail}. Delete {self.path} and index the "
                "collection's documents again.",
            ) from error

    def _current(self) -> Path:
        return self.path / (self.path / _CURRENT).read_text(encoding="ascii")

    def _new_generation(self) -> Path:
        return self.path / uuid.uuid4().hex

    def _make_current(self, generation: Path) -> None:
        draft = self.path / f"{_CURRENT}.new"
        with draft.open("w", encoding="ascii") as file:
            file.write(generation.name)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path / _CURRENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimisation:
    """A child process at work on the next generation."""

    folder: ShardFolder
    generation: Path
    process: subprocess.Popen[bytes]

    def finish(self) -> edge.EdgeShard:
        """Wait for the child and switch. Raises Broken("index.optimise") where it failed."""
        _, message = self.process.communicate()
        if self.process.returncode != 0:
            shutil.rmtree(self.generation, ignore_errors=True)
            raise Broken(
                "index.optimise",
                f"optimising {self.folder.path} ended with {self.process.returncode}: "
                f"{message.decode(errors='replace')[-500:]} The index works on, unoptimised.",
            )
        return self.folder.switch(self.generation)

    def stop(self) -> None:
        """End the child; `finish` then fails."""
        self.process.terminate()
