"""Originals in memory: a file is its name, and its extension tells its kind."""

import hashlib
from collections import defaultdict
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

from core.domain.documents import StoredFile
from core.errors import Refused
from core.ports.storage import ListedFile

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


class FakeOriginals:
    """Keeps names only. `contents` gives a file other bytes than its name; a name is kept until all bytes
    that were kept under it are dropped."""

    def __init__(self, contents: dict[str, str] | None = None) -> None:
        self.contents = dict(contents or {})
        self.kept: set[str] = set()
        self.kept_at: dict[str, datetime] = {}
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

    async def whole(self, original: str) -> Path | None:
        return Path(original) if await self.is_whole(original) else None

    async def listing(self, beginning: str = "") -> AsyncIterator[ListedFile]:
        for name in sorted(self.kept):
            if name.startswith(beginning):
                yield ListedFile(key=name, size=len(name), changed_at=self.kept_at.get(name, EPOCH))

    async def keep_pages(self, original: str, pdf: bytes) -> Path:
        self.made[original] = pdf
        return Path(f"{original}.pages.pdf")

    async def pages(self, original: str) -> Path | None:
        if original in self.made:
            return Path(f"{original}.pages.pdf")
        return await self.whole(original) if original.endswith(".pdf") else None

    async def drop(self, original: str) -> None:
        if self._bytes[original]:
            self._bytes[original].pop()
        if not self._bytes[original]:
            self.kept.discard(original)
            self.made.pop(original, None)
