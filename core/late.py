"""What a package offers is imported when it is first asked for: whoever uses one name loads what that takes,
and nothing beside it.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path


def late(package: str, file: str) -> Callable[[str], object]:
    """The `__getattr__` of `package`: it gives what `file` imports `if TYPE_CHECKING`, so that nothing is
    said twice."""
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
    """By name, the module that it is imported from for those who check types."""
    read = ast.parse(Path(file).read_text(encoding="utf-8"))
    blocks = (each.body for each in read.body if isinstance(each, ast.If))
    imports = [each for block in blocks for each in block if isinstance(each, ast.ImportFrom)]
    return {name.name: each.module or "" for each in imports for name in each.names}
