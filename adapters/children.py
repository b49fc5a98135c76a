"""Starting, watching and ending child processes that run our own code in a fresh interpreter."""

import contextlib
import socket
import subprocess
import sys
from pathlib import Path

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
