"""What must not travel with a single page: other pages' text, actions, files, names, metadata."""

from typing import Any

import pymupdf

_CATALOG_KEPT = frozenset({"Type", "Pages", "OCProperties", "Version"})
_PAGE_KEPT = frozenset(
    {"Type", "Parent", "MediaBox", "CropBox", "Rotate", "Resources", "Contents", "Group", "UserUnit"}
)
_ACTIONS = (
    b"/JavaScript", b"/JS", b"/URI", b"/Launch", b"/SubmitForm", b"/GoToR", b"/GoToE", b"/EmbeddedFile",
    b"/Filespec", b"/RichMedia", b"/AcroForm", b"/StructTreeRoot", b"/Metadata", b"/PieceInfo",
    b"/OpenAction", b"/AA", b"/Names", b"/Outlines", b"/Thumb",
)  # fmt: skip


def strip(document: Any) -> None:
    """Remove everything from a one-page document that does not draw the page."""
    for xref, kept in ((document.pdf_catalog(), _CATALOG_KEPT), (document[0].xref, _PAGE_KEPT)):
        for key in document.xref_get_keys(xref):
            if key not in kept:
                document.xref_set_key(xref, key, "null")
    document.set_metadata({})
    document.del_xml_metadata()


def found(pdf: bytes) -> bool:
    """Whether decoded objects of a one-page PDF hold anything that does not draw the page."""
    document = pymupdf.open(stream=pdf, filetype="pdf")
    for xref in range(1, document.xref_length()):
        names = document.xref_object(xref, compressed=True).encode("utf-8", "replace")
        if any(name in names for name in _ACTIONS):
            return True
    return False
