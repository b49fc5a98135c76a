"""Port to the files that documents were read from."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Protocol

from core.domain.documents import StoredFile
from core.ports.storage import ListedFile


class Originals(Protocol):
    """The stored bytes of ingested files; also determines what a file really is. Paths that it returns may be
    read for an hour, and are never written to. Whatever asks the store raises Unavailable or Broken where
    that cannot be reached."""

    async def keep(self, path: Path) -> StoredFile:
        """Copy `path` into the store (once per content). Raises Refused if it cannot be read."""
        ...

    async def inspect(self, path: Path) -> StoredFile:
        """Hash and kind of a file, without storing it. Raises Refused if it cannot be read."""
        ...

    async def whole(self, original: str) -> Path | None:
        """A local file with the bytes of a stored one (`StoredFile.original`), unchanged byte for byte; None
        if it is lost or damaged."""
        ...

    async def is_whole(self, original: str) -> bool:
        """The same as an answer alone: the bytes are read where they are stored."""
        ...

    async def keep_pages(self, original: str, pdf: bytes) -> Path:
        """Store the PDF made from a stored file beside it, replacing an earlier one; a local file with it."""
        ...

    async def pages(self, original: str) -> Path | None:
        """The PDF with the pages of a stored file, unchanged byte for byte: the one made from it, else the
        file itself; None if it is lost or damaged."""
        ...

    async def drop(self, original: str) -> None:
        """Delete a stored file and the PDF made from it; no error if they are gone."""
        ...

    def listing(self, beginning: str = "") -> AsyncIterator[ListedFile]:
        """Everything that is stored, by name: files, PDFs made from them with their checksums, and what
        interrupted writing has left; those whose names begin like that."""
        ...
