"""Files of ours: whole or not at all, private, and never begun where there is no room."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters import disk
from adapters.disk import ROOM, disk_errors, free_bytes, require
from adapters.files.originals import FileOriginals
from core.errors import Broken


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def loose() -> Iterator[None]:
    """The modes do not hang on the umask of whoever starts the process."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_file_is_private_and_replaced_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "made" / "below" / "file"
    disk.make_folder(file.parent)
    for content in (b"first", b"second"):
        disk.write(file, content)
        assert file.read_bytes() == content
    assert [mode(each) for each in (file, file.parent, file.parent.parent)] == [0o600, 0o700, 0o700]
    assert [*file.parent.iterdir()] == [file]


@pytest.mark.parametrize("why", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_could_not_be_written_leaves_the_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, why: int
) -> None:
    def full(*_: object) -> None:
        raise OSError(why, os.strerror(why))

    file = tmp_path / "file"
    disk.write(file, b"old")
    monkeypatch.setattr(*((os, "fsync") if call == "fsync" else (Path, "replace")), full)
    with pytest.raises(Broken, match="make room") as caught, disk_errors(tmp_path):
        disk.write(file, b"new")
    assert caught.value.key == "disk.full"
    assert [(each, each.read_bytes()) for each in tmp_path.iterdir()] == [(file, b"old")]


def test_other_errors_of_the_disk_are_not_called_full(tmp_path: Path) -> None:
    with pytest.raises(Broken) as caught, disk_errors(tmp_path):
        raise OSError(errno.EACCES, "Permission denied")
    assert caught.value.key == "disk.unwritable"


def test_room_is_asked_for_where_nothing_is_yet(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    assert free_bytes(folder) > 0
    require(folder, 10, lambda _: 10)
    with pytest.raises(Broken, match="make room") as caught:
        require(folder, 11, lambda _: 10)
    assert caught.value.key == "disk.full"


async def test_an_original_is_not_begun_without_room(tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(b"%PDF-" + b"x" * 1000)
    left = [ROOM + 1004]
    originals = FileOriginals(tmp_path / "originals", free=lambda _: left[0])
    with pytest.raises(Broken) as caught:
        await originals.keep(file)
    assert caught.value.key == "disk.full"
    assert not (tmp_path / "originals").exists()
    left[0] += 1
    stored = await originals.keep(file)
    assert mode(tmp_path / "originals" / stored.original) == 0o600
    assert mode(tmp_path / "originals") == 0o700
    with pytest.raises(Broken):
        await originals.keep_pages(stored.original, b"x" * 2000)
