"""What the wheel's hook writes anew: no import and no string goes by a package's own name any more."""

import ast
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.repository import ROOT, modules, nodes_of, syntax_nodes

_OURS = re.compile(r"(?:^|\b(?:from|import) )(?:bot|core|adapters|migrations|examples)(?:\.\w+)+\.?")


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_hook", ROOT / "deploy" / "build_hook.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_imports_and_names_of_modules_are_written_anew(hook: ModuleType) -> None:
    code = (
        "from core import errors\n"
        "def late():\n    from bot.wiring import opened\n"
        "import adapters.disk as disk\n"
        'START = f"import sys; sys.path; from adapters.children import main; main()"\n'
        'text = files("core.language").joinpath("de.toml")\n'
        'command = ["-m", "adapters.qdrant.trial"]\n'
        'name = import_module(f"bot.cli.{name}")\n'
        'spec = find_spec("migrations")\n'
        'kept = ("core", "bot token", "core.telegram.org/bots", corestone, from_core)\n'
    )
    assert hook.below(code) == (
        "from fundstelle.core import errors\n"
        "def late():\n    from fundstelle.bot.wiring import opened\n"
        "import fundstelle.adapters.disk as disk\n"
        'START = f"import sys; sys.path; from fundstelle.adapters.children import main; main()"\n'
        'text = files("fundstelle.core.language").joinpath("de.toml")\n'
        'command = ["-m", "fundstelle.adapters.qdrant.trial"]\n'
        'name = import_module(f"fundstelle.bot.cli.{name}")\n'
        'spec = find_spec("fundstelle.migrations")\n'
        'kept = ("core", "bot token", "core.telegram.org/bots", corestone, from_core)\n'
    )


def test_nothing_is_left_of_the_own_names(hook: ModuleType) -> None:
    left = [
        f"{path.relative_to(ROOT)}: {said}"
        for path in modules()
        for said in _own_names(hook.below(path.read_text(encoding="utf-8")), hook.PACKAGES)
    ]
    assert left == []


def _own_names(code: str, packages: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for node in syntax_nodes(code):
        if isinstance(node, ast.Import):
            found += [each.name for each in node.names if each.name.split(".")[0] in packages]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in packages:
            found.append(node.module or "")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += [each for each in _OURS.findall(node.value) if _is_module(each)]
    return found


def _is_module(name: str) -> bool:
    place = Path(ROOT, *name.split()[-1].strip(".").split("."))
    return place.is_dir() or place.with_suffix(".py").is_file()


def test_no_import_binds_a_packages_own_name(hook: ModuleType) -> None:
    """`import core.errors` would bind `core`, which is not there in the wheel."""
    bare = [
        f"{path.relative_to(ROOT)}: {each.name}"
        for path in modules()
        for node in nodes_of(path)
        if isinstance(node, ast.Import)
        for each in node.names
        if each.name.split(".")[0] in hook.PACKAGES and each.asname is None
    ]
    assert bare == []
