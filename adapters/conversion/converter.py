"""The Converter: our own contained process, and LibreOffice where it is installed."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from pathlib import Path

from adapters.conversion.errors import KEYS
from adapters.conversion.office import Office
from adapters.programs import MIB
from core.errors import Refused

_ROOT = Path(__file__).resolve().parents[2]
_START = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from adapters.conversion.child import main; main()"
_ENVIRONMENT = {"LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "1"}
_ADDRESS_SPACE = 1024 * MIB
_MAX_OUTPUT = 256 * MIB
_CPU_SECONDS, _WALL_SECONDS = 60.0, 150.0


class DocumentConverter:
    """Makes PDFs of DOCX, ODT, XLSX, CSV, HTML, Markdown, plain text and pictures; with `office` also of what
    only LibreOffice reads."""

    def __init__(self, office: Office | None = None) -> None:
        self._office = office

    async def convert(self, path: Path, kind: str, name: str) -> bytes:
        """See `Converter.convert`."""
        office = self._office if self._office and self._office.installed else None
        answer, content = await _ask(path, kind, name, office=office is not None)
        if answer == b"P":
            return content
        if answer == b"K" and office is not None:
            return await office.convert(path, content.decode("ascii", "replace"))
        raise _refusal(content)


async def _ask(path: Path, kind: str, name: str, *, office: bool) -> tuple[bytes, bytes]:
    wanted = {
        "kind": kind,
        "ending": Path(name).suffix.lower(),
        "office": office,
        "address_space": _ADDRESS_SPACE,
        "cpu_seconds": _CPU_SECONDS,
    }
    with path.open("rb") as file:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-I", "-c", _START, json.dumps(wanted)),
            env=_ENVIRONMENT,
            cwd="/",
            stdin=file,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    try:
        said = await asyncio.wait_for(_read(process), _WALL_SECONDS)
    except TimeoutError:
        raise Refused("file.too_slow", "converting took too long; save the file as PDF") from None
    finally:
        await _end(process)
    if not said:
        raise Refused("file.broken", "the file cannot be converted; save it as PDF")
    return said[:1], said[1:]


async def _end(process: asyncio.subprocess.Process) -> None:
    """End it where it has not ended. `Process.kill` would take its exit status away from `wait`."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    await process.wait()


async def _read(process: asyncio.subprocess.Process) -> bytes:
    """All that the process says, up to the limit."""
    if process.stdout is None:
        return b""
    parts, size = [], 0
    while part := await process.stdout.read(1 << 16):
        parts.append(part)
        size += len(part)
        if size > _MAX_OUTPUT:
            raise Refused("file.too_large", "the converted file is too large; split it")
    return b"".join(parts)


def _refusal(content: bytes) -> Refused:
    """The child read a hostile file: only known keys are taken from it."""
    try:
        said = json.loads(content)
        key, detail = said["key"], str(said["detail"])[:500]
    except (ValueError, LookupError, TypeError):
        key, detail = "file.broken", "the file cannot be converted; save it as PDF"
    if key == "file.needs_office":
        detail += f"; {Office.ADVICE}, or save it as PDF"
    return Refused(key if key in KEYS else "file.broken", detail)
