"""Files as objects of a bucket, reached by botocore.

An object carries the SHA-256 of its bytes as metadata. A server that knows such checksums refuses an upload
that differs; since not every one does, and some repeat what they were told, what was put is read back.
Whoever reads compares it as well. An object is there whole or not at all, so nobody reads half of one.
"""

import asyncio
import base64
import hashlib
import io
import logging
import os
import shutil
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, TypeVar
from urllib.parse import urlsplit

import botocore.session
from botocore import exceptions
from botocore.config import Config

from adapters.disk import CHUNK, ROOM, copy, digest_of, disk_errors, make_folder, require, size_of
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.ports.storage import ListedFile

# Copies of stored files on this machine, which readers open: what was used longest ago goes first.


HELD_S = 3600.0
"""Seconds in which a file stays after its path was handed out, whatever the limit: somebody may read it."""

_NEW = ".new-"


class LocalCache:
    """Keeps at most `max_bytes` in `folder`, which several processes of a machine may share, and what was
    handed out in the last hour. `now`: seconds since the epoch."""

    def __init__(self, folder: Path, max_bytes: int, now: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._now = now

    def found(self, content: str, name: str, sha256: str | None) -> Path | None:
        """The copy of the file `name` whose bytes `content` identifies, compared with `sha256`; None if it is
        not here, or damaged."""
        path = self._place(content, name)
        if not path.is_file():
            return None
        if sha256 is not None and digest_of(path) != sha256:
            path.unlink(missing_ok=True)
            return None
        self._use(path)
        return path

    @contextmanager
    def new(self, size: int) -> Iterator[tuple[BinaryIO, Path]]:
        """A file of `size` bytes to write, deleted unless it is kept. Raises Broken if there is no room."""
        require(self._folder, ROOM + size)
        with disk_errors(self._folder):
            make_folder(self._folder)
            handle, name = tempfile.mkstemp(dir=self._folder, prefix=_NEW)
        try:
            with os.fdopen(handle, "w+b") as file:
                yield file, Path(name)
        finally:
            Path(name).unlink(missing_ok=True)

    def keep(self, name: str, file: BinaryIO, temporary: Path, content: str) -> Path:
        """Take a written file over; its path from now on."""
        place = self._place(content, name)
        with disk_errors(self._folder):
            file.flush()
            make_folder(place.parent)
            try:
                temporary.replace(place)
            except FileNotFoundError:  # another process has just made room
                make_folder(place.parent)
                temporary.replace(place)
        self._use(place)
        self._make_room()
        return place

    def _place(self, content: str, name: str) -> Path:
        return self._folder / content[:2] / content / name

    def _use(self, path: Path) -> None:
        with suppress(FileNotFoundError):
            os.utime(path, (self._now(), self._now()))

    def _make_room(self) -> None:
        """What interrupted writing has left goes like everything else that was not used for long."""
        files = []
        for path in self._folder.rglob("*"):
            with suppress(FileNotFoundError):
                if path.is_file():
                    files.append((path.stat().st_mtime, path.stat().st_size, path))
        total = sum(size for _, size, _ in files)
        for used, size, path in sorted(files):
            if total <= self._max_bytes or self._now() - used < HELD_S:
                break
            if path.parent == self._folder:
                path.unlink(missing_ok=True)
            else:
                shutil.rmtree(path.parent, ignore_errors=True)
            total -= size


AT_ONCE = 16
"""Requests at a time."""

TRIES = 3
OWNER = ".library-id"
"""Object that says which library the files below a prefix are of."""

SHA256 = "sha256"
"""Name of the metadata with the checksum."""

_ABSENT = frozenset({"404", "NoSuchKey", "NotFound"})
_LATER = frozenset({"SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable", "Throttling"})
_TRANSFER = frozenset({"BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch", "IncompleteBody"})

_NO_ANSWER = (exceptions.ConnectionError, exceptions.HTTPClientError, exceptions.IncompleteReadError)

_LOG = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """Where the objects are and how they are reached. `endpoint` is empty for Amazon's own; empty keys are
    looked for where Amazon's tools do (AWS_ACCESS_KEY_ID, ~/.aws, the machine's role). `ca_file` holds the
    authorities to trust instead of the machine's."""

    name: str
    prefix: str
    endpoint: str = ""
    region: str = ""
    access_key: str = ""
    secret_key: str = ""
    ca_file: str = ""
    timeout_s: float = 30.0

    @property
    def url(self) -> str:
        """The address, as it is stated in the settings."""
        return f"s3://{self.name}/{self.prefix}".rstrip("/")


def bucket_and_prefix(url: str) -> tuple[str, str]:
    """Bucket and prefix ("" or with a slash at its end) of "s3://bucket/prefix". Raises
    Broken("files.url")."""
    parts = urlsplit(url)
    if parts.scheme != "s3" or not parts.netloc or parts.query or parts.fragment or "@" in parts.netloc:
        raise Broken("files.url", f"{url!r} is no place for files; write s3://BUCKET or s3://BUCKET/PREFIX")
    inner = parts.path.strip("/")
    return parts.netloc, f"{inner}/" if inner else ""


class S3Files:
    """Implements `core.ports.storage.FileStore`. `library`: whose files these are; another's are neither
    replaced nor deleted (None: whoever's). `caching`: what is put is read on this machine soon."""

    def __init__(
        self, bucket: Bucket, cache: LocalCache, library: str | None = None, *, caching: bool = True
    ) -> None:
        self._bucket = bucket
        self._cache = cache
        self._caching = caching
        self._library = library
        self._pool = ThreadPoolExecutor(AT_ONCE, "files")
        self._lock = threading.Lock()
        self._is_there = self._is_ours = False

    @property
    def place(self) -> str:
        return self._bucket.url

    async def open(self, key: str) -> Path | None:
        return await self._call(self._open, key)

    @asynccontextmanager
    async def borrowed(self, key: str) -> AsyncIterator[Path | None]:
        path = await self._call(self._lent, key)
        try:
            yield path
        finally:
            if path is not None:
                await asyncio.to_thread(path.unlink, missing_ok=True)

    async def put(self, key: str, source: Path | bytes, *, sha256: str | None = None) -> None:
        await self._call(self._put, key, source, sha256)

    async def delete(self, key: str) -> None:
        await self._call(self._delete, key)

    async def listing(self, prefix: str) -> AsyncIterator[ListedFile]:
        token: str | None = ""
        while token is not None:
            page = await self._call(self._page, prefix, token)
            for found in page.get("Contents", ()):
                key = found["Key"].removeprefix(self._bucket.prefix)
                yield ListedFile(key=key, size=found["Size"], changed_at=found["LastModified"])
            token = page.get("NextContinuationToken")

    async def digest(self, key: str) -> str | None:
        return await self._call(self._digest, key)

    async def check(self) -> None:
        await self._call(self._page, "", "", 1)

    async def stated(self, key: str) -> str | None:
        """The checksum that `key` was put with; None if it is not there, or has none."""
        head = await self._call(self._ask, "head_object", key)
        return None if head is None else head["Metadata"].get(SHA256)

    async def claim(self) -> None:
        """Make sure that the files here are the library's, or will be."""
        await self._call(self._claim)

    async def close(self) -> None:
        """Wait for the requests under way, then end the connections."""
        await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)
        if "_client" in vars(self):
            self._client.close()

    async def _call(self, call: Callable[..., _T], *arguments: Any) -> _T:
        return await asyncio.get_running_loop().run_in_executor(
            self._pool, partial(self._translating, call, *arguments)
        )

    def _translating(self, call: Callable[..., _T], *arguments: Any) -> _T:
        with self._errors():
            return call(*arguments)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (exceptions.ClientError, exceptions.BotoCoreError) as error:
            raise translated(error, self._bucket) from error

    @cached_property
    def _client(self) -> Any:
        bucket = self._bucket
        if bucket.ca_file and not Path(bucket.ca_file).is_file():
            detail = f"there is no file {bucket.ca_file}: correct [files] ca_file"
            raise Broken("files.failed", detail)
        config = Config(
            connect_timeout=min(bucket.timeout_s, 10.0),
            read_timeout=bucket.timeout_s,
            retries={"mode": "standard", "total_max_attempts": TRIES},
            max_pool_connections=AT_ONCE,
            request_checksum_calculation="when_required",  # not every server knows the newer ones
            response_checksum_validation="when_required",
            s3={"addressing_style": "path" if bucket.endpoint else "auto"},
        )
        return botocore.session.get_session().create_client(
            "s3",
            endpoint_url=bucket.endpoint or None,
            region_name=bucket.region or None,
            aws_access_key_id=bucket.access_key or None,
            aws_secret_access_key=bucket.secret_key or None,
            verify=bucket.ca_file or None,
            config=config,
        )

    def _ask(self, operation: str, key: str, **parameters: Any) -> Any:
        """The answer to a request about one object; None if there is no such object."""
        with self._lock:  # the first one makes the client
            call = getattr(self._client, operation)
        try:
            return call(Bucket=self._bucket.name, Key=self._object(key), **parameters)
        except exceptions.ClientError as error:
            if _code(error) not in _ABSENT:
                raise
            if not self._is_there:  # a bucket that is not there answers the same
                self._page("", "", 1)
            return None

    def _object(self, key: str) -> str:
        path = PurePosixPath(key)
        if not path.parts or path.is_absolute() or ".." in path.parts or str(path) != key:
            raise Refused("file.missing", f"{key!r} is no name of a kept file")
        return self._bucket.prefix + key

    def _open(self, key: str) -> Path | None:
        head = self._ask("head_object", key)
        if head is None:
            return None
        name, sha256 = PurePosixPath(key).name, head["Metadata"].get(SHA256)
        found = self._cache.found(_identity(head), name, sha256)
        return found or self._fetched(key, partial(self._cache.keep, name))

    def _lent(self, key: str) -> Path | None:
        return self._fetched(key, lambda _, temporary, __: temporary.rename(f"{temporary}.lent"))

    def _fetched(self, key: str, taken: Callable[[BinaryIO, Path, str], Path]) -> Path | None:
        for _ in range(2):  # once again where the transfer may be at fault
            found = self._ask("get_object", key)
            if found is None:
                return None
            digest, stated = hashlib.sha256(), found["Metadata"].get(SHA256)
            with self._cache.new(found["ContentLength"]) as (file, temporary):
                for chunk in _body(found):
                    digest.update(chunk)
                    file.write(chunk)
                if stated in (None, digest.hexdigest()):
                    file.flush()
                    return taken(file, temporary, _identity(found))
        _LOG.error("a stored file is damaged: its bytes are not those that were put there")
        return None

    def _put(self, key: str, source: Path | bytes, sha256: str | None) -> None:
        """The bytes that are hashed are those that are sent, whatever becomes of `source` meanwhile."""
        self._claim()
        with self._cache.new(size_of(source)) as (file, temporary):
            digest = copy(source, file, temporary.parent, sha256=sha256)
            self._send(key, file, digest)
            if self._caching:
                self._cache.keep(PurePosixPath(key).name, file, temporary, digest)

    def _send(self, key: str, body: BinaryIO, digest: str, **conditions: str) -> None:
        for _ in range(2):
            body.seek(0)
            self._client.put_object(
                Bucket=self._bucket.name,
                Key=self._object(key),
                Body=body,
                ChecksumSHA256=base64.b64encode(bytes.fromhex(digest)).decode(),
                Metadata={SHA256: digest},
                **conditions,
            )
            if self._digest(key) == digest:
                return
        raise Unavailable("files.transfer", f"{key} did not arrive whole at {self.place}; try again")

    def _delete(self, key: str) -> None:
        self._claim()
        self._client.delete_object(Bucket=self._bucket.name, Key=self._object(key))

    def _digest(self, key: str) -> str | None:
        found, digest = self._ask("get_object", key), hashlib.sha256()
        if found is None:
            return None
        for chunk in _body(found):
            digest.update(chunk)
        return digest.hexdigest()

    def _page(self, prefix: str, token: str, limit: int = 1000) -> Any:
        with self._lock:
            client = self._client
        further = {"ContinuationToken": token} if token else {}
        page = client.list_objects_v2(
            Bucket=self._bucket.name, Prefix=self._bucket.prefix + prefix, MaxKeys=limit, **further
        )
        self._is_there = True
        return page

    def _claim(self) -> None:
        """Make sure, once, that the files here are this library's: what one of two removed the other would
        miss. Raises Broken("files.other_library")."""
        if self._is_ours or self._library is None:
            return
        owner = self._owner()
        if owner is None:
            content = self._library.encode()
            try:
                self._send(OWNER, io.BytesIO(content), hashlib.sha256(content).hexdigest(), IfNoneMatch="*")
            except exceptions.ClientError as error:
                if _code(error) not in ("PreconditionFailed", "ConditionalRequestConflict"):
                    raise
            owner = self._owner()
        if owner != self._library:
            detail = (
                f"{self.place} holds the files of another library: what one of them removes the other would"
                " miss. State another prefix under [files] url, or the database of that library"
            )
            raise Broken("files.other_library", detail)
        self._is_ours = True

    def _owner(self) -> str | None:
        found = self._ask("get_object", OWNER)
        return None if found is None else b"".join(_body(found)).decode(errors="replace")


