"""Key files: made once, whole, and for their owner alone."""

import threading
from pathlib import Path

import pytest

from adapters.files.originals import secret_key
from core.errors import Broken


def test_a_key_is_made_once(tmp_path: Path) -> None:
    file = tmp_path / "keys" / "pseudonyms.key"
    key = secret_key(file)
    assert len(key) == 32
    assert secret_key(file) == key
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert list(file.parent.iterdir()) == [file]
    assert secret_key(tmp_path / "other.key") != key


def test_many_make_one_key(tmp_path: Path) -> None:
    file, found = tmp_path / "pseudonyms.key", set()
    workers = [threading.Thread(target=lambda: found.add(secret_key(file))) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 1


def test_a_key_that_others_can_read_is_none(tmp_path: Path) -> None:
    file = tmp_path / "pseudonyms.key"
    secret_key(file)
    file.chmod(0o640)
    with pytest.raises(Broken) as caught:
        secret_key(file)
    assert caught.value.key == "key.open"


def test_a_key_that_was_cut_off_is_none(tmp_path: Path) -> None:
    file = tmp_path / "pseudonyms.key"
    file.touch(mode=0o600)
    with pytest.raises(Broken) as caught:
        secret_key(file)
    assert caught.value.key == "key.damaged"


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Broken) as caught:
        secret_key(tmp_path / "file" / "pseudonyms.key")
    assert caught.value.key == "key.unusable"
