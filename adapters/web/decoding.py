"""Collecting a response's body within a limit that holds while inflating."""

import zlib
from collections.abc import Mapping

from adapters.headers import size
from core.errors import Refused

GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
PLAIN = frozenset({"", "identity"})
ZIPPED = frozenset({"gzip", "x-gzip", "deflate"})


class Collector:
    """Takes raw chunks, keeps at most `max_bytes` decoded ones. We ask for no compression; some
    servers compress all the same."""

    def __init__(self, max_bytes: int, headers: Mapping[str, str]) -> None:
        encoding = headers.get("content-encoding", "").strip().lower()
        if encoding not in PLAIN | ZIPPED:
            raise Refused(
                "url.encoding", f"the server compresses with {encoding}; download the file yourself"
            )
        if (size(headers.get("content-length")) or 0) > max_bytes:
            raise too_large(max_bytes)
        self._max_bytes = max_bytes
        self._inflater = zlib.decompressobj(GZIP_OR_ZLIB) if encoding in ZIPPED else None
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, chunk: bytes) -> None:
        """Take a chunk as it came. Raises Refused("url.too_large") or Refused("url.encoding")."""
        if self._inflater is not None:
            try:
                chunk = self._inflater.decompress(chunk, self._max_bytes - self._size + 1)
            except zlib.error as error:
                raise Refused("url.encoding", "the compressed body is damaged; try another source") from error
        self._size += len(chunk)
        if self._size > self._max_bytes:
            raise too_large(self._max_bytes)
        self._parts.append(chunk)

    def content(self) -> bytes:
        """The whole body. Raises Refused("url.encoding") if a compressed one ends too early."""
        if self._inflater is not None and not self._inflater.eof:
            raise Refused("url.encoding", "the compressed body is incomplete; try another source")
        return b"".join(self._parts)


def too_large(max_bytes: int) -> Refused:
    """The body is over the limit."""
    limit = f"{max_bytes / 1_000_000:g} MB"
    return Refused("url.too_large", f"the file is larger than {limit}; take a smaller one", limit=limit)
