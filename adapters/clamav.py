"""The VirusScanner of ClamAV: its daemon's INSTREAM command over TCP or a Unix socket (clamd(8)).

The file is sent in chunks, each preceded by its length (uint32, big endian); an empty one ends it. The reply
is one line.
"""

import asyncio
import struct
from pathlib import Path

from core.errors import Unavailable

_CHUNK = 1 << 16
_LENGTH = struct.Struct("!I")
_ANSWER = 1 << 12


class ClamAv:
    """Asks the daemon at `host`:`port`, or at the Unix socket `path` if given."""

    def __init__(self, *, host: str, port: int, path: str, timeout_s: float) -> None:
        self._host = host
        self._port = port
        self._path = path
        self._timeout_s = timeout_s

    async def infection(self, path: Path) -> str | None:
        answer = await self._asked(b"zINSTREAM\0", path)
        if answer.endswith(" FOUND"):
            return answer.removeprefix("stream: ").removesuffix(" FOUND")
        if answer == "stream: OK":
            return None
        raise Unavailable("scanner.down", f"clamd said {answer!r}; look at StreamMaxLength and its log")

    async def version(self) -> str:
        return await self._asked(b"zVERSION\0", None)

    async def _asked(self, command: bytes, path: Path | None) -> str:
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._exchange(command, path)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            raise Unavailable("scanner.down", f"clamd does not answer ({reason}); start it") from error

    async def _exchange(self, command: bytes, path: Path | None) -> str:
        opened = (
            asyncio.open_unix_connection(self._path)
            if self._path
            else asyncio.open_connection(self._host, self._port)
        )
        reader, writer = await opened
        try:
            writer.write(command)
            if path is not None:
                await _stream(path, writer)
            answer = await reader.read(_ANSWER)
            return answer.rstrip(b"\0\n").decode("utf-8", "replace")
        finally:
            writer.close()


async def _stream(path: Path, writer: asyncio.StreamWriter) -> None:
    with path.open("rb") as file:
        while chunk := await asyncio.to_thread(file.read, _CHUNK):
            writer.write(_LENGTH.pack(len(chunk)) + chunk)
            await writer.drain()
    writer.write(_LENGTH.pack(0))
    await writer.drain()
