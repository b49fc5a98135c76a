"""External programs (Tesseract, LibreOffice) as contained child processes.

A program gets its own folder, an almost empty environment, limits on memory, time and output, and no network.
It is started by a fresh interpreter that drops its privileges and then becomes the program.
"""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from adapters import children
from adapters.containment import contain_program, limit_cpu

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
            *children.command_of("adapters.programs", json.dumps(wanted)),
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


async def _end(process: asyncio.subprocess.Process) -> None:
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
