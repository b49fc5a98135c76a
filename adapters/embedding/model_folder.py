"""Folders of model files that are made once: complete or not there at all."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from adapters import disk
from core.errors import Broken

CHECKSUMS = "SHA256SUMS"
"""In the format of `sha256sum --check`."""

_LOCK_TIMEOUT_S = 300


def provide(folder: Path, make: Callable[[Path], None]) -> Path:
    """Return `folder`, made by `make(temporary folder)` unless it is there and intact.

    A lock lets one process make it while others wait; a rename puts it in place. A folder with a missing
    or changed file is made again. Raises Broken if the folder cannot be written.
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
    """Whether every file named in the folder's checksum file is there and unchanged."""
    try:
        lines = (folder / CHECKSUMS).read_text("utf-8").splitlines()
        sums = [line.split("  ", 1) for line in lines]
        return bool(sums) and all(_sha256(folder / name) == expected for expected, name in sums)
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
