"""Backups that `serve` makes by itself, and the one before a migration."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.service.backups.creating import Backups
from core.domain.stamps import SKEW
from core.ports.clock import Clock

CHECKED_EVERY_S = 600.0
"""How often it is looked whether one is due."""

STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"fundstelle-(\d{8}T\d{6}Z)\.zip")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledBackups:
    """Makes one every so often in `folder`, and keeps the last `keep`. Its time stands in its name, so that
    a start does not make another. `collections` are those whose index is copied."""

    backups: Backups
    folder: Path
    every: timedelta
    keep: int
    collections: Callable[[], Awaitable[Sequence[str]]]
    clock: Clock
    check_clock: Callable[[], Awaitable[None]]

    async def once(self) -> None:
        """Make one if it is due; then delete those that are too many, unless the clock is wrong: by its
        times the newest would go. Raises FundstelleError."""
        now = self.clock.now()
        if not self.every or any(-SKEW <= now - at < self.every for at in made_at(self.folder).values()):
            return
        file = self.folder / f"fundstelle-{now:{STAMP}}.zip"
        await self.backups.create(file, collections=await self.collections())
        await self.check_clock()
        await asyncio.to_thread(self._prune, now)

    def _prune(self, now: datetime) -> None:
        """Those dated in the future go first: the clock was wrong then."""
        made = made_at(self.folder)
        oldest_first = sorted(made, key=lambda file: (made[file] <= now + SKEW, made[file]))
        for file in oldest_first[: -self.keep]:
            file.unlink(missing_ok=True)


def made_at(folder: Path) -> dict[Path, datetime]:
    """The backups that `serve` has made in `folder`, and when."""
    found = ((path, _NAME.fullmatch(path.name)) for path in folder.glob("fundstelle-*.zip"))
    return {path: datetime.strptime(name[1], STAMP).replace(tzinfo=UTC) for path, name in found if name}


async def before_migration(backups: Backups, folder: Path, revision: str) -> Path:
    """Keep the database as it is, with keys and settings; where. Kept files and index are not touched by a
    migration and stay where they are."""
    file = folder / f"before-migration-{revision}-{backups.clock.now():{STAMP}}.zip"
    await backups.create(file, originals=False)
    return file
