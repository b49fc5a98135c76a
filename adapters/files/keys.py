"""Key files: created once, readable by their owner only."""

import os
import secrets
import stat
from pathlib import Path

from core.domain.journal import MIN_KEY_BYTES
from core.errors import Broken


def secret_key(file: Path) -> bytes:
    """The key in `file`, which is created on first use (0600, in a 0700 folder). Several processes may try at
    once; one succeeds. Raises Broken for a file that others can read, that is too short or that cannot be
    created."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not file.exists():
            _make(file)
        mode = stat.S_IMODE(file.stat().st_mode)
        key = file.read_bytes()
    except OSError as error:
        detail = (
            f"the key file {file} cannot be used: {error}; mend it, or state another [retention] key_file"
        )
        raise Broken("key.unusable", detail) from error
    if mode & 0o077:
        raise Broken("key.open", f"others can read the key file {file}; run: chmod 600 {file}")
    if len(key) < MIN_KEY_BYTES:
        detail = f"the key file {file} is damaged; restore it, or remove it: nobody is recognised then"
        raise Broken("key.damaged", detail)
    return key


def _make(file: Path) -> None:
    """Create the key file: written completely under another name, then linked, so that a second process keeps
    the first one's."""
    own = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(secrets.token_bytes(MIN_KEY_BYTES))
            stream.flush()
            os.fsync(stream.fileno())
        try:
            os.link(own, file)
        except FileExistsError:
            return
    finally:
        own.unlink()
