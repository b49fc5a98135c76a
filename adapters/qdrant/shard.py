"""One collection on disk: a Qdrant Edge shard, its folder and its configuration.

    <library>/<collection>/CURRENT            name of the current generation
    <library>/<collection>/<generation>/      a shard
    <library>/<collection>/<generation>.seal  how its files were when it was closed

`CURRENT` is replaced atomically, so that a crash at any point leaves the old or the new generation; what it
does not name is left over and swept at the next opening.
"""

import json
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import qdrant_edge as edge

from adapters import disk
from adapters.qdrant.codec import INDEXED, VERSION
from adapters.qdrant.trial import fault, try_shard
from core.domain.search import Space
from core.errors import Broken, FundstelleError

_CURRENT = "CURRENT"
_LISTINGS = 10
_OPERATIONS_PER_FLUSH = 20
"""How much may have to be replayed from the log after a crash."""


# The state of a shard's files when it was closed: as long as they are untouched, they can be trusted. The
# seal is beside the shard and is removed as soon as the shard is opened, so that there is none after a kill.

_SEAL = ".seal"

Files = dict[str, list[int]]
"""Size in bytes and time of last change (ns), by path within the shard."""


def seal(shard: Path) -> None:
    """Record the state of a closed shard's files. Without a seal the shard is merely tried before it is
    opened, so write errors are ignored."""
    try:
        _place(shard).write_text(json.dumps(_files(shard)), encoding="utf-8")
    except OSError:
        _break_seal(shard)


def _is_sealed(shard: Path) -> bool:
    """Whether the shard is unchanged since it was closed."""
    try:
        return bool(json.loads(_place(shard).read_text(encoding="utf-8")) == _files(shard))
    except (OSError, ValueError):
        return False


def _break_seal(shard: Path) -> None:
    """Delete the recorded state of the files."""
    _place(shard).unlink(missing_ok=True)


def _place(shard: Path) -> Path:
    return shard.with_name(shard.name + _SEAL)


def _files(shard: Path) -> Files:
    found = {path.relative_to(shard).as_posix(): path.stat() for path in shard.rglob("*") if path.is_file()}
    return {name: [known.st_size, known.st_mtime_ns] for name, known in sorted(found.items())}


@contextmanager
def edge_errors(folder: Path) -> Iterator[None]:
    """Translate what the embedded engine raises: bare `Exception`s, panics of its Rust code (which are
    `BaseException`s of a class that cannot be imported), and errors of the disk."""
    try:
        yield
    except FundstelleError:
        raise
    except OSError as error:
        if disk.is_full(error):
            raise Broken(disk.FULL, f"the index {folder} cannot be written: {disk.ADVICE}") from error
        raise Broken(
            "index.storage", f"the index {folder} cannot be read or written: {error}. Check disk and rights."
        ) from error
    except Exception as error:
        raise Broken("index.failed", f"the embedded index {folder} failed: {error}") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise Broken("index.failed", f"the embedded index {folder} panicked: {error}") from error


