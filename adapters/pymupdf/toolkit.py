"""The PdfToolkit of PyMuPDF, in contained worker processes."""

import asyncio
import os
import time
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from unicodedata import normalize

from rapidfuzz.distance import Levenshtein

from adapters.pymupdf.pool import WorkerDied, WorkerPool, WorkerProcess, WorkerReply
from adapters.pymupdf.protocol import ProtocolError, Unsure, WorkerLimits, decode_page, rounded
from adapters.pymupdf.rectangles import corners
from core.domain.ingestion import Progress
from core.domain.pages import (
    Box,
    DocumentReading,
    Doubt,
    HighlightedPage,
    PageLayer,
    PageNote,
    PageReading,
    SheetSide,
)
from core.domain.passages import Picture
from core.domain.rich_text import Table
from core.errors import Refused
from core.ports.files import LineRecogniser

T = TypeVar("T")
_TITLE_LENGTH = 300
_WARNINGS = ("owner_locked", "repaired", "attachments", "text_boxes")
_MOST_SEEN = 1000
"""Number of pages for which inspection results are cached."""
_Place = tuple[float, ...]
_HEADER = b"%PDF-"
_HEADER_WITHIN = 1024


# A text recogniser's reading of cited letters that nothing in the file confirms.

TIMEOUT_S = 1.5
"""For the lines of one quote on one page; afterwards the answer is as it is without recognition."""
MAX_OTHER = 0.4
"""Share of the letters that may be recognised as others; with more, the picture cannot be read, unless there
are as many."""
MAX_MISREAD = 0.05
"""Share of the letters that may be read now as one and now as another, for a reading to prove anything."""
_FEW = 2  # letters that may be misread in any line
_ALIKE = ("0oqc", "1iljrtf7", "s5", "z2", "b6", "g9q", "uv", "ceo", "nh", "b8", "38")
"""Characters that recognition takes for each other."""
_MOST = 50_000


class SecondOpinion:
    """Asks a recogniser. Glyphs (by their fonts' programs) and places are considered once."""

    def __init__(self, recogniser: LineRecogniser) -> None:
        self._recogniser = recogniser
        self._looked_at: set[tuple[str, str]] = set()
        self._confirmed: set[tuple[str, str]] = set()
        self._said: dict[Hashable, Doubt | None] = {}

    def open(self, unsure: Sequence[Unsure]) -> list[Unsure]:
        """Those of the letters that are worth a look and that nobody has looked at yet."""
        new = (each for each in unsure if not each.glyph or (each.glyph, each.text) not in self._looked_at)
        return [each for each in new if each.plain or _is_telling(each)]

    def left(self, unsure: Sequence[Unsure]) -> Doubt | None:
        """The verdict on letters that were not read as others."""
        plain = {(each.glyph, each.text) for each in unsure if each.plain}
        return Doubt.COMPARE if plain - self._confirmed else None

    def knows(self, place: Hashable) -> bool:
        """Whether the words of a place were read."""
        return place in self._said

    def said(self, place: Hashable) -> Doubt | None:
        """The result of reading the words of a place."""
        return self._said.get(place)

    async def look(
        self, place: Hashable, picture: bytes, words: Sequence[tuple[int, str]], unsure: Sequence[Unsure]
    ) -> None:
        """Read the picture of `words` (their indices and letters, in reading order), which `place` tells from
        all others. Other letters are proven where another one than one of `unsure` is read to which its
        strokes are plainly nearer, or which looks the same in these words, and the rest is read well; where
        they are merely nearer, it is to be compared. What cannot be read in time proves nothing."""
        shown: Mapping[tuple[int, int], str] = {}
        with suppress(Refused, TimeoutError):
            shown = _shown(words, await asyncio.wait_for(self._recogniser.lines(picture), TIMEOUT_S))
        others = [each for each in unsure if _is_other(each, shown)]
        plainly = any(each.plain or shown[each.word, each.place] in _folded(each.twins) for each in others)
        proven = plainly and _is_well_read(words, shown)
        if len(self._said) >= _MOST:
            self._said.clear()
        self._said[place] = Doubt.OTHER_LETTERS if proven else Doubt.COMPARE if others else None
        if not others and len(self._looked_at) < _MOST:
            self._looked_at |= {(each.glyph, each.text) for each in unsure if each.glyph}
            self._confirmed |= {
                (each.glyph, each.text)
                for each in unsure
                if _alike(_folded(each.text), shown.get((each.word, each.place), ""))
            }


