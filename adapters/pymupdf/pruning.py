"""Resources a page does not use: fonts, forms and pictures of other pages in a shared dictionary.

MuPDF's own sanitising also rewrites the content, which moves letters visibly; this leaves the content as it
is and takes away only named resources (ISO 32000-1, 7.8.3) that nothing on the page names. Runs in the
worker.
"""

import re
from collections.abc import Iterator
from typing import Any

from pymupdf import mupdf

_CATEGORIES = ("XObject", "Font", "ExtGState", "Pattern", "Shading", "Properties", "ColorSpace")
_KEPT = frozenset((*_CATEGORIES, "ProcSet"))
_NAME = re.compile(rb"/([^\s/<>\[\](){}%]+)")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")


def prune(document: Any) -> None:
    """Remove what the only page of `document` does not use."""
    page = mupdf.pdf_lookup_page_obj(mupdf.pdf_document_from_fz_document(document.this), 0)
    walk = _Walk(document)
    walk.visit(_get(page, "Resources"), document[0].read_contents())
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
            dictionary = _get(resources, category)
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
            own = _get(value, "Resources")
            if mupdf.pdf_to_name(_get(value, "Subtype")) != "Image":
                content = self._document.xref_stream(number) or b""
                self.visit(own if mupdf.pdf_is_dict(own) else resources, content)
            return
        for inner in (_get(_get(value, "SMask"), "G"), _get(value, "Shading")):
            if mupdf.pdf_to_num(inner):
                self._follow(inner, resources)
        glyphs = _get(value, "CharProcs")
        if mupdf.pdf_is_dict(glyphs):
            own = _get(value, "Resources")
            for _, glyph in items(glyphs):
                self.visit(
                    own if mupdf.pdf_is_dict(own) else resources,
                    self._document.xref_stream(mupdf.pdf_to_num(glyph)) or b"",
                )

    def remove_unused(self) -> None:
        """Delete every name that was not met."""
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


def _get(dictionary: Any, key: str) -> Any:
    return mupdf.pdf_dict_gets(dictionary, key)


def items(dictionary: Any) -> Iterator[tuple[str, Any]]:
    """Names and values of a PDF dictionary; nothing for other objects."""
    for at in range(mupdf.pdf_dict_len(dictionary)):
        name = mupdf.pdf_to_name(mupdf.pdf_dict_get_key(dictionary, at))
        yield name, mupdf.pdf_dict_get_val(dictionary, at)


def _empty_properties(dictionary: Any) -> None:
    """Empty the property lists of marked content (metadata of placed pictures, say) that are no layers."""
    for _, value in list(items(dictionary)):
        if mupdf.pdf_to_name(_get(value, "Type")) not in ("OCG", "OCMD"):
            for name, _ in list(items(value)):
                mupdf.pdf_dict_dels(value, name)


def _unescape(name: bytes) -> str:
    plain = _ESCAPE.sub(lambda match: bytes((int(match[1], 16),)), name)
    return plain.decode("utf-8", "surrogateescape")
