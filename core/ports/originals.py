"""Port to the files that documents were read from."""

from pathlib import Path
from typing import Protocol

from core.domain.documents import StoredFile


class Originals(Protocol):
    """The stored bytes of ingested files; also determines what a file really is."""

    async def keep(self, path: Path) -> StoredFile:
        """Copy `path` into the store (once per content). Raises Refused if it cannot be read."""
        ...

    async def inspect(self, path: Path) -> StoredFile:
        """Hash and kind of a file, without storing it. Raises Refused if it cannot be read."""
        ...

    async def is_whole(self, original: str) -> bool:
        """Whether a stored file exists and is readable and unchanged, byte for byte."""
        ...

    def locate(self, original: str) -> Path:
        """Path of a stored file, given `StoredFile.original`."""
        ...

    async def keep_pages(self, original: str, pdf: bytes) -> Path:
        """Store the PDF made from a stored file beside it, replacing an earlier one."""
        ...

    async def pages(self, original: str) -> Path | None:
        """The PDF with the pages of a stored file, unchanged byte for byte: the one made from it, else the
        file itself; None if it is lost or damaged."""
        ...

    async def drop(self, original: str) -> None:
        """Delete a stored file and the PDF made from it; no error if they are gone."""
        ...
