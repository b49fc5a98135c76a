"""Small secrets on disk: JSON that only the bot's own user may read, replaced as a whole."""

import json
from pathlib import Path
from typing import Any

from adapters import durable
from core.errors import Broken


def read(path: Path) -> dict[str, Any] | None:
    """The object in the file, None where there is no file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise Broken("platform.store", f"{path} cannot be read: {error}. Restore it from a backup") from error
    if not isinstance(found, dict):
        raise Broken("platform.store", f"{path} holds no JSON object. Restore it from a backup")
    return found


def write(path: Path, content: dict[str, Any]) -> None:
    """Write `content` with mode 0600; a crash leaves the old file or the new one."""
    try:
        durable.make_folder(path.parent)
        durable.write(path, json.dumps(content).encode())
    except OSError as error:
        raise Broken("platform.store", f"{path} cannot be written: {error}") from error
