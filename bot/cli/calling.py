"""A command finds the bot that runs on its data folder, and has it do the work. Nothing heavy is imported
until it is known that there is none: the models of the running bot are loaded, and its index has one owner.
"""

import io
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from bot.cli.wire import FOLDER, HEADER, NAME, Call, Kind, address, frame, mounts, user_of

ALONE = "--local"
"""Option that makes this process do the work itself."""

SERVE = "serve"
"""The command that a running bot never executes for another process."""

DATA, DEFAULT_DATA = "FUNDSTELLE_DATA", "~/.local/share/fundstelle"
PREFIX = "FUNDSTELLE_"
_OPTION = "--data"
READING = {"check": "-", "mcp": "mcp"}
"""Commands that read standard input if this is among their arguments."""

_TERMINAL = ("LANG", "LC_", "TERM", "COLORTERM", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_")
"""Prefixes of the environment variables for language and colours."""

FAILED = 3


def by_running_bot(arguments: Sequence[str]) -> int | None:
    """The exit status of a command executed by the running bot; None if there is none."""
    before_text = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if not arguments or arguments[0].startswith("-") or {ALONE, "--help"} & {*before_text}:
        return None
    folder = data_folder(before_text)
    try:
        connection = connected(folder / FOLDER)
    except PermissionError:
        return _complain("cli.other_user", user=_owner(folder), folder=folder)
    except (OSError, AttributeError):  # nobody is listening; Windows has no such sockets
        return None
    with connection:
        if (user := user_of(connection)) not in (None, os.getuid()):
            return _complain("cli.other_user", user=_name(user), folder=folder)
        return _relayed(connection, this_call(arguments))


def data_folder(arguments: Sequence[str]) -> Path:
    """The data folder that a command line refers to."""
    folder = os.environ.get(DATA) or DEFAULT_DATA
    for name, value in zip(arguments, [*arguments[1:], ""], strict=True):
        option, joined, rest = name.partition("=")
        if option == _OPTION:
            folder = rest if joined else value
    return Path(folder).expanduser()


def connected(folder: Path) -> socket.socket:
    """A connection to the socket in `folder`. Raises OSError if nobody listens."""
    with address(folder, NAME) as path:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
        except OSError:
            connection.close()
            raise
        return connection


def this_call(arguments: Sequence[str]) -> Call:
    """The command line of this process."""
    streams = (sys.stdout, sys.stderr)
    known = (PREFIX, *_TERMINAL)
    return Call(
        program=str(Path(__file__).parents[1]),
        arguments=list(arguments),
        folder=os.fspath(Path.cwd()),
        environment={name: value for name, value in os.environ.items() if name.startswith(known)},
        mounts=mounts(),
        size=_size(),
        terminal=(streams[0].isatty(), streams[1].isatty()),
        encodings=(streams[0].encoding, streams[1].encoding),
    )


def _relayed(connection: socket.socket, call: Call) -> int | None:
    """Write the output until the command ends. The first interruption is passed on and the command's end
    awaited; the next one stops waiting."""

    sent = pressed = stopped = False
    sending = _Sending(connection)

    def stop() -> None:
        nonlocal stopped
        if not stopped:
            stopped = True
            sending.send(Kind.STOP)

    def interrupted(*_: object) -> None:
        nonlocal pressed
        signal.signal(signal.SIGINT, signal.default_int_handler)
        pressed = True
        if sent:  # otherwise it would end up in the middle of the call
            stop()

    signal.signal(signal.SIGINT, interrupted)
    with suppress(OSError):  # what it has already sent can still be read
        connection.sendall(call.frame())
    sent = True
    if pressed:
        stop()
    if READING.get(call.arguments[0]) in call.arguments:
        threading.Thread(target=sending.pass_on_input, daemon=True).start()
    try:
        return _written(_frames(connection), call.arguments[0])
    except KeyboardInterrupt:
        return FAILED
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class _Sending:
    """Sends frames, from any thread."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._turn = threading.Lock()

    def send(self, kind: Kind, content: bytes = b"") -> None:
        """Send a frame; does nothing if the running bot has gone."""
        with self._turn, suppress(OSError):
            self._connection.sendall(frame(kind, content))

    def pass_on_input(self) -> None:
        """Send this process's standard input to its end."""
        with suppress(OSError):
            while content := os.read(0, 1 << 16):
                self.send(Kind.INPUT, content)
        self.send(Kind.INPUT)


def _written(frames: Iterator[tuple[Kind, bytes]], command: str) -> int | None:
    for kind, content in frames:
        if kind is Kind.END:
            return int(content)
        if kind is Kind.ALONE:
            return None
        _write(1 if kind is Kind.OUT else 2, content)
    if command == SERVE:  # a supervisor starts the bot again while the one before still dies
        return None
    return _complain("cli.bot_gone")


def _frames(connection: socket.socket) -> Iterator[tuple[Kind, bytes]]:
    """The frames sent by the running bot until it closes the connection."""
    rest = bytearray()
    while got := _received(connection):
        rest += got
        while len(rest) >= HEADER.size:
            kind, length = HEADER.unpack_from(rest)
            end = HEADER.size + length
            if len(rest) < end:
                break
            content = bytes(rest[HEADER.size : end])
            del rest[:end]
            yield Kind(kind), content


def _received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(1 << 16)
    except ConnectionError:
        return b""


def _write(descriptor: int, content: bytes) -> None:
    while content:
        try:
            content = content[os.write(descriptor, content) :]
        except BrokenPipeError:
            drop_the_rest(descriptor)


def _size() -> tuple[int, int] | None:
    """Columns and rows of the first stream that is a terminal."""
    for descriptor in (0, 1, 2):
        with suppress(OSError):
            columns, rows = os.get_terminal_size(descriptor)
            return columns, rows
    return None


def _complain(key: str, **values: object) -> int:
    from bot.cli.terminal import told

    sys.stderr.write(told(key, **values) + "\n")
    return FAILED


def _owner(folder: Path) -> str:
    """The owner of the folder, as far as it can be determined."""
    for path in (folder / FOLDER, folder):
        with suppress(OSError):
            return _name(path.stat().st_uid)
    return "?"


def _name(user: int | None) -> str:
    import pwd

    try:
        return pwd.getpwuid(user or 0).pw_name
    except KeyError:
        return str(user)


# Standard streams whose reader may leave early, as `head` does: the command ends as it would have.


class UntilClosed(io.FileIO):
    """Accepts all output, even if nobody reads it any more."""

    def write(self, content: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        """The number of bytes accepted."""
        try:
            return super().write(content)
        except BrokenPipeError:
            drop_the_rest(self.fileno())
            return len(content)


def drop_the_rest(descriptor: int) -> None:
    """Discard everything written to `descriptor` from now on."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def outlive_readers() -> None:
    """Make this process write to its standard streams only as long as somebody reads."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # None if the shell has closed it
        sys.stdout = _outliving(sys.stdout)
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr = _outliving(sys.stderr)


def _outliving(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(UntilClosed(stream.fileno(), "w", closefd=False)),  # type: ignore[type-var]
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
