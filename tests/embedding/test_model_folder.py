from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adapters.embedding.offline_model import CHECKSUMS, intact, provide
from core import kept
from core.errors import Broken


@pytest.fixture(params=["kept", "each time"], autouse=True)
def _checked(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are checked each time, or once if nobody has written to them since."""
    monkeypatch.setattr(kept, "_FOLDERS", [tmp_path] if request.param == "kept" else [])


def make(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"weights")
    (folder / "config.json").write_text("{}")


def refuse(folder: Path) -> None:
    raise AssertionError(f"{folder} must not be made again")


def test_a_folder_is_made_once(tmp_path: Path) -> None:
    folder = provide(tmp_path / "models" / "one", make)
    assert (folder / "model.onnx").read_bytes() == b"weights"
    assert provide(folder, refuse) == folder


@pytest.mark.parametrize("name", ["model.onnx", "config.json", CHECKSUMS])
def test_a_changed_or_missing_file_is_made_again(tmp_path: Path, name: str) -> None:
    folder = provide(tmp_path / "one", make)
    (folder / name).write_bytes(b"damaged")
    assert not intact(folder)
    provide(folder, make)
    assert intact(folder)
    (folder / name).unlink()
    provide(folder, make)
    assert intact(folder)


def test_a_failed_try_leaves_nothing(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        make(folder)
        raise ValueError("weights are damaged")

    with pytest.raises(ValueError, match="damaged"):
        provide(tmp_path / "one", fail)
    assert [path.name for path in tmp_path.iterdir() if path.suffix not in (".lock", ".kept")] == []


def test_many_at_once_make_it_once(tmp_path: Path) -> None:
    made: list[Path] = []

    def count(folder: Path) -> None:
        made.append(folder)
        make(folder)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: provide(tmp_path / "one", count), range(8)))
    assert len(made) == 1


def test_a_folder_that_cannot_be_written_is_the_operators_business(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Broken) as error:
        provide(tmp_path / "file" / "models" / "one", make)
    assert error.value.key == "embedding.models_folder"
