"""The PdfToolkit of PyMuPDF, in contained worker processes."""

import asyncio
import time
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from adapters.pymupdf.errands import File, read_range, shown_of, with_layers
from adapters.pymupdf.limits import WorkerLimits
from adapters.pymupdf.pool import WorkerDied, WorkerPool, WorkerProcess
from adapters.pymupdf.second_opinion import SecondOpinion
from adapters.pymupdf.unsure import Unsure, rounded
from core.domain.pages import Box, DocumentReading, Doubt, HighlightedPage, PageLayer, PageReading, SheetSide
from core.domain.passages import Picture
from core.domain.tables import Table
from core.errors import Refused
from core.ports.files import LineRecogniser
from core.ports.progress import Progress

T = TypeVar("T")
_TITLE_LENGTH = 300
_WARNINGS = ("owner_locked", "repaired")


_MOST_SEEN = 1000
"""Pages of which is remembered what was looked at."""
_Place = tuple[float, ...]


class PyMuPdfToolkit:
    """Reads PDFs and makes one-page PDFs with PyMuPDF in `workers` contained processes.

    Processes start on first use. Documents are read in small ranges of pages by all of them; requests for
    single pages go first.
    """

    def __init__(
        self, workers: int = 2, limits: WorkerLimits | None = None, recogniser: LineRecogniser | None = None
    ) -> None:
        """`recogniser` reads cited lines whose fonts cannot be trusted."""
        self._limits = limits or WorkerLimits()
        self._opinion = SecondOpinion(recogniser) if recogniser else None
        self._seen: dict[tuple[Any, int, bool], set[_Place]] = {}
        self._workers = workers
        self._pool = WorkerPool(workers, self._limits)

    async def read(
        self, path: Path, *, max_pages: int | None = None, progress: Progress | None = None
    ) -> DocumentReading:
        """See `PdfToolkit.read`. `progress` is called after each range of pages."""
        file = await asyncio.to_thread(File.check, path, self._limits)
        facts = (await self._run(file.open_in, urgent=False)).infos[0]
        total = int(facts["pages"])
        if total > self._limits.max_pages:
            raise Refused("pdf.too_large", f"{total} pages, {self._limits.max_pages} are allowed")
        count = total if max_pages is None else min(total, max_pages)
        pages, broken = await self._read_pages(file, count, progress)
        if broken and broken == count:
            raise Refused("pdf.broken", "none of the pages can be read; export the file as a PDF again")
        warnings = tuple((key, 1) for key in _WARNINGS if facts["warnings"].get(key))
        return DocumentReading(
            pages=pages,
            total_pages=total,
            title=_clean_title(facts["title"]),
            warnings=(*warnings, ("broken_pages", broken)) if broken else warnings,
        )

    async def _read_pages(
        self, file: File, count: int, progress: Progress | None
    ) -> tuple[tuple[PageReading, ...], int]:
        """Pages 1 to `count` in order, and how many of them cannot be read."""
        size = self._limits.range_pages
        ranges = deque((first, min(first + size - 1, count)) for first in range(1, count + 1, size))
        found: dict[int, PageReading] = {}
        broken: set[int] = set()
        characters, until = 0, time.monotonic() + self._limits.most_seconds

        async def drain() -> None:
            nonlocal characters
            while ranges:
                task = partial(read_range, file, *ranges.popleft())
                pages, bad = await self._run(task, urgent=False)
                found.update((page.page.number, page) for page in pages)
                broken.update(bad)
                characters += sum(len(page.page.text) for page in pages)
                if characters > self._limits.max_characters:
                    detail = f"more than {self._limits.max_characters} characters; split the file"
                    raise Refused("pdf.too_large", detail)
                if ranges and time.monotonic() > until:
                    raise Refused(
                        "pdf.too_slow", "reading took too long; export the file as a PDF again, or split it"
                    )
                if progress:
                    progress(len(found), count)

        await _all([drain() for _ in range(min(self._workers, len(ranges)))])
        return tuple(found[number] for number in range(1, count + 1)), len(broken)

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
        """See `PdfToolkit.highlighted_page`."""
        file = await asyncio.to_thread(File.check, path, self._limits)
        boxes = _corners(marks)
        seen = self._seen.get((file.identity, page, False), set())
        asked = partial(
            file.ask,
            do="page",
            page=page,
            marks=boxes,
            expected=list(expected),
            darker=_corners(darker),
            raster=raster,
            seen=[place for place in seen if any(_touches(box, place) for box in boxes)],
        )
        answer = await self._run(asked, urgent=True, opened=file.identity)
        facts = answer.infos[-1]
        if marks and await self._reads_otherwise(file, page, facts.get("words", ()), facts):
            plain = await self.highlighted_page(path, page, (), expected=(), raster=raster)
            return replace(plain, doubt=Doubt.OTHER_LETTERS)
        return HighlightedPage(
            pdf=answer.blob,
            marked=facts["marked"] is True,
            checked=facts["checked"] is True,
            rasterised=facts["rasterised"] is True,
            doubt=_doubt(facts),
        )

    async def doubt(self, path: Path, page: int, words: Sequence[Box], *, scan: bool) -> Doubt | None:
        """See `PdfToolkit.doubt`."""
        file = await asyncio.to_thread(File.check, path, self._limits)
        boxes = [(word.x0, word.y0, word.x1, word.y1) for word in words]
        places = {rounded(box) for box in boxes}
        seen = self._seen.get((file.identity, page, scan), set())
        if places <= seen:
            return None
        asked = partial(file.ask, do="doubt", page=page, words=boxes, scan=scan)
        facts = (await self._run(asked, urgent=True, opened=file.identity)).infos[-1]
        said = _doubt(facts)
        if said is None and await self._reads_otherwise(file, page, boxes, facts):
            return Doubt.OTHER_LETTERS
        if said is None:
            self._remember((file.identity, page, scan), places)
        return said

    def _remember(self, page: tuple[Any, int, bool], places: set[_Place]) -> None:
        """Words that were looked at are not looked at again: on the page that is sent, or when they are cited
        once more."""
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen.setdefault(page, set()).update(places)

    async def _reads_otherwise(
        self, file: File, page: int, words: Sequence[Sequence[float]], facts: Mapping[str, Any]
    ) -> bool:
        """Whether a recogniser reads other letters than those that nothing vouches for."""
        found = [Unsure(*each) for each in facts.get("unsure", ())] if self._opinion else []
        if not self._opinion or not (unsure := self._opinion.open(found)):
            return False
        place = file.identity, page, tuple(tuple(word) for word in words)
        if (known := self._opinion.known(place)) is not None:
            return known
        wanted = sorted({each.word for each in unsure})
        asked = partial(file.ask, do="lines", page=page, words=list(words), wanted=wanted)
        answer = await self._run(asked, urgent=True, opened=file.identity)
        shown = [(index, facts["said"][index]) for index in answer.infos[-1]["words"]]
        return await self._opinion.disagrees(place, answer.blob, shown, unsure)

    async def preview(self, pdf: bytes) -> bytes:
        """See `PdfToolkit.preview`."""
        return (await self._run(lambda worker: shown_of(worker, pdf, "preview"), urgent=True)).blob

    async def strip(self, pdf: bytes, *, pixels: int) -> bytes:
        """See `PdfToolkit.strip`."""
        asked = partial(shown_of, pdf=pdf, do="strip", pixels=pixels)
        return (await self._run(asked, urgent=True)).blob

    async def cutout(self, path: Path, picture: Picture) -> bytes:
        """See `PdfToolkit.cutout`."""
        file = await asyncio.to_thread(File.check, path, self._limits)
        box = picture.box
        asked = partial(file.ask, do="cutout", page=picture.page, box=[box.x0, box.y0, box.x1, box.y1])
        return (await self._run(asked, urgent=True, opened=file.identity)).blob

    async def picture(self, path: Path, page: int, *, dpi: int, turn: int = 0) -> bytes:
        """See `PagePictures.picture`."""
        file = await asyncio.to_thread(File.check, path, self._limits)
        asked = partial(file.ask, do="picture", page=page, dpi=dpi, turn=turn)
        return (await self._run(asked, urgent=False)).blob

    async def with_layers(self, path: Path, layers: Mapping[int, PageLayer]) -> bytes:
        """See `PagePictures.with_layers`."""
        file = await asyncio.to_thread(File.check, path, self._limits)
        encoded = {str(page): (b64encode(each.layer).decode(), each.turn) for page, each in layers.items()}
        asked = partial(with_layers, file, encoded, self._limits.max_file)
        return (await self._run(asked, urgent=False)).blob

    async def table(self, table: Table) -> bytes:
        """See `PdfToolkit.table`."""
        answer = await self._run(
            lambda worker: worker.ask(
                "table",
                pages=1 + len(table.rows) // 4,
                title=table.title,
                columns=table.columns,
                rows=table.rows,
                notes=table.notes,
            ),
            urgent=True,
        )
        return answer.blob

    async def sheet(self, sides: Sequence[SheetSide]) -> bytes:
        """See `PdfToolkit.sheet`."""
        pages = [None if side.pdf is None else b64encode(side.pdf).decode() for side in sides]
        captions = [side.caption for side in sides]
        answer = await self._run(
            lambda worker: worker.ask("sheet", pages=len(sides), captions=captions, one_page_pdfs=pages),
            urgent=True,
        )
        return answer.blob

    async def containment(self) -> str:
        """What a worker process has given up, for the operator: names joined by commas."""
        return ", ".join(await self._run(lambda worker: worker.held, urgent=True)) or "none"

    @property
    def worker_pids(self) -> tuple[int, ...]:
        """Process ids of the workers that run, for the operator's memory report."""
        return self._pool.pids

    async def close(self) -> None:
        """End the worker processes."""
        self._pool.close()

    async def _run(self, task: Callable[[WorkerProcess], T], *, urgent: bool, opened: object = None) -> T:
        """Run a task with a worker; once more with a fresh one if the worker died."""
        try:
            return await self._pool.run(task, urgent=urgent, opened=opened)
        except WorkerDied:
            pass
        try:
            return await self._pool.run(task, urgent=urgent, opened=opened)
        except WorkerDied as error:
            raise Refused("pdf.broken", f"{error} twice; export the file as a PDF again") from error


def _corners(boxes: Sequence[Box]) -> list[tuple[float, float, float, float]]:
    return [(box.x0, box.y0, box.x1, box.y1) for box in boxes]


def _touches(mark: Sequence[float], place: _Place) -> bool:
    """Whether a word and a mark share a point."""
    return mark[0] < place[2] and place[0] < mark[2] and mark[1] < place[3] and place[1] < mark[3]


def _doubt(facts: Mapping[str, Any]) -> Doubt | None:
    """What a worker said; anything it may not say is a doubt."""
    said = facts.get("doubt", "")
    if said is None:
        return None
    return Doubt(said) if said in tuple(Doubt) else Doubt.NO_INK


def _clean_title(title: object) -> str | None:
    text = "".join(c for c in str(title or "") if c.isprintable()).strip()
    return text[:_TITLE_LENGTH] or None


async def _all(jobs: Sequence[Any]) -> None:
    """Run jobs together; the first error cancels the others and is raised."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
