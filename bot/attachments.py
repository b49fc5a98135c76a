"""One-page PDFs and previews of an answer's citations."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.domain.answers import Citation
from core.domain.documents import Edition
from core.domain.pages import HighlightedPage, SheetSide
from core.domain.passages import Span
from core.errors import Broken
from core.evidence.marks import marks
from core.ports import Library, Originals, PdfToolkit

TRUSTED = "public"
"""Pages of every other collection are sent as pictures, which carry nothing but what is seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """Files of one citation: a PDF per page, the preview of the first, and whether all marks were
    read back."""

    pages: tuple[Path, ...]
    preview: Path | None
    checked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFile:
    """A page with all that is quoted from it marked; `labels` name the quotes."""

    labels: tuple[str, ...]
    edition: Edition
    page: int
    path: Path
    preview: Path | None
    checked: bool


class Attacher:
    """Writes the pages that citations stand on, with the quotes marked."""

    def __init__(self, *, library: Library, originals: Originals, pdf: PdfToolkit) -> None:
        self._library = library
        self._originals = originals
        self._pdf = pdf

    async def attach(
        self, citations: Sequence[Citation], folder: Path, *, prefix: str = "", previews: bool = True
    ) -> dict[str, Attached]:
        """Files of `citations` in `folder`, by label. Raises Broken if the folder cannot be written."""
        make_folder(folder)
        found = await asyncio.gather(*(self._files(item, folder, prefix, previews) for item in citations))
        return dict(zip((item.label for item in citations), found, strict=True))

    async def _files(self, citation: Citation, folder: Path, prefix: str, previews: bool) -> Attached:
        stem = f"{prefix}{citation.label}-{short_title(citation.edition.document.fields.title)}"
        made = await asyncio.gather(
            *(self.page(citation.edition, page, citation.quote.spans) for page in citation.quote.pages)
        )
        paths = tuple(folder / f"{stem}-p{page}.pdf" for page in citation.quote.pages)
        for path, page in zip(paths, made, strict=True):
            await asyncio.to_thread(path.write_bytes, page.pdf)
        preview = paths[0].with_suffix(".png") if previews else None
        if preview is not None:
            await asyncio.to_thread(preview.write_bytes, await self._pdf.preview(made[0].pdf))
        return Attached(pages=paths, preview=preview, checked=all(page.checked for page in made))

    async def merged(
        self, citations: Sequence[Citation], folder: Path, *, first: int = 0, limit: int, previews: bool
    ) -> list[PageFile]:
        """The pages that `citations` stand on, each once, in the order cited: `limit` of them from the
        `first` on (0-based). Raises Broken if the folder cannot be written."""
        make_folder(folder)
        wanted = pages_of(citations)[first : first + limit]
        return list(await asyncio.gather(*(self._page_file(cited, folder, previews) for cited in wanted)))

    async def _page_file(self, cited: "CitedPage", folder: Path, previews: bool) -> PageFile:
        made = await self.page(cited.edition, cited.page, cited.spans)
        stem = f"{'-'.join(cited.labels)}-{short_title(cited.edition.document.fields.title)}-p{cited.page}"
        path = folder / f"{stem}.pdf"
        await asyncio.to_thread(path.write_bytes, made.pdf)
        preview = path.with_suffix(".png") if previews else None
        if preview is not None:
            await asyncio.to_thread(preview.write_bytes, await self._pdf.preview(made.pdf))
        return PageFile(
            labels=cited.labels,
            edition=cited.edition,
            page=cited.page,
            path=path,
            preview=preview,
            checked=made.checked,
        )

    async def page(self, edition: Edition, number: int, spans: Sequence[Span]) -> HighlightedPage:
        """The one-page PDF of page `number` with what of `spans` stands on it marked."""
        page = await self._library.page(edition.version.id, number)
        here = [span for span in spans if span.page == number]
        boxes, words = marks(page, here) if page is not None else ([], [])
        return await self._pdf.highlighted_page(
            self._originals.pages(edition.version.original),
            number,
            boxes,
            expected=words,
            raster=edition.document.collection != TRUSTED,
        )

    async def sheet(self, sides: Sequence[SheetSide]) -> bytes:
        """A sheet with one-page PDFs beside each other."""
        return await self._pdf.sheet(sides)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPage:
    """A page with everything that is quoted from it."""

    edition: Edition
    page: int
    labels: tuple[str, ...]
    spans: tuple[Span, ...]


def pages_of(citations: Sequence[Citation]) -> list[CitedPage]:
    """The pages that `citations` stand on, each once, in the order cited."""
    found: dict[tuple[str, int], CitedPage] = {}
    for item in citations:
        for number in item.quote.pages:
            key = (item.edition.version.id, number)
            known = found.get(key) or CitedPage(edition=item.edition, page=number, labels=(), spans=())
            found[key] = replace(
                known,
                labels=tuple(dict.fromkeys((*known.labels, item.label))),
                spans=(*known.spans, *(span for span in item.quote.spans if span.page == number)),
            )
    return list(found.values())


def short_title(title: str) -> str:
    """A title as part of a file name: letters, digits and dashes, 40 characters at most."""
    plain = re.sub(r"[^\w]+", "-", title, flags=re.UNICODE).strip("-_").lower()
    return plain[:40].strip("-") or "page"


def make_folder(folder: Path) -> None:
    """Make a folder for files that people asked for. Raises Broken if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Broken("out.unwritable", f"cannot write to {folder}: {error}; choose another --out") from error