def _identity(found: Any) -> str:
    """What tells these bytes from others in the cache."""
    stated = found["Metadata"].get(SHA256)
    return stated or hashlib.sha256(str(found["ETag"]).encode()).hexdigest()


def _body(found: Any) -> Iterator[bytes]:
    """The bytes of an object; one that ends early raises."""
    with closing(found["Body"]) as body:  # entering it would give the bare stream, which checks no length
        while chunk := body.read(CHUNK):
            yield chunk


def _code(error: exceptions.ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))


def translated(error: Exception, bucket: Bucket) -> FundstelleError:
    """Our error for one of botocore's."""
    where = f"{bucket.url} ({bucket.endpoint or 'Amazon S3'})"
    if isinstance(error, exceptions.ClientError):
        return _answered(_code(error), error, bucket, where)
    if isinstance(error, exceptions.NoCredentialsError | exceptions.PartialCredentialsError):
        return _denied(where, "no keys are stated")
    if isinstance(error, exceptions.SSLError):
        detail = f"the certificate of {where} is not trusted: name its authority under [files] ca_file"
        return Broken("files.failed", f"{detail} ({error})")
    if isinstance(error, _NO_ANSWER):
        detail = f"{where} does not answer: check that it runs, and [files] endpoint and region ({error})"
        return Unavailable("files.unreachable", detail, retry_after_s=5.0)
    return Broken("files.failed", f"{where} cannot be used; check [files] endpoint and region ({error})")


def _answered(code: str, error: exceptions.ClientError, bucket: Bucket, where: str) -> FundstelleError:
    status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
    if code == "NoSuchBucket":
        detail = f"there is no bucket {bucket.name} at {bucket.endpoint or 'Amazon S3'}: make it, or mend"
        return Broken("files.no_bucket", f"{detail} [files] url", bucket=bucket.name)
    if code in _TRANSFER:
        return Unavailable("files.transfer", f"a file did not arrive whole at {where}; try again")
    if status in (429, 500, 502, 503, 504) or code in _LATER:
        return Unavailable("files.unreachable", f"{where} does not answer now ({code})", retry_after_s=5.0)
    if status in (401, 403):
        return _denied(where, code)
    return Broken("files.failed", f"{where} refuses: {error}; check [files] endpoint and region")


def _denied(where: str, why: str) -> Broken:
    detail = (
        f"{where} denies access ({why}): check FUNDSTELLE_FILES__ACCESS_KEY and FUNDSTELLE_FILES__SECRET_KEY;"
        " they have to be allowed to list the bucket, and to read, write and delete its objects"
    )
    return Broken("files.denied", detail)
