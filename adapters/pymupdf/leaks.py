"""Removes what must not leave with a single page: other pages' text, actions, files, names, metadata.

`strip` removes it from a one-page document, `found` looks into a saved one and says what is left; a page with
something left goes out as a picture. Runs in the worker.
"""

import re
from collections.abc import Iterator
from typing import Any

import pymupdf
from pymupdf import mupdf

from core.evidence.skeleton import skeleton

_CATALOG_KEPT = frozenset({"Type", "Pages"})
_PAGE_KEPT = frozenset(
    {"Type", "Parent", "MediaBox", "CropBox", "Rotate", "Resources", "Contents", "Group", "UserUnit"}
)
_REMOVED = frozenset(
    {"Metadata", "PieceInfo", "LastModified", "StructParent", "StructParents", "Measure", "PtData"}
    | {"OpenAction", "CharSet", "FontFamily", "CreatorInfo", "Alternates", "Thumb"}
)
_REMOVED_WHERE_TYPED = _REMOVED | {"A", "AA", "AF", "ID", "JS", "Names", "OPI", "Ref", "URI"}
_BAD_KEYS = re.compile(
    r"/(?:JavaScript|JS|URI|Launch|SubmitForm|GoTo[RE]?|ImportData|EmbeddedFiles?|Filespec|RichMedia|AcroForm"
    r"|StructTreeRoot|Metadata|PieceInfo|OpenAction|AA|Names|Outlines|Thumb|Dests|AF|XFA|Threads|Collection)"
    r"(?![A-Za-z0-9_+.-])"
)
_STRING_BODY = r"\((?:\\.|[^\\()]|\((?:\\.|[^\\()])*\))*\)"
_STRING = re.compile(rf"(/[A-Za-z0-9]+)?\s*({_STRING_BODY}|<[0-9A-Fa-f\s]+>)", re.DOTALL)
_PROPERTY = re.compile(rf"/([A-Za-z]+)\s*({_STRING_BODY}|<[0-9A-Fa-f\s]+>)".encode(), re.DOTALL)
_CONTENT_STRING = re.compile(_STRING_BODY.encode(), re.DOTALL)
_COMMENT = re.compile(rb"%[^\r\n]*")
_HARMLESS_KEYS = frozenset({"/M", "/CreationDate", "/NM", "/Panose", "/Lang"})
_CHARACTER_SETS = frozenset({"/Registry", "/Ordering"})  # ISO 32000-1, 9.7.3
_CHARACTER_SET_LENGTH = 18
_PALETTE = re.compile(r"\[\s*/(?:Indexed|I)\b")
_LETTERS = re.compile(r"[^\W\d_]{4}")
_PICTURE_NOTES = (b"http://ns.adobe.com/", b"Exif\0\0", b"Photoshop 3.0")


def strip(document: Any) -> None:
    """Remove everything from a one-page document that does not draw the page."""
    _prune(document)
    pdf = mupdf.pdf_document_from_fz_document(document.this)
    for xref, kept in ((document.pdf_catalog(), _CATALOG_KEPT), (document[0].xref, _PAGE_KEPT)):
        dictionary = mupdf.pdf_load_object(pdf, xref)
        for name, _ in list(items(dictionary)):
            if name not in kept:
                mupdf.pdf_dict_dels(dictionary, name)
    for xref in range(1, document.xref_length()):
        _clean(mupdf.pdf_load_object(pdf, xref))
    document.set_metadata({})


def _clean(dictionary: Any) -> None:
    """Remove what is never needed, in dictionaries inside as well. A dictionary without a type may have
    names chosen by its writer (fonts, glyphs): short ones stay."""
    kind = mupdf.pdf_to_name(mupdf.pdf_dict_gets(dictionary, "Type"))
    is_layer = kind == "OCG"
    is_typed = kind or mupdf.pdf_to_name(mupdf.pdf_dict_gets(dictionary, "Subtype"))
    removed = _REMOVED_WHERE_TYPED if is_typed else _REMOVED
    for name, value in list(items(dictionary)):
        if is_layer and name == "Name":
            mupdf.pdf_dict_puts(dictionary, name, mupdf.pdf_new_text_string(""))
        elif name in removed:
            mupdf.pdf_dict_dels(dictionary, name)
        elif not mupdf.pdf_is_indirect(value) and mupdf.pdf_is_dict(value):
            _clean(value)


