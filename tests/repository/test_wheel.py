"""The wheel: complete, and it runs by itself in an environment of its own."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.support.repository import PACKAGES, ROOT, tracked

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (built,) = folder.glob("*.whl")
    return built


def test_every_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix() for path in tracked() if path.relative_to(ROOT).parts[0] in PACKAGES
    }
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert wanted - held == set()
    assert any(name.endswith("licenses/LICENSE") for name in held)
    assert not any(name.startswith(("tests/", "benchmarks/")) for name in held)


def test_the_command_runs_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """Installed with the dependencies of this environment, away from the working tree."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    here = [path for path in sys.path if path.endswith("site-packages")]
    (site,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--no-deps", str(wheel)], check=True)
    # The wheel's own folder comes first; dependencies are those already installed here.
    (site / "dependencies.pth").write_text("\n".join(here) + "\n", encoding="utf-8")
    command = [str(tmp_path / "venv" / "bin" / "fundstelle")]
    shown = _run([*command, "--help"], tmp_path)
    assert "demo" in shown
    assert "ingest" in shown
    code = "import bot; from examples.build import build, Path; build(Path('library')); print(bot.__file__)"
    assert str(site) in _run([str(python), "-c", code], tmp_path)
    assert len(list((tmp_path / "library").glob("*.pdf"))) == 10


def _run(command: list[str], folder: Path) -> str:
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
