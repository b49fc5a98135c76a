"""The Converter: our own contained process, and LibreOffice where it is installed."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from adapters import children
from adapters.children import MIB, Ended, ProgramLimits, run
from adapters.conversion.formats import KEYS
from core.errors import Refused
from core.ports.files import WarnedPdf

_ADDRESS_SPACE = 1024 * MIB
_MAX_OUTPUT = 256 * MIB
_CPU_SECONDS, _WALL_SECONDS = 60.0, 150.0


# LibreOffice without a screen, in a contained run with a profile of its own.

PROGRAMS = ("soffice", "libreoffice")
LIMITS = ProgramLimits(
    address_space=4096 * MIB, output=256 * MIB, cpu_seconds=120.0, wall_seconds=180.0, sockets=True
)
KINDS = {"ole": "doc"}
"""Extensions for kinds that have none; LibreOffice examines the file's content."""
_READ = frozenset({"docx", "xlsx", "pptx", "odt", "ods", "odp", "rtf", "doc"})


class Office:
    """Converts with LibreOffice, one file at a time in a process of its own."""

    ADVICE = (
        "install it: apt-get install --no-install-recommends libreoffice-writer-nogui libreoffice-calc-nogui "
        "libreoffice-impress-nogui"
    )

    @property
    def installed(self) -> bool:
        """Whether it is installed; checked every time."""
        return _program() is not None

    async def convert(self, path: Path, kind: str) -> bytes:
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
        """Run LibreOffice; with a new profile it first asks to be restarted."""
        ended = await run(command, LIMITS, folder)
        _forget_pipes()
        if ended.code == _START_AGAIN:
            ended = await run(command, LIMITS, folder)
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
    """The program itself, without its wrapper scripts."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        return None
    starter = Path(found).resolve()
    program = starter.with_name("soffice.bin")
    return str(program if program.is_file() else starter)


class DocumentConverter:
    """Makes PDFs of DOCX, ODT, XLSX, CSV, HTML, Markdown, plain text and pictures; with `office` also of what
    only LibreOffice reads."""

    def __init__(self, office: Office | None = None) -> None:
        self._office = office

    async def convert(self, path: Path, kind: str, name: str) -> bytes:
        office = self._office if self._office and self._office.installed else None
        answer, content = await _ask(path, kind, name, office=office is not None)
        if answer == b"P":
            return content
        if answer == b"W":
            return _warned(content)
        if answer == b"K" and office is not None:
            return await office.convert(path, content.decode("ascii", "replace"))
        raise _refusal(content)


class WordCommenter:
    """Puts comments into Word files."""

    async def commented(self, path: Path, notes: Sequence[tuple[str, str]]) -> bytes:
        with tempfile.TemporaryFile() as file:
            file.write(json.dumps(notes).encode() + b"\n" + await asyncio.to_thread(path.read_bytes))
            file.seek(0)
            answer, content = await _done_by("adapters.conversion.comments", {}, file)
        if answer == b"D":
            return content
        raise _refusal(content)


async def _ask(path: Path, kind: str, name: str, *, office: bool) -> tuple[bytes, bytes]:
    wanted = {"kind": kind, "ending": Path(name).suffix.lower(), "office": office}
    with path.open("rb") as file:
        return await _done_by("adapters.conversion.child", wanted, file)


async def _done_by(module: str, wanted: Mapping[str, object], file: IO[bytes]) -> tuple[bytes, bytes]:
    """What a contained process answers about a file."""
    wanted = {**wanted, "address_space": _ADDRESS_SPACE, "cpu_seconds": _CPU_SECONDS}
    process = await asyncio.create_subprocess_exec(
        *children.command_of(module, json.dumps(wanted)),
        env=children.ENVIRONMENT,
        cwd="/",
        stdin=file,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        output = await asyncio.wait_for(_read(process), _WALL_SECONDS)
    except TimeoutError:
        raise Refused("file.too_slow", "converting took too long; save the file as PDF") from None
    finally:
        await _end(process)
    if not output:
        raise Refused("file.broken", "the file cannot be converted; save it as PDF")
    return output[:1], output[1:]


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill it if it is still running. `Process.kill` would keep its exit status from `wait`."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    await process.wait()


async def _read(process: asyncio.subprocess.Process) -> bytes:
    """The output of the process, up to the limit."""
    if process.stdout is None:
        return b""
    parts, size = [], 0
    while part := await process.stdout.read(1 << 16):
        parts.append(part)
        size += len(part)
        if size > _MAX_OUTPUT:
            raise Refused("file.too_large", "the converted file is too large; split it")
    return b"".join(parts)


def _warned(content: bytes) -> bytes:
    """The PDF with the child's warning, limited to known keys, since the child read a hostile file."""
    count, _, pdf = content.partition(b"\n")
    made = WarnedPdf(pdf)
    made.warnings = (("file.formulas", int(count)),) if count.isdigit() and len(count) < 9 else ()
    return made


def _refusal(content: bytes) -> Refused:
    """The child read a hostile file: only known keys are taken from it."""
    try:
        answer = json.loads(content)
        key, detail = answer["key"], str(answer["detail"])[:500]
    except (ValueError, LookupError, TypeError):
        key, detail = "file.broken", "the file cannot be converted; save it as PDF"
    if key == "file.needs_office":
        detail += f"; {Office.ADVICE}, or save it as PDF"
    return Refused(key if key in KEYS else "file.broken", detail)
