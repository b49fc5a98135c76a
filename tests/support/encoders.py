"""The real encoders' files, made once per state of the code and kept between test runs."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from adapters.embedding.offline_model import OfflineEmbedder

_ROOT = Path(__file__).resolve().parents[2]


@cache
def models_dir() -> Path:
    """Folder for the models of the encoders as the code makes them now."""
    sources = sorted((_ROOT / "adapters" / "embedding").glob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    folder = _ROOT / ".pytest_cache" / f"models-{digest}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def models_loaded_once() -> Iterator[None]:
    """Commands that run in this process share the loaded models, which are the same files: loading them takes
    most of a command's time. The first one loads them as ever."""
    load, loaded = OfflineEmbedder._load, dict[tuple[str, Path], Any]()

    def once(self: OfflineEmbedder) -> Any:
        key = (self.name, self._cache_dir.resolve())
        if key not in loaded:
            loaded[key] = load(self)
        return loaded[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(OfflineEmbedder, "_load", once)
        yield
