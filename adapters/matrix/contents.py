"""Contents of the Matrix events that the bot sends, and the files that it sends and is sent.

`formatted_body` has what is drawn, written from the marks alone (`markup`): people become no pills, and
`m.mentions: {}` switches the older push rules for names and @room off (specification 1.7, "User and room
mentions").
"""

import asyncio
import hashlib
import hmac
import json
import mimetypes
import struct
from base64 import urlsafe_b64decode
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from nio import AsyncClient

from adapters.disk import check_size, safe_name
from adapters.matrix.homeserver import MEDIA, Homeserver, checked, refusal, translating
from adapters.matrix.session import decoded
from core.domain.messages import Attachment, Capabilities, MessageRef, Outgoing, Recovery, ReplyFile
from core.domain.rich_text import Block, Paragraph, RichText, Style, cells, paragraphs, plain, rich, runs
from core.errors import Refused

Content = dict[str, Any]

MAX_TEXT = 44_000
"""Bytes of JSON. An event may have 65,536 bytes of canonical JSON; an encrypted one carries the text in
base64 (4/3), and about 3,500 bytes go to keys, relations, hashes and signatures."""

FALLBACK_CHARACTERS = 500
"""Maximum characters of an edit's fallback for clients without edits: the full text must not be in the event
twice."""

FILES_AT_ONCE = 2
"""Pages sent with an answer: each file is a separate event, which clients show and announce."""

_HEAD = 64 * 1024
"""Number of bytes of a picture that are searched for its size."""

_FRAMES = frozenset(range(0xFFC0, 0xFFD0)) - {0xFFC4, 0xFFC8, 0xFFCC}

SILENT: Content = {"m.mentions": {}, "com.beeper.linkpreviews": []}
"""Nobody is mentioned, and (MSC4095) no link is previewed."""
_TAGS = {Style.HEADING: "h4", Style.QUOTE: "blockquote"}
_INLINE = {Style.BOLD: "strong", Style.STRUCK: "del"}


def capabilities(max_file_bytes: int | None) -> Capabilities:
    """The capabilities on a homeserver with the given file size limit, if known. Clients show no thumbnails
    of PDFs, though events may have them (specification 1.15, "m.file"), so a picture is sent as well."""
    return Capabilities(
        max_text=MAX_TEXT,
        max_caption=MAX_TEXT,
        max_file_bytes=max_file_bytes,
        threads=True,
        edits=True,
        buttons=False,
        typing=True,
        deletes=True,
        reactions=True,
        previews=True,
        files_at_once=FILES_AT_ONCE,
        recovery=Recovery.RESEND,
        command_prefix="!",
    )


def length(text: Block) -> int:
    """Bytes of `text` in an event's JSON with non-ASCII escaped, as nio writes it before encryption."""
    return len(json.dumps(_body(rich(text)))) - len(json.dumps(_body(RichText(""))))


def _body(text: RichText) -> Content:
    """The text and its formatting."""
    return {"body": plain(text), "format": "org.matrix.custom.html", "formatted_body": html(text)}


def relation(to: MessageRef) -> Content:
    """The relation that puts an answer into the thread of `to` and names the message it answers."""
    reply: Content = {"m.in_reply_to": {"event_id": to.message}} if to.message else {}
    if to.thread:
        fallback = reply or {"m.in_reply_to": {"event_id": to.thread}}
        thread = {"rel_type": "m.thread", "event_id": to.thread, "is_falling_back": True}
        return {"m.relates_to": thread | fallback}
    return {"m.relates_to": reply} if reply else {}


def notice(text: Block, to: MessageRef) -> Content:
    """A text as m.notice, which other bots do not answer."""
    return {"msgtype": "m.notice", **_body(rich(text)), **SILENT, **relation(to)}


def replacement(text: Block, event_id: str) -> Content:
    """An edit of the bot's own message `event_id`."""
    return {
        "msgtype": "m.notice",
        **_body(RichText(f"* {str(text)[:FALLBACK_CHARACTERS]}")),
        **SILENT,
        "m.new_content": {"msgtype": "m.notice", **_body(rich(text)), **SILENT},
        "m.relates_to": {"rel_type": "m.replace", "event_id": event_id},
    }


def media_type(file: ReplyFile) -> str:
    """The media type for a file name's extension."""
    return mimetypes.guess_type(file.name)[0] or "application/octet-stream"


def attachment(file: ReplyFile, to: MessageRef, *, uri: str, size: int, keys: Content | None) -> Content:
    """A file at `uri` (mxc://), with `keys` where it is encrypted. The body is the caption (since 1.10)."""
    kind = media_type(file)
    info: Content = {"mimetype": kind, "size": size}
    if kind.startswith("image/"):
        info |= picture_size(file.path)
    where: Content = {"url": uri} if keys is None else {"file": {**keys, "url": uri}}
    return {
        "msgtype": "m.image" if kind.startswith("image/") else "m.file",
        **(_body(file.said) if file.caption else {"body": file.name}),
        "filename": file.name,
        "info": info,
        **where,
        **SILENT,
        **relation(to),
    }


def picture_size(path: Path) -> Content:
    """Width and height of a PNG or JPEG in pixels, by which clients reserve space for it; {} for anything
    else (ISO/IEC 15948, 11.2.2: bytes 16 to 24; ISO/IEC 10918-1, B.2.2: the frame header)."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        width, height = struct.unpack(">II", head[16:24])
        return {"w": width, "h": height}
    at = 2 if head.startswith(b"\xff\xd8") else len(head)
    while at + 9 <= len(head):
        marker, length, height, width = struct.unpack(">HHxHH", head[at : at + 9])
        if marker in _FRAMES:
            return {"w": width, "h": height}
        at += 2 + length
    return {}


def transactions(part: Outgoing) -> tuple[str, list[str]]:
    """Transaction ids of a part's text and of its files, the same in every attempt."""
    return part.key, [f"{part.key}-{number}" for number in range(1, len(part.files) + 1)]


