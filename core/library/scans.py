"""Text recognition (OCR) for the pages that need it: pictures of text, and unreadable text layers."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.pages import DocumentReading, PageLayer, PageTrouble, RecognisedText
from core.errors import Refused
from core.ports.files import PagePictures, TextRecogniser
from core.ports.progress import Progress

DPI = 300
"""Dots per inch of the pictures, as in the training data of Tesseract's models."""
RECOGNISABLE = frozenset({PageTrouble.SCAN, PageTrouble.GARBLED})


@dataclass(slots=True, kw_only=True)
class Recognition:
    """The result for the requested pages. `layers` are the texts by page, for those read reliably; `unsure`
    and `failed` count the others, `scripts` are those that the unsure ones appear to be in; `seconds` is the
    time taken."""

    layers: dict[int, PageLayer] = field(default_factory=dict)
    unsure: int = 0
    failed: int = 0
    scripts: set[str] = field(default_factory=set)
    seconds: float = 0.0

    @property
    def warnings(self) -> tuple[tuple[str, int], ...]:
        """Message keys with a number of pages each."""
        counts = (("ocr.read", len(self.layers)), ("ocr.unsure", self.unsure), ("ocr.failed", self.failed))
        return tuple((key, count) for key, count in counts if count)


@dataclass(frozen=True, slots=True)
class ScanReader:
    """Recognises the text of pages, `at_once` at a time. A page whose mean confidence is below
    `min_confidence` (0 to 1) counts as not read: it is in another script or language, or has no text."""

    pictures: PagePictures
    recogniser: TextRecogniser
    min_confidence: float = 0.7
    at_once: int = 1

    async def name(self) -> str:
        """The name of the recogniser. Raises Refused, saying what to install if something is missing."""
        return await self.recogniser.name()

    async def recognise(self, path: Path, pages: Sequence[int], progress: Progress | None) -> Recognition:
        """The text of 1-based `pages` of the PDF `path`."""
        started = time.perf_counter()
        found, left = Recognition(), deque(pages)

        async def drain() -> None:
            while left:
                await self._page(path, left.popleft(), found)
                if progress:
                    progress(len(found.layers) + found.unsure + found.failed, len(pages))

        async with asyncio.TaskGroup() as group:
            for _ in range(min(self.at_once, len(pages))):
                group.create_task(drain())
        found.seconds = time.perf_counter() - started
        return found

    async def _page(self, path: Path, page: int, found: Recognition) -> None:
        try:
            layer, script = await self._best(path, page)
        except Refused:
            found.failed += 1
            return
        if layer is not None:
            found.layers[page] = layer
            return
        found.unsure += 1
        found.scripts.update({script} - {""})

    async def _best(self, path: Path, page: int) -> tuple[PageLayer | None, str]:
        """The text of a page, read again if it is sideways or upside down; None if it is not read reliably,
        with the script that it appears to be in."""
        picture = await self.pictures.picture(path, page, dpi=DPI)
        text = await self.recogniser.recognise(picture, dpi=DPI)
        if not text.words or (self._is_sure(text) and not text.sideways):
            return (PageLayer(layer=text.layer) if text.words else None), ""
        orientation = await self.recogniser.orientation(picture, dpi=DPI)
        if orientation.turn:
            picture = await self.pictures.picture(path, page, dpi=DPI, turn=orientation.turn)
            again = await self.recogniser.recognise(picture, dpi=DPI)
            if self._is_sure(again):
                return PageLayer(layer=again.layer, turn=orientation.turn), ""
        return (PageLayer(layer=text.layer) if self._is_sure(text) else None), orientation.script

    def _is_sure(self, text: RecognisedText) -> bool:
        return text.words > 0 and text.confidence >= self.min_confidence

    async def layered(self, path: Path, layers: dict[int, PageLayer]) -> bytes:
        """The PDF `path` with the recognised texts laid over their pages. Raises Refused."""
        return await self.pictures.with_layers(path, layers)


def needing(reading: DocumentReading) -> list[int]:
    """Numbers of the pages whose text has to be recognised."""
    return [item.page.number for item in reading.pages if item.trouble in RECOGNISABLE]
