"""Details of the files below the embedded index."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.qdrant import shard
from adapters.qdrant.optimise import copy_sparse
from adapters.qdrant.shard import edge_errors
from core.errors import Broken, Refused

_BLOCK = 4096


def test_a_log_renamed_while_it_is_synchronised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "open-1").write_text("entries")
    synchronised = []

    def fsync(path: Path) -> None:
        if path.name == "open-1" and path.exists():
            path.rename(tmp_path / "closed-1")  # what the engine's thread does in this moment
        if not path.exists():
            raise FileNotFoundError(path)
        synchronised.append(path.name)

    monkeypatch.setattr(shard, "_fsync", fsync)
    shard._synchronise(tmp_path)
    assert synchronised == ["closed-1", tmp_path.name]


def test_a_log_that_never_comes_to_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(path: Path) -> None:
        raise FileNotFoundError(path)

    monkeypatch.setattr(shard, "_fsync", fsync)
    with pytest.raises(Broken, match="keep changing"):
        shard._synchronise(tmp_path)


def test_synchronising_real_files(tmp_path: Path) -> None:
    (tmp_path / "open-1").write_text("entries")
    shard._synchronise(tmp_path)


@given(
    size=st.integers(0, 40 * _BLOCK),
    written=st.lists(st.tuples(st.integers(0, 39 * _BLOCK), st.binary(min_size=1, max_size=64)), max_size=5),
)
def test_copies_are_equal(tmp_path_factory: pytest.TempPathFactory, size: int, written: list) -> None:
    folder = tmp_path_factory.mktemp("copy")
    source, target = folder / "source", folder / "target"
    with source.open("wb") as file:
        file.truncate(size)
        for position, content in written:
            file.seek(position)
            file.write(content)
    copy_sparse(str(source), str(target))
    assert target.read_bytes() == source.read_bytes()


def test_copies_keep_holes(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    with source.open("wb") as file:
        file.write(b"start")
        file.truncate(64 << 20)
    if source.stat().st_blocks * 512 > 1 << 20:
        pytest.skip("this file system knows no holes")
    copy_sparse(str(source), str(target))
    assert target.stat().st_size == 64 << 20
    assert target.stat().st_blocks * 512 < 1 << 20


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
