"""What a shard's files were when it was closed: as long as nothing has touched them, they can be trusted.

The seal lies beside the shard and is broken as soon as it is opened, so that after a kill there is none.
"""

import json
from pathlib import Path

_SEAL = ".seal"

Files = dict[str, list[int]]
"""By path within the shard: bytes and time of the last change (ns)."""


def seal(shard: Path) -> None:
    """Note how the files of a closed shard are. Without a seal it is only tried before it is opened, so what
    cannot be written is left."""
    try:
        _place(shard).write_text(json.dumps(_files(shard)), encoding="utf-8")
    except OSError:
        break_seal(shard)


def is_sealed(shard: Path) -> bool:
    """Whether nothing has changed since the shard was closed."""
    try:
        return bool(json.loads(_place(shard).read_text(encoding="utf-8")) == _files(shard))
    except (OSError, ValueError):
        return False


def break_seal(shard: Path) -> None:
    """Forget how the files were."""
    _place(shard).unlink(missing_ok=True)


def _place(shard: Path) -> Path:
    return shard.with_name(shard.name + _SEAL)


def _files(shard: Path) -> Files:
    found = {path.relative_to(shard).as_posix(): path.stat() for path in shard.rglob("*") if path.is_file()}
    return {name: [known.st_size, known.st_mtime_ns] for name, known in sorted(found.items())}
