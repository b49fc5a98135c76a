"""Scans become pages whose words can be quoted and marked; what cannot be read is refused, never guessed."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.children import ProgramLimits
from adapters.files.originals import FileOriginals
from adapters.ocr import Tesseract
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import PageTrouble, TextSource
from core.errors import Refused
from core.library.formats import FileRead, FileReader, ScanReader
from tests.support.pdfs import DATA, find, marks, pymupdf
from tests.support.scans import LEFT, RIGHT, laid, needs_tesseract, noise, printed, scanned

pytestmark = needs_tesseract


class Reading:
    """A reader on real parts."""

    def __init__(self, folder: Path, recogniser: Tesseract) -> None:
        self.kit = PyMuPdfToolkit(workers=1)
        self.originals = FileOriginals(folder)
        self.reader = FileReader(self.kit, self.originals, scans=ScanReader(self.kit, recogniser))
        self.steps: list[tuple[str, int, int]] = []

    async def read(self, path: Path, max_pages: int | None = None) -> FileRead:
        seen = await self.originals.inspect(path)

        def steps(stage: str, done: int, total: int) -> None:
            self.steps.append((stage, done, total))

        return await self.reader.read(path, seen, name=path.name, max_pages=max_pages, steps=steps)

    async def shown(self, path: Path) -> Path:
        made = await self.originals.pages((await self.originals.keep(path)).original)
        assert made is not None
        return made


@pytest.fixture
async def reading(tmp_path: Path) -> AsyncIterator[Reading]:
    made = Reading(tmp_path / "originals", Tesseract(["deu", "eng"]))
    yield made
    await made.kit.close()


async def test_only_pages_without_text_are_recognised(reading: Reading, tmp_path: Path) -> None:
    path = scanned(tmp_path / "scan.pdf", printed(LEFT))
    with pymupdf.open(path) as document, pymupdf.open(stream=printed(RIGHT), filetype="pdf") as native:
        document.insert_pdf(native)
        document.saveIncr()
    read = await reading.read(path)
    first, second = (item.page for item in read.reading.pages)
    assert (first.text_source, second.text_source) == (TextSource.OCR, TextSource.NATIVE)
    assert first.text.split() == LEFT.split()
    assert second.text.split() == RIGHT.split()
    assert read.reading.warnings == (("ocr.read", 1),)
    assert read.ocr_seconds > 0
    assert reading.steps[-1] == ("ocr", 1, 1)


async def test_a_quote_is_marked_on_the_picture(reading: Reading, tmp_path: Path) -> None:
    path = scanned(tmp_path / "scan.pdf", printed(LEFT))
    page = (await reading.read(path)).reading.pages[0].page
    quote = find(page, "Mindestlohn von fünfzehn Euro")
    expected = [word.text for word in quote]
    shown = await reading.shown(path)
    made = await reading.kit.highlighted_page(shown, 1, marks(quote), expected=expected)
    assert (made.marked, made.checked, made.rasterised) == (True, True, False)
    other = await reading.kit.highlighted_page(shown, 1, marks(quote), expected=["something", "else"])
    assert not other.marked


async def test_columns_are_read_one_after_the_other(reading: Reading, tmp_path: Path) -> None:
    path = scanned(tmp_path / "scan.pdf", printed(LEFT, RIGHT))
    page = (await reading.read(path)).reading.pages[0].page
    assert page.text.split() == [*LEFT.split(), *RIGHT.split()]


async def test_a_turned_page_is_read_upright(reading: Reading, tmp_path: Path) -> None:
    path = scanned(tmp_path / "scan.pdf", printed(LEFT))
    with pymupdf.open(path) as document:
        picture = document[0].get_pixmap(dpi=150).tobytes("png")
    with pymupdf.open() as document:
        page = document.new_page(width=842, height=595)
        page.insert_image(page.rect, stream=picture, rotate=90)
        page.set_rotation(90)
        document.save(path)
    page = (await reading.read(path)).reading.pages[0].page
    assert page.text.split() == LEFT.split()
    assert (page.rotation, page.width, page.height) == (0, 595, 842)


@pytest.mark.parametrize("turn", [180, 270])
async def test_a_page_that_was_scanned_on_its_side_is_set_upright(
    reading: Reading, tmp_path: Path, turn: int
) -> None:
    path = laid(scanned(tmp_path / "scan.pdf", printed(f"{LEFT} {RIGHT}")), turn)
    page = (await reading.read(path)).reading.pages[0].page
    assert page.text.split() == [*LEFT.split(), *RIGHT.split()]
    assert page.width < page.height


async def test_a_page_that_lies_askew_is_read_whole_and_marked(reading: Reading, tmp_path: Path) -> None:
    path = laid(scanned(tmp_path / "scan.pdf", printed(*2 * [4 * f"{LEFT} {RIGHT} "])), -3)
    page = (await reading.read(path)).reading.pages[0].page
    words = (8 * f"{LEFT} {RIGHT} ").split()
    assert [word.text for word in page.words] == words
    quote = find(page, "Mindestlohn von fünfzehn Euro")
    shown = await reading.shown(path)
    expected = [word.text for word in quote]
    assert (await reading.kit.highlighted_page(shown, 1, marks(quote), expected=expected)).marked


async def test_marks_that_are_no_text_are_left_out(reading: Reading, tmp_path: Path) -> None:
    path = noise(tmp_path / "noise.pdf")
    read = await reading.read(path)
    assert [item.trouble for item in read.reading.pages] == [PageTrouble.SCAN]
    assert read.reading.warnings == (("ocr.unsure", 1),)
    assert "[ocr] languages" in read.advice
    assert (await reading.shown(path)).read_bytes() == path.read_bytes(), "nothing was made of it"


async def test_a_language_that_is_not_installed_is_said(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="apt-get install tesseract-ocr-xyz") as refused:
        await Tesseract(["eng", "xyz"]).name()
    assert refused.value.key == "ocr.language_missing"


async def test_a_page_that_takes_too_long_is_given_up(reading: Reading, tmp_path: Path) -> None:
    quick = Tesseract(["eng"], limits=ProgramLimits(wall_seconds=0.05))
    picture = await reading.kit.picture(scanned(tmp_path / "scan.pdf", printed(LEFT)), 1, dpi=300)
    with pytest.raises(Refused) as refused:
        await quick.recognise(picture, dpi=300)
    assert refused.value.key == "ocr.too_slow"


@pytest.mark.skipif(not (DATA / "statutes/scanned").is_dir(), reason="the test documents are not there")
async def test_scans_in_scripts_that_are_not_installed_are_not_indexed(reading: Reading) -> None:
    for path in sorted((DATA / "statutes/scanned").glob("*.pdf")):
        read = await reading.read(path, max_pages=1)
        assert [item.trouble is None for item in read.reading.pages] == [False], path.name
        assert read.advice
