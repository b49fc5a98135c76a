"""What was used longest ago goes first, and nothing that somebody may be reading."""

from pathlib import Path

import pytest

from adapters.s3 import HELD_S, LocalCache


class Hand:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at = 1_000_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def cache(tmp_path: Path, clock: Hand) -> LocalCache:
    return LocalCache(tmp_path / "cache", 3000, clock)


def kept(cache: LocalCache, content: str) -> Path:
    with cache.new(1000) as (file, temporary):
        file.write(b"x" * 1000)
        return cache.keep("a.pdf", file, temporary, content)


def test_the_longest_unused_goes(cache: LocalCache, clock: Hand) -> None:
    for content in ("one", "two", "three"):
        kept(cache, content)
        clock.at += HELD_S + 1
    assert cache.found("one", "a.pdf", None)
    clock.at += HELD_S + 1
    kept(cache, "four")
    assert [bool(cache.found(each, "a.pdf", None)) for each in ("one", "two", "three", "four")] == [
        *(True, False, True, True)
    ]


def test_what_may_be_read_stays(cache: LocalCache, clock: Hand) -> None:
    paths = [kept(cache, str(number)) for number in range(6)]
    assert all(path.exists() for path in paths)
    clock.at += HELD_S + 1
    kept(cache, "new")
    assert sum(path.exists() for path in paths) == 2


def test_leftovers_of_interrupted_writing_go(cache: LocalCache, clock: Hand, tmp_path: Path) -> None:
    kept(cache, "one")
    left = tmp_path / "cache" / ".new-left"
    left.write_bytes(b"x" * 2500)
    cache._use(left)
    clock.at += HELD_S + 1
    kept(cache, "two")
    assert not left.exists()


def test_what_is_not_kept_is_gone(cache: LocalCache, tmp_path: Path) -> None:
    with cache.new(10) as (file, _):
        file.write(b"x")
    assert list((tmp_path / "cache").iterdir()) == []
