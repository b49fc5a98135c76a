"""Original files: what a file is, its hash, and how they are stored by it; and key files."""

import asyncio
import hashlib
import json
import os
import secrets
import shutil
import stat
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from adapters import disk
from adapters.disk import CHUNK, Free, digest_of, disk_errors, free_bytes, readable
from adapters.files.folder import FolderFiles
from core.domain.backups import ORIGINALS
from core.domain.documents import CHECKSUM, MADE, StoredFile
from core.domain.journal import MIN_KEY_BYTES
from core.errors import Broken, Refused, Unavailable
from core.ports.clock import Clock
from core.ports.storage import FileStore, ListedFile

HEAD = 1024
"""Number of leading bytes that identify a file: a PDF's header must begin within them (ISO 32000-1, annex
H.3.4.1)."""

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


class StoredOriginals:
    """Implements `core.ports.storage.Originals`: keeps originals as `<sha256>.pdf` (`.bin` for other kinds)
    in the `folder` of a store, and PDFs made of them as `<sha256>.pages.pdf`, whose checksum is in
    `<sha256>.pages.sha256`, as written by `sha256sum`."""

    def __init__(self, files: FileStore, folder: str = f"{ORIGINALS}/") -> None:
        self._files = files
        self._folder = folder

    async def keep(self, path: Path) -> StoredFile:
        """Copy `path` into the store; once per content, complete or not at all. Raises Refused if it
        cannot be read, Broken if the store cannot be written."""
        stored = await self.inspect(path)
        await self._files.put(self._key(stored.original), path, sha256=stored.sha256)
        return stored

    async def inspect(self, path: Path) -> StoredFile:
        return await asyncio.to_thread(_stored, path)

    async def whole(self, original: str) -> Path | None:
        """See `Originals.whole`. Raises Refused for a name that leads outside the folder."""
        path = await self._files.open(self._key(original))
        return path if path and await asyncio.to_thread(digest_of, path) == _digest_in(original) else None

    async def is_whole(self, original: str) -> bool:
        return await self._files.digest(self._key(original)) == _digest_in(original)

    async def keep_pages(self, original: str, pdf: bytes) -> Path:
        """See `Originals.keep_pages`. An old checksum is removed first and the new one written last, so that
        an interruption never leaves a wrong one. Raises Broken if the store cannot be written."""
        made, checksum = self._sibling_key(original, MADE), self._sibling_key(original, CHECKSUM)
        sha256 = hashlib.sha256(pdf).hexdigest()
        await self._files.delete(checksum)
        await self._files.put(made, pdf)
        await self._files.put(checksum, f"{sha256}  {PurePosixPath(made).name}\n".encode())
        path = await self._files.open(made)
        if path is None:
            raise Unavailable("file.lost", f"the PDF made of {original} is gone; try again")
        return path

    async def pages(self, original: str) -> Path | None:
        checksum, made = await asyncio.gather(
            self._files.open(self._sibling_key(original, CHECKSUM)),
            self._files.open(self._sibling_key(original, MADE)),
        )
        if checksum is None:  # none was made, or it predates stored checksums
            return made or (await self.whole(original) if original.endswith(".pdf") else None)
        stated, found = await asyncio.to_thread(lambda: (_stated(checksum), made and digest_of(made)))
        return made if stated == found else None

    async def drop(self, original: str) -> None:
        """Delete a stored file; no error if it is gone. Raises Broken if it cannot be deleted."""
        for key in (
            self._key(original),
            self._sibling_key(original, CHECKSUM),
            self._sibling_key(original, MADE),
        ):
            await self._files.delete(key)

    async def listing(self, beginning: str = "") -> AsyncIterator[ListedFile]:
        async for found in self._files.listing(self._folder + beginning):
            yield replace(found, key=found.key.removeprefix(self._folder))

    def _key(self, original: str) -> str:
        if not original or PurePosixPath(original).name != original:
            raise Refused("file.missing", f"{original!r} is no name in the store of originals")
        return self._folder + original

    def _sibling_key(self, original: str, suffix: str) -> str:
        return str(PurePosixPath(self._key(original)).with_suffix(suffix))


class FileOriginals(StoredOriginals):
    """The same in a folder of their own."""

    def __init__(self, folder: Path, *, free: Free = free_bytes) -> None:
        super().__init__(FolderFiles(folder, free=free), "")


def _digest_in(original: str) -> str:
    """The checksum in the name of a stored file."""
    return original.partition(".")[0]


def _stored(path: Path) -> StoredFile:
    """Read `path` once: hash it, and look at its head."""
    digest, size, head = hashlib.sha256(), 0, b""
    with readable(path) as file:
        while chunk := file.read(CHUNK):
            head = head or chunk[:HEAD]
            digest.update(chunk)
            size += len(chunk)
    kind, sha256 = kind_of_bytes(head), digest.hexdigest()
    suffix = "pdf" if kind == "pdf" else "bin"
    return StoredFile(sha256=sha256, size=size, kind=kind, original=f"{sha256}.{suffix}")


def _stated(checksum: Path) -> str:
    """The checksum in a `sha256sum` file; "" if it is unreadable."""
    try:
        return checksum.read_text("ascii", errors="replace").partition(" ")[0]
    except OSError:
        return ""


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
        with disk_errors(self._folder):
            return await asyncio.to_thread(self._keep, path, name, reason)

    def _keep(self, path: Path, name: str, reason: str) -> str:
        disk.make_folder(self._folder)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        place = self._folder / f"{digest}{ENDING}"
        part = place.with_suffix(f".{os.getpid()}.part")
        shutil.copyfile(path, part)
        part.chmod(0o400)
        part.replace(place)
        note = {"name": name, "reason": reason, "at": self._clock.now().isoformat(timespec="seconds")}
        disk.write(place.with_suffix(".json"), json.dumps(note, ensure_ascii=False).encode())
        return str(place)


def secret_key(file: Path) -> bytes:
    """The key in `file`, which is created on first use (0600, in a 0700 folder). Several processes may try at
    once; one succeeds. Raises Broken for a file that others can read, that is too short or that cannot be
    created."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not file.exists():
            _make(file)
        mode = stat.S_IMODE(file.stat().st_mode)
        key = file.read_bytes()
    except OSError as error:
        detail = (
            f"the key file {file} cannot be used: {error}; mend it, or state another [retention] key_file"
        )
        raise Broken("key.unusable", detail) from error
    if mode & 0o077:
        raise Broken("key.open", f"others can read the key file {file}; run: chmod 600 {file}")
    if len(key) < MIN_KEY_BYTES:
        detail = f"the key file {file} is damaged; restore it, or remove it: nobody is recognised then"
        raise Broken("key.damaged", detail)
    return key


def _make(file: Path) -> None:
    """Create the key file: written completely under another name, then linked, so that a second process keeps
    the first one's."""
    own = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(secrets.token_bytes(MIN_KEY_BYTES))
            stream.flush()
            os.fsync(stream.fileno())
        try:
            os.link(own, file)
        except FileExistsError:
            return
    finally:
        own.unlink()
