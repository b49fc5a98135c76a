"""Where a command writes: this process's own terminal, or that of a caller of the running bot."""

import asyncio
import io
import os
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from rich.console import Console

from bot.cli.wire import Call, Kind, frame


@dataclass(frozen=True, slots=True)
class Terminal:
    """Standard output and standard error, and the environment that says the language. `paths`: of the files
    that the caller has named from another folder, and what they were called. `given`: what the caller
    passes on of its standard input."""

    out: Console
    err: Console
    environment: Mapping[str, str]
    paths: dict[str, str] = field(default_factory=dict)
    given: asyncio.Queue[bytes] | None = None

    async def read(self) -> bytes:
        """What comes next on standard input; nothing at its end."""
        if self.given is None:
            return await asyncio.to_thread(cast(io.BufferedReader, sys.stdin.buffer).read1, 1 << 16)
        return await self.given.get()

    async def input(self) -> bytes:
        """All of standard input."""
        parts: list[bytes] = []
        while part := await self.read():
            parts.append(part)
        return b"".join(parts)

    @property
    def emphasises(self) -> bool:
        """Whether words can be bold: on a terminal that is not dumb, unless NO_COLOR asks for plain text."""
        return self.out.is_terminal and not self.out.is_dumb_terminal and not self.out.no_color

    def as_named(self, text: str, spelt: Callable[[str], str] = str) -> str:
        """`text` with paths as the caller has named them; `spelt` says how they stand in it."""
        for path, name in self.paths.items():
            text = text.replace(spelt(path), spelt(name))
        return text

    def name(self, path: Path, folder: Path) -> Path:
        """`path` as seen from `folder`; the caller reads of it as it was named."""
        found = folder / path
        if found == folder:
            self.paths[f"{found}{os.sep}"] = ""
        self.paths[str(found)] = str(path)
        return found


HERE = Terminal(
    Console(highlight=False, soft_wrap=True),
    Console(stderr=True, highlight=False, soft_wrap=True),
    os.environ,
)
"""Of this process."""

TERMINAL: ContextVar[Terminal] = ContextVar("terminal", default=HERE)


def terminal() -> Terminal:
    """The terminal of the current command."""
    return TERMINAL.get()


class _Stream(io.RawIOBase):
    """A standard stream of a caller."""

    def __init__(self, kind: Kind, send: Callable[[bytes], None], is_terminal: bool) -> None:
        self._kind, self._send, self._is_terminal = kind, send, is_terminal

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._is_terminal

    def write(self, content: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        self._send(frame(self._kind, bytes(content)))
        return len(content)


def terminal_of(call: Call, send: Callable[[bytes], None]) -> Terminal:
    """The terminal of a caller, who gets what is written by `send`, from any thread."""
    out, err = (
        _console(call, _Stream(kind, send, is_terminal), encoding)
        for kind, is_terminal, encoding in zip(
            (Kind.OUT, Kind.ERR), call.terminal, call.encodings, strict=True
        )
    )
    return Terminal(out, err, call.environment, given=asyncio.Queue())


def _console(call: Call, stream: io.RawIOBase, encoding: str) -> Console:
    """A console that writes characters missing from the encoding as escapes."""
    columns, rows = call.size or (80, 25)
    stated = "COLUMNS" in call.environment
    return Console(
        file=io.TextIOWrapper(
            io.BufferedWriter(stream),
            encoding=encoding,
            errors="backslashreplace",
            newline="\n",
            write_through=True,
        ),
        width=None if stated else columns,
        height=None if stated else rows,
        highlight=False,
        soft_wrap=True,
        _environ=call.environment,
    )
