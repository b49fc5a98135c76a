"""Child processes, from start to end: our own code in a fresh interpreter, and external programs."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from adapters.containment import contain_program, limit_cpu
from core.errors import Broken

if TYPE_CHECKING:
    from asyncio.subprocess import Process

T = TypeVar("T")

_ROOT = Path(__file__).resolve().parents[__name__.count(".")]
ENVIRONMENT = {"LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "1"}


def command_of(module: str, *arguments: str) -> list[str]:
    """The command line that runs `main` of a module, isolated from this process's environment."""
    start = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from {module} import main; main()"
    return [sys.executable, "-I", "-c", start, *arguments]


def started(module: str, theirs: socket.socket, *arguments: str) -> subprocess.Popen[bytes]:
    """A process that runs `main` of a module and shares only the other end of a socket with us. `theirs` is
    closed here."""
    with theirs:
        return subprocess.Popen(  # noqa: S603 - our own interpreter and code
            command_of(module, *arguments),
            env=ENVIRONMENT,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )


def come_up(start: Callable[[], T]) -> T:
    """What `start` returns, tried once more where it raised Broken: on a busy machine a start takes longer
    than it may, and the second one finds its files in memory."""
    try:
        return start()
    except Broken:
        return start()


def resident(process: subprocess.Popen[bytes]) -> int:
    """Resident memory of a process in bytes; 0 if the system does not report it."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = Path(f"/proc/{process.pid}/statm").read_text("ascii").split()[1]
        return int(pages) * 4096
    return 0


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and wait for it."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    process.wait()


# External programs (Tesseract, LibreOffice) as contained child processes.
#
# A program gets its own folder, an almost empty environment, limits on memory, time and output, and no
# network. It is started by a fresh interpreter that drops its privileges and then becomes the program.


MIB = 1 << 20
_SAID = "said.txt"
_SAID_LENGTH = 4000
_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramLimits:
    """Limits of one run in bytes and seconds. `sockets`: allow local ones between its own processes."""

    address_space: int = 1024 * MIB
    output: int = 64 * MIB
    cpu_seconds: float = 60.0
    wall_seconds: float = 120.0
    sockets: bool = False


class Ended(NamedTuple):
    """How a run ended: exit code (negative: the signal), None if it timed out; the end of its output."""

    code: int | None
    said: str


async def run(command: Sequence[str], limits: ProgramLimits, folder: Path) -> Ended:
    """Run `command` (an absolute path and its arguments) in `folder`, the only place it can write to.
    A cancelled run is ended with all its children."""
    import asyncio  # which the child, started for every page that is recognised, does not need

    wanted = {
        "command": list(command),
        "folder": str(folder),
        "address_space": limits.address_space,
        "output": limits.output,
        "cpu_seconds": limits.cpu_seconds,
        "sockets": limits.sockets,
    }
    environment = {"LANG": "C.UTF-8", "HOME": str(folder), "TMPDIR": str(folder), "OMP_THREAD_LIMIT": "1"}
    with (folder / _SAID).open("wb") as said:
        process = await asyncio.create_subprocess_exec(
            *command_of(__name__, json.dumps(wanted)),
            env={**environment, "PATH": _PATH},
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    try:
        code = await asyncio.wait_for(process.wait(), limits.wall_seconds)
    except TimeoutError:
        code = None
    finally:
        await _end(process)
    text = (folder / _SAID).read_text("utf-8", "replace")
    return Ended(code, " ".join(text.split())[-_SAID_LENGTH:])


async def _end(process: "Process") -> None:
    """End the run with all its children."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def main() -> None:
    """Entry point of the child: drop privileges, then become the program."""
    wanted = json.loads(sys.argv[1])
    os.nice(10)
    limit_cpu(wanted["cpu_seconds"])
    contain_program(
        wanted["address_space"], wanted["output"], Path(wanted["folder"]), sockets=wanted["sockets"]
    )
    os.execv(wanted["command"][0], wanted["command"])  # noqa: S606 - the program of the operator's system
