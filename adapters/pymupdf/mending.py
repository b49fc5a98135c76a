"""Content streams that MuPDF cuts short and other viewers show.

Some old printer drivers write spacing operators inside the arrays of TJ, where only strings and numbers may
stand (ISO 32000-1, 9.4.3). MuPDF drops the whole array, and with it most of the page; viewers skip the
operator. The operator is taken out before the page is read or drawn.
"""

import re
from typing import Any

import pymupdf

_COMPLAINT = "syntax error in array"
_STRAY = re.compile(rb"(?<=[)>])\s*[-+]?(?:\d+\.?\d*|\.\d+)\s+T[cwz]\b")


def forget_complaints() -> None:
    """Start listening to MuPDF again."""
    pymupdf.TOOLS.reset_mupdf_warnings()


def complained() -> bool:
    """Whether MuPDF has dropped an array since `forget_complaints`."""
    return _COMPLAINT in pymupdf.TOOLS.mupdf_warnings()


def mend(document: Any, number: int) -> bool:
    """Take stray operators out of the content of 1-based page `number`; True if there were any."""
    mended = False
    for xref in document[number - 1].get_contents():
        stream = document.xref_stream(xref) or b""
        sound = _STRAY.sub(b"", stream)
        if sound != stream:
            document.update_stream(xref, sound)
            mended = True
    return mended
