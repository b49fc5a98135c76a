"""The command that serves the Model Context Protocol over standard input and output."""

from __future__ import annotations

from typing import BinaryIO, cast

from bot.cli.frame import CommandContext, command
from bot.cli.options import CollectionOption
from bot.cli.running import DONE
from bot.cli.terminal import terminal
from bot.library.scoping import DEFAULT_COLLECTIONS


@command("mcp", prints_json=False)
async def mcp(context: CommandContext, *, collection: CollectionOption = None) -> int:
    """Serve search, ask, verify, page, compare and documents to an assistant on this machine."""
    from bot.mcp.stdio import Lines, serve
    from bot.mcp.tools import Caller

    here = terminal()
    out = cast(BinaryIO, here.out.file.buffer)  # type: ignore[attr-defined]

    def write(content: bytes) -> None:
        out.write(content)
        out.flush()

    caller = Caller(collections=tuple(collection or DEFAULT_COLLECTIONS))
    async with context.services(lambda wired: (wired.mcp_tools, wired.questions)) as (tools, questions):
        await questions.warm_up()
        await serve(tools.server(lambda _: caller), Lines(here.read, write))
    return DONE


COMMANDS = (mcp,)
