"""The contained process that reads one file of another format and writes its PDF.

The file is standard input, the answer standard output: one byte that says what it is, then the bytes.
Everything is imported and used once before the process gives its rights up.
"""

import codecs
import gc
import json
import sys
import xml.dom.expatbuilder  # noqa: F401 - mammoth loads it when it reads

from adapters.containment import contain, limit_cpu
from adapters.conversion.archives import kind_of_archive
from adapters.conversion.encodings import CODECS
from adapters.conversion.errors import ConversionError
from adapters.conversion.readers import FAILURES, READERS, decoded, kind_of_text
from adapters.conversion.typesetting import pictured, typeset

PDF, KIND, ERROR = b"P", b"K", b"E"
PICTURES = frozenset({"png", "jpeg", "gif", "tiff"})
OFFICE_ONLY = {"ole": "an old office file", "rtf": "an RTF file"}
OURS = frozenset({"text", "markdown", "csv", "html", "xlsx"})
"""Kinds that LibreOffice is never asked for: it would fetch what a page names, and cut rows apart."""
_MAX_INPUT = 256 << 20


def answer(data: bytes, kind: str, ending: str, *, office: bool) -> tuple[bytes, bytes]:
    """The answer to a file that begins as a `kind`. `office`: say only which kind it is where LibreOffice
    reads that kind. Raises ConversionError."""
    if kind in PICTURES:
        return PDF, pictured(data, kind)
    exact = _exact(data, kind, ending)
    if office and exact not in OURS:
        return KIND, exact.encode()
    if exact not in READERS:
        what = OFFICE_ONLY.get(exact, f"a file of the kind {exact}")
        raise ConversionError("file.needs_office", f"{what} is only read with LibreOffice")
    html, title = READERS[exact](data)
    if not html.strip():
        raise ConversionError("file.empty", "the file holds no text")
    return PDF, typeset(html, title)


def _exact(data: bytes, kind: str, ending: str) -> str:
    if kind == "zip":
        return kind_of_archive(data)
    if kind == "text":
        return kind_of_text(decoded(data[:200_000]), ending)
    if kind == "html" or (kind == "xml" and b"<html" in data[:2000].lower()):
        return "html"
    if kind in OFFICE_ONLY:
        return kind
    raise ConversionError("file.unsupported", f"a file of the kind {kind} is no document")


def main() -> None:
    """Entry point: kind, ending, whether there is an office, address space and CPU seconds as JSON."""
    wanted = json.loads(sys.argv[1])
    _warm_up()
    contain(wanted["address_space"])
    limit_cpu(wanted["cpu_seconds"])
    gc.freeze()
    kind, content = _answered(wanted)
    sys.stdout.buffer.write(kind + content)
    sys.stdout.buffer.flush()


def _answered(wanted: dict[str, str]) -> tuple[bytes, bytes]:
    try:
        data = sys.stdin.buffer.read(_MAX_INPUT + 1)
        if len(data) > _MAX_INPUT:
            raise ConversionError("file.too_large", f"more than {_MAX_INPUT} bytes")
        return answer(data, wanted["kind"], wanted["ending"], office=bool(wanted["office"]))
    except ConversionError as error:
        return _error(error.key, error.detail)
    except MemoryError:
        return _error("file.too_large", "the file needs more memory than a file may have")
    except RecursionError:
        return _error("file.broken", "its elements stand too deep in one another; save it as PDF")
    except (*FAILURES, RuntimeError) as error:  # the boundary: libraries fail in many ways
        return _error("file.broken", f"{type(error).__name__}: {error}"[:300] + "; save it as PDF")


def _error(key: str, detail: str) -> tuple[bytes, bytes]:
    return ERROR, json.dumps({"key": key, "detail": detail}).encode()


def _warm_up() -> None:
    """Use once what loads lazily: nothing can be opened later."""
    for encoding in ("utf-8-sig", "utf-16", "utf-32", "latin-1", "ascii", "cp437", "cp1252", *CODECS):
        codecs.lookup(encoding)
    typeset(
        "<p>\u201eFundstelle\u201c \u0416\u4e2d</p>", "\u0416"
    )  # a title that is not Latin alone is UTF-16
    READERS["markdown"](b"# Fundstelle")
