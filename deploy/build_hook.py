"""The wheel: every package lies below `fundstelle`, and is imported by that name.

`bot`, `core`, `adapters` and `migrations` are names that other projects have as well. In a working tree they
are the top level; here their imports, and the few strings that name modules, are written anew, line by line.
"""

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = ("bot", "core", "adapters", "migrations", "examples")
_LEFT_OUT = ("_tree.py", "py.typed")
"""What only a working tree needs, and what is in the wheel anyway."""

_NAMES = "|".join(PACKAGES)
_IMPORT = re.compile(rf"(^\s*|; )(from|import) ({_NAMES})(?=[.\s])", re.MULTILINE)
_NAMED = re.compile(rf'(?<=")({_NAMES})(?=(?:\.[a-z_]+)+["{{]|\.[a-z_]+\.\{{)')
_FOUND = re.compile(rf'(?<=find_spec\(")({_NAMES})(?="\))')


def below(code: str) -> str:
    """`code` with our packages below `fundstelle`; it has as many lines as before."""
    code = _IMPORT.sub(r"\1\2 fundstelle.\3", code)
    return _FOUND.sub(r"fundstelle.\1", _NAMED.sub(r"fundstelle.\1", code))


class WheelHook(BuildHookInterface[Any]):
    """Puts the packages into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Nothing for an editable installation, which is the working tree itself."""
        self._made = Path(tempfile.mkdtemp(prefix="fundstelle-wheel-"))
        if version == "editable":
            return
        root = Path(self.root)
        for file in sorted(path for name in ("fundstelle", *PACKAGES) for path in (root / name).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts and file.name not in _LEFT_OUT:
                self._put(file, file.relative_to(root))
        build_data["force_include"][str(self._made / "fundstelle")] = "fundstelle"

    def _put(self, file: Path, place: Path) -> None:
        made = self._made / ("" if place.parts[0] == "fundstelle" else "fundstelle") / place
        made.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, made)
        if file.suffix == ".py":
            made.write_text(below(file.read_text(encoding="utf-8")), encoding="utf-8")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """The wheel is there."""
        shutil.rmtree(self._made)
