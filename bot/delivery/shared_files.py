"""Files passed between processes: in the shared store before the row that names them exists. Files of replies
are under `outgoing/`, and expire. Files that a process with a platform's session has downloaded for another
one are under `fetched/` until that one has them.
"""

import asyncio
import shutil
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bot.files import writing_to
from bot.library.lifecycle import OUTGOING
from core.domain.journal import OutgoingReply
from core.domain.messages import Outgoing, ReplyFile
from core.errors import Unavailable
from core.ports.storage import FileStore

FETCHED = "fetched"
"""Folder for files that one process has downloaded for another."""


@dataclass(frozen=True, slots=True)
class SharedFiles:
    """Files that one process stores and another one takes. Every method raises what the `store` raises."""

    store: FileStore

    async def kept(self, reply: OutgoingReply) -> OutgoingReply:
        """`reply` with its files in the store, named by their keys: any process can send it."""
        parts = await asyncio.gather(*(self._kept_part(part) for part in reply.parts))
        return replace(reply, parts=tuple(parts))

    async def _kept_part(self, part: Outgoing) -> Outgoing:
        if not part.files:
            return part
        return replace(part, files=tuple(await asyncio.gather(*map(self._kept_file, part.files))))

    async def _kept_file(self, file: ReplyFile) -> ReplyFile:
        path, thumbnail = await asyncio.gather(
            self._stored(file.path), self._stored(file.thumbnail) if file.thumbnail else _nothing()
        )
        return replace(file, path=path or file.path, thumbnail=thumbnail)

    async def _stored(self, path: Path) -> Path:
        key = Path(OUTGOING, path.parent.name, path.name)
        await self.store.put(key.as_posix(), path)
        return key

    @asynccontextmanager
    async def at_hand(self, part: Outgoing) -> AsyncIterator[Outgoing]:
        """`part` with its files on this machine while the context lasts, without those that are lost."""
        async with AsyncExitStack() as stack:
            found = [await self._file_at_hand(file, stack) for file in part.files]
            yield replace(part, files=tuple(file for file in found if file is not None))

    async def _file_at_hand(self, file: ReplyFile, stack: AsyncExitStack) -> ReplyFile | None:
        path = await self._at_hand(file.path, stack)
        thumbnail = await self._at_hand(file.thumbnail, stack) if file.thumbnail else None
        return None if path is None else replace(file, path=path, thumbnail=thumbnail)

    async def _at_hand(self, path: Path, stack: AsyncExitStack) -> Path | None:
        if is_stored(path):
            return await stack.enter_async_context(self.store.borrowed(path.as_posix()))
        return path if await asyncio.to_thread(path.is_file) else None

    async def hand_over(self, path: Path) -> str:
        """Store a file that another process asked for; returns its key."""
        key = f"{FETCHED}/{uuid.uuid4().hex}/{path.name}"
        await self.store.put(key, path)
        return key

    async def take(self, key: str, folder: Path) -> Path:
        """Move a file that was handed over into `folder`. Raises Unavailable("file.lost") if it is gone."""
        target = folder / Path(key).name
        async with self.store.borrowed(key) as path:
            if path is None:
                raise Unavailable("file.lost", f"{key} is not at {self.store.place} any more; try again")
            with writing_to(folder):
                await asyncio.to_thread(shutil.copyfile, path, target)
        await self.store.delete(key)
        return target


def is_stored(path: Path) -> bool:
    """Whether the path of a queued file is its key in the store. Until version 0.1 it was the path of a file
    in the data folder."""
    return not path.is_absolute() and len(path.parts) == 3 and path.parts[0] == OUTGOING


async def _nothing() -> None:
    return None
