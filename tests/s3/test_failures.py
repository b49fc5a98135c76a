"""What goes wrong with object storage is told as what it is, and leaves nothing half done."""

import hashlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from adapters.s3 import Bucket, LocalCache, S3Files, bucket_and_prefix
from core.errors import Broken, FundstelleError, Unavailable
from tests.support.s3_server import S3Server

KEY = "originals/a.pdf"
PDF = b"%PDF-1.7\n" + bytes(range(256)) * 4000

Made = Callable[..., S3Files]


@pytest.fixture
def bucket(s3_server: S3Server) -> Bucket:
    return s3_server.bucket()


@pytest.fixture
async def made(bucket: Bucket, tmp_path: Path) -> AsyncIterator[Made]:
    """Stores of several machines, each with a cache of its own."""
    stores: list[S3Files] = []

    def new(library: str | None = "library", **other: object) -> S3Files:
        cache = LocalCache(tmp_path / f"cache-{len(stores)}", 10_000_000)
        stores.append(S3Files(replace(bucket, **other), cache, library))  # type: ignore[arg-type]
        return stores[-1]

    yield new
    for store in stores:
        await store.close()


@pytest.mark.parametrize(
    ("other", "key", "said"),
    [
        ({"endpoint": "http://127.0.0.1:1"}, "files.unreachable", "check that it runs"),
        ({"name": "files-that-nobody-made"}, "files.no_bucket", "there is no bucket files-that-nobody-made"),
        ({"access_key": "AKIAUNKNOWN"}, "files.denied", "FUNDSTELLE_FILES__ACCESS_KEY"),
        ({"secret_key": "wrong"}, "files.denied", "FUNDSTELLE_FILES__SECRET_KEY"),
        ({"ca_file": "/no/such/file", "endpoint": "https://127.0.0.1:1"}, "files.failed", "ca_file"),
    ],
)
async def test_what_cannot_be_reached_says_what_to_do(
    made: Made, other: dict[str, str], key: str, said: str
) -> None:
    store = made(**other)
    for call in (
        store.check,
        partial(store.open, KEY),
        partial(store.put, KEY, PDF),
        partial(store.delete, KEY),
        partial(store.digest, KEY),
    ):
        with pytest.raises((Broken, Unavailable), match=said) as caught:
            await call()
        assert isinstance(caught.value, FundstelleError)
        assert caught.value.key == key


async def test_keys_that_may_only_read(s3_server: S3Server, made: Made) -> None:
    await made().put(KEY, PDF)
    reader = made(**s3_server.begun["reader"])  # type: ignore[arg-type]
    path = await reader.open(KEY)
    assert path is not None
    for call in (partial(reader.put, KEY, b"other"), partial(reader.delete, KEY)):
        with pytest.raises(Broken) as caught:
            await call()
        assert caught.value.key == "files.denied"
    assert await made().digest(KEY) == hashlib.sha256(PDF).hexdigest()


async def test_a_server_that_is_busy_is_asked_again(s3_server: S3Server, made: Made) -> None:
    store = made()
    await s3_server.do("fault", faults=["busy", "busy"])
    await store.put(KEY, PDF)
    await s3_server.do("fault", faults=["busy"] * 3)
    with pytest.raises(Unavailable) as caught:
        await store.open(KEY)
    assert caught.value.key == "files.unreachable"
    assert await store.digest(KEY) == hashlib.sha256(PDF).hexdigest()


async def test_half_a_file_is_not_taken_for_the_whole(
    s3_server: S3Server, made: Made, tmp_path: Path
) -> None:
    await made().put(KEY, PDF)
    other = made()
    await s3_server.do("fault", faults=["", "truncate"])  # the first request asks what is there
    with pytest.raises(Unavailable) as caught:
        await other.open(KEY)
    assert caught.value.key == "files.unreachable"
    assert [path for path in (tmp_path / "cache-1").rglob("*") if path.is_file()] == []
    path = await other.open(KEY)
    assert path is not None
    assert path.read_bytes() == PDF


async def test_other_bytes_on_the_way_there_are_noticed(s3_server: S3Server, made: Made) -> None:
    """moto repeats the checksum that it is told, and compares nothing."""
    store = made()
    await store.put("originals/b.pdf", b"so that it is known whose files these are")
    await s3_server.do("fault", faults=["garble", "", "garble"])
    with pytest.raises(Unavailable) as caught:
        await store.put(KEY, PDF)
    assert caught.value.key == "files.transfer"
    for each in (store, made()):
        assert await each.open(KEY) is None
    await s3_server.do("fault", faults=["garble"])
    await store.put(KEY, PDF)
    assert await made().digest(KEY) == hashlib.sha256(PDF).hexdigest()


async def test_a_damaged_object_is_none(s3_server: S3Server, bucket: Bucket, made: Made) -> None:
    store = made()
    await store.put(KEY, PDF)
    await s3_server.do("spoil", bucket=bucket.name, key=f"{bucket.prefix}{KEY}")
    assert await made().open(KEY) is None


async def test_a_damaged_copy_is_fetched_again(made: Made) -> None:
    store = made()
    await store.put(KEY, PDF)
    for _ in range(2):
        path = await store.open(KEY)
        assert path is not None
        assert path.read_bytes() == PDF
        path.write_bytes(PDF[:-1])


async def test_another_machine_sees_what_was_replaced_and_deleted(made: Made) -> None:
    one, other = made(), made()
    for content in (b"first", b"second"):
        await one.put(KEY, content)
        path = await other.open(KEY)
        assert path is not None
        assert path.read_bytes() == content
    await other.delete(KEY)
    assert await one.open(KEY) is None


async def test_files_of_two_libraries_do_not_mix(made: Made) -> None:
    await made("one").put(KEY, PDF)
    other = made("other")
    for call in (partial(other.put, KEY, b"x"), partial(other.delete, KEY)):
        with pytest.raises(Broken, match="another prefix") as caught:
            await call()
        assert caught.value.key == "files.other_library"
    elsewhere = made("other", prefix="elsewhere/")
    await elsewhere.put(KEY, b"x")
    assert await made("one").digest(KEY) == hashlib.sha256(PDF).hexdigest()


@pytest.mark.parametrize(
    "url", ["", "bucket", "http://bucket/x", "s3://", "s3:///x", "s3://key@bucket", "s3://b?x=1"]
)
def test_what_is_no_place(url: str) -> None:
    with pytest.raises(Broken, match="s3://BUCKET") as caught:
        bucket_and_prefix(url)
    assert caught.value.key == "files.url"


def test_places() -> None:
    assert bucket_and_prefix("s3://files") == ("files", "")
    assert bucket_and_prefix("s3://files/a/b/") == ("files", "a/b/")
