"""ZIP archives that are documents (OOXML, OpenDocument): what they are, and that they are no bombs.

Every member is inflated once, counting, before any library sees the archive; no XML in it may have a
document type declaration, the only way to entities that expand (XML 1.0, 4.1; the "billion laughs"). Runs in
the child.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator

from adapters.conversion.errors import ConversionError

MAX_MEMBERS = 5_000
MAX_INFLATED = 256 << 20
"""Bytes of all members together. Office documents inflate by 3 to 20."""
MAX_RATIO = 200
"""How much a member of more than `_SMALL` may inflate by; XML of real spreadsheets reaches 100."""
_SMALL = 1 << 20
_CHUNK = 1 << 16
_XML = (".xml", ".rels", ".xhtml", ".opf", ".vml")
_MARKERS = (("word/document.xml", "docx"), ("xl/workbook.xml", "xlsx"), ("ppt/presentation.xml", "pptx"))
_OPEN_DOCUMENT = {
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
}
_DECLARATION = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def kind_of_archive(data: bytes) -> str:
    """What a ZIP archive is ("docx", "odt", "xlsx", ...), after it was seen to be harmless. Raises
    ConversionError: file.bomb, file.broken, file.unsupported."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check(archive)
            return _kind(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ConversionError("file.broken", f"the archive cannot be read: {error}") from error


def _kind(archive: zipfile.ZipFile) -> str:
    names = set(archive.namelist())
    for marker, kind in _MARKERS:
        if marker in names:
            return kind
    if "mimetype" in names:
        stated = archive.read("mimetype")[:200].decode("ascii", "replace").strip()
        if stated in _OPEN_DOCUMENT and "content.xml" in names:
            return _OPEN_DOCUMENT[stated]
    raise ConversionError(
        "file.unsupported", "the archive is no document; unpack it and send the files in it"
    )


def _check(archive: zipfile.ZipFile) -> None:
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise ConversionError("file.bomb", f"the archive has {len(members)} members")
    total = 0
    for member in members:
        size, before = 0, b""
        for chunk in _inflated(archive, member):
            size += len(chunk)
            total += len(chunk)
            if total > MAX_INFLATED or (size > _SMALL and size > MAX_RATIO * max(1, member.compress_size)):
                raise ConversionError(
                    "file.bomb", f"the archive inflates far beyond its size: {member.filename}"
                )
            if member.filename.lower().endswith(_XML):
                _refuse_declarations(before + chunk, member.filename)
                before = chunk[-64:]


def _inflated(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(member) as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _refuse_declarations(xml: bytes, name: str) -> None:
    """Bytes of zero are left out, so that UTF-16 and UTF-32 are seen through."""
    if _DECLARATION.search(xml) or _DECLARATION.search(xml.replace(b"\0", b"")):
        raise ConversionError("file.bomb", f"{name} declares a document type, which documents do not")