def shard_config(*, primary: int, secondary: int) -> edge.EdgeConfig:
    """Vectors as float16 (cosines within 1e-3), scanned exactly: no graph (`m=0`), no quantisation.

    A scan of 100,000 passages takes about as long as embedding the question and finds the best under every
    filter; half of it goes into the filter, which a smaller copy of the vectors would not speed up. `Cold`
    means that the kernel's page cache is the only cache: the engine would else fill memory with the
    whole of its preallocated files, 130 MB for an empty collection. Two segments keep two cores busy.
    """
    maximum = edge.MultiVectorConfig(edge.MultiVectorComparator.MaxSim)

    def vector(size: int, windows: edge.MultiVectorConfig | None = None) -> edge.EdgeVectorParams:
        return edge.EdgeVectorParams(
            size,
            edge.Distance.Cosine,
            multivector_config=windows,
            datatype=edge.VectorStorageDatatype.Float16,
            memory=edge.Memory.Cold,
        )

    return edge.EdgeConfig(
        vectors={
            Space.PRIMARY.value: vector(primary),
            Space.SECONDARY.value: vector(secondary),
            Space.WINDOWS.value: vector(secondary, maximum),
        },
        sparse_vectors={Space.LEXICAL.value: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        hnsw_config=edge.HnswIndexConfig(m=0, ef_construct=100, full_scan_threshold=10_000),
        optimizers=edge.EdgeOptimizersConfig(default_segment_number=2),
    )


def _index_fields(engine: edge.EdgeShard) -> None:
    """Index those payload fields that are not yet: an earlier version kept fewer."""
    for field in INDEXED:
        if field not in engine.info().payload_schema:
            params = edge.KeywordIndexParams(is_tenant=field == VERSION)
            engine.update(edge.UpdateOperation.create_field_index(field, params))


class Shard:
    """An open shard. One thread writes; reads go to `engine`."""

    def __init__(self, engine: edge.EdgeShard, path: Path) -> None:
        self.engine, self.path = engine, path
        self._unflushed = 0

    @property
    def is_gone(self) -> bool:
        """Whether somebody has deleted its folder. Mapped data can still be read, but nothing written."""
        return not self.path.is_dir()

    def write(self, operations: Iterable[edge.UpdateOperation]) -> None:
        """Apply operations; when this returns they survive a kill and a power cut.

        The log is synchronised by hand: `flush` does it too, but synchronises a dozen other files as well
        (ten times as long) and holds the interpreter lock meanwhile.
        """
        for operation in operations:
            self.engine.update(operation)
            self._unflushed += 1
        if self._unflushed >= _OPERATIONS_PER_FLUSH:
            self.flush()
        else:
            _synchronise(self.path / "wal")

    def flush(self) -> None:
        """Write everything out, so that the log is not needed."""
        self.engine.flush()
        self._unflushed = 0

    def close(self) -> None:
        """Flush and release."""
        self.flush()
        self.engine.close()
        seal(self.path)


def _synchronise(folder: Path) -> None:
    """fsync the files of `folder`, then itself. A thread of the engine renames full logs, so that a listed
    file may be gone when it is opened: then the whole is done again."""
    for _ in range(_LISTINGS):
        try:
            for path in (*folder.iterdir(), folder):
                _fsync(path)
        except FileNotFoundError:
            continue
        return
    raise Broken("index.storage", f"the log {folder} cannot be synchronised: its files keep changing.")


def _fsync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardFolder:
    """A collection's folder, and the dimensions of its vectors."""

    path: Path
    primary: int
    secondary: int

    def exists(self) -> bool:
        """Whether the collection was ever created."""
        return (self.path / _CURRENT).exists()

    def has_leftovers(self) -> bool:
        """Whether there are shards but none is named as the current one."""
        return not self.exists() and self.path.is_dir() and any(path.is_dir() for path in self.path.iterdir())

    def open(self) -> Shard:
        """Open the current generation and sweep others. One that was not closed, or that somebody has touched
        since, is opened in a child process first. Raises Broken("index.damaged"), or Broken("index.storage")
        where disk, memory or rights are at fault."""
        current = self._current()
        if not _is_sealed(current):
            try_shard(current)
        _break_seal(current)
        shard = self._load(current)
        for entry in self.path.iterdir():
            if entry.is_dir() and entry != current:
                shutil.rmtree(entry, ignore_errors=True)
        return shard

    def _current(self) -> Path:
        with edge_errors(self.path):
            content = (self.path / _CURRENT).read_bytes()
        name = content.decode("ascii", errors="replace").strip()
        if not name.isalnum() or not (self.path / name).is_dir():
            detail = f"{self.path / _CURRENT} names no shard: {name[:40]!r}"
            raise Broken("index.damaged", detail)
        return self.path / name

    def create(self) -> Shard:
        """Create the first generation, empty."""
        path = self.new_generation()
        path.mkdir(parents=True)
        engine = edge.EdgeShard.create(
            str(path), shard_config(primary=self.primary, secondary=self.secondary)
        )
        _index_fields(engine)
        engine.flush()
        self._make_current(path)
        return Shard(engine, path)

    def new_generation(self) -> Path:
        """Where another generation may be put; swept at the next opening unless switched to."""
        return self.path / uuid.uuid4().hex

    def switch(self, previous: Shard, generation: Path) -> Shard:
        """Make `generation` the current one and drop `previous`. Ongoing reads of it may finish: its files
        stay until the handle is closed."""
        shard = self._load(generation)
        self._make_current(generation)
        shutil.rmtree(previous.path, ignore_errors=True)
        return shard

    def _load(self, path: Path) -> Shard:
        try:
            with edge_errors(path):
                engine = edge.EdgeShard.load(
                    str(path), shard_config(primary=self.primary, secondary=self.secondary)
                )
                _index_fields(engine)
        except Broken as error:
            raise fault(path, error.detail) from error
        return Shard(engine, path)

    def _make_current(self, generation: Path) -> None:
        draft = self.path / f"{_CURRENT}.new"
        with draft.open("w", encoding="ascii") as file:
            file.write(generation.name)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path / _CURRENT)
