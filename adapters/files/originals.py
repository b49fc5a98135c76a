"""Original files on disk: what a file is, its hash, and a store keyed by it."""

import asyncio
import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from adapters import durable
from adapters.disk import Free, disk_errors, free_bytes, require
from adapters.durable import make_folder, sync_folder
from core.domain.documents import CHECKSUM, MADE, StoredFile
from core.errors import Refused
from core.ports.clock import Clock

HEAD = 1024
"""Number of leading bytes that identify a file: a PDF's header must begin within them (ISO 32000-1, annex
H.3.4.1)."""
CHUNK = 1 << 20
ROOM = 16_000_000
"""Bytes that must remain free on the disk in addition to the file."""

SIGNATURES = (
    (b"%PDF-", "pdf"),
    (b"PK\x03\x04", "zip"),  # also Word, OpenDocument, EPUB
    (b"PK\x05\x06", "zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),  # old Word and Excel
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
    (b"\x1f\x8b", "gzip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!", "rar"),
    (b"\x7fELF", "elf"),
    (b"{\\rtf", "rtf"),
    (b"%!PS", "postscript"),
    (b"\xff\xfe", "text"),  # UTF-16
    (b"\xfe\xff", "text"),
)
MARKUP = ((b"<!doctype html", "html"), (b"<html", "html"), (b"<?xml", "xml"), (b"<svg", "svg"))


def kind_of_bytes(head: bytes) -> str:
    """The kind of a file by its first bytes: "pdf", "empty", "zip", "html", ..., "text" or "binary"."""
    if not head:
        return "empty"
    for signature, kind in SIGNATURES:
        if head.startswith(signature):
            return kind
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n\0")[:32].lower()
    for signature, kind in MARKUP:
        if start.startswith(signature):
            return kind
    if b"%PDF-" in head[:HEAD]:
        return "pdf"
    return "text" if _is_text(head) else "binary"


def kind_of(path: Path) -> str:
    """The kind of the file at `path`. Raises Refused if it cannot be read."""
    with _readable(path) as file:
        return kind_of_bytes(file.read(HEAD))


class FileOriginals:
    """Keeps originals as `<folder>/<sha256>.pdf` (`.bin` for other kinds), and PDFs made of them as
    `<sha256>.pages.pdf`, whose checksum is in `<sha256>.pages.sha256`, as written by `sha256sum`."""

    def __init__(self, folder: Path, *, free: Free = free_bytes) -> None:
        self._folder = folder
        self._free = free

    async def keep(self, path: Path) -> StoredFile:
        """Copy `path` into the store; once per content, complete or not at all. Raises Refused if it
        cannot be read, Broken if the store cannot be written."""
        return await asyncio.to_thread(self._keep, path)

    async def inspect(self, path: Path) -> StoredFile:
        """Hash and kind of `path`. Raises Refused if it cannot be read."""
        return await asyncio.to_thread(_stored, path)

    async def is_whole(self, original: str) -> bool:
        """See `Originals.is_whole`."""
        try:
            return (await self.inspect(self.locate(original))).original == original
        except Refused:
            return False

    def locate(self, original: str) -> Path:
        """Path of a stored file. Raises Refused for a name that leads outside the folder."""
        if not original or Path(original).name != original:
            raise Refused("file.missing", f"{original!r} is no name in the store of originals")
        return self._folder / original

    async def keep_pages(self, original: str, pdf: bytes) -> Path:
        """See `Originals.keep_pages`. Raises Broken if the store cannot be written."""
        return await asyncio.to_thread(self._keep_pages, original, pdf)

    async def pages(self, original: str) -> Path | None:
        """See `Originals.pages`."""
        checksum = self._checksum(original)
        stated = await asyncio.to_thread(_stated, checksum)
        made = self._made(original)
        if stated is None:  # none was made, or it predates stored checksums
            if made.is_file():
                return made
            is_pdf = self.locate(original).suffix == ".pdf"
            return self.locate(original) if is_pdf and await self.is_whole(original) else None
        try:
            return made if (await self.inspect(made)).sha256 == stated else None
        except Refused:
            return None

    async def drop(self, original: str) -> None:
        """Delete a stored file; no error if it is gone. Raises Broken if it cannot be deleted."""
        with disk_errors(self._folder):
            for path in (self.locate(original), self._checksum(original), self._made(original)):
                await asyncio.to_thread(path.unlink, missing_ok=True)

    def _made(self, original: str) -> Path:
        return self.locate(original).with_suffix(MADE)

    def _checksum(self, original: str) -> Path:
        return self.locate(original).with_suffix(CHECKSUM)

    def _keep_pages(self, original: str, pdf: bytes) -> Path:
        """Store the PDF; an old checksum is removed first and the new one written last, so that an
        interruption never leaves a wrong one."""
        made, checksum = self._made(original), self._checksum(original)
        require(self._folder, ROOM + len(pdf), self._free)
        with disk_errors(self._folder):
            checksum.unlink(missing_ok=True)
        line = f"{hashlib.sha256(pdf).hexdigest()}  {made.name}\n"
        for place, content in ((made, pdf), (checksum, line.encode())):
            with self._new_file() as (copy, temporary), disk_errors(self._folder):
                copy.write(content)
                self._put(copy, temporary, place)
        return made

    def _keep(self, path: Path) -> StoredFile:
        require(self._folder, ROOM + _size(path), self._free)
        with self._new_file() as (copy, temporary):
            stored = _stored(path, copy)
            with disk_errors(self._folder):
                self._put(copy, temporary, self.locate(stored.original))
        return stored

    @contextmanager
    def _new_file(self) -> Iterator[tuple[BinaryIO, Path]]:
        """A file under a temporary name; it is deleted unless renamed."""
        with disk_errors(self._folder):
            make_folder(self._folder)
            handle, name = tempfile.mkstemp(dir=self._folder, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as copy:
                yield copy, Path(name)
        finally:
            Path(name).unlink(missing_ok=True)

    def _put(self, copy: BinaryIO, temporary: Path, place: Path) -> None:
        """Durably rename a written file to its final name."""
        copy.flush()
        os.fsync(copy.fileno())
        temporary.replace(place)
        sync_folder(self._folder)


def _stored(path: Path, copy: BinaryIO | None = None) -> StoredFile:
    """Read `path` once: hash it, look at its head, and write it to `copy`."""
    digest, size, head = hashlib.sha256(), 0, b""
    with _readable(path) as file:
        for chunk in _chunks(file):
            head = head or chunk[:HEAD]
            digest.update(chunk)
            size += len(chunk)
            if copy:
                with disk_errors(path.parent):
                    copy.write(chunk)
    kind, sha256 = kind_of_bytes(head), digest.hexdigest()
    suffix = "pdf" if kind == "pdf" else "bin"
    return StoredFile(sha256=sha256, size=size, kind=kind, original=f"{sha256}.{suffix}")


def _stated(checksum: Path) -> str | None:
    """The checksum in a `sha256sum` file; None if there is no file, "" if it is unreadable."""
    try:
        return checksum.read_text("ascii", errors="replace").partition(" ")[0]
    except FileNotFoundError:
        return None
    except OSError:
        return ""


def _size(path: Path) -> int:
    """Size of a file in bytes, 0 if unknown: reading it will report why."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


@contextmanager
def _readable(path: Path) -> Iterator[BinaryIO]:
    """A regular file, opened; anything else (folder, pipe, device) is refused without blocking."""
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Refused("file.unreadable", f"{path} is no ordinary file; give a PDF file")
            yield file
    except FileNotFoundError as error:
        raise Refused("file.missing", f"there is no file {path}; check the path", path=str(path)) from error
    except OSError as error:
        detail = f"{path} cannot be read: {error.strerror}; check its permissions"
        raise Refused("file.unreadable", detail, path=str(path)) from error


def _without_waiting(path: str, flags: int) -> int:
    """Open without blocking, so that a pipe does not wait for its other end."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _is_text(head: bytes) -> bool:
    controls = sum(byte < 32 and byte not in b"\t\n\r\f" for byte in head)
    return controls == 0


# Quarantined files: the bytes as `<sha256>.set-aside`, so that they aren't opened by accident, with the
# reason beside them.

ENDING = ".set-aside"


class QuarantineFolder:
    """Keeps files in `folder`, each content once, readable by its owner only."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    async def keep(self, path: Path, *, name: str, reason: str) -> str:
        """See `Quarantine.keep`."""
        with disk_errors(self._folder):
            return await asyncio.to_thread(self._keep, path, name, reason)

    def _keep(self, path: Path, name: str, reason: str) -> str:
        durable.make_folder(self._folder)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        place = self._folder / f"{digest}{ENDING}"
        part = place.with_suffix(f".{os.getpid()}.part")
        shutil.copyfile(path, part)
        part.chmod(0o400)
        part.replace(place)
        note = {"name": name, "reason": reason, "at": self._clock.now().isoformat(timespec="seconds")}
        durable.write(place.with_suffix(".json"), json.dumps(note, ensure_ascii=False).encode())
        return str(place)
