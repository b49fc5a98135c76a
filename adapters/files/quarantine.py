"""Files set aside: the bytes as `<sha256>.set-aside`, not to be opened by accident, and why beside them."""

import asyncio
import hashlib
import json
import os
import shutil
from pathlib import Path

from adapters import durable
from adapters.disk import disk_errors
from core.ports.clock import Clock

ENDING = ".set-aside"


class QuarantineFolder:
    """Keeps files in `folder`, each content once, for its owner alone."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    async def keep(self, path: Path, *, name: str, reason: str) -> str:
        """See `Quarantine.keep`."""
        with disk_errors(self._folder):
            return await asyncio.to_thread(self._keep, path, name, reason)

    def _keep(self, path: Path, name: str, reason: str) -> str:
        durable.make_folder(self._folder)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        place = self._folder / f"{digest}{ENDING}"
        part = place.with_suffix(f".{os.getpid()}.part")
        shutil.copyfile(path, part)
        part.chmod(0o400)
        part.replace(place)
        note = {"name": name, "reason": reason, "at": self._clock.now().isoformat(timespec="seconds")}
        durable.write(place.with_suffix(".json"), json.dumps(note, ensure_ascii=False).encode())
        return str(place)
