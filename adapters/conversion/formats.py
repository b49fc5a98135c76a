"""Identifies files of other formats, and why they cannot be converted."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator


class ConversionError(Exception):
    """A message key and an English detail that says what to do."""

    def __init__(self, key: str, detail: str) -> None:
        super().__init__(detail)
        self.key = key
        self.detail = detail


KEYS = frozenset(
    {"file.unsupported", "file.bomb", "file.broken", "file.empty", "file.too_large", "file.needs_office"}
)
"""Message keys of all errors about files of other formats."""


# ZIP archives that are documents (OOXML, OpenDocument): identifying them and rejecting bombs.
#
# Every member is inflated once, counting, before any library sees the archive; no XML in it may have a
# document type declaration, the only way to entities that expand (XML 1.0, 4.1; the "billion laughs"). Runs
# in the child.

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
    **dict.fromkeys(
        (f"application/vnd.oasis.opendocument.text{kind}" for kind in ("", "-web", "-template")), "odt"
    ),
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
    """Refuse XML declarations; zero bytes are dropped, so that UTF-16 and UTF-32 are covered."""
    if _DECLARATION.search(xml) or _DECLARATION.search(xml.replace(b"\0", b"")):
        raise ConversionError("file.bomb", f"{name} declares a document type, which documents do not")


# The encoding that a web page means by its label (WHATWG, Encoding Standard, 4.2 "Names and labels").
#
# "ISO-8859-1" and "US-ASCII" stand on so many pages in Windows-1252 that every browser reads them as that:
# their dashes and quotes would be lost otherwise.

_LABELS = {
    "utf-8": (
        "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8 unicodefffe "
        "utf-16be csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"
    ),
    "ibm866": "866 cp866 csibm866 ibm866",
    "iso-8859-2": (
        "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"
    ),
    "iso-8859-3": (
        "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"
    ),
    "iso-8859-4": (
        "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"
    ),
    "iso-8859-5": (
        "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"
    ),
    "iso-8859-6": (
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 "
        "iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"
    ),
    "iso-8859-7": (
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 "
        "iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek"
    ),
    "iso-8859-8": (
        "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 "
        "iso88598 iso_8859-8 iso_8859-8:1988 visual"
    ),
    "iso8859-8": "csiso88598i iso-8859-8-i logical",
    "iso-8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso-8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso-8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso-8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso-8859-16": "iso-8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "mac-roman": "csmacintosh mac macintosh x-mac-roman",
    "cp874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "windows-1250": "cp1250 windows-1250 x-cp1250",
    "windows-1251": "cp1251 windows-1251 x-cp1251",
    "windows-1252": (
        "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 "
        "iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 "
        "x-user-defined"
    ),
    "windows-1253": "cp1253 windows-1253 x-cp1253",
    "windows-1254": (
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 "
        "iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254"
    ),
    "windows-1255": "cp1255 windows-1255 x-cp1255",
    "windows-1256": "cp1256 windows-1256 x-cp1256",
    "windows-1257": "cp1257 windows-1257 x-cp1257",
    "windows-1258": "cp1258 windows-1258 x-cp1258",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gb18030": ("chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030"),
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso-2022-jp": "csiso2022jp iso-2022-jp",
    "cp932": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "cp949": (
        "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 "
        "ksc_5601 windows-949"
    ),
}
"""Python's codec for each encoding, and the labels for it. What a page that can be read as ASCII up to its
label says of UTF-16 is not so: UTF-8 (HTML, 13.2.3.2)."""

CODECS = tuple(_LABELS)

_CODEC = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}


def codec_of(label: str) -> str | None:
    """Python's codec for the encoding that a page names; None if there is none."""
    return _CODEC.get(label.strip("\t\n\f\r ").lower())
