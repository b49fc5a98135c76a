"""Starts the command with the product's own packages first.

`bot`, `core` and `migrations` are names that other projects have as well. In the wheel they lie in this
folder and nowhere else, in a working tree beside it; whatever `PYTHONPATH` says, ours are found.
"""

import sys
from pathlib import Path


def main() -> None:
    """Entry point of the console script."""
    home = next(folder for folder in Path(__file__).resolve().parents if (folder / "bot" / "cli").is_dir())
    sys.path.insert(0, str(home))
    from bot.cli import main as run

    run()