def found(pdf: bytes, page_text: str) -> str | None:
    """What a saved one-page PDF holds beside what draws the page, or None. Words of `page_text` may stand
    anywhere."""
    document = pymupdf.open(stream=pdf, filetype="pdf")
    try:
        return next(_findings(document, skeleton(page_text)), None)
    finally:
        document.close()


def _findings(document: Any, page_skeleton: str) -> Iterator[str]:
    contents = set(document[0].get_contents())
    for xref in range(1, document.xref_length()):
        text = document.xref_object(xref, compressed=True)
        yield from _BAD_KEYS.findall(text)
        strings = (match[2] for match in _STRING.finditer(text) if not _is_harmless(text, match))
        yield from (string for string in strings if _says_more(string, page_skeleton))
        if not document.xref_is_stream(xref):
            continue
        if "/DCTDecode" in text:
            start = (document.xref_stream_raw(xref) or b"")[:65536]
            yield from ("notes in a picture" for note in _PICTURE_NOTES if note in start)
        elif xref in contents or "/Subtype/Form" in text or "/PatternType 1" in text:
            yield from _findings_in_content(document.xref_stream(xref) or b"", page_skeleton)


def _is_harmless(text: str, match: re.Match[str]) -> bool:
    if match[1] in _CHARACTER_SETS:
        return len(match[2]) <= _CHARACTER_SET_LENGTH
    if match[2] in ("(Adobe)", "(Identity)"):
        return True
    return match[1] in _HARMLESS_KEYS or bool(_PALETTE.match(text))


def _findings_in_content(content: bytes, page_skeleton: str) -> Iterator[str]:
    for name, string in _PROPERTY.findall(content):
        if name != b"Lang" and _says_more(string.decode("latin-1"), page_skeleton):
            yield f"a property in the content: {name!r}"
    if b"%" in content:
        for comment in _COMMENT.findall(_CONTENT_STRING.sub(b"", content)):
            if _says_more(comment.decode("latin-1"), page_skeleton):
                yield "a comment in the content"


def _says_more(string: str, page_skeleton: str) -> bool:
    """Whether a PDF string has four letters in a row and they do not stand on the page."""
    text = _decoded(string)
    return bool(_LETTERS.search(text)) and skeleton(text) not in page_skeleton


def _decoded(string: str) -> str:
    if string.startswith("<"):
        digits = "".join(string[1:-1].split())
        data = bytes.fromhex(digits + "0" * (len(digits) % 2))
    else:
        data = string.encode("latin-1", "replace")
    return (
        data.decode("utf-16", "replace") if data[:2] in (b"\xfe\xff", b"\xff\xfe") else data.decode("latin-1")
    )


# Resources a page does not use: fonts, forms and pictures of other pages in a shared dictionary.
#
# MuPDF's own sanitising also rewrites the content, which moves letters visibly; this leaves the content as
# it is and takes away only named resources (ISO 32000-1, 7.8.3) that nothing on the page names.

_CATEGORIES = ("XObject", "Font", "ExtGState", "Pattern", "Shading", "Properties", "ColorSpace")
_KEPT = frozenset((*_CATEGORIES, "ProcSet"))
_NAME = re.compile(rb"/([^\s/<>\[\](){}%]+)")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")


def _prune(document: Any) -> None:
    """Remove what the only page of `document` does not use."""
    page = mupdf.pdf_lookup_page_obj(mupdf.pdf_document_from_fz_document(document.this), 0)
    walk = _Walk(document)
    walk.visit(value_of(page, "Resources"), document[0].read_contents())
    walk.remove_unused()


