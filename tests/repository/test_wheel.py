"""The wheel: complete, of one folder, and it runs by itself wherever it is installed."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.pdfs import saved, written
from tests.support.repository import PACKAGES, ROOT, tracked

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

HOSTILE = "raise ImportError('a module of another project was imported')\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """The environment of a project that calls its modules as we do."""
    for name in PACKAGES:
        (tmp_path / "theirs" / name).mkdir(parents=True)
        (tmp_path / "theirs" / name / "__init__.py").write_text(HOSTILE)
    return {"PYTHONPATH": str(tmp_path / "theirs")}


def test_every_file_of_the_packages_is_in_the_wheel_and_nothing_else(wheel: Path) -> None:
    wanted = {
        f"fundstelle/{path.relative_to(ROOT).as_posix()}"
        for path in tracked()
        if path.relative_to(ROOT).parts[0] in PACKAGES
    }
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.endswith("/")}
    about = {name for name in held if ".dist-info/" in name or ".data/" in name}
    face = ("__init__.py", "library.py", "plugins.py", "py.typed")
    assert held - about == wanted | {f"fundstelle/{name}" for name in face}
    assert any(name.endswith("licenses/LICENSE") for name in about)
    assert any(name.endswith(".data/data/share/man/man1/fundstelle.1") for name in about)


def test_the_command_runs_beside_modules_of_the_same_names(
    wheel: Path, tmp_path: Path, elsewhere: Mapping[str, str]
) -> None:
    """Installed with the dependencies of this environment, away from the working tree."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    here = [path for path in sys.path if path.endswith("site-packages")]
    (site,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--no-deps", str(wheel)], check=True)
    # The wheel's own folder comes first; dependencies are those already installed here.
    (site / "dependencies.pth").write_text("\n".join(here) + "\n", encoding="utf-8")
    assert_works([str(tmp_path / "venv" / "bin" / "fundstelle")], tmp_path, elsewhere)
    demo = json.loads(
        _run([str(tmp_path / "venv" / "bin" / "fundstelle"), "demo", "--json"], tmp_path, elsewhere)
    )
    assert len(demo["answers"]) >= 5
    assert (tmp_path / "venv" / "share" / "man" / "man1" / "fundstelle.1").exists()


TOOLS = {
    "pipx": (["pipx", "install"], "PIPX_HOME", "PIPX_BIN_DIR"),
    "uv": (["uv", "tool", "install"], "UV_TOOL_DIR", "UV_TOOL_BIN_DIR"),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_installs_it(wheel: Path, tmp_path: Path, tool: str, elsewhere: Mapping[str, str]) -> None:
    """With everything it needs, from the package index, in an environment of its own."""
    words, home, bin_folder = TOOLS[tool]
    places = {home: str(tmp_path / "tools"), bin_folder: str(tmp_path / "bin")}
    _run([sys.executable, "-m", *words, "--python", sys.executable, str(wheel)], tmp_path, places)
    assert_works([str(tmp_path / "bin" / "fundstelle")], tmp_path, elsewhere)


def assert_works(command: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    """A document comes in, through every kind of child process, and is answered from."""
    assert "demo" in _run([*command, "--help"], folder, environment)
    text = "Section 4 Fees\n\nThe fee for a mooring is 12 thalers a year."
    saved(written(text), folder / "fees.pdf")
    data = ["--json", "--data", str(folder / "data")]
    taken = json.loads(_run([*command, "ingest", "fees.pdf", *data], folder, environment))
    assert [each["status"] for each in taken["documents"]] == ["indexed"]
    answer = json.loads(_run([*command, "ask", "What is the fee for a mooring?", *data], folder, environment))
    assert "12 thalers" in answer["citations"][0]["quote"]


def _run(command: list[str], folder: Path, more: Mapping[str, str]) -> str:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "VIRTUAL_ENV") and not name.startswith("FUNDSTELLE_")
    }
    done = subprocess.run(
        command, cwd=folder, env={**environment, **more}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout
