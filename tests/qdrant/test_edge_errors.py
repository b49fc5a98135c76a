"""What the embedded engine and the disk raise comes out as Broken; nothing else is swallowed."""

from pathlib import Path

import pytest

from adapters.qdrant.shard import edge_errors
from core.errors import Broken, Refused


class PanicException(BaseException):
    """Stands for the engine's own class, which cannot be imported."""


@pytest.mark.parametrize(
    ("foreign", "key"),
    [
        (Exception("Service runtime error"), "index.failed"),
        (TypeError("an argument the engine does not take"), "index.failed"),
        (PanicException("index out of bounds"), "index.failed"),
        (PermissionError("denied"), "index.storage"),
        (OSError(28, "No space left on device"), "disk.full"),
        (OSError(5, "Input/output error"), "index.storage"),
    ],
)
def test_foreign_errors_become_ours(foreign: BaseException, key: str) -> None:
    with pytest.raises(Broken) as caught, edge_errors(Path("folder")):
        raise foreign
    assert caught.value.key == key
    assert caught.value.__cause__ is foreign
    assert "folder" in caught.value.detail


@pytest.mark.parametrize("passing", [Refused("some.key"), KeyboardInterrupt(), SystemExit(1)])
def test_what_is_not_foreign_passes(passing: BaseException) -> None:
    with pytest.raises(type(passing)) as caught, edge_errors(Path("folder")):
        raise passing
    assert caught.value is passing
