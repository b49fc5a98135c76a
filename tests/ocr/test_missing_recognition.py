"""Where Tesseract is not installed, scans are refused with what to install, and all else goes on."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters import ocr
from adapters.files.originals import FileOriginals
from adapters.ocr import Tesseract
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.errors import Refused
from core.library.formats import FileReader, ScanReader
from tests.support.scans import LEFT, printed, scanned


@pytest.fixture
async def kit() -> AsyncIterator[PyMuPdfToolkit]:
    made = PyMuPdfToolkit(workers=1)
    yield made
    await made.close()


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> Tesseract:
    monkeypatch.setattr(ocr, "PROGRAM", "no-such-program")
    return Tesseract(["deu", "eng"])


async def test_it_is_said_what_to_install(absent: Tesseract) -> None:
    with pytest.raises(Refused) as refused:
        await absent.name()
    assert refused.value.key == "ocr.missing"
    assert "apt-get install tesseract-ocr tesseract-ocr-deu tesseract-ocr-eng" in refused.value.detail


async def test_a_scan_stays_without_text(absent: Tesseract, kit: PyMuPdfToolkit, tmp_path: Path) -> None:
    path = scanned(tmp_path / "scan.pdf", printed(LEFT))
    originals = FileOriginals(tmp_path / "originals")
    reader = FileReader(kit, originals, scans=ScanReader(kit, absent))
    seen = await originals.inspect(path)
    read = await reader.read(
        path, seen, name=path.name, max_pages=None, steps=lambda stage, done, total: None
    )
    assert read.reading.warnings == (("ocr.missing", 1),)
    assert "apt-get install" in read.advice
    assert read.recogniser == ""
