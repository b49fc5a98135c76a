"""Tables of a page. Runs in the worker."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adapters.pymupdf.protocol import RawRegion, RawWord

if TYPE_CHECKING:
    from adapters.pymupdf.reading import Texts


def tables(page: Any, texts: "Texts", words: Sequence[RawWord]) -> list[RawRegion]:
    """The tables of a page."""
    return []
