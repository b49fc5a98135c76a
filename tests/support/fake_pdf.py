"""A PdfToolkit in memory: documents are texts. Words are on a grid, 6 points a character, 14 a line. A file
is identified by its name. Its "one-page PDF" is a few bytes of text that list what is marked, so that tests
can read it.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.domain.ingestion import Progress
from core.domain.pages import (
    Box,
    DocumentReading,
    Doubt,
    HighlightedPage,
    Page,
    PageReading,
    PageTrouble,
    SheetSide,
    Word,
)
from core.domain.passages import Picture
from core.domain.rich_text import Table
from core.errors import Refused

CHARACTER, LINE, MARGIN = 6.0, 14.0, 50.0


def text_page(text: str, number: int = 1, label: str | None = None) -> Page:
    """A page whose `text` is normalised like the pages of the real toolkit: blocks are separated by empty
    lines."""
    blocks = [[line.split() for line in block.split("\n") if line.split()] for block in text.split("\n\n")]
    normal = "\n\n".join("\n".join(" ".join(line) for line in block) for block in blocks if block)
    words: list[Word] = []
    row = 0
    at = 0
    for b, block in enumerate(filter(None, blocks)):
        for n, line in enumerate(block):
            x = MARGIN
            for token in line:
                start = normal.index(token, at)
                at = start + len(token)
                y = MARGIN + row * LINE
                box = Box(x, y, x + CHARACTER * len(token), y + LINE - 2)
                words.append(Word(text=token, start=start, end=at, box=box, block=b, line=n))
                x += CHARACTER * (len(token) + 1)
            row += 1
    return Page(
        number=number, label=label, width=595.0, height=842.0, rotation=0, text=normal, words=tuple(words)
    )


def text_reading(*texts: str, labels: Sequence[str | None] = ()) -> DocumentReading:
    """A document of one page per text."""
    pages = [text_page(text, n + 1) for n, text in enumerate(texts)]
    named = [replace(page, label=label) for page, label in zip(pages, labels, strict=False)]
    return DocumentReading(
        pages=tuple(
            PageReading(page=page, trouble=None if page.words else PageTrouble.NO_TEXT)
            for page in (*named, *pages[len(named) :])
        ),
        total_pages=len(pages),
    )


class FakePdfToolkit:
    """`documents` by file name; any other name is not a PDF. `doubts` by file name and page."""

    def __init__(self, documents: dict[str, DocumentReading] | None = None) -> None:
        self.documents = dict(documents or {})
        self.doubts: dict[tuple[str, int], Doubt] = {}
        self.closed = False

    async def read(
        self, path: Path, *, max_pages: int | None = None, progress: Progress | None = None
    ) -> DocumentReading:
        reading = self._reading(path)
        pages = reading.pages[:max_pages]
        if progress:
            progress(len(pages), len(pages))
        return replace(reading, pages=pages)

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
        reading = self._reading(path)
        if not 1 <= page <= reading.total_pages:
            raise Refused("pdf.no_such_page", f"page {page} of {reading.total_pages}")
        words = reading.pages[page - 1].page.words
        under = [word.text for word in words if any(_covers(mark, word.box) for mark in marks)]
        doubt = self.doubts.get((path.name, page))
        checked = bool(under) and _bare(under) == _bare(expected) and doubt is None
        strong = [word.text for word in words if any(_covers(mark, word.box) for mark in darker)]
        said = {"marked": under, "darker": strong} if checked else {"marked": [], "darker": []}
        body = json.dumps({"file": path.name, "page": page, **said})
        return HighlightedPage(
            pdf=b"%PDF-fake " + body.encode(),
            marked=checked,
            checked=checked,
            rasterised=raster,
            doubt=doubt,
        )

    async def doubt(
        self, path: Path, page: int, words: Sequence[Box], *, scan: bool, quick: bool = False
    ) -> Doubt | None:
        reading = self._reading(path)
        if not 1 <= page <= reading.total_pages:
            raise Refused("pdf.no_such_page", f"page {page} of {reading.total_pages}")
        return self.doubts.get((path.name, page))

    async def preview(self, pdf: bytes, *, most_bytes: int | None = None) -> bytes:
        if not pdf.startswith(b"%PDF-"):
            raise Refused("pdf.not_a_pdf", "the bytes do not start as a PDF does")
        return b"\x89PNG\r\n\x1a\n" + pdf

    async def strip(self, pdf: bytes, *, pixels: int) -> bytes:
        if not pdf.startswith(b"%PDF-"):
            raise Refused("pdf.not_a_pdf", "the bytes do not start as a PDF does")
        return b"\xff\xd8\xff" + str(pixels).encode() + pdf

    async def cutout(self, path: Path, picture: Picture) -> bytes:
        reading, box = self._reading(path), picture.box
        if not 1 <= picture.page <= reading.total_pages:
            raise Refused("pdf.no_such_page", f"page {picture.page} of {reading.total_pages}")
        page = reading.pages[picture.page - 1].page
        if box.x0 >= page.width or box.y0 >= page.height or box.x1 <= 0 or box.y1 <= 0:
            raise Refused("pdf.broken", f"there is nothing of page {picture.page} in that part")
        inside = [word.text for word in page.words if _covers(box, word.box)]
        return b"\x89PNG\r\n\x1a\n" + json.dumps({"file": path.name, "inside": inside}).encode()

    async def sheet(self, sides: Sequence[SheetSide]) -> bytes:
        said = [[side.caption, side.pdf.decode() if side.pdf else None] for side in sides]
        return b"%PDF-fake " + json.dumps({"sides": said}, ensure_ascii=False).encode()

    async def table(self, table: Table) -> bytes:
        return b"%PDF-fake " + json.dumps({"title": table.title, "rows": table.rows}).encode()

    async def close(self) -> None:
        self.closed = True

    def _reading(self, path: Path) -> DocumentReading:
        if path.name not in self.documents:
            raise Refused("pdf.not_a_pdf", f"{path.name} is not a PDF")
        return self.documents[path.name]


def _covers(mark: Box, box: Box) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return mark.x0 <= x <= mark.x1 and mark.y0 <= y <= mark.y1


def _bare(words: Sequence[str]) -> str:
    return re.sub(r"[\W_]+", "", "".join(words)).casefold()