def _is_telling(letter: Unsure) -> bool:
    """Whether recognition could tell the letter from one of its rivals: not a letter from a digit, nor two
    letters that it takes for each other. A digit is always worth a look."""
    rivals = [each for each in _folded(letter.rivals) if each.isdigit() == letter.text.isdigit()]
    return letter.text.isdigit() or any(not _alike(_folded(letter.text), each) for each in rivals)


def _is_other(letter: Unsure, shown: Mapping[tuple[int, int], str]) -> bool:
    """Whether another letter, or another digit, was recognised in its place, which its strokes are nearer to.
    Raised and small digits are read as letters easily."""
    seen = shown.get((letter.word, letter.place), "")
    return seen.isdigit() == letter.text.isdigit() and seen != "" and seen in _folded(letter.rivals)


def _is_well_read(words: Sequence[tuple[int, str]], shown: Mapping[tuple[int, int], str]) -> bool:
    """Whether nearly all letters were read as what they are said to be, or always as the same other one."""
    said = [((word, place), _folded(letter)) for word, text in words for place, letter in enumerate(text)]
    seen: dict[str, set[str]] = {}
    for at, letter in said:
        seen.setdefault(letter, set()).add(shown.get(at, ""))
    misread = sum(len(seen[letter]) > 1 and shown.get(at) != letter for at, letter in said)
    return misread <= MAX_MISREAD * len(said)


def _alike(one: str, other: str) -> bool:
    return one == other or any(one in group and other in group for group in _ALIKE)


def _shown(words: Sequence[tuple[int, str]], read: str) -> dict[tuple[int, int], str]:
    """What was recognised in the place of each letter; empty where the picture cannot be read."""
    places = [(word, place) for word, text in words for place in range(len(text))]
    said, seen = _folded("".join(text for _, text in words)), _folded("".join(filter(str.isalnum, read)))
    if Levenshtein.distance(said, seen) > max(_FEW, MAX_OTHER * len(said)):
        return dict(zip(places, seen, strict=True)) if len(said) == len(seen) else {}
    return dict(_pairs(places, said, seen))


def _pairs(places: Sequence[tuple[int, int]], said: str, seen: str) -> Iterator[tuple[tuple[int, int], str]]:
    for step in Levenshtein.opcodes(said, seen):
        if step.tag in ("equal", "replace"):
            for i, j in zip(
                range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True
            ):
                yield places[i], seen[j]


def _folded(text: str) -> str:
    """Small letters without accents, one for each."""
    return "".join((normalize("NFD", character)[0].lower() or character)[0] for character in text)


class File(NamedTuple):
    """A file to work on. The worker that has it open is told apart by its identity."""

    path: Path
    identity: tuple[int, int, int, int]

    @classmethod
    def check(cls, path: Path, limits: WorkerLimits) -> "File":
        """Look at size and first bytes. Raises Refused (not a PDF, too large, not there)."""
        try:
            with path.open("rb") as file:
                stat, start = os.fstat(file.fileno()), file.read(_HEADER_WITHIN)
        except OSError as error:
            raise Refused("pdf.broken", f"the file cannot be opened: {error.strerror}") from error
        if _HEADER not in start:
            raise Refused("pdf.not_a_pdf", "the file does not start as a PDF does")
        if stat.st_size > limits.max_file:
            raise Refused("pdf.too_large", f"{stat.st_size} bytes, {limits.max_file} are allowed")
        return cls(path, (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns))

    def open_in(self, worker: WorkerProcess) -> WorkerReply:
        """Open it in a worker, which answers with the facts of the document."""
        worker.opened = None
        descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            answer = worker.ask("open", pages=0, file=descriptor)
        finally:
            os.close(descriptor)
        worker.opened = self.identity
        return answer

    def ask(
        self, worker: WorkerProcess, do: str, *, pages: int = 1, room: int | None = None, **values: Any
    ) -> WorkerReply:
        """What the worker answers to a request on this file; it is opened first where another one is."""
        if worker.opened != self.identity:
            self.open_in(worker)
        return worker.ask(do, pages=pages, room=room, **values)


