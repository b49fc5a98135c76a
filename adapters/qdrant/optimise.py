"""Optimising a shard beside its searches: a child process works on a copy.

The engine holds Python's interpreter lock for as long as a call takes, so that optimising 100,000 passages in
the process that answers would stop everything for ten seconds. The child runs as
`python -m adapters.qdrant.optimise SHARD DENSE SECOND`.
"""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import qdrant_edge as edge

from adapters.qdrant.shard import Shard, ShardFolder, shard_config
from core.errors import Broken

_PIECE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimisation:
    """A child process building the next generation of `shard`, to which nothing may be written meanwhile."""

    folder: ShardFolder
    shard: Shard
    generation: Path
    process: subprocess.Popen[bytes]

    @classmethod
    def start(cls, folder: ShardFolder, shard: Shard) -> "Optimisation":
        """Copy the shard and start the child."""
        shard.flush()
        generation = folder.new_generation()
        shutil.copytree(shard.path, generation, copy_function=copy_sparse)
        command = [sys.executable, "-m", "adapters.qdrant.optimise", str(generation)]
        process = subprocess.Popen(  # noqa: S603 (our own module with our own path)
            [*command, str(folder.primary), str(folder.secondary)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        return cls(folder=folder, shard=shard, generation=generation, process=process)

    def finish(self) -> Shard:
        """Wait for the child and switch. Raises Broken("index.optimise") if it failed."""
        _, message = self.process.communicate()
        if self.process.returncode != 0:
            shutil.rmtree(self.generation, ignore_errors=True)
            raise Broken(
                "index.optimise",
                f"optimising {self.folder.path} ended with {self.process.returncode}: "
                f"{message.decode(errors='replace')[-500:]} The index works on, unoptimised.",
            )
        return self.folder.switch(self.shard, self.generation)

    def stop(self) -> None:
        """End the child; `finish` then fails."""
        self.process.terminate()


def copy_sparse(source: str, target: str) -> str:
    """Copy a file without filling its holes: most of the engine's files are preallocated."""
    with Path(source).open("rb") as reading, Path(target).open("wb") as writing:
        writing.truncate(os.fstat(reading.fileno()).st_size)
        for start, end in _extents(reading.fileno()):
            reading.seek(start)
            writing.seek(start)
            while start < end and (piece := reading.read(min(_PIECE, end - start))):
                writing.write(piece)
                start += len(piece)
    return target


def _extents(descriptor: int) -> Iterator[tuple[int, int]]:
    """Where a file has data: (start, end) in bytes (lseek(2), SEEK_DATA and SEEK_HOLE)."""
    position = 0
    while True:
        try:
            start = os.lseek(descriptor, position, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:  # no data behind `position`
                return
            raise
        position = os.lseek(descriptor, start, os.SEEK_HOLE)
        yield start, position


def main(shard_path: str, primary: str, secondary: str) -> None:
    """Merge and vacuum; at low priority, since somebody may be waiting for an answer."""
    os.nice(10)
    shard = edge.EdgeShard.load(shard_path, shard_config(primary=int(primary), secondary=int(secondary)))
    shard.optimize()
    shard.flush()
    shard.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
