"""Files that people send on any platform: size limits and safe names."""

import re

from core.domain.messages import Attachment
from core.errors import Refused

_MAX_NAME = 120
"""Maximum bytes of UTF-8: file systems allow 255, and naming a copy adds to it."""


def check_size(size: int | None, limit: int, attachment: Attachment) -> None:
    """Raises Refused("upload.too_large") for more than `limit` bytes; None is not known yet."""
    if size is not None and size > limit:
        raise Refused(
            "upload.too_large", f"the file is larger than {limit} bytes", name=attachment.name, limit=limit
        )


def safe_name(name: str) -> str:
    """`name` without folders, leading dots, and characters special to shells and file systems; never longer
    than file systems allow."""
    plain = re.sub(r"[^\w. ()+-]", "_", name.replace("\\", "/").rsplit("/", 1)[-1]).strip(". ")
    stem, dot, suffix = plain.rpartition(".")
    if not dot:
        return _cut(plain) or "upload"
    return f"{_cut(stem)}.{suffix[:10]}"


def _cut(name: str) -> str:
    """`name` truncated to whole characters within `_MAX_NAME` bytes."""
    return name.encode()[:_MAX_NAME].decode(errors="ignore")
