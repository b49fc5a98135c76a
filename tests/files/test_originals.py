import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.files.originals import FileOriginals, kind_of_bytes
from core.errors import Broken, Refused

PDF = b"%PDF-1.7\n" + bytes(range(256)) * 9000


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "ein Programm.pdf"
    path.write_bytes(PDF)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "originals"


@pytest.fixture
def originals(folder: Path) -> FileOriginals:
    return FileOriginals(folder)


async def test_keep(source: Path, folder: Path, originals: FileOriginals) -> None:
    stored = await originals.keep(source)
    assert (stored.sha256, stored.size, stored.kind) == (hashlib.sha256(PDF).hexdigest(), len(PDF), "pdf")
    assert stored.original == f"{stored.sha256}.pdf"
    assert (folder / stored.original).read_bytes() == PDF
    assert await originals.inspect(source) == stored


async def test_keep_once_per_content(source: Path, folder: Path, originals: FileOriginals) -> None:
    stored = await originals.keep(source)
    assert await originals.keep(source) == stored
    assert [file.key async for file in originals.listing()] == [stored.original]


async def test_drop(source: Path, folder: Path, originals: FileOriginals) -> None:
    stored = await originals.keep(source)
    await originals.drop(stored.original)
    await originals.drop(stored.original)
    assert not (folder / stored.original).exists()
    assert (await originals.inspect(source)).sha256 == stored.sha256


def changed(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1] + b"!")


async def test_pages_of_a_pdf_are_its_own(source: Path, folder: Path, originals: FileOriginals) -> None:
    stored = await originals.keep(source)
    place = folder / stored.original
    assert await originals.pages(stored.original) == place
    changed(place)
    assert await originals.pages(stored.original) is None
    place.unlink()
    assert await originals.pages(stored.original) is None


@pytest.mark.parametrize("accident", [changed, Path.unlink], ids=["changed", "lost"])
@pytest.mark.parametrize("content", [PDF, b"a programme, written down"], ids=["scan", "text"])
async def test_pages_made_of_a_file_are_whole_or_told(
    tmp_path: Path, originals: FileOriginals, content: bytes, accident: Callable[[Path], None]
) -> None:
    (tmp_path / "source").write_bytes(content)
    stored = await originals.keep(tmp_path / "source")
    made = await originals.keep_pages(stored.original, PDF)
    assert await originals.pages(stored.original) == made
    accident(made)
    assert await originals.pages(stored.original) is None
    assert await originals.is_whole(stored.original)
    assert await originals.keep_pages(stored.original, PDF + b"again") == made
    assert await originals.pages(stored.original) == made
    await originals.drop(stored.original)
    assert list(made.parent.iterdir()) == []


async def test_pages_made_before_there_were_checksums_are_shown(
    tmp_path: Path, originals: FileOriginals
) -> None:
    (tmp_path / "source").write_text("a programme, written down")
    stored = await originals.keep(tmp_path / "source")
    assert await originals.pages(stored.original) is None
    made = await originals.keep_pages(stored.original, PDF)
    made.with_suffix(".sha256").unlink()
    assert await originals.pages(stored.original) == made


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b.pdf", ""])
async def test_names_stay_in_the_folder(originals: FileOriginals, name: str) -> None:
    for call in (originals.whole, originals.pages, originals.drop):
        with pytest.raises(Refused):
            await call(name)


async def test_missing_file(tmp_path: Path, originals: FileOriginals) -> None:
    with pytest.raises(Refused) as caught:
        await originals.keep(tmp_path / "missing.pdf")
    assert caught.value.key == "file.missing"
    assert [file async for file in originals.listing()] == []


async def test_folder_is_no_file(tmp_path: Path, originals: FileOriginals) -> None:
    with pytest.raises(Refused) as caught:
        await originals.inspect(tmp_path)
    assert caught.value.key == "file.unreadable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
async def test_pipe_is_refused_without_waiting(tmp_path: Path, originals: FileOriginals) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    with pytest.raises(Refused) as caught:
        await originals.inspect(tmp_path / "pipe.pdf")
    assert caught.value.key == "file.unreadable"


async def test_store_that_cannot_be_written(source: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Broken) as caught:
        await FileOriginals(tmp_path / "file" / "originals").keep(source)
    assert caught.value.key == "disk.unwritable"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
async def test_full_disk(source: Path, originals: FileOriginals, monkeypatch: pytest.MonkeyPatch) -> None:
    def on_full_disk(**_: object) -> tuple[int, str]:
        return os.open("/dev/full", os.O_WRONLY), str(source.with_name("new"))

    monkeypatch.setattr("adapters.files.folder.tempfile.mkstemp", on_full_disk)
    with pytest.raises(Broken) as caught:
        await originals.keep(source)
    assert caught.value.key == "disk.full"


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"", "empty"),
        (b"%PDF-1.4", "pdf"),
        (b"\xef\xbb\xbf\r\n%PDF-1.4", "pdf"),
        (b"junk" * 200 + b"%PDF-1.4", "pdf"),
        (b"\0" * 2000 + b"%PDF-1.4", "binary"),
        (b"PK\x03\x04 %PDF-1.4", "zip"),
        (b"<!DOCTYPE html><p>%PDF-1.4", "html"),
        (b"\n <HTML>", "html"),
        (b"<?xml version='1.0'?>", "xml"),
        (b"\x89PNG\r\n\x1a\n", "png"),
        (b"\xff\xd8\xff\xe0", "jpeg"),
        ("Grüße\n".encode(), "text"),
        (b"\x01\x02", "binary"),
    ],
)
def test_kinds(head: bytes, kind: str) -> None:
    assert kind_of_bytes(head) == kind


def test_kind_goes_by_content(tmp_path: Path) -> None:
    path = tmp_path / "picture.pdf"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    assert kind_of_bytes(path.read_bytes()) == "png"
