"""Files that people sent."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

from adapters.received_files import check_size, safe_name
from adapters.slack.api import Json, SlackApi
from adapters.slack.errors import LIBRARY_ERRORS, translation
from core.domain.messages import Attachment
from core.errors import Refused, Unavailable

HOST = "files.slack.com"
"""The only host that gets to see the token besides the Web API's."""

_CHUNK = 1 << 16


async def download(api: SlackApi, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
    """The attachment as a file in the folder `into`. Raises Refused("upload.too_large"),
    Refused("upload.gone") or Unavailable."""
    check_size(attachment.size, max_bytes, attachment)
    file: Json = (await api.call(api.web.files_info, file=attachment.id))["file"]
    check_size(file.get("size"), max_bytes, attachment)
    url = file.get("url_private_download") or file.get("url_private") or ""
    if not may_see_token(url, api.base):
        raise _gone(attachment)
    path = into / safe_name(file.get("name") or attachment.name)
    try:
        await _save(api, url, path, attachment, max_bytes, html="html" in file.get("mimetype", ""))
    except LIBRARY_ERRORS as error:
        path.unlink(missing_ok=True)
        raise translation(error) from None
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


async def _save(
    api: SlackApi, url: str, path: Path, attachment: Attachment, max_bytes: int, *, html: bool
) -> None:
    """The token goes to this address only, never along a redirect."""
    async with api.session.get(url, headers=api.authorization, allow_redirects=False) as response:
        _check_answer(response, attachment, html=html)
        size = 0
        with path.open("wb") as target:
            async for chunk in response.content.iter_chunked(_CHUNK):
                size += len(chunk)
                check_size(size, max_bytes, attachment)
                await asyncio.to_thread(target.write, chunk)


def _check_answer(response: aiohttp.ClientResponse, attachment: Attachment, *, html: bool) -> None:
    if response.status == 429 or response.status >= 500:
        raise Unavailable("platform.unreachable", "Slack does not hand the file out at the moment")
    page = response.content_type == "text/html"  # without the right to read files Slack shows its login
    if response.status != 200 or (page and not html):
        raise _gone(attachment)


def may_see_token(url: str, base: str) -> bool:
    """Whether `url` is one of Slack's files, or on the server that `base` names instead of Slack."""
    asked, own = urlsplit(url), urlsplit(base)
    if base:
        return (asked.scheme, asked.netloc) == (own.scheme, own.netloc)
    return asked.scheme == "https" and asked.hostname == HOST and asked.port in (None, 443)


def _gone(attachment: Attachment) -> Refused:
    return Refused(
        "upload.gone", "Slack does not hand the file out: it must be sent again", name=attachment.name
    )