class _Walk:
    """Follows the names in content streams through the resource dictionaries."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._resources: dict[int, Any] = {}
        self._used: dict[int, set[str]] = {}
        self._dictionaries: dict[int, Any] = {}
        self._properties: set[int] = set()
        self._seen: set[int] = set()

    def visit(self, resources: Any, content: bytes) -> None:
        """Note what `content` uses of `resources`."""
        self._resources[_key(resources)] = resources
        names = {_unescape(name) for name in _NAME.findall(content)}
        for category in _CATEGORIES:
            dictionary = value_of(resources, category)
            if not mupdf.pdf_is_dict(dictionary):
                continue
            key = _key(dictionary)
            self._dictionaries[key] = dictionary
            if category == "Properties":
                self._properties.add(key)
            used = self._used.setdefault(key, set())
            for name, value in list(items(dictionary)):
                if name in names:
                    used.add(name)
                    self._follow(value, resources)

    def _follow(self, value: Any, resources: Any) -> None:
        number = mupdf.pdf_to_num(value)
        if number and number in self._seen:
            return
        self._seen.add(number)
        if number and mupdf.pdf_is_stream(value):
            own = value_of(value, "Resources")
            if mupdf.pdf_to_name(value_of(value, "Subtype")) != "Image":
                content = self._document.xref_stream(number) or b""
                self.visit(own if mupdf.pdf_is_dict(own) else resources, content)
            return
        for inner in (value_of(value_of(value, "SMask"), "G"), value_of(value, "Shading")):
            if mupdf.pdf_to_num(inner):
                self._follow(inner, resources)
        glyphs = value_of(value, "CharProcs")
        if mupdf.pdf_is_dict(glyphs):
            own = value_of(value, "Resources")
            for _, glyph in items(glyphs):
                self.visit(
                    own if mupdf.pdf_is_dict(own) else resources,
                    self._document.xref_stream(mupdf.pdf_to_num(glyph)) or b"",
                )

    def remove_unused(self) -> None:
        """Delete every name that was not encountered."""
        for key, dictionary in self._dictionaries.items():
            for name, _ in list(items(dictionary)):
                if name not in self._used[key]:
                    mupdf.pdf_dict_dels(dictionary, name)
            if key in self._properties:
                _empty_properties(dictionary)
        for resources in self._resources.values():
            for name, _ in list(items(resources)):
                if name not in _KEPT:
                    mupdf.pdf_dict_dels(resources, name)


def _key(dictionary: Any) -> int:
    """What tells a dictionary from others: its object number, or where it is in memory, negated."""
    return int(mupdf.pdf_to_num(dictionary)) or -int(dictionary.m_internal_value())


def value_of(dictionary: Any, key: str) -> Any:
    """The value of a PDF dictionary under `key`."""
    return mupdf.pdf_dict_gets(dictionary, key)


def items(dictionary: Any) -> Iterator[tuple[str, Any]]:
    """Names and values of a PDF dictionary; nothing for other objects."""
    for at in range(mupdf.pdf_dict_len(dictionary)):
        name = mupdf.pdf_to_name(mupdf.pdf_dict_get_key(dictionary, at))
        yield name, mupdf.pdf_dict_get_val(dictionary, at)


def _empty_properties(dictionary: Any) -> None:
    """Empty the property lists of marked content (metadata of placed pictures, say) that are no layers."""
    for _, value in list(items(dictionary)):
        if mupdf.pdf_to_name(value_of(value, "Type")) not in ("OCG", "OCMD"):
            for name, _ in list(items(value)):
                mupdf.pdf_dict_dels(value, name)


def _unescape(name: bytes) -> str:
    plain = _ESCAPE.sub(lambda match: bytes((int(match[1], 16),)), name)
    return plain.decode("utf-8", "surrogateescape")
