"""A backup is there as a whole or not at all, and every byte of it is held against its manifest."""

import asyncio
import os
import random
import sqlite3
import time
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.files.backup_archive import MANIFEST, ZipBackups
from core.domain.backups import FORMAT, BackupManifest, DatabaseCopy
from core.errors import Broken, Refused

CONTENT = {
    "originals/a.pdf": b"%PDF-1.7 a",
    "keys/k.key": b"k" * 32,
    "matrix/@bot:example.org.db": b"keys of rooms" * 9,
}


def manifest(**changed: Any) -> BackupManifest:
    made = BackupManifest(
        format=FORMAT,
        product="1.2.3",
        made_at=datetime(2026, 5, 4, tzinfo=UTC),
        database=DatabaseCopy(
            library="a" * 32, revision="0011", store="sqlite", rows={"pages": 3}, originals=("a.pdf",)
        ),
        points={"public": 7},
        without_originals=False,
        missing=(),
        secrets=("telegram.token",),
        entries=(),
    )
    return replace(made, **changed)


async def made(folder: Path, stated: BackupManifest | None = None) -> Path:
    file = folder / "backups" / "a.zip"
    async with ZipBackups(folder).new(file) as writer:
        for name, content in CONTENT.items():
            await writer.add_bytes(name, content)
        await writer.finish(stated or manifest())
    return file


async def problems(file: Path) -> list[str]:
    async with ZipBackups(file.parent).open(file) as reader:
        return await reader.problems()


async def test_what_was_put_in_comes_out(tmp_path: Path) -> None:
    file = await made(tmp_path)
    assert file.stat().st_mode & 0o077 == 0
    assert [path.name for path in file.parent.iterdir()] == ["a.zip"]
    async with ZipBackups(tmp_path).open(file) as reader:
        assert replace(reader.manifest, entries=()) == manifest()
        assert {entry.name: entry.size for entry in reader.manifest.entries} == {
            name: len(content) for name, content in CONTENT.items()
        }
        assert await reader.problems() == []
        for name, content in CONTENT.items():
            await reader.extract(name, tmp_path / "out" / name)
            assert (tmp_path / "out" / name).read_bytes() == content == await reader.content(name)
            assert (tmp_path / "out" / name).stat().st_mode & 0o077 == 0


async def test_a_database_in_use_is_copied_with_its_log(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE t (n)")
    database.execute("INSERT INTO t VALUES (42)")  # stands in the log
    async with ZipBackups(tmp_path).new(tmp_path / "a.zip") as writer:
        assert await writer.add("matrix/store.db", tmp_path / "store.db")
        assert not await writer.add("matrix/none.db", tmp_path / "none.db")
        await writer.finish(manifest())
    database.close()
    async with ZipBackups(tmp_path).open(tmp_path / "a.zip") as reader:
        await reader.extract("matrix/store.db", tmp_path / "restored.db")
    restored = sqlite3.connect(tmp_path / "restored.db")
    assert restored.execute("SELECT n FROM t").fetchall() == [(42,)]
    restored.close()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


async def begun(file: Path, error: type[BaseException] | None) -> None:
    async with ZipBackups(file.parent).new(file) as writer:
        await writer.add_bytes("keys/k.key", b"k")
        if error:
            raise error


class _Stopped(Exception):
    """Something went wrong on the way."""


@pytest.mark.parametrize("error", [_Stopped, asyncio.CancelledError])
async def test_what_was_not_finished_is_not_there(tmp_path: Path, error: type[BaseException]) -> None:
    with pytest.raises(error):
        await begun(tmp_path / "a.zip", error)
    with pytest.raises(Broken, match="not brought to its end"):
        await begun(tmp_path / "a.zip", None)
    assert names(tmp_path) == set()


async def test_nothing_is_overwritten(tmp_path: Path) -> None:
    file = await made(tmp_path)
    before = file.read_bytes()
    with pytest.raises(Refused, match="already"):
        await made(tmp_path)
    assert file.read_bytes() == before


async def test_any_changed_byte_and_any_missing_one_is_noticed(tmp_path: Path) -> None:
    file = await made(tmp_path)
    whole, chance = file.read_bytes(), random.Random(5)
    with zipfile.ZipFile(file) as archive:
        headers = {info.header_offset + 30 + len(info.filename.encode()) for info in archive.infolist()}
        spans = [
            range(start + 20, start + 18 + info.compress_size)  # the last bits are padding
            for info, start in zip(archive.infolist(), sorted(headers), strict=True)
        ]
    for _ in range(40):
        place = chance.choice(chance.choice(spans))
        damaged = bytearray(whole)
        damaged[place] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged)
        assert await told(file)
        file.write_bytes(whole[: chance.randrange(len(whole))])
        assert await told(file)
    file.write_bytes(whole)
    assert not await told(file)


async def told(file: Path) -> bool:
    """Whether it is said that something is wrong."""
    try:
        return bool(await problems(file))
    except Refused as error:
        return error.key == "backup.damaged"


@pytest.mark.parametrize("name", ["../out.pdf", "/etc/passwd", "a/../../b", "a\\b", ""])
async def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    async with ZipBackups(tmp_path).new(tmp_path / "a.zip") as writer:
        await writer.add_bytes(name or "x", b"x")
        if not name:
            writer._entries[""] = replace(writer._entries.pop("x"), name="")
        await writer.finish(manifest())
    with pytest.raises(Refused, match="is no name"):
        await problems(tmp_path / "a.zip")


async def test_other_files_in_it_and_other_formats_are_named(tmp_path: Path) -> None:
    file = await made(tmp_path)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("models/evil.onnx", b"x")
    assert await problems(file) == ["models/evil.onnx is not in the manifest"]
    newer = await made(tmp_path / "newer", manifest(format=FORMAT + 1))
    with pytest.raises(Refused, match="update the product") as caught:
        await problems(newer)
    assert caught.value.key == "backup.newer"


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + b"\0" * 18])
async def test_what_is_no_backup(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(Refused, match="is no backup"):
        await problems(tmp_path / "a.zip")
    with pytest.raises(Refused, match="there is no file"):
        await problems(tmp_path / "b.zip")


async def test_a_manifest_that_cannot_be_read(tmp_path: Path) -> None:
    for text in ("[]", "{}", '{"format": 1}', "\xff"):
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            archive.writestr(MANIFEST, text)
        with pytest.raises(Refused):
            await problems(tmp_path / "a.zip")


async def test_what_a_killed_one_has_left_is_swept_up_after_a_day(tmp_path: Path) -> None:
    for name, age_s in (("old", 90_000), ("young", 10)):
        (tmp_path / f".backup-{name}").mkdir()
        os.utime(tmp_path / f".backup-{name}", (time.time() - age_s,) * 2)
        (tmp_path / f".backup-{name}.part").write_bytes(b"half")
        os.utime(tmp_path / f".backup-{name}.part", (time.time() - age_s,) * 2)
    async with ZipBackups(tmp_path).work() as work, ZipBackups(tmp_path).new(tmp_path / "a.zip") as writer:
        assert work.parent == tmp_path
        await writer.finish(manifest())
    assert names(tmp_path) == {"a.zip", ".backup-young", ".backup-young.part"}
