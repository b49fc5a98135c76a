"""docs/dependencies.md names what the product depends on, and the product uses all of it."""

import ast
import re
import tomllib
from importlib.metadata import packages_distributions

from tests.support.repository import ROOT, modules, nodes_of

PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
ROWS = {
    cells[1].strip(" `"): [cell.strip() for cell in cells[2:-1]]
    for cells in (line.split("|") for line in PAGE.splitlines())
    if len(cells) == 8 and cells[1].strip().startswith("`")
}


def declared() -> list[str]:
    """The names in `pyproject.toml`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [re.split(r"[^\w.-]", line)[0] for line in project["dependencies"]]


def imported() -> set[str]:
    """Top-level names that the product's modules import."""
    nodes = [node for path in modules() for node in nodes_of(path)]
    whole = {
        alias.name.split(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names
    }
    return whole | {(node.module or "").split(".")[0] for node in nodes if isinstance(node, ast.ImportFrom)}


def test_every_dependency_has_its_row_and_is_declared_in_order() -> None:
    assert list(ROWS) == sorted(declared())
    assert all(all(cells) for cells in ROWS.values())
    assert declared() == sorted(declared())


def test_none_is_idle() -> None:
    used, providing = imported(), packages_distributions()
    needed = {name.lower().replace("_", "-") for module in used for name in providing.get(module, ())}
    idle = {name for name in declared() if name.lower() not in needed}
    assert {name for name in idle if "by name" not in ROWS[name][0]} == set()
