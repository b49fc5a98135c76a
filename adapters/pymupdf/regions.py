"""Tables and figures of a page. Runs in the worker."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adapters.pymupdf.figures import figures
from adapters.pymupdf.protocol import RawRegion, RawWord
from adapters.pymupdf.tables import tables

if TYPE_CHECKING:
    from adapters.pymupdf.reading import Texts


def regions(page: Any, rotation: int, texts: "Texts", text: str, words: Sequence[RawWord]) -> list[RawRegion]:
    """What stands on a page apart from running text, from top to bottom; no word is in two regions. `page` is
    not turned, which it was by `rotation` degrees; `words` have offsets into `text`."""
    found = tables(page, texts, words)
    found += figures(page, rotation, text, words, words_of(found))
    return sorted(found, key=lambda region: region.box[1])


def words_of(regions: Sequence[RawRegion]) -> set[int]:
    """Indices of the words that belong to `regions`."""
    rows = {word for region in regions for row in region.rows for word in row}
    return rows | {word for region in regions for word in region.caption}
