"""The TextRecogniser for Tesseract: one contained run per page.

A run writes the words twice: a PDF page that holds nothing but the invisible text at its places (to be laid
over the page), and a table with the confidence of every word (tesseract(1), "tsv").
"""

import asyncio
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from adapters.children import MIB, Ended, ProgramLimits, run
from core.domain.pages import Orientation, RecognisedText
from core.errors import Refused

PROGRAM = "tesseract"
LIMITS = ProgramLimits(address_space=1024 * MIB, output=32 * MIB, cpu_seconds=30.0, wall_seconds=90.0)
"""Limits for one page; a full A4 page at 300 dpi takes 2 to 3 s."""
_WIDTH, _HEIGHT, _CONFIDENCE, _TEXT = 8, 9, 10, 11
_TELLING_LETTERS = 4
"""Shorter words may be taller than wide."""
_VERSION = re.compile(r"tesseract v?(\d[\w.]*)")
_REASON = 300
_ORIENTATION = re.compile(r"^(Rotate|Orientation confidence|Script|Script confidence):\s*(.+)$", re.MULTILINE)
_SURE_OF_TURN, _SURE_OF_SCRIPT = 2.0, 5.0
"""Tesseract's confidences have no unit; pages of text have 8 and more, blurred ones about 1."""


class Tesseract:
    """Recognises text in `languages` (Tesseract's codes, ISO 639-2), `workers` pages at a time."""

    def __init__(self, languages: Sequence[str], *, workers: int = 1, limits: ProgramLimits = LIMITS) -> None:
        self._languages = tuple(languages)
        self._limits = limits
        self._turns = asyncio.Semaphore(workers)
        self._name = ""

    @property
    def installed(self) -> bool:
        """Whether Tesseract is installed; its languages may be missing."""
        return shutil.which(PROGRAM) is not None

    async def name(self) -> str:
        if not self._name:
            with tempfile.TemporaryDirectory(prefix="fundstelle-") as folder:
                version = await self._output(Path(folder), "--version")
                installed = await self._output(Path(folder), "--list-langs")
            absent = sorted(set(self._languages) - set(installed.split()))
            if absent:
                names = " ".join(f"tesseract-ocr-{name}" for name in absent)
                raise Refused("ocr.language_missing", f"install it: apt-get install {names}", names=names)
            number = _VERSION.search(version)
            self._name = f"tesseract {number[1] if number else ''} {'+'.join(self._languages)}"
        return self._name

    async def recognise(self, picture: bytes, *, dpi: int) -> RecognisedText:
        async with self._turns:
            with tempfile.TemporaryDirectory(prefix="fundstelle-") as name:
                folder = Path(name)
                (folder / "page.png").write_bytes(picture)
                ended = await self._run(
                    folder,
                    *("page.png", "page", "-l", "+".join(self._languages), "--dpi", str(dpi)),
                    *("-c", "textonly_pdf=1", "pdf", "tsv"),
                )
                return _read(folder, ended)

    async def lines(self, picture: bytes) -> str:
        async with self._turns:
            with tempfile.TemporaryDirectory(prefix="fundstelle-") as name:
                folder = Path(name)
                (folder / "lines.png").write_bytes(picture)
                block = "--psm", "6"  # "a single uniform block of text"
                ended = await self._run(folder, "lines.png", "lines", "-l", "+".join(self._languages), *block)
                found = folder / "lines.txt"
                if ended.code != 0 or not found.is_file():
                    raise Refused("ocr.failed", f"tesseract ended with {ended.code}: {ended.said[-_REASON:]}")
                return found.read_text("utf-8", "replace")

    async def orientation(self, picture: bytes, *, dpi: int) -> Orientation:
        """See `TextRecogniser.orientation`. A picture of too few characters has none."""
        async with self._turns:
            with tempfile.TemporaryDirectory(prefix="fundstelle-") as name:
                folder = Path(name)
                (folder / "page.png").write_bytes(picture)
                await self._run(folder, "page.png", "page", "-l", "osd", "--psm", "0", "--dpi", str(dpi))
                found = folder / "page.osd"
                return _orientation(found.read_text("utf-8", "replace") if found.is_file() else "")

    async def _output(self, folder: Path, option: str) -> str:
        ended = await self._run(folder, option)
        if ended.code != 0:
            raise Refused("ocr.failed", f"tesseract does not start: {ended.said[-_REASON:]}")
        return ended.said

    async def _run(self, folder: Path, *arguments: str) -> Ended:
        program = shutil.which(PROGRAM)
        if program is None:
            packages = " ".join(["tesseract-ocr", *(f"tesseract-ocr-{name}" for name in self._languages)])
            raise Refused("ocr.missing", f"install Tesseract: apt-get install {packages}", packages=packages)
        return await run([program, *arguments], self._limits, folder)


def _read(folder: Path, ended: Ended) -> RecognisedText:
    layer, table = folder / "page.pdf", folder / "page.tsv"
    if ended.code is None:
        raise Refused("ocr.too_slow", "the text recognition of a page took too long")
    if ended.code != 0 or not layer.is_file() or not table.is_file():
        raise Refused("ocr.failed", f"tesseract ended with {ended.code}: {ended.said[-_REASON:]}")
    found = list(_words(table.read_text("utf-8", "replace")))
    mean = sum(float(word[_CONFIDENCE]) for word in found) / len(found) / 100 if found else 0.0
    long = [word for word in found if len(word[_TEXT].strip()) >= _TELLING_LETTERS]
    tall = sum(1 for word in long if int(word[_HEIGHT]) > int(word[_WIDTH]))
    return RecognisedText(
        layer=layer.read_bytes(), words=len(found), confidence=mean, sideways=2 * tall > len(long)
    )


def _words(table: str) -> Iterator[list[str]]:
    """The rows of words; their confidence is 0 to 100."""
    for line in table.splitlines()[1:]:
        cells = line.split("\t")
        if len(cells) > _TEXT and cells[_TEXT].strip() and float(cells[_CONFIDENCE]) >= 0:
            yield cells


def _orientation(said: str) -> Orientation:
    """How a page is turned, from what orientation and script detection (--psm 0) wrote."""
    told = dict(_ORIENTATION.findall(said))
    try:
        turn = int(told["Rotate"]) if float(told["Orientation confidence"]) >= _SURE_OF_TURN else 0
        script = told["Script"].strip() if float(told["Script confidence"]) >= _SURE_OF_SCRIPT else ""
    except (KeyError, ValueError):
        return Orientation()
    return Orientation(turn=turn % 360, script=script)
