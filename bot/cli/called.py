"""The running bot executes commands that its own user sends to the socket in the data folder."""

import asyncio
import contextlib
import io
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.metadata import Distribution, version
from pathlib import Path
from typing import Protocol, TypeVar

import typer

from bot.cli.calling import DATA, PREFIX, connected
from bot.cli.frame import FAILED, Body, Metered, Root, failed
from bot.cli.output import complain
from bot.cli.terminal import TERMINAL, Terminal, terminal_of, told
from bot.cli.wire import FOLDER, HEADER, LARGEST, NAME, Call, Kind, address, frame, mounts, user_of
from bot.presentation.i18n import Texts
from bot.service.checks import Check
from bot.service.diagnosis import Running, diagnose
from bot.settings.tree import Loaded, Settings, load
from bot.wiring.composition import Choice
from bot.wiring.probes import PROBES
from core.errors import FundstelleError, Refused

Chosen = TypeVar("Chosen")

OURS = Path(__file__).parents[1]
"""Folder of the package."""

_LOG = logging.getLogger(__name__)


class Beside(Protocol):
    """Opens services with other settings over the running bot's stores."""

    def __call__(
        self, settings: Settings, chosen: Choice[Chosen], *, metered: Metered | None = None
    ) -> AbstractAsyncContextManager[Chosen]:
        """As `Composition.beside`."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A command that was parsed but not yet executed."""

    body: Body
    json: bool


@dataclass(frozen=True, slots=True)
class ForCaller:
    """The running bot as the process that executes a command for a caller."""

    call: Call
    terminal: Terminal
    running: Loaded
    config: Path | None
    beside: Beside
    bot: Running

    def loaded(self, data: Path | None, config: Path | None) -> Loaded:  # noqa: ARG002 - found by it
        """The running settings, with the caller's on top."""
        stated = {name: text for name, text in self.call.environment.items() if name.startswith(PREFIX)}
        stated.pop(DATA, None)
        if config is None and all(os.environ.get(name) == text for name, text in stated.items()):
            return self.running
        folder = self.running.settings.data
        return load(data=folder, config=config or self.config, environment={**os.environ, **stated})

    def opened(
        self, settings: Settings, chosen: Choice[Chosen], *, metered: Metered | None = None
    ) -> AbstractAsyncContextManager[Chosen]:
        """The running services, or others over the same stores."""
        return self.beside(settings, chosen, metered=metered)

    async def require_library(self, settings: Settings) -> None:
        """Do nothing: the library is being served."""

    def path(self, path: Path) -> Path:
        """As seen from the caller's folder. A service may have a file system of its own, except for its
        data."""
        found = path if path.is_absolute() else self.terminal.name(path, Path(self.call.folder))
        folder = self.running.settings.data.absolute()
        if self.call.mounts == mounts() or found.is_relative_to(folder):
            return found
        raise Refused("file.unseen", told("cli.unseen", path=found, folder=folder))

    async def diagnosed(self, data: Path | None, config: Path | None, texts: Texts) -> list[Check]:
        """This process's own parts are checked too."""
        return await diagnose(lambda: self.loaded(data, config), PROBES, texts, self.bot)

    def finish(self, body: Body, json_output: bool) -> object:
        """Called once the command line is known to be valid."""
        return Begun(body, json_output)


