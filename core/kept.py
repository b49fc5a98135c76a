"""What takes long to read from packaged data is kept in a folder, in the form in which it is used: the next
start is the quicker for it. Without a folder, or without room in it, everything is read as it is packaged."""

import marshal
import os
import sys
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_FOLDERS: list[Path] = []


def keep_in(folder: Path) -> None:
    """Keep in `folder` what is made from now on."""
    _FOLDERS[:] = [folder]


def kept(name: str, stamp: str, make: Callable[[], Any]) -> Any:
    """What `make` returned when it was last called for `name` with this `stamp`, which has to tell the data
    it reads: numbers, texts, bytes, and tuples, lists and dictionaries of them."""
    if not _FOLDERS:
        return make()
    file = _FOLDERS[0] / f"{name}.kept"
    stamp = f"{sys.implementation.cache_tag} {stamp}"
    with suppress(OSError, EOFError, TypeError, ValueError):
        content = memoryview(file.read_bytes())
        if zlib.crc32(content[4:]) == int.from_bytes(content[:4]):
            known, value = marshal.loads(content[4:])  # noqa: S302 - a file of our own
            if known == stamp:
                return value
    value = make()
    packed = marshal.dumps((stamp, value))
    fresh = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        fresh.write_bytes(zlib.crc32(packed).to_bytes(4) + packed)
        fresh.replace(file)
    except OSError:  # no room, or no folder: then it is made again
        with suppress(OSError):
            fresh.unlink()
    return value
