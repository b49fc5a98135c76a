"""Lazy imports: a package's names are imported on first use, so using one name loads only what it needs."""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path


def late(package: str, file: str) -> Callable[[str], object]:
    """The `__getattr__` for `package`: it provides what `file` imports under `if TYPE_CHECKING`, so that
    nothing is stated twice."""
    homes: dict[str, str] = {}

    def offered(name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if not homes:
            homes.update(_homes(file))
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        value = import_module(f"{home}.{name}") if home == package else getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    return offered


def _homes(file: str) -> dict[str, str]:
    """The module that each name is imported from for type checkers."""
    read = ast.parse(Path(file).read_text(encoding="utf-8"))
    blocks = (each.body for each in read.body if isinstance(each, ast.If))
    imports = [each for block in blocks for each in block if isinstance(each, ast.ImportFrom)]
    return {name.name: each.module or "" for each in imports for name in each.names}
