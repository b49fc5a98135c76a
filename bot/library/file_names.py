"""Files by their names: those below folders, hidden ones, and the name that a URL's document goes by."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from core.errors import Refused

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def walk(paths: Sequence[Path]) -> Iterator[Path]:
    """The files under `paths`, folders walked in a stable order. Raises Refused for a missing path."""
    for path in paths:
        if path.is_dir():
            yield from sorted(
                item for item in path.rglob("*") if item.is_file() and not is_hidden(item, path)
            )
        elif path.exists():
            yield path
        else:
            raise Refused("file.missing", f"there is no file or folder {path}", path=str(path))


def written(path: Path) -> str:
    """A path as it can be kept and shown: bytes of a file's name that are no UTF-8 as escapes."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def is_hidden(item: Path, root: Path) -> bool:
    """Whether a file or a folder above it, up to `root`, begins with a dot."""
    return any(part.startswith(".") for part in item.relative_to(root).parts)


def is_url(source: str) -> bool:
    """Every `scheme://`: that only http and https are fetched is said by who fetches."""
    return _SCHEME.match(source) is not None


def url_file(url: str) -> str:
    """The base name that a URL's document goes by."""
    parts = urlsplit(url)
    return unquote(PurePosixPath(parts.path).name) or parts.hostname or url
