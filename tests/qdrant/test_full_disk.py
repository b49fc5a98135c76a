"""An index on a full disk: nothing is begun that the engine's mapped files would end the process with."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.qdrant.edge import EdgeIndex
from core.errors import Broken
from tests.support.index_points import LIBRARY, PRIMARY, SECONDARY, points, version
from tests.support.repository import ROOT

PLENTY = 10**9

CHILD = """
import asyncio, sys
from pathlib import Path
from adapters.qdrant.edge import EdgeIndex
from core.errors import Broken
from tests.support.index_points import DENSE, LIBRARY, SECOND, points, question, version

def fill(file):
    for size in (65536, 512):
        try:
            with open(f"{file}{size}", "wb", 0) as ballast:
                while True:
                    ballast.write(bytes(size))
        except OSError:
            pass

async def main(folder):
    index = EdgeIndex(folder / "index", library=LIBRARY, primary=PRIMARY, secondary=SECONDARY)
    mine = version("v")
    await index.upsert("public", points(300, of=mine))
    fill(folder / "ballast")
    for _ in range(3):
        try:
            await index.upsert("public", points(300, of=version("w")))
        except Broken as error:
            print(error.key)
        (found,) = await index.candidates("public", [question(1)], Within(versions=(mine,)), limit=5)
        print(len(found) > 4, await index.count("public"))
    for file in folder.glob("ballast*"):
        file.unlink()
    await index.upsert("public", points(300, of=version("w")))
    print(await index.count("public"))
    await index.close()

asyncio.run(main(Path(sys.argv[1])))
"""


async def test_nothing_is_written_without_room(tmp_path: Path) -> None:
    left = [PLENTY]
    index = EdgeIndex(tmp_path, library=LIBRARY, primary=PRIMARY, secondary=SECONDARY, free=lambda _: left[0])
    await index.upsert("public", points(1, of=version("v")))
    left[0] = 10_000_000
    with pytest.raises(Broken, match="make room") as caught:
        await index.upsert("public", points(2, of=version("w")))
    assert caught.value.key == "disk.full"
    with pytest.raises(Broken):
        await index.optimise("public")
    assert await index.count("public") == 1
    left[0] = PLENTY
    await index.upsert("public", points(2, of=version("w")))
    assert await index.count("public") == 3
    await index.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 160 MB, where one may be mounted."""
    folder, mount = tmp_path / "disk", shutil.which("mount")
    folder.mkdir()
    made = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=160m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if not made or made.returncode:
        pytest.skip("no file system may be mounted here")
    yield folder
    subprocess.run([shutil.which("umount") or "umount", str(folder)], check=True)


@pytest.mark.slow
def test_a_full_disk_ends_no_process(small_disk: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-c", CHILD, str(small_disk)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    assert child.stdout.split("\n") == [*(["disk.full", "True 300"] * 3), "600", ""]
