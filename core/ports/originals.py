"""The files that documents were read from."""

from pathlib import Path
from typing import Protocol

from core.domain.documents import StoredFile


class Originals(Protocol):
    """The kept bytes of ingested files, and what a file really is."""

    async def keep(self, path: Path) -> StoredFile:
        """Copy `path` into the store (once per content). Raises Refused if it cannot be read."""
        ...

    async def inspect(self, path: Path) -> StoredFile:
        """Hash and kind of a file, without keeping it. Raises Refused if it cannot be read."""
        ...

    async def is_whole(self, original: str) -> bool:
        """Whether a kept file is there and can be read, byte for byte as it was kept."""
        ...

    def locate(self, original: str) -> Path:
        """Where a kept file lies, given `StoredFile.original`."""
        ...

    async def keep_pages(self, original: str, pdf: bytes) -> Path:
        """Keep the PDF that was made of a kept file beside it, instead of an earlier one."""
        ...

    async def pages(self, original: str) -> Path | None:
        """The PDF that shows the pages of a kept file, byte for byte as it was kept: the one made of it, else
        the file itself; None where that is lost or damaged."""
        ...

    async def drop(self, original: str) -> None:
        """Forget a kept file and the PDF made of it; no error if they are gone."""
        ...
