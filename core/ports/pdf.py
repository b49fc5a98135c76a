"""Port for reading PDFs and making one-page PDFs, in contained processes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from core.domain.ingestion import Progress
from core.domain.pages import Box, DocumentReading, Doubt, HighlightedPage, PageNote, SheetSide
from core.domain.passages import Picture
from core.domain.rich_text import Table


class PdfToolkit(Protocol):
    """Reads PDFs and makes one-page PDFs, in contained processes."""

    async def read(
        self, path: Path, *, max_pages: int | None = None, progress: Progress | None = None
    ) -> DocumentReading:
        """Read `path`. Raises Refused (encrypted, empty, broken, too slow or large, not a PDF)."""

    async def highlighted_page(
        self,
        path: Path,
        page: int,
        marks: Sequence[Box],
        *,
        expected: Sequence[str],
        darker: Sequence[Box] = (),
        raster: bool = False,
    ) -> HighlightedPage:
        """A one-page PDF of 1-based `page` with `marks` highlighted, after reading back that the words under
        them are `expected` (source words in order) and visible; otherwise the page is unmarked. `darker`:
        parts of the marks that should stand out. `raster`: make the page a picture (internal or untrusted
        documents). Raises Refused if there is no such page."""

    async def doubt(
        self, path: Path, page: int, words: Sequence[Box], *, scan: bool, quick: bool = False
    ) -> Doubt | None:
        """Why the words in these boxes of 1-based `page` are not what a reader sees, None if they are.
        `scan`: they are recognised text over a picture. `quick`: check without text recognition. Raises
        Refused if there is no such page."""

    async def preview(self, pdf: bytes, *, most_bytes: int | None = None) -> bytes:
        """PNG of the first page of `pdf`, at most 1200 px on the longer side; JPEG where that would be larger
        than `most_bytes`, as small as legible."""

    async def strip(self, pdf: bytes, *, pixels: int) -> bytes:
        """JPEG of the highlighted part of the first page of `pdf`, `pixels` wide and two fifths as high."""

    async def cutout(self, path: Path, picture: Picture) -> bytes:
        """PNG of that part of a page, upright as displayed, at most 1600 px on the longer side. Raises
        Refused if there is no such page or the part is not on it."""

    async def sheet(self, sides: Sequence[SheetSide]) -> bytes:
        """A one-sheet PDF with the first pages of `sides` side by side, marks included, each under its
        caption; captions are shown literally."""

    async def table(self, table: Table) -> bytes:
        """A PDF of `table` on as many pages as needed; its text is shown literally, never interpreted as
        markup."""

    async def noted(self, path: Path, notes: Sequence[PageNote]) -> bytes:
        """The PDF with `notes` as highlights that show their text. Raises Refused."""

    async def close(self) -> None:
        """End the worker processes."""
