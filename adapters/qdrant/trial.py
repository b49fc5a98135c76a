"""Opens a shard in a child process first, so that damaged files kill that process, not this one.

The engine maps its files into memory and trusts them: a truncated one ends the process with SIGBUS, garbage
in one with a panic, an abort or too much memory. The child runs as `python -m adapters.qdrant.trial SHARD`,
opens it, looks at all that a search looks at, and says nothing where all is well. It imports little more than
the engine, so that it starts in a few hundredths of a second.
"""

import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import qdrant_edge as edge

from core.errors import Broken

_LEAST_S, _BYTES_PER_S = 60, 10_000_000
"""Time limit of the child: a minute plus the time a slow disk needs to read the shard."""

_FREE = 64_000_000
"""Free bytes below which a failure says nothing about the shard: opening one takes space."""

_MACHINE = (1, 5, 12, 13, 23, 24, 28, 30, 122)
"""System errors that are the machine's fault, not the shard's: EPERM, EIO, ENOMEM, EACCES, ENFILE, EMFILE,
ENOSPC, EROFS, EDQUOT."""

_SYSTEM_ERROR = re.compile(r"os error (\d+)")
_TOO_FAR = 1.02
"""Cosines are at most 1; half precision keeps them to a thousandth."""

_PAGE, _STARTS = 64, 32


def try_shard(shard: Path) -> None:
    """Open a shard in a child process. Raises Broken("index.damaged") where that or a first look fails,
    Broken("index.storage") where the machine is at fault: no space, no memory, no rights."""
    command = [sys.executable, "-m", "adapters.qdrant.trial", str(shard)]
    try:
        child = subprocess.run(  # noqa: S603 (our own module with our own path)
            command,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=_LEAST_S + _size(shard) / _BYTES_PER_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Broken("index.damaged", f"opening {shard} did not end in {error.timeout:.0f} s") from error
    if child.returncode == 0:
        return
    output = child.stderr.decode(errors="replace").strip()[-500:]
    raise fault(shard, f"a process that opened it ended with {child.returncode}: {output}")


def fault(shard: Path, said: str) -> Broken:
    """The error for a failure to open `shard`."""
    free = shutil.disk_usage(shard.parent).free
    if free < _FREE:
        return Broken(
            "index.storage", f"the disk of {shard} is full ({free // 1_000_000} MB free): make room."
        )
    if any(int(number) in _MACHINE for number in _SYSTEM_ERROR.findall(said)):
        return Broken("index.storage", f"the index {shard} cannot be opened: {said}. Check disk and rights.")
    return Broken("index.damaged", f"the index {shard} cannot be opened: {said}")


def _size(shard: Path) -> int:
    return sum(path.stat().st_size for path in shard.rglob("*") if path.is_file())


def look(path: str) -> None:
    """Open the shard and read all of it like a search does. Raises ValueError for truncated files and invalid
    vectors."""
    _check_sizes(Path(path))
    shard = edge.EdgeShard.load(path)
    for name, size, several in _spaces(Path(path)):
        for sign in (1.0, -1.0):
            probe = [sign] * size
            score = _best(shard, edge.Query.Nearest([probe] if several else probe, using=name))
            if not math.isfinite(score) or score > _TOO_FAR:
                raise ValueError(f"a vector of {name} is garbage: it scores {score}")
    words = edge.SparseVector(indices=[0], values=[1.0])
    _best(shard, edge.Query.Nearest(words, using="lexical"))
    shard.facet(edge.FacetRequest(key="version", limit=1, exact=True))
    for _ in range(_STARTS):
        _sample(shard, uuid.uuid4())
    shard.close()


def _check_sizes(path: Path) -> None:
    """Check file sizes: files are created in whole pieces whose size is recorded beside them; the engine
    silently accepts shorter ones, and crashes when it writes past their end."""
    for config in path.rglob("config.json"):
        stated = json.loads(config.read_text(encoding="utf-8"))
        for pattern, key in (("chunk_*.mmap", "chunk_size_bytes"), ("page_*.dat", "page_size_bytes")):
            for piece in config.parent.glob(pattern):
                if piece.stat().st_size < stated.get(key, 0):
                    raise ValueError(f"{piece} was cut off")


def _spaces(path: Path) -> list[tuple[str, int, bool]]:
    """Name, dimension and whether a point has several, of the spaces of unit vectors."""
    stated = json.loads((path / "edge_config.json").read_text(encoding="utf-8"))["vectors"]
    return [(name, one["size"], bool(one.get("multivector_config"))) for name, one in stated.items()]


def _best(shard: edge.EdgeShard, query: edge.Query) -> float:
    found = shard.query_batch(edge.QueryBatchRequest([edge.QueryRequest(limit=1, query=query)]))[0]
    return found[0].score if found else 0.0


def _sample(shard: edge.EdgeShard, start: uuid.UUID) -> None:
    """Check a few points from `start` on: their data must be readable and their vectors of unit length. A
    lost write leaves zeros."""
    records, _ = shard.scroll(
        edge.ScrollRequest(limit=_PAGE, offset=start, with_payload=True, with_vector=True)
    )
    for record in records:
        vectors: Any = record.vector or {}
        if not (record.payload or {}).get("version"):
            raise ValueError(f"the point {record.id} has no version")
        for name in ("dense", "second"):
            length = math.sqrt(sum(value * value for value in vectors[name]))
            if not abs(length - 1) < _TOO_FAR - 1:
                raise ValueError(f"the vector {name} of {record.id} is of length {length}")


def main(shard: str) -> None:
    """Check `shard` without leaving a core dump; prints what is wrong with it in one line."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        look(shard)
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
