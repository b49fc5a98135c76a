"""Files that people send, on whatever platform: how large they may be, and how they are named here."""

import re

from core.domain.messages import Attachment
from core.errors import Refused

_MAX_NAME = 120
"""In bytes of UTF-8, as file systems count: they take 255, and what names a copy adds to it."""


def check_size(size: int | None, limit: int, attachment: Attachment) -> None:
    """Raises Refused("upload.too_large") for more than `limit` bytes; None is not known yet."""
    if size is not None and size > limit:
        raise Refused(
            "upload.too_large", f"the file is larger than {limit} bytes", name=attachment.name, limit=limit
        )


def safe_name(name: str) -> str:
    """`name` without folders, a hidden beginning, and signs that shells and file systems take for theirs;
    never more bytes than file systems take."""
    plain = re.sub(r"[^\w. ()+-]", "_", name.replace("\\", "/").rsplit("/", 1)[-1]).strip(". ")
    stem, dot, suffix = plain.rpartition(".")
    if not dot:
        return _cut(plain) or "upload"
    return f"{_cut(stem)}.{suffix[:10]}"


def _cut(name: str) -> str:
    """`name` to the last whole character that `_MAX_NAME` bytes hold."""
    return name.encode()[:_MAX_NAME].decode(errors="ignore")
