"""Files set aside: the bytes as `<sha256>.set-aside`, not to be opened by accident, and why beside them."""

import asyncio
import hashlib
import json
import os
import shutil
from pathlib import Path

from core.errors import Broken
from core.ports import Clock

ENDING = ".set-aside"


class QuarantineFolder:
    """Keeps files in `folder`, each content once, for its owner alone."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    async def keep(self, path: Path, *, name: str, reason: str) -> str:
        """See `Quarantine.keep`."""
        try:
            return await asyncio.to_thread(self._keep, path, name, reason)
        except OSError as error:
            detail = f"the quarantine cannot be written: {error.strerror}; check space and permissions"
            raise Broken("disk.unwritable", detail) from error

    def _keep(self, path: Path, name: str, reason: str) -> str:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        place = self._folder / f"{digest}{ENDING}"
        part = place.with_suffix(f".{os.getpid()}.part")
        shutil.copyfile(path, part)
        part.chmod(0o400)
        part.replace(place)
        note = {"name": name, "reason": reason, "at": self._clock.now().isoformat(timespec="seconds")}
        place.with_suffix(".json").write_text(json.dumps(note, ensure_ascii=False), encoding="utf-8")
        return str(place)
