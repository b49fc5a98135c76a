"""The embedded index on disk: reopening, kills, owners, damage, optimising beside searches."""

import asyncio
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from adapters.qdrant.edge import EdgeIndex
from adapters.qdrant.folders import were_set_aside
from adapters.qdrant.trial import fault
from core.domain.ids import LibraryId, PassageId
from core.domain.search import Space, Within
from core.errors import Broken
from tests.support.index_points import LIBRARY, PRIMARY, SECONDARY, points, question, version

A, B, C = version("a"), version("b"), version("c")
OTHER = LibraryId("b" * 32)


def opened(root: Path) -> EdgeIndex:
    return EdgeIndex(root, library=LIBRARY, primary=PRIMARY, secondary=SECONDARY)


@contextmanager
def owner_process(root: Path, mode: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.edge_owner", str(root), mode],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def next_word(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


async def test_building_one_touches_nothing(tmp_path: Path) -> None:
    index = opened(tmp_path / "index")
    await index.close()
    assert not (tmp_path / "index").exists()


async def test_reopening_finds_everything(tmp_path: Path) -> None:
    first = opened(tmp_path)
    await first.upsert("öffentlich", points(40, of=A))
    await first.upsert("other", points(3, of=B))
    before = await first.candidates("öffentlich", [question(1)], Within(versions=(A,)), limit=5)
    await first.close()
    second = opened(tmp_path)
    assert await second.candidates("öffentlich", [question(1)], Within(versions=(A,)), limit=5) == before
    assert await second.counts("other") == {B: 3}
    await second.close()


async def test_nothing_acknowledged_is_lost_by_a_kill(tmp_path: Path) -> None:
    with owner_process(tmp_path, "write") as process:
        acknowledged = [next_word(process) for _ in range(4)]
        process.kill()
    index = opened(tmp_path)
    for number in acknowledged:
        assert await index.count("public", version(f"v{number}")) == 10
    found = await index.candidates("public", [question(1)], Within(versions=(version("v0"),)), limit=10)
    assert len(found[0]) == 10
    await index.upsert("public", points(5, of=A))
    assert await index.count("public", A) == 5
    await index.close()


async def test_a_second_process_is_told_who_has_the_index(tmp_path: Path) -> None:
    with owner_process(tmp_path, "hold") as process:
        assert next_word(process) == "open"
        index = opened(tmp_path)
        with pytest.raises(Broken) as caught:
            await index.count("public")
        assert caught.value.key == "index.in_use"
        assert caught.value.values["pid"] == process.pid
        assert "tests.support.edge_owner" in caught.value.detail
        process.kill()
        process.wait()
        assert await index.count("public") == 0
        await index.close()


async def test_an_orderly_end_frees_the_index(tmp_path: Path) -> None:
    with owner_process(tmp_path, "hold") as process:
        assert next_word(process) == "open"
        process.communicate("")
        assert process.returncode == 0
        index = opened(tmp_path)
        await index.open()
        await index.close()


async def test_opening_twice_in_one_process(tmp_path: Path) -> None:
    first, second = opened(tmp_path), opened(tmp_path)
    await first.open()
    with pytest.raises(Broken, match="opened it twice"):
        await second.open()
    await second.close()
    assert await first.count("public") == 0
    await first.close()


async def test_an_unreadable_note_still_gives_a_clear_error(tmp_path: Path) -> None:
    first, second = opened(tmp_path), opened(tmp_path)
    await first.open()
    (tmp_path / "owner.json").write_text("{")
    with pytest.raises(Broken, match="in use by another process"):
        await second.open()
    await second.close()
    await first.close()


async def test_closed_means_closed(tmp_path: Path) -> None:
    index = opened(tmp_path)
    await index.upsert("public", points(3, of=A))
    await index.close()
    await index.close()
    with pytest.raises(Broken) as caught:
        await index.count("public")
    assert caught.value.key == "index.closed"


async def test_searches_go_on_while_optimising_and_writes_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = opened(tmp_path)
    await index.upsert("public", points(50, of=A))
    go = held_back_children(tmp_path, monkeypatch)
    optimising = asyncio.create_task(index.optimise("public"))
    writing = asyncio.create_task(index.upsert("public", points(10, of=B)))
    for number in range(3):
        found = await index.candidates("public", [question(number)], Within(versions=(A,)), limit=50)
        assert len(found[0]) == 50
    assert not optimising.done()
    assert not writing.done()
    go.write_text("")
    await asyncio.gather(optimising, writing)
    assert await index.count("public") == 60
    await index.close()
    again = opened(tmp_path)
    assert await again.count("public") == 60
    await again.close()


def held_back_children(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Child processes wait until the file returned is written."""
    go, script = folder / "go", folder / "python"
    script.write_text(f'#!/bin/sh\nwhile [ ! -e {go} ]; do sleep 0.05; done\nexec {sys.executable} "$@"\n')
    script.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(script))
    return go


async def test_optimising_forgets_the_terms_of_removed_versions(tmp_path: Path) -> None:
    index = opened(tmp_path)
    await index.upsert("public", [*points(30, of=A), *points(30, of=B)])
    await index.remove_version("public", B)
    await index.optimise("public")
    fresh = opened(tmp_path / "fresh")
    await fresh.upsert("public", points(30, of=A))
    for number in range(3):
        got = await index.candidates("public", [question(number)], Within(versions=(A,)), limit=30)
        want = await fresh.candidates("public", [question(number)], Within(versions=(A,)), limit=30)
        scores = {candidate.passage: candidate.scores[Space.LEXICAL] for candidate in got[0]}
        for candidate in want[0]:
            assert scores[candidate.passage] == pytest.approx(candidate.scores[Space.LEXICAL], abs=1e-5)
    await index.close()
    await fresh.close()


async def test_closing_ends_an_optimisation_without_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = opened(tmp_path)
    await index.upsert("public", points(50, of=A))
    held_back_children(tmp_path, monkeypatch)
    optimising = asyncio.create_task(index.optimise("public"))
    while index._optimisation is None:
        await index.count("public")
    await index.close()
    with pytest.raises(Broken) as caught:
        await optimising
    assert caught.value.key == "index.optimise"
    again = opened(tmp_path)
    assert await again.count("public") == 50
    assert len(generations(tmp_path)) == 1
    await again.close()


async def test_what_an_interrupted_optimisation_left_is_swept(tmp_path: Path) -> None:
    index = opened(tmp_path)
    await index.upsert("public", points(5, of=A))
    await index.close()
    left_over = generations(tmp_path)[0].with_name("0" * 32)
    left_over.mkdir()
    (left_over / "half").write_text("half a copy")
    again = opened(tmp_path)
    assert await again.count("public") == 5
    assert not left_over.exists()
    await again.close()


def generations(root: Path) -> list[Path]:
    return [path for path in root.glob(f"{LIBRARY}/public-*/*") if path.is_dir()]


async def test_a_failed_optimisation_leaves_the_index_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = opened(tmp_path)
    await index.upsert("public", points(5, of=A))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(Broken) as caught:
        await index.optimise("public")
    assert caught.value.key == "index.optimise"
    assert len(generations(tmp_path)) == 1
    assert await index.count("public") == 5
    await index.close()


def write_garbage_over_segments(root: Path) -> None:
    states = list(root.rglob("segment.json"))
    assert states
    for state in states:
        state.write_text("garbage")


def cut_vectors(root: Path) -> None:
    files = [path for path in root.rglob("*.mmap") if path.stat().st_size]
    assert files
    for path in files:
        os.truncate(path, path.stat().st_size // 3)


def write_noise_over_vectors(root: Path) -> None:
    noise = random.Random(1).randbytes(100_000)
    for path in root.rglob("vector_storage-*/vectors/chunk_0.mmap"):
        with path.open("r+b") as file:
            file.write(noise)


def wipe_vectors(root: Path) -> None:
    for path in root.rglob("vector_storage-*/vectors/chunk_0.mmap"):
        with path.open("r+b") as file:
            file.write(bytes(100_000))


def write_noise_over_everything(root: Path) -> None:
    for path in root.rglob("segments/**/*"):
        if path.is_file():
            path.write_bytes(random.Random(path.name).randbytes(5_000))


def claim_another_version(root: Path) -> None:
    for path in root.rglob("version.info"):
        path.write_text("99.0.0")


def lose_the_shard(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)


def lose_the_name(root: Path) -> None:
    for path in root.rglob("CURRENT"):
        path.write_bytes(b"\xff\x00../..")


DAMAGES = [
    write_garbage_over_segments,
    cut_vectors,
    write_noise_over_vectors,
    wipe_vectors,
    write_noise_over_everything,
    claim_another_version,
    lose_the_shard,
    lose_the_name,
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
async def test_what_is_damaged_is_set_aside_and_begins_anew(
    tmp_path: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    root = tmp_path / "index"
    index = opened(root)
    await index.upsert("public", points(50, of=A))
    await index.upsert("other", points(3, of=B))
    await index.close()
    public = generations(root)[0].parent
    damage(public)
    again = opened(root)
    assert await again.counts("public") == {}
    (aside,) = were_set_aside(root)
    assert (aside / LIBRARY / public.name).is_dir()
    assert str(aside) in caplog.text
    await again.upsert("public", points(5, of=A))
    assert await again.counts("public") == {A: 5}
    await again.close()
    third = opened(root)
    assert await third.counts("public") == {A: 5}
    await third.close()


async def test_a_lost_name_sets_the_shards_aside(tmp_path: Path) -> None:
    root = tmp_path / "index"
    index = opened(root)
    await index.upsert("public", points(5, of=A))
    await index.close()
    for path in root.rglob("CURRENT"):
        path.unlink()
    again = opened(root)
    await again.upsert("public", points(2, of=B))
    assert await again.counts("public") == {B: 2}
    assert were_set_aside(root)
    await again.close()


async def test_a_folder_deleted_in_use_is_an_empty_index(tmp_path: Path) -> None:
    root = tmp_path / "index"
    index = opened(root)
    await index.upsert("public", points(5, of=A))
    await index.upsert("other", points(5, of=A))
    shutil.rmtree(root)
    assert await index.counts("public") == {}
    assert await index.candidates("public", [question(1)], Within(versions=(A,)), limit=3) == [[]]
    await index.upsert("public", points(3, of=B))
    assert await index.counts("public") == {B: 3}
    second = opened(root)
    with pytest.raises(Broken) as caught:
        await second.count("public")
    assert caught.value.key == "index.in_use"
    await index.close()
    assert await second.counts("public") == {B: 3}
    assert await second.counts("other") == {}
    await second.close()


async def test_what_was_closed_and_not_touched_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = opened(tmp_path)
    await index.upsert("public", points(5, of=A))
    await index.close()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    again = opened(tmp_path)
    assert await again.counts("public") == {A: 5}
    await again.close()


@pytest.mark.parametrize("number", [5, 12, 13, 28])
def test_faults_of_the_machine_are_not_the_indexes(tmp_path: Path, number: int) -> None:
    assert fault(tmp_path, f"Service error: something (os error {number})").key == "index.storage"
    assert fault(tmp_path, "Service error: something").key == "index.damaged"


def test_a_full_disk_is_not_the_indexes_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))
    assert fault(tmp_path, "a process that opened it ended with -7").key == "index.storage"


async def test_libraries_in_one_folder_never_meet(tmp_path: Path) -> None:
    mine, other = opened(tmp_path), EdgeIndex(tmp_path, library=OTHER, primary=PRIMARY, secondary=SECONDARY)
    await mine.upsert("public", points(5, of=A))
    with pytest.raises(Broken) as caught:
        await other.counts("public")
    assert caught.value.key == "index.in_use"
    await mine.close()
    assert await other.counts("public") == {}
    await other.upsert("public", points(3, of=B))
    await other.remove_version("public", A)
    await other.close()
    again = opened(tmp_path)
    assert await again.counts("public") == {A: 5}
    await again.close()


async def without_owner(root: Path) -> Path:
    """An index from before indexes belonged to libraries."""
    index = opened(root)
    await index.upsert("public", points(5, of=A))
    await index.close()
    folder = generations(root)[0].parent
    return folder.rename(root / folder.name)


async def test_an_index_without_an_owner_goes_to_the_library_whose_it_is(tmp_path: Path) -> None:
    await without_owner(tmp_path)
    stranger = EdgeIndex(tmp_path, library=OTHER, primary=PRIMARY, secondary=SECONDARY)
    assert stranger.has_unowned("public")
    assert not await stranger.adopt("public", {B})
    await stranger.close()
    index = opened(tmp_path)
    assert await index.adopt("public", {A, C})
    assert await index.counts("public") == {A: 5}
    assert not index.has_unowned("public")
    assert not await index.adopt("public", {A})
    await index.close()


async def test_other_dimensions_than_the_stored_ones_are_set_aside(tmp_path: Path) -> None:
    root = tmp_path / "index"
    index = opened(root)
    await index.upsert("public", points(5, of=A))
    await index.close()
    other = EdgeIndex(root, library=LIBRARY, primary=PRIMARY + 1, secondary=SECONDARY)
    assert await other.count("public") == 0
    assert were_set_aside(root)
    await other.close()


async def test_a_root_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    index = opened(tmp_path / "file" / "index")
    with pytest.raises(Broken) as caught:
        await index.count("public")
    assert caught.value.key == "index.storage"
    await index.close()


async def test_errors_of_the_engine_are_translated(tmp_path: Path) -> None:
    index = opened(tmp_path)
    await index.upsert("public", points(5, of=A))
    index._shards["public"].engine.close()  # what the engine itself would raise after a failure of its own
    with pytest.raises(Broken) as caught:
        await index.count("public")
    assert caught.value.key == "index.failed"
    index._shards.clear()
    await index.close()


async def test_point_ids_must_be_uuids(tmp_path: Path) -> None:
    index = opened(tmp_path)
    with pytest.raises(Broken) as caught:
        await index.upsert("public", [replace(points(1, of=A)[0], passage=PassageId("p1"))])
    assert caught.value.key == "index.failed"
    await index.close()
