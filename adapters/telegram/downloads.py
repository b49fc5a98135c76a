"""Files that people sent."""

import asyncio
import re
from pathlib import Path

from telegram import Bot

from adapters.telegram.errors import translated
from core.domain.messages import Attachment
from core.errors import Refused

READ_TIMEOUT_S = 60.0
_MAX_NAME = 120


async def download(bot: Bot, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
    """The attachment as a file in the folder `into`. Raises Refused("upload.too_large"),
    Refused("upload.gone") or Unavailable."""
    _check_size(attachment.size, max_bytes, attachment)
    with translated():
        file = await bot.get_file(attachment.id)
    _check_size(file.file_size, max_bytes, attachment)
    with translated():
        content = bytes(await file.download_as_bytearray(read_timeout=READ_TIMEOUT_S))
    _check_size(len(content), max_bytes, attachment)
    path = into / safe_name(attachment.name)
    await asyncio.to_thread(path.write_bytes, content)
    return path


def safe_name(name: str) -> str:
    """`name` without folders, a hidden beginning, and signs that shells and file systems take for theirs."""
    plain = re.sub(r"[^\w. ()+-]", "_", name.replace("\\", "/").rsplit("/", 1)[-1]).strip(". ")
    stem, dot, suffix = plain.rpartition(".")
    if not dot:
        return plain[:_MAX_NAME] or "upload"
    return f"{stem[:_MAX_NAME]}.{suffix[:10]}"


def _check_size(size: int | None, limit: int, attachment: Attachment) -> None:
    if size is not None and size > limit:
        raise Refused(
            "upload.too_large", f"the file is larger than {limit} bytes", name=attachment.name, limit=limit
        )
