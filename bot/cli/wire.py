"""The protocol between a command and the running bot, over a Unix socket in the data folder.

A frame is its kind (a byte), the length of what follows (four bytes, big endian), and that. The command
begins with a `Call`; the running bot answers with what the command writes and ends with its exit status.
Standard library only: a command executed by the running bot needs to load nothing else.
"""

import json
import os
import socket
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path

FOLDER, NAME = "run", "socket"
"""Where the socket is in the data folder."""

HEADER = struct.Struct(">cI")
LARGEST = 16_000_000
"""Maximum bytes of a frame; longer output is split into several frames."""

_LONGEST_ADDRESS = 107
"""Maximum bytes of a socket's path (unix(7))."""


class Kind(Enum):
    """The kind of a frame: the call, its standard input (empty at the end) and its interruption from the
    caller; output and the end to the caller. ALONE: the running bot does not execute this command for others,
    or it only shows usage."""

    CALL = b"c"
    INPUT = b"i"
    STOP = b"s"
    OUT = b"o"
    ERR = b"e"
    END = b"x"
    ALONE = b"a"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A command line, and everything else that its result depends on. `program`: folder of the package.
    `mounts`: names the files that the caller sees. `size`: columns and rows of the terminal, if any.
    `terminal`, `encodings`: of standard output and standard error."""

    program: str
    arguments: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    mounts: str
    size: tuple[int, int] | None
    terminal: tuple[bool, bool]
    encodings: tuple[str, str]

    def frame(self) -> bytes:
        """The call as a frame."""
        return frame(Kind.CALL, json.dumps(asdict(self)).encode())

    @classmethod
    def read(cls, content: bytes) -> "Call":
        """The call that was sent. Raises ValueError or TypeError for anything else."""
        told = json.loads(content)
        pairs = ("size", "terminal", "encodings")
        return cls(**told | {name: told[name] and tuple(told[name]) for name in pairs})


def frame(kind: Kind, content: bytes = b"") -> bytes:
    """A frame, ready to be sent."""
    return HEADER.pack(kind.value, len(content)) + content


@contextmanager
def address(folder: Path, name: str = NAME) -> Iterator[str]:
    """The path of the socket in `folder`; one too long for an address uses a descriptor of the folder, for
    which Linux has a short path. Raises OSError if there is no such folder, or that is impossible."""
    path = os.fspath(folder / name)
    if len(os.fsencode(path)) <= _LONGEST_ADDRESS:
        yield path
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}/{name}"
    finally:
        os.close(descriptor)


def user_of(connection: socket.socket) -> int | None:
    """User id at the other end; None if the system does not provide it."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    credentials = struct.Struct("3i")  # process, user, group
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, credentials.size)
    return int(credentials.unpack(found)[1])


def mounts() -> str:
    """An id of the file system that this process sees: a service may have its own."""
    try:
        return str(Path("/proc/self/ns/mnt").readlink())
    except OSError:
        return ""
