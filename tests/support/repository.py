"""The contents of the repository, for tests about it."""

import ast
import gc
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("adapters", "bot", "core", "examples", "migrations")


def tracked() -> list[Path]:
    """Files under version control that exist, or all that are not ignored where there is no history."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
        ).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        listed = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if ".venv" not in path.parts]
    return sorted(ROOT / name for name in listed if name and (ROOT / name).is_file())


def modules() -> list[Path]:
    """Python files of the packages that the wheel ships."""
    return [path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))]


def syntax_nodes(code: str) -> list[ast.AST]:
    """Every node of the syntax tree of `code`.

    Nothing is collected meanwhile: a task of another test, collected in the midst of it, logs its traceback,
    Python 3.11 parses the lines of that, and the outer parse fails (CPython issue 106905).
    """
    collected = gc.isenabled()
    gc.disable()
    try:
        return list(ast.walk(ast.parse(code)))
    finally:
        if collected:
            gc.enable()


def nodes_of(path: Path) -> list[ast.AST]:
    """Every node of the syntax tree of the Python file at `path`."""
    return syntax_nodes(path.read_text(encoding="utf-8"))
