"""LibreOffice without a screen, in a contained run with a profile of its own."""

import contextlib
import shutil
import socket
import tempfile
from collections.abc import Sequence
from pathlib import Path

from adapters.programs import MIB, Ended, ProgramLimits, run
from core.errors import Refused

PROGRAMS = ("soffice", "libreoffice")
LIMITS = ProgramLimits(
    address_space=4096 * MIB, output=256 * MIB, cpu_seconds=120.0, wall_seconds=180.0, sockets=True
)
KINDS = {"ole": "doc"}
"""Endings for kinds that have none; LibreOffice looks at the content of the file."""
_READ = frozenset({"docx", "xlsx", "pptx", "odt", "ods", "odp", "rtf", "doc"})


class Office:
    """Converts with LibreOffice, one file at a time in a process of its own."""

    ADVICE = (
        "install it: apt-get install --no-install-recommends libreoffice-writer-nogui libreoffice-calc-nogui "
        "libreoffice-impress-nogui"
    )

    def __init__(self, limits: ProgramLimits = LIMITS) -> None:
        self._limits = limits

    @property
    def installed(self) -> bool:
        """Whether it is there; looked for again every time."""
        return _program() is not None

    async def convert(self, path: Path, kind: str) -> bytes:
        """The PDF of a file of that kind. Raises Refused."""
        ending, program = KINDS.get(kind, kind), _program()
        if ending not in _READ or program is None:
            raise Refused("file.unsupported", f"a file of the kind {kind} is no document", kind=kind)
        with tempfile.TemporaryDirectory(prefix="fundstelle-") as name:
            folder = Path(name)
            source, made = folder / f"file.{ending}", folder / "file.pdf"
            shutil.copyfile(path, source)
            profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
            options = ("--convert-to", "pdf", "--outdir", name, str(source))
            ended = await self._run([program, profile, *_OPTIONS, *options], folder)
            if ended.code is None:
                raise Refused("file.too_slow", "LibreOffice took too long; save the file as PDF")
            if not made.is_file():
                reason = ended.said[-300:]
                raise Refused("file.broken", f"LibreOffice cannot convert it; save it as PDF: {reason}")
            return made.read_bytes()

    async def _run(self, command: Sequence[str], folder: Path) -> Ended:
        """A run in a new profile asks for another one before it does anything."""
        ended = await run(command, self._limits, folder)
        _forget_pipes()
        if ended.code == _START_AGAIN:
            ended = await run(command, self._limits, folder)
            _forget_pipes()
        return ended


_START_AGAIN = 81
"""Exit code (desktop/source/app, EXITHELPER_NORMAL_RESTART)."""
_OPTIONS = ("--headless", "--norestore", "--nolockcheck", "--nodefault", "--nologo")


def _forget_pipes() -> None:
    """Remove the sockets of runs that are over: LibreOffice puts them under /tmp and may not remove them."""
    for pipe in Path("/tmp").glob("OSL_PIPE_*_SingleOfficeIPC_*"):  # noqa: S108 - LibreOffice's own place
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(pipe))
            except ConnectionRefusedError:
                pipe.unlink()


def _program() -> str | None:
    """The program itself, without the scripts that look after it."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        return None
    starter = Path(found).resolve()
    program = starter.with_name("soffice.bin")
    return str(program if program.is_file() else starter)
