"""Transfers files to and from the homeserver, encrypted if the room is."""

import asyncio
import hashlib
import hmac
import json
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from nio import AsyncClient

from adapters.matrix.contents import media_type
from adapters.matrix.cross_signing import decoded
from adapters.matrix.homeserver import MEDIA, Homeserver, checked, refusal, translating
from adapters.received_files import check_size, safe_name
from core.domain.messages import Attachment, ReplyFile
from core.errors import Refused

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
