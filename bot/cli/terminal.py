"""The terminal that a command writes to, this process's own or that of a caller of the running bot, and its
language: help and output from the locales."""

import asyncio
import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from typer.core import TyperCommand, TyperGroup

from bot.cli.wire import Call, Kind, frame
from bot.presentation.i18n import Texts


@dataclass(frozen=True, slots=True)
class Terminal:
    """Standard output and standard error, and the environment that sets the language. `paths`: files that the
    caller named from another folder, and the names it used. `given`: standard input passed on by the
    caller."""

    out: Console
    err: Console
    environment: Mapping[str, str]
    paths: dict[str, str] = field(default_factory=dict)
    given: asyncio.Queue[bytes] | None = None

    async def read(self) -> bytes:
        """The next chunk of standard input; empty at its end."""
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
        """`text` with paths as the caller named them; `spelt` gives their form in it."""
        for path, name in self.paths.items():
            text = text.replace(spelt(path), spelt(name))
        return text

    def name(self, path: Path, folder: Path) -> Path:
        """`path` as seen from `folder`; output mentions it as the caller named it."""
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
"""This process's own terminal."""

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
    """The terminal of a caller, to whom `send` delivers output from any thread."""
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


ORIGINS = ("FUNDSTELLE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables for the language; the first one set wins."""


def texts() -> Texts:
    """The texts for this terminal: English unless the environment names a supported language."""
    environment = terminal().environment
    tag = next((value for name in ORIGINS if (value := environment.get(name))), "")
    return Texts(tag[:2].lower(), live=True)


def told(key: str, /, **values: object) -> str:
    """A text in the language of this terminal."""
    return texts()(key, **{name: str(value) for name, value in values.items()})


class _LazyHelp:
    """A command whose help is looked up when it is shown. While a group shows its own help, its subcommands
    consist only of name and help."""

    _listing = False

    @contextmanager
    def _explained(self, context: Any) -> Iterator[None]:
        words = texts()
        explain(self, context, words)
        self._listing = True
        try:
            yield
        finally:
            self._listing = False

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write it."""
        from typer import rich_utils

        words = texts()
        rich_utils.ARGUMENTS_PANEL_TITLE = words("panels.arguments")
        rich_utils.OPTIONS_PANEL_TITLE = words("panels.options")
        rich_utils.COMMANDS_PANEL_TITLE = words("panels.commands")
        with self._explained(ctx):
            super().format_help(ctx, formatter)  # type: ignore[misc]  # of the class it is mixed into

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Shell completions, with their help."""
        with self._explained(ctx):
            return super().shell_complete(ctx, incomplete)  # type: ignore[misc]


class LocalCommand(_LazyHelp, TyperCommand):
    """A command localised to the user's language."""


class LocalGroup(_LazyHelp, TyperGroup):
    """Commands below one name."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the same for all
        """Their names."""
        return [*self.commands]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, None if there is none."""
        if self._listing and cmd_name in self.commands:
            path = f"{_path(ctx)} {cmd_name}".strip()
            shown = TyperCommand(cmd_name)
            shown.help = texts()(f"commands.{path}")
            return shown
        return super().get_command(ctx, cmd_name)


def explain(command: Any, context: Any, words: Texts) -> None:
    """Give `command` its help, and that of its options."""
    path = _path(context)
    command.help = words(f"commands.{path or command.name}")
    for option in (*command.params, command.get_help_option(context)):
        option.help = words(key_of(path, option.name, words))


def _path(context: Any) -> str:
    """The names that lead from the root to the context's command."""
    names: list[str] = []
    while context.parent is not None:
        names.insert(0, context.info_name)
        context = context.parent
    return " ".join(names)


def commands(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """A command and all below it, by their names from the root on."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, f"{path} {name}".strip())


def key_of(path: str, option: str, words: Texts) -> str:
    """The key of an option's help: the command's own, or that of all commands with such an option."""
    own = f"options.{path}.{option}"
    return own if words.has(own) else f"options.{option}"
