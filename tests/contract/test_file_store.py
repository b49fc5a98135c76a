"""What every store of files does: a folder, moto's S3, and another one that FUNDSTELLE_TEST_S3_URL names
(s3://bucket/prefix; address and keys as Amazon's tools have them: AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID)."""

import asyncio
import hashlib
import os
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.files.folder import FolderFiles
from adapters.files.originals import StoredOriginals
from adapters.s3 import Bucket, LocalCache, S3Files, bucket_and_prefix
from core.errors import Broken, Refused
from core.ports.storage import FileStore

ANOTHER = os.environ.get("FUNDSTELLE_TEST_S3_URL", "")
KEY = "originals/ein Programm – 2.pdf"
PDF = b"%PDF-1.7\n" + bytes(range(256)) * 9000


@pytest.fixture(
    params=[
        "folder",
        "s3",
        pytest.param("another", marks=pytest.mark.skipif(not ANOTHER, reason="FUNDSTELLE_TEST_S3_URL")),
    ]
)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[FileStore]:
    if request.param == "folder":
        yield FolderFiles(tmp_path / "files")
        return
    if request.param == "another":
        name, prefix = bucket_and_prefix(ANOTHER)
        bucket = Bucket(name=name, prefix=f"{prefix}{uuid.uuid4().hex}/")
    else:
        bucket = request.getfixturevalue("s3_server").bucket()
    files = S3Files(bucket, LocalCache(tmp_path / "cache", 10_000_000), "library")
    yield files
    for key in await keys(files):
        await files.delete(key)
    await files.close()


async def keys(store: FileStore, prefix: str = "") -> list[str]:
    return [found.key async for found in store.listing(prefix) if not found.key.startswith(".")]


async def content(store: FileStore, key: str) -> bytes | None:
    path = await store.open(key)
    return path and await asyncio.to_thread(path.read_bytes)


async def test_what_is_put_is_there(store: FileStore, tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(PDF)
    before = datetime.now(UTC) - timedelta(minutes=5)
    assert await content(store, KEY) is None
    assert await store.digest(KEY) is None
    await store.put(KEY, tmp_path / "source")
    assert await content(store, KEY) == PDF
    assert await store.digest(KEY) == hashlib.sha256(PDF).hexdigest()
    (found,) = [each async for each in store.listing("originals/")]
    assert (found.key, found.size) == (KEY, len(PDF))
    assert before < found.changed_at < datetime.now(UTC) + timedelta(minutes=5)
    (tmp_path / "source").unlink()
    assert await content(store, KEY) == PDF
    await store.check()


async def test_what_is_put_again_replaces(store: FileStore) -> None:
    for said in (b"first", b"", b"the third"):
        await store.put("uploads/1/job.json", said)
        assert await content(store, "uploads/1/job.json") == said
    assert await keys(store, "uploads/1/job.json") == ["uploads/1/job.json"]


async def test_deleting(store: FileStore) -> None:
    await store.put("outgoing/1/a.pdf", b"a")
    await store.put("outgoing/1/b.pdf", b"b")
    for _ in range(2):
        await store.delete("outgoing/1/a.pdf")
    assert await content(store, "outgoing/1/a.pdf") is None
    assert await keys(store) == ["outgoing/1/b.pdf"]
    await store.delete("outgoing/1/b.pdf")
    assert await keys(store) == []


async def test_listing_by_prefix(store: FileStore) -> None:
    names = ["a/2", "a/1/x", "b/1", "ab/1", "a/1/y"]
    await asyncio.gather(*(store.put(name, b"x") for name in names))
    assert await keys(store) == sorted(names)
    assert await keys(store, "a/") == ["a/1/x", "a/1/y", "a/2"]
    assert await keys(store, "a/1/") == ["a/1/x", "a/1/y"]
    assert await keys(store, "c/") == []


async def test_what_is_not_what_it_should_be_is_not_stored(store: FileStore, tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(PDF)
    await store.put(KEY, PDF)
    with pytest.raises(Refused) as caught:
        await store.put(KEY, tmp_path / "source", sha256=hashlib.sha256(b"other").hexdigest())
    assert caught.value.key == "file.unreadable"
    with pytest.raises(Refused) as caught:
        await store.put("originals/other", tmp_path / "missing")
    assert caught.value.key == "file.missing"
    assert await keys(store) == [KEY]
    assert await content(store, KEY) == PDF


@pytest.mark.parametrize("key", ["../secret", "/etc/passwd", "a/../../b", "", "a//b", "./a"])
async def test_keys_stay_in_the_store(store: FileStore, key: str) -> None:
    for call in (store.open(key), store.put(key, b"x"), store.delete(key), store.digest(key)):
        with pytest.raises(Refused):
            await call
    assert await keys(store) == []


async def test_readers_see_one_of_two_whole_files(store: FileStore) -> None:
    """While it is replaced over and over again."""
    versions = [bytes([letter]) * 300_000 for letter in b"ab"]
    await store.put(KEY, versions[0])

    async def replacing() -> None:
        for number in range(6):
            await store.put(KEY, versions[number % 2])

    writing = asyncio.create_task(replacing())
    while not writing.done():
        assert await store.digest(KEY) in {hashlib.sha256(each).hexdigest() for each in versions}
        assert await content(store, KEY) in versions
    await writing


async def test_originals(store: FileStore, tmp_path: Path) -> None:
    originals = StoredOriginals(store)
    (tmp_path / "scan.pdf").write_bytes(PDF)
    stored = await originals.keep(tmp_path / "scan.pdf")
    assert await originals.is_whole(stored.original)
    for path in (await originals.whole(stored.original), await originals.pages(stored.original)):
        assert path is not None
        assert path.read_bytes() == PDF
    made = await originals.keep_pages(stored.original, PDF + b"layers")
    assert await originals.pages(stored.original) == made
    assert len([each async for each in originals.listing()]) == 3
    await store.put(f"originals/{stored.original}", PDF + b"damaged")
    assert not await originals.is_whole(stored.original)
    assert await originals.whole(stored.original) is None
    await originals.drop(stored.original)
    assert await originals.pages(stored.original) is None
    assert await keys(store) == []


async def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path) -> None:
    store = FolderFiles(tmp_path / "files")
    await store.check()  # nothing has been put yet
    (tmp_path / "files").write_bytes(b"in its place")
    with pytest.raises(Broken):
        await store.check()
