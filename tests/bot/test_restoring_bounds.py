"""A restored archive holds what its manifest lists, each file of its size; else nothing is written at all."""

import asyncio
import hashlib
import json
import stat
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.database.database import Database
from adapters.database.library import SqlLibrary
from adapters.files.folder import FolderFiles
from bot.settings.tree import Settings
from bot.wiring.backups import backups_of
from bot.wiring.services import SystemClock
from bot.wiring.transfers import check_backup, restore_backup
from core.domain.documents import Document
from core.errors import Refused
from tests.support.refreshing import URL, id_of, listed

Members = list[tuple[zipfile.ZipInfo, bytes]]
LETTERS = st.text("ab./\\:\x00ü ", min_size=1, max_size=12)


async def _made(folder: Path) -> bytes:
    data = folder / "data"
    (data / "originals").mkdir(parents=True)
    (data / "keys").mkdir()
    (data / "keys" / "pseudonyms.key").write_bytes(b"k" * 32)
    database = await Database.open(f"sqlite:///{data / 'fundstelle.sqlite3'}")
    library = SqlLibrary(database)
    await library.save_document(
        Document(id=id_of(), collection="public", key=URL, file="programme.pdf", fields=listed().fields)
    )
    await library.identity()
    await database.close()
    made = backups_of(Settings(data=data), SystemClock(), FolderFiles(data))
    await made.create(folder / "b.zip")
    return (folder / "b.zip").read_bytes()


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A backup as it should be."""
    return asyncio.run(_made(tmp_path_factory.mktemp("made")))


def members(backup: bytes, folder: Path) -> Members:
    (folder / "whole.zip").write_bytes(backup)
    with zipfile.ZipFile(folder / "whole.zip") as archive:
        return [(info, archive.read(info)) for info in archive.infolist()]


def written(file: Path, found: Members) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        for info, content in found:
            archive.writestr(info, content)
    return file


def restated(found: Members, change: Callable[[list[dict[str, Any]]], None]) -> Members:
    """The members with another manifest."""
    made: Members = []
    for info, content in found:
        if info.filename == "manifest.json":
            manifest = json.loads(content)
            change(manifest["entries"])
            content = json.dumps(manifest).encode()
        made.append((info, content))
    return made


def entry(name: str, content: bytes) -> dict[str, Any]:
    return {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def refused(file: Path, folder: Path) -> str:
    """Why it is refused; nothing is written, and `backup check` says it, too."""
    settings = Settings(data=folder / "restored")
    with pytest.raises(Refused) as caught:
        asyncio.run(restore_backup(settings, file))
    assert not [path for path in folder.rglob("*") if path.is_file() and path.parent != folder]
    assert [path for path in folder.iterdir() if path.is_file()] in ([file], [])
    checked = asyncio.run(check_backup(settings, file))
    assert checked.problems
    return caught.value.detail


@pytest.fixture
def made(tmp_path: Path, backup: bytes) -> Members:
    (tmp_path / "source").mkdir()
    found = members(backup, tmp_path / "source")
    (tmp_path / "source" / "whole.zip").unlink()
    return found


def alone(tmp_path: Path) -> Path:
    """A folder with nothing but what is tried."""
    (tmp_path / "tried").mkdir()
    return tmp_path / "tried"


def test_a_whole_one_is_restored(tmp_path: Path, made: Members) -> None:
    file = written(tmp_path / "b.zip", made)
    asyncio.run(restore_backup(Settings(data=tmp_path / "restored"), file))
    assert (tmp_path / "restored" / "keys" / "pseudonyms.key").read_bytes() == b"k" * 32
    assert not asyncio.run(check_backup(Settings(data=tmp_path / "other"), file)).problems


def test_a_file_that_the_manifest_does_not_list(tmp_path: Path, made: Members) -> None:
    folder = alone(tmp_path)
    more = [*made, (zipfile.ZipInfo("keys/other.key"), b"x")]
    assert "keys/other.key is not in the manifest" in refused(written(folder / "b.zip", more), folder)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", ["keys/pseudonyms.key", "manifest.json", "database.sqlite3"])
def test_a_file_that_is_there_twice(tmp_path: Path, made: Members, name: str) -> None:
    folder = alone(tmp_path)
    content = next(content for info, content in made if info.filename == name)
    twice = [*made, (zipfile.ZipInfo(name), content)]
    assert f"{name} is in it 2 times" in refused(written(folder / "b.zip", twice), folder)


def test_a_file_that_is_listed_twice(tmp_path: Path, made: Members) -> None:
    folder = alone(tmp_path)
    twice = restated(made, lambda entries: entries.append(entries[0]))
    assert "listed 2 times" in refused(written(folder / "b.zip", twice), folder)


def test_a_link(tmp_path: Path, made: Members) -> None:
    folder = alone(tmp_path)
    info = zipfile.ZipInfo("keys/link")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    linked = restated(
        [*made, (info, b"/etc/passwd")], lambda rows: rows.append(entry("keys/link", b"/etc/passwd"))
    )
    assert "keys/link is a link" in refused(written(folder / "b.zip", linked), folder)


@pytest.mark.parametrize("size", [0, 31, 33, 10**9])
def test_a_file_of_another_size(tmp_path: Path, made: Members, size: int) -> None:
    folder = alone(tmp_path)

    def change(rows: list[dict[str, Any]]) -> None:
        next(row for row in rows if row["name"].endswith(".key"))["size"] = size

    found = refused(written(folder / "b.zip", restated(made, change)), folder)
    assert f"has 32 bytes, the manifest says {size}" in found


def test_a_file_of_other_content(tmp_path: Path, made: Members) -> None:
    folder = alone(tmp_path)
    other = [(info, b"K" * 32 if info.filename.endswith(".key") else content) for info, content in made]
    assert "not what the manifest says" in refused(written(folder / "b.zip", other), folder)


def test_a_file_that_is_missing(tmp_path: Path, made: Members) -> None:
    folder = alone(tmp_path)
    fewer = [each for each in made if not each[0].filename.endswith(".key")]
    assert "keys/pseudonyms.key is missing" in refused(written(folder / "b.zip", fewer), folder)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    "name",
    ["fundstelle.sqlite3",
     "library.id", "models/a.bin", ".ssh/authorized_keys", "index/9/0.npz", "index/a.npz",
     "../x.toml", "/etc/x.toml", "a\\b.toml", "./x.toml", "keys//x", "keys/../x.toml",
     "manifest.json", "keys/",
     "keys/\n", "originals", "keys/pseudonyms.key/x", "index/0000/x.npz"],
)  # fmt: skip
def test_names_that_no_backup_has(tmp_path: Path, made: Members, name: str) -> None:
    folder = alone(tmp_path)
    strange = [*restated(made, lambda rows: rows.append(entry(name, b"x"))), (zipfile.ZipInfo(name), b"x")]
    assert refused(written(folder / "b.zip", strange), folder)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@given(name=LETTERS, listed=st.booleans(), held=st.booleans(), off=st.integers(-3, 3))
def test_whatever_else_it_names_is_refused_or_restored_as_listed(
    backup: bytes, name: str, listed: bool, held: bool, off: int
) -> None:
    """A name below a known folder, in the archive or the manifest or both, of the right size or another."""
    name = f"keys/{name}"
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        found = members(backup, folder)
        (folder / "whole.zip").unlink()
        row = entry(name, b"12345") | {"size": 5 + off}
        if listed:
            found = restated(found, lambda rows: rows.append(row))
        if held:
            info = zipfile.ZipInfo("x")
            info.filename = name
            found = [*found, (info, b"12345")]
        file, data = written(folder / "b.zip", found), folder / "restored"
        try:
            asyncio.run(restore_backup(Settings(data=data), file))
        except Refused:
            assert not [path for path in folder.rglob("*") if path.is_file() and path != file]
            return
        files = {str(path.relative_to(data)) for path in (data / "keys").rglob("*") if path.is_file()}
        more = {name} if listed and held and off == 0 else set()
        assert files == {"keys/pseudonyms.key", *more}
        assert not (listed or held) or more