def _read_range(
    file: File, first: int, last: int, worker: WorkerProcess
) -> tuple[list[PageReading], set[int]]:
    """The pages `first` to `last`, and the numbers of those that are broken. Raises Refused."""
    answer = file.ask(worker, "read", pages=last - first + 1, first=first, last=last)
    try:
        pages = [decode_page(payload) for payload in answer.pages]
        if [page.page.number for page in pages] != list(range(first, last + 1)):
            raise ProtocolError("other pages than asked for")
    except ProtocolError as error:
        worker.end()
        raise Refused("pdf.broken", f"the reader process gave no sense: {error}") from error
    return pages, {int(info["broken_page"]) for info in answer.infos if "broken_page" in info}


def with_layers(
    file: File, layers: Mapping[str, tuple[str, int]], room: int, worker: WorkerProcess
) -> WorkerReply:
    """The document with `layers` in the place of its pages."""
    return _changed(file, "layers", len(layers), room, worker, layers=layers)


def _changed(file: File, do: str, pages: int, room: int, worker: WorkerProcess, **values: Any) -> WorkerReply:
    """A changed document. The worker has it open afterwards, and no file."""
    try:
        return file.ask(worker, do, pages=pages, room=room, **values)
    finally:
        worker.opened = None


def _shown_of(worker: WorkerProcess, pdf: bytes, do: str, **values: Any) -> WorkerReply:
    """What the worker answers on `pdf`, which is passed on in an unnamed file as every other file."""
    worker.opened = None
    descriptor = os.memfd_create("page")
    with os.fdopen(descriptor, "w+b") as file:
        file.write(pdf)
        file.seek(0)
        worker.ask("open", pages=0, file=descriptor)
    return worker.ask(do, pages=1, **values)


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
        file = await self._checked(path)
        facts = (await self._run(file.open_in, urgent=False)).infos[0]
        total = int(facts["pages"])
        if total > self._limits.max_pages:
            raise Refused("pdf.too_large", f"{total} pages, {self._limits.max_pages} are allowed")
        count = total if max_pages is None else min(total, max_pages)
        pages, broken = await self._read_pages(file, count, progress)
        if broken and broken == count:
            raise Refused("pdf.broken", "none of the pages can be read; export the file as a PDF again")
        warnings = tuple(
            (key, int(facts["warnings"][key])) for key in _WARNINGS if facts["warnings"].get(key)
        )
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
                task = partial(_read_range, file, *ranges.popleft())
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
        file = await self._checked(path)
        boxes = list(map(corners, marks))
        seen = self._seen.get((file.identity, page, False), set())
        answer = await self._ask(
            file,
            "page",
            page=page,
            marks=boxes,
            expected=list(expected),
            darker=list(map(corners, darker)),
            raster=raster,
            seen=[place for place in seen if any(_touches(box, place) for box in boxes)],
        )
        facts = answer.infos[-1]
        doubt = await self._doubt(file, page, facts.get("words", ()), facts) if marks else None
        if doubt is Doubt.OTHER_LETTERS and facts["checked"] is True:
            plain = await self.highlighted_page(path, page, (), expected=(), raster=raster)
            return replace(plain, doubt=doubt)
        return HighlightedPage(
            pdf=answer.blob,
            marked=facts["marked"] is True,
            checked=facts["checked"] is True,
            rasterised=facts["rasterised"] is True,
            doubt=doubt,
        )

    async def doubt(
        self, path: Path, page: int, words: Sequence[Box], *, scan: bool, quick: bool = False
    ) -> Doubt | None:
        file = await self._checked(path)
        boxes = list(map(corners, words))
        places = {rounded(box) for box in boxes}
        seen = self._seen.get((file.identity, page, scan), set())
        if places <= seen:
            return None
        facts = (await self._ask(file, "doubt", page=page, words=boxes, scan=scan)).infos[-1]
        if quick:
            return _doubt(facts)
        said = await self._doubt(file, page, boxes, facts)
        if said is None:
            self._remember((file.identity, page, scan), places)
        return said

    def _remember(self, page: tuple[Any, int, bool], places: set[_Place]) -> None:
        """Words that were looked at are not looked at again: on the page that is sent, or when they are cited
        once more."""
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen.setdefault(page, set()).update(places)

    async def _doubt(
        self, file: File, page: int, words: Sequence[Sequence[float]], facts: Mapping[str, Any]
    ) -> Doubt | None:
        """A worker's verdict on words, and a recogniser's on the letters that nothing confirms."""
        said = _doubt(facts)
        if not self._opinion or (said and said.refuses):
            return said
        unsure = [Unsure(*each) for each in facts.get("unsure", ())]
        open_ = self._opinion.open(unsure)
        if not open_:
            return self._opinion.left(unsure)
        place = file.identity, page, tuple(tuple(word) for word in words)
        wanted = sorted({each.word for each in open_})
        if not self._opinion.knows(place):
            answer = await self._ask(file, "lines", page=page, words=list(words), wanted=wanted)
            shown = [(index, facts["said"][index]) for index in answer.infos[-1]["words"]]
            await self._opinion.look(place, answer.blob, shown, open_)
        return self._opinion.said(place) or self._opinion.left(unsure)

    async def noted(self, path: Path, notes: Sequence[PageNote]) -> bytes:
        file = await self._checked(path)
        wanted = [(each.page, list(map(corners, each.boxes)), each.text, each.warns) for each in notes]

        def asked(worker: WorkerProcess) -> WorkerReply:
            return _changed(file, "notes", len(notes), self._limits.max_file, worker, notes=wanted)

        return (await self._run(asked, urgent=True)).blob

    async def preview(self, pdf: bytes, *, most_bytes: int | None = None) -> bytes:
        asked = partial(_shown_of, pdf=pdf, do="preview", most_bytes=most_bytes)
        return (await self._run(asked, urgent=True)).blob

    async def strip(self, pdf: bytes, *, pixels: int) -> bytes:
        asked = partial(_shown_of, pdf=pdf, do="strip", pixels=pixels)
        return (await self._run(asked, urgent=True)).blob

    async def cutout(self, path: Path, picture: Picture) -> bytes:
        file = await self._checked(path)
        box = corners(picture.box)
        return (await self._ask(file, "cutout", page=picture.page, box=box)).blob

    async def picture(self, path: Path, page: int, *, dpi: int, turn: int = 0) -> bytes:
        file = await self._checked(path)
        asked = partial(file.ask, do="picture", page=page, dpi=dpi, turn=turn)
        return (await self._run(asked, urgent=False)).blob

    async def with_layers(self, path: Path, layers: Mapping[int, PageLayer]) -> bytes:
        file = await self._checked(path)
        encoded = {str(page): (b64encode(each.layer).decode(), each.turn) for page, each in layers.items()}
        asked = partial(with_layers, file, encoded, self._limits.max_file)
        return (await self._run(asked, urgent=False)).blob

    async def table(self, table: Table) -> bytes:
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
        self._pool.close()

    async def _checked(self, path: Path) -> File:
        """The file at `path`, seen to be a PDF of a size that is allowed. Raises Refused."""
        return await asyncio.to_thread(File.check, path, self._limits)

    async def _ask(self, file: File, do: str, **values: Any) -> WorkerReply:
        """What a worker answers to an urgent request on one page of the file."""
        return await self._run(partial(file.ask, do=do, **values), urgent=True, opened=file.identity)

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


def _touches(mark: Sequence[float], place: _Place) -> bool:
    """Whether a word and a mark share a point."""
    return mark[0] < place[2] and place[0] < mark[2] and mark[1] < place[3] and place[1] < mark[3]


def _doubt(facts: Mapping[str, Any]) -> Doubt | None:
    """A worker's verdict; any invalid value counts as a doubt."""
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