@dataclass(slots=True, kw_only=True)
class Calls:
    """The listener. `root` parses command lines, `running` are the settings of this process, from
    `config`."""

    root: Root
    running: Loaded
    config: Path | None
    beside: Beside
    bot: Running
    ours: str = version("fundstelle")

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Execute commands while the context lasts; any still running at its end are cancelled. If no socket
        can be opened, nothing listens, and the log says why."""
        folder = self.running.settings.data / FOLDER
        try:
            listener = await asyncio.to_thread(_bound, folder)
        except (OSError, AttributeError) as error:
            _LOG.warning("commands cannot reach this process by %s: %s", folder / NAME, error)
            yield
            return
        tasks: set[asyncio.Task[None]] = set()

        def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self._answer(reader, writer))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

        server = await asyncio.start_unix_server(begin, sock=listener, limit=LARGEST)
        try:
            yield
        finally:
            server.close()
            (folder / NAME).unlink(missing_ok=True)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one caller. The modes of the folder and the socket admit only the owner; this is checked all
        the same."""
        connection = writer.get_extra_info("socket")
        try:
            if user_of(connection) in (None, os.getuid()):
                await self._serve(reader, writer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, ValueError, TypeError):
            return  # the caller has gone, or was not one of our commands
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, content = await _read(reader)
        call = Call.read(content)
        loop = asyncio.get_running_loop()
        terminal = terminal_of(call, lambda sent: _send(loop, writer, sent))
        TERMINAL.set(terminal)
        done = asyncio.create_task(self._done(call, terminal))
        waiting = asyncio.create_task(_stopped(reader, terminal.given))
        why = "cli.stopped"
        try:
            await asyncio.wait([done, waiting], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            why = "cli.bot_stops"
        waiting.cancel()
        done.cancel()
        await asyncio.wait([done])
        if done.cancelled():
            complain(told(why))
        status = FAILED if done.cancelled() else done.result()
        last = frame(Kind.ALONE) if status is None else frame(Kind.END, str(status).encode())
        _send(loop, writer, last)
        await asyncio.sleep(0)  # everything sent has been written

    async def _done(self, call: Call, terminal: Terminal) -> int | None:
        """The exit status of a command; None for one that the caller has to execute itself."""
        if problem := self._other_program(Path(call.program)):
            complain(problem)
            return FAILED
        process = ForCaller(call, terminal, self.running, self.config, self.beside, self.bot)
        try:
            begun = self._understood(call, process)
            return await begun.body if begun else None
        except typer.BadParameter:  # the same
            return None
        except Exception as error:
            return failed(error, "--json" in call.arguments)

    def _understood(self, call: Call, process: ForCaller) -> Begun | None:
        """The command of a command line; None if it asks for help, or is invalid."""
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            try:
                found = self.root.main([*call.arguments], "fundstelle", standalone_mode=False, obj=process)
            except FundstelleError:
                raise
            except Exception:  # the next reading of the command line says what is wrong with it
                return None
        return found if isinstance(found, Begun) else None

    def _other_program(self, program: Path) -> str:
        """Why a command of that program is not executed here, if it is a different program."""
        there = _version_of(program)
        if there == self.ours:
            return ""
        return told("cli.other_version", running=self.ours, called=there or program)


def _version_of(program: Path) -> str:
    """The version of the package in that folder, as it is on the disk now."""
    found = next(iter(Distribution.discover(name="fundstelle", path=[str(program.parent)])), None)
    if found is not None:
        return found.version
    return version("fundstelle") if program == OURS else ""


def _bound(folder: Path) -> socket.socket:
    """A socket that only the owner can reach, replacing one that nobody listens at any more. Raises OSError
    if somebody does."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    if _is_heard(folder):
        raise FileExistsError("another process listens there")
    listener = socket.socket(socket.AF_UNIX)
    part = f"{NAME}.{os.getpid()}"
    try:
        (folder / part).unlink(missing_ok=True)
        with address(folder, part) as path:
            listener.bind(path)
        (folder / part).chmod(0o600)
        listener.listen()
        (folder / part).rename(folder / NAME)
    except OSError:
        listener.close()
        raise
    return listener


def _is_heard(folder: Path) -> bool:
    try:
        connected(folder).close()
    except OSError:
        return False
    return True


async def _read(reader: asyncio.StreamReader) -> tuple[Kind, bytes]:
    """The next frame. Raises ValueError for anything else, IncompleteReadError at the end."""
    kind, length = HEADER.unpack(await reader.readexactly(HEADER.size))
    if length > LARGEST:
        raise ValueError("too long a frame")
    return Kind(kind), await reader.readexactly(length)


async def _stopped(reader: asyncio.StreamReader, given: "asyncio.Queue[bytes] | None") -> None:
    """Pass on the caller's standard input until it interrupts or is gone."""
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, ValueError):
        while (sent := await _read(reader))[0] is Kind.INPUT:
            if given is not None:
                given.put_nowait(sent[1])


def _send(loop: asyncio.AbstractEventLoop, writer: asyncio.StreamWriter, content: bytes) -> None:
    """Write from any thread, in order."""
    loop.call_soon_threadsafe(_write, writer, content)


def _write(writer: asyncio.StreamWriter, content: bytes) -> None:
    if not writer.is_closing():
        writer.write(content)
