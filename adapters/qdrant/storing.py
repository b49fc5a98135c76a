"""Folders of indexes that change their place: set aside as damaged, or taken over by their library."""

from datetime import UTC, datetime
from pathlib import Path

DAMAGED = ".damaged-"
"""What the name of the folder of damaged indexes has behind that of the index: `index.damaged-<time>`."""


def set_aside(root: Path, shard_folder: Path) -> Path:
    """Move a damaged collection out of the index `root`, to beside it; where it lies now. It is never
    deleted here: whoever wants to look into it, or does not trust our word, still has it."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    place = root.with_name(f"{root.name}{DAMAGED}{stamp}") / shard_folder.relative_to(root)
    move_folder(shard_folder, place)
    return place


def were_set_aside(root: Path) -> list[Path]:
    """Folders of damaged indexes beside `root`, the oldest first."""
    return sorted(path for path in root.parent.glob(f"{root.name}{DAMAGED}*") if path.is_dir())


def move_folder(folder: Path, place: Path) -> None:
    """Move a folder on the same disk."""
    place.parent.mkdir(parents=True, exist_ok=True)
    folder.rename(place)
