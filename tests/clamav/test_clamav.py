"""Files are looked at before they are read; where nobody looks, they are set aside."""

import asyncio
import json
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.clamav import ClamAv
from adapters.files.originals import QuarantineFolder
from core.errors import Refused, Unavailable
from core.library.formats import Admission
from tests.support.world import FixedClock

BAD = b"a test that says it is malicious"


async def daemon(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Speaks as clamd does; finds `BAD`, and takes no more than 100 kB."""
    command = await reader.readuntil(b"\0")
    if command == b"zVERSION\0":
        writer.write(b"ClamAV 1.4.1/27000\0")
    elif command == b"zINSTREAM\0":
        content = b""
        while size := struct.unpack("!I", await reader.readexactly(4))[0]:
            content += await reader.readexactly(size)
            if len(content) > 100_000:
                writer.write(b"INSTREAM size limit exceeded. ERROR\0")
                break
        else:
            writer.write(b"stream: Test.Found FOUND\0" if BAD in content else b"stream: OK\0")
    else:
        writer.write(b"UNKNOWN COMMAND\0")
    writer.close()


@asynccontextmanager
async def clamd(folder: Path) -> AsyncIterator[ClamAv]:
    path = str(folder / "clamd.sock")
    server = await asyncio.start_unix_server(daemon, path)
    async with server:
        yield ClamAv(host="", port=3310, path=path, timeout_s=5.0)


def written(folder: Path, content: bytes) -> Path:
    path = folder / "upload.pdf"
    path.write_bytes(content)
    return path


async def test_a_clean_file_passes(tmp_path: Path) -> None:
    async with clamd(tmp_path) as scanner:
        assert await scanner.version() == "ClamAV 1.4.1/27000"
        admission = Admission(scanner, QuarantineFolder(tmp_path / "aside", FixedClock()))
        await admission.check(written(tmp_path, b"%PDF-" + bytes(90_000)), "upload.pdf")
    assert not (tmp_path / "aside").exists()


async def test_a_bad_file_is_set_aside_with_the_reason(tmp_path: Path) -> None:
    async with clamd(tmp_path) as scanner:
        admission = Admission(scanner, QuarantineFolder(tmp_path / "aside", FixedClock()))
        with pytest.raises(Refused) as refused:
            await admission.check(written(tmp_path, bytes(70_000) + BAD), "upload.pdf")
    assert refused.value.key == "file.infected"
    note, copy = sorted((tmp_path / "aside").iterdir())
    assert json.loads(note.read_text())["reason"] == "Test.Found"
    assert json.loads(note.read_text())["name"] == "upload.pdf"
    assert copy.read_bytes().endswith(BAD)
    assert copy.stat().st_mode & 0o777 == 0o400


async def test_where_nobody_can_tell_it_is_set_aside(tmp_path: Path) -> None:
    aside = QuarantineFolder(tmp_path / "aside", FixedClock())
    async with clamd(tmp_path) as scanner:
        with pytest.raises(Refused) as refused:
            await Admission(scanner, aside).check(written(tmp_path, bytes(300_000)), "large.pdf")
        assert refused.value.key == "file.not_scanned"
    down = ClamAv(host="", port=3310, path=str(tmp_path / "nothing.sock"), timeout_s=5.0)
    with pytest.raises(Refused) as refused:
        await Admission(down, aside).check(written(tmp_path, b"x"), "upload.pdf")
    assert refused.value.key == "file.not_scanned"
    assert len(list((tmp_path / "aside").glob("*.set-aside"))) == 2


async def test_a_silent_daemon_is_left(tmp_path: Path) -> None:
    ended = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()
        ended.set()

    path = str(tmp_path / "silent.sock")
    async with await asyncio.start_unix_server(silent, path):
        scanner = ClamAv(host="", port=3310, path=path, timeout_s=0.2)
        with pytest.raises(Unavailable) as unavailable:
            await scanner.infection(written(tmp_path, b"x"))
        await ended.wait()  # else the connection outlives the loop
    assert unavailable.value.key == "scanner.down"
