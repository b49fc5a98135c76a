"""The contents of the repository, for tests about it."""

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
