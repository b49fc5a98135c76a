"""The examples of docs/api.md run: in a working tree, and with the wheel alone, from another folder."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.build import build
from tests.support.encoders import models_dir
from tests.support.repository import ROOT

EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.S)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with a programme in it, as the examples have it."""
    folder = tmp_path_factory.mktemp("home")
    made = build(tmp_path_factory.mktemp("examples")).parent
    (folder / "programmes").mkdir()
    shutil.copy(made / "ufer-2025.pdf", folder / "programmes")
    (folder / "library").mkdir(mode=0o700)
    (folder / "library" / "models").symlink_to(models_dir())
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has the wheel, and what it depends on, but no working tree."""
    built, venv = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("wheel") / "venv"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "wheel", *options, "--wheel-dir", str(built), str(ROOT)], check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    (file,) = built.glob("*.whl")
    python = venv / "bin" / "python"
    install = ["--python", str(python), "install", "--quiet", "--no-deps", "--no-index", str(file)]
    subprocess.run([*pip, *install], check=True)
    (packages,) = venv.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return python


def said(python: Path | str, home: Path, code: str, **variables: str) -> str:
    """What `code` prints in that home folder."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("FUNDSTELLE_", "PYTHON"))}
    done = subprocess.run(
        [str(python), "-W", "error::SyntaxWarning", "-c", code],
        cwd=home,
        env={**kept, "HOME": str(home), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def results(python: Path | str, home: Path, **variables: str) -> Iterator[str]:
    return (said(python, home, example, **variables) for example in EXAMPLES)


@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_the_examples_run_with_the_wheel_alone(wheel: Path, home: Path) -> None:
    first, blocking, silent, refused = results(wheel, home)
    assert re.search(r"^.*Mindestlohn.* \d+$", first, re.M)
    assert first.splitlines()[-1] in ("altered", "absent", "near")
    assert "ufer" in blocking.lower()
    assert "grounded" in blocking
    assert silent == "nothing in the library says so\n"
    assert refused.startswith("scope.unknown_jurisdiction ")


@pytest.mark.thorough
def test_the_wheel_takes_no_other_name(wheel: Path, home: Path) -> None:
    (home / "core.py").write_text("MINE = True\n", encoding="utf-8")
    code = (
        "import core, sys, fundstelle, fundstelle.core.errors, fundstelle.bot.cli.root as root\n"
        "assert core.MINE and fundstelle.Refused is fundstelle.core.errors.Refused\n"
        "assert set(root.app.registered_callback.callback.__globals__) and fundstelle.Library\n"
        "print(sorted({'bot', 'core', 'adapters', 'migrations'} & set(sys.modules)))\n"
    )
    assert said(wheel, home, code) == "['core']\n"
    (home / "core.py").unlink()
    command = subprocess.run(
        [wheel.with_name("fundstelle"), "--version"], cwd=home, capture_output=True, text=True, check=True
    )
    assert command.stdout.startswith("fundstelle ")


def test_in_a_working_tree_both_names_are_one_module(home: Path) -> None:
    code = (
        "import fundstelle, fundstelle.core.errors, core.errors, fundstelle.bot.wiring.logs\n"
        "assert fundstelle.core.errors is core.errors and core.errors.__spec__.name == 'core.errors'\n"
        "assert fundstelle.Refused is core.errors.Refused\n"
        "import bot.wiring.logs\n"
        "assert bot.wiring.logs is fundstelle.bot.wiring.logs\n"
        "print(fundstelle.Outcome.GROUNDED)\n"
    )
    assert said(sys.executable, home, code, PYTHONPATH=str(ROOT)) == "grounded\n"


def test_all_that_is_offered_is_there() -> None:
    import fundstelle

    assert [name for name in fundstelle.__all__ if getattr(fundstelle, name, None) is None] == []