def html(text: RichText) -> str:
    """`text` in the subset of HTML that clients do not sanitise away; its only small type is `sub`."""
    return "".join(_drawn(each) for each in paragraphs(text))


def _drawn(paragraph: Paragraph) -> str:
    style, text = paragraph.style, paragraph.text
    if style is Style.TABLE:
        return f"<table><tbody>{_rows(cells(text))}</tbody></table>"
    if style is Style.CODE:
        return f"<pre><code>{escape(text.text)}</code></pre>"
    if tag := _TAGS.get(style) if style else None:
        return f"<{tag}>{_words(text)}</{tag}>"
    small = ("<sub>", "</sub>") if style is Style.SMALL else ("", "")
    return f"<p>{small[0]}{_words(text)}{small[1]}</p>"


def _rows(rows: Iterable[Iterable[RichText]]) -> str:
    return "".join(f"<tr>{''.join(f'<td>{_words(cell)}</td>' for cell in row)}</tr>" for row in rows)


def _words(text: RichText) -> str:
    drawn = []
    for run in runs(text):
        words = escape(run.text).replace("\n", "<br>")
        for style, tag in _INLINE.items():
            words = f"<{tag}>{words}</{tag}>" if style in run.styles else words
        drawn.append(f'<a href="{escape(run.to)}">{words}</a>' if run.to else words)
    return "".join(drawn)


# Transfers files to and from the homeserver, encrypted if the room is.


TRANSFER_S = 300.0
CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A file in the media store of a homeserver; key, iv and sha256 (base64) where it is encrypted."""

    url: str
    key: str = ""
    iv: str = ""
    sha256: str = ""

    @classmethod
    def of(cls, attachment: Attachment) -> "Stored":
        """Parses an attachment's id. Raises Refused("upload.gone") if it is not one of ours."""
        try:
            return cls(**json.loads(attachment.id))
        except (TypeError, ValueError) as error:
            raise Refused("upload.gone", "the message names no file", name=attachment.name) from error

    @property
    def address(self) -> str:
        """Path of the download (specification 1.11, authenticated media)."""
        parts = urlsplit(self.url)
        return f"{MEDIA}/download/{quote(parts.netloc, safe=':')}/{quote(parts.path.strip('/'), safe='')}"


class Media:
    """Uploads and downloads. `limit` is the homeserver's for uploads in bytes, None if it names none."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._homeserver = Homeserver(client)
        self.limit: int | None = None

    async def read_limit(self) -> None:
        """Ask the homeserver how large a file may be."""
        answer = await self._homeserver.call("GET", f"{MEDIA}/config")
        size = answer.get("m.upload.size")
        self.limit = size if isinstance(size, int) and size > 0 else None

    async def upload(self, file: ReplyFile, *, encrypt: bool) -> tuple[str, int, dict[str, Any] | None]:
        """Address (mxc://), size in bytes and, where encrypted, the keys of the uploaded file."""
        size = (await asyncio.to_thread(file.path.stat)).st_size
        if self.limit is not None and size > self.limit:
            raise Refused("chat.too_large", f"the homeserver takes files up to {self.limit} bytes")
        # nio reads a path four kilobytes at a time in another thread, and leaves it open when it is cancelled
        content = await asyncio.to_thread(file.path.read_bytes)
        with translating():
            async with asyncio.timeout(TRANSFER_S):
                response, keys = await self._client.upload(
                    lambda *_: content,
                    content_type=media_type(file),
                    filename=None if encrypt else file.name,
                    encrypt=encrypt,
                    filesize=len(content),
                )
        return checked(response).content_uri, len(content), keys

    async def download(self, attachment: Attachment, into: Path, max_bytes: int) -> Path:
        """Fetch, check and decrypt a file; nothing is written to `into` before it is verified."""
        stored = Stored.of(attachment)
        with translating():
            async with asyncio.timeout(TRANSFER_S):
                content = await self._content(stored, attachment, max_bytes)
        return await asyncio.to_thread(_written, content, stored, into / safe_name(attachment.name))

    async def _content(self, stored: Stored, attachment: Attachment, max_bytes: int) -> bytes:
        response = await self._homeserver.opened("GET", stored.address)
        async with response:
            if response.status == 404:
                raise Refused("upload.gone", "the homeserver does not have the file", name=attachment.name)
            if response.status >= 400:
                raise refusal(response.status, await response.json())
            content = bytearray()
            async for chunk in response.content.iter_chunked(CHUNK):
                content += chunk
                check_size(len(content), max_bytes, attachment)
        return bytes(content)


def decrypted(content: bytes, stored: Stored) -> bytes:
    """The content of an encrypted file (specification 1.15, "Sending encrypted attachments": AES-256-CTR,
    SHA-256 of the ciphertext). Raises Refused if it is not what the message announced."""
    try:
        if not hmac.compare_digest(hashlib.sha256(content).digest(), decoded(stored.sha256)):
            raise ValueError("another SHA-256")
        key = urlsafe_b64decode(stored.key + "=" * (-len(stored.key) % 4))
        decryptor = Cipher(AES(key), CTR(decoded(stored.iv))).decryptor()
    except ValueError as error:
        raise Refused("upload.gone", f"the encrypted file is damaged: {error}") from error
    return decryptor.update(content) + decryptor.finalize()


def _written(content: bytes, stored: Stored, path: Path) -> Path:
    plain = decrypted(content, stored) if stored.key else content
    path.write_bytes(plain)
    return path
