"""MCP over standard input and output: of this process, or of a caller of the running bot."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, cast

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


class Lines:
    """What the SDK takes for a text stream: lines to read, and text to write."""

    def __init__(self, read: Callable[[], Awaitable[bytes]], write: Callable[[bytes], None]) -> None:
        """`read` gives what comes next, nothing at the end."""
        self._read = read
        self._write = write

    async def __aiter__(self) -> AsyncIterator[str]:
        """Whole lines, as UTF-8."""
        rest = bytearray()
        while part := await self._read():
            rest += part
            *lines, left = rest.split(b"\n")
            for line in lines:
                yield line.decode(errors="replace")
            rest = bytearray(left)
        if rest:
            yield rest.decode(errors="replace")

    async def write(self, text: str) -> None:
        """Write text as UTF-8."""
        self._write(text.encode("utf-8", "replace"))

    async def flush(self) -> None:
        """Nothing waits."""


async def serve(server: Server[Any], lines: Lines) -> None:
    """Serve until the input ends."""
    streams = cast(Any, lines)
    async with stdio_server(stdin=streams, stdout=streams) as (read, write):
        await server.run(read, write, server.create_initialization_options())
