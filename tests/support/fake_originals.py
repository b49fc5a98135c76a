"""Originals in memory: a file is its name, and what it is stands in its ending."""

import hashlib
from collections import defaultdict
from pathlib import Path

from core.domain.documents import StoredFile
from core.errors import Refused


class FakeOriginals:
    """Keeps names only. `contents` gives a file other bytes than its name; a name is kept until all bytes
    that were kept under it are dropped."""

    def __init__(self, contents: dict[str, str] | None = None) -> None:
        self.contents = dict(contents or {})
        self.kept: set[str] = set()
        self._bytes = defaultdict[str, set[str]](set)
        self.made: dict[str, bytes] = {}

    async def inspect(self, path: Path) -> StoredFile:
        if path.name.startswith("missing"):
            raise Refused("file.missing", f"there is no file {path}")
        content = self.contents.get(path.name, path.name)
        sha256 = hashlib.sha256(content.encode()).hexdigest()
        kind = "pdf" if path.suffix == ".pdf" else "text"
        return StoredFile(sha256=sha256, size=len(content), kind=kind, original=path.name)

    async def keep(self, path: Path) -> StoredFile:
        stored = await self.inspect(path)
        self.kept.add(stored.original)
        self._bytes[stored.original].add(stored.sha256)
        return stored

    async def is_whole(self, original: str) -> bool:
        return original in self.kept

    def locate(self, original: str) -> Path:
        return Path(original)

    async def keep_pages(self, original: str, pdf: bytes) -> Path:
        self.made[original] = pdf
        return Path(f"{original}.pages.pdf")

    async def pages(self, original: str) -> Path | None:
        if original in self.made:
            return Path(f"{original}.pages.pdf")
        whole = original.endswith(".pdf") and await self.is_whole(original)
        return self.locate(original) if whole else None

    async def drop(self, original: str) -> None:
        if self._bytes[original]:
            self._bytes[original].pop()
        if not self._bytes[original]:
            self.kept.discard(original)
            self.made.pop(original, None)
