"""Files that people sent."""

import asyncio
from pathlib import Path

from telegram import Bot

from adapters.received_files import check_size, safe_name
from adapters.telegram.errors import translated
from core.domain.messages import Attachment

READ_TIMEOUT_S = 60.0


async def download(bot: Bot, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
    """The attachment as a file in the folder `into`. Raises Refused("upload.too_large"),
    Refused("upload.gone") or Unavailable."""
    check_size(attachment.size, max_bytes, attachment)
    with translated():
        file = await bot.get_file(attachment.id)
    check_size(file.file_size, max_bytes, attachment)
    with translated():
        content = bytes(await file.download_as_bytearray(read_timeout=READ_TIMEOUT_S))
    check_size(len(content), max_bytes, attachment)
    path = into / safe_name(attachment.name)
    await asyncio.to_thread(path.write_bytes, content)
    return path
