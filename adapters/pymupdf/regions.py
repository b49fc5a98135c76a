"""Tables and figures of a page. Runs in the worker."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adapters.pymupdf.protocol import RawRegion, RawWord
from adapters.pymupdf.tables import tables

if TYPE_CHECKING:
    from adapters.pymupdf.reading import Texts


def regions(page: Any, texts: "Texts", words: Sequence[RawWord]) -> list[RawRegion]:
    """What stands on a page apart from running text, from top to bottom; no word is in two regions."""
    found = tables(page, texts, words)
    return sorted(found, key=lambda region: region.box[1])


def words_of(regions: Sequence[RawRegion]) -> set[int]:
    """Indices of the words that belong to `regions`."""
    rows = {word for region in regions for row in region.rows for word in row}
    return rows | {word for region in regions for word in region.caption}
