"""The real encoders' files, made once per state of the code and kept between test runs."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import onnxruntime  # type: ignore[import-untyped]
import pytest

from adapters.embedding.e5 import E5Embedder, PackagedWords
from adapters.embedding.offline_model import OfflineEmbedder
from adapters.embedding.trained import TrainedModel
from adapters.embedding.use import UseEmbedder

VARIANT = ""
"""What distinguishes the files of a run whose networks are made as on another processor."""

_ROOT = Path(__file__).resolve().parents[2]


@cache
def models_dir() -> Path:
    """Folder for the models of the encoders as made by the current code."""
    folder = _ROOT / "adapters" / "embedding"
    sources = sorted((*folder.glob("*.py"), *folder.glob("data/*")))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    made = _ROOT / ".pytest_cache" / f"models-{digest}{VARIANT}"
    made.mkdir(parents=True, exist_ok=True)
    return made


@contextmanager
def models_loaded_once() -> Iterator[None]:
    """Commands that run in this process share the loaded models, which are the same files: loading them takes
    most of a command's time. The first one loads them as ever, and so does the first one that runs networks
    as another processor would."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(OfflineEmbedder, "_load", _once(OfflineEmbedder._load))
        patched.setattr(TrainedModel, "_load", _once(TrainedModel._load))
        yield


def _once(load: Callable[[Any], Any]) -> Callable[[Any], Any]:
    loaded: dict[tuple[str, Path, type], Any] = {}

    def once(model: Any) -> Any:
        key = (model.name, model._cache_dir.resolve(), onnxruntime.InferenceSession)
        if key not in loaded:
            loaded[key] = load(model)
        return loaded[key]

    return once


@cache
def packaged_encoders() -> tuple[E5Embedder, UseEmbedder]:
    """The encoders that heads are trained with."""
    return E5Embedder(models_dir()), UseEmbedder(models_dir())


@cache
def packaged_words() -> PackagedWords:
    """The encoder of words that the networks of messages are trained with."""
    return PackagedWords(models_dir())
