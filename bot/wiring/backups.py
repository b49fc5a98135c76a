"""From settings to backups of the installation they describe."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path

import tomlkit

from adapters.database.snapshots import SqlStore
from adapters.files.backup_archive import ZipBackups
from bot.library.lifecycle import UPLOADS
from bot.service import backups as making
from bot.service.backups import Backups, KeptFiles, ScheduledBackups
from bot.service.watches import ClockWatch
from bot.settings.sections import KEY_FILE
from bot.settings.tree import Settings, without_secrets
from bot.wiring.stores import database_url, file_store
from core.domain.backups import MATRIX
from core.ports.clock import Clock
from core.ports.index import PassageIndex
from core.ports.storage import FileStore


def backups_of(
    settings: Settings, clock: Clock, store: FileStore, index: PassageIndex | None = None
) -> Backups:
    """Makes backups of the installation."""
    return Backups(
        files=ZipBackups(settings.data),
        store=store,
        database=SqlStore(database_url(settings)),
        kept=_kept(settings),
        clock=clock,
        product=version("fundstelle"),
        index=index,
    )


def scheduled_backups(
    settings: Settings,
    backups: Backups,
    collections: Callable[[], Awaitable[Sequence[str]]],
    watch: ClockWatch,
) -> ScheduledBackups:
    """The scheduled backups of `serve`."""
    stated = settings.backup

    async def chosen() -> Sequence[str]:
        return await collections() if stated.index else ()

    return ScheduledBackups(
        backups=backups,
        folder=stated.place(settings.data),
        every=timedelta(hours=stated.every_hours),
        keep=stated.keep,
        collections=chosen,
        check_clock=watch.require,
        clock=backups.clock,
    )


async def before_migration(settings: Settings, clock: Clock, revision: str) -> Path:
    """Back up the database; returns where."""
    folder = settings.backup.place(settings.data)
    async with file_store(settings, None) as store:
        return await making.before_migration(backups_of(settings, clock, store), folder, revision)


def _kept(settings: Settings) -> KeptFiles:
    """A key stored elsewhere is not included in backups. Manifests outside the data folder are the operator's
    own."""
    data, plain = settings.data, without_secrets(settings)
    others = {name: data / name for name in (KEY_FILE.parts[0], MATRIX)}
    if settings.retention.key_file:
        del others[KEY_FILE.parts[0]]
    for name in settings.library.manifests:
        if not Path(name).is_absolute() and ".." not in Path(name).parts:
            others[Path(name).as_posix()] = data / name
    return KeptFiles(
        others=others,
        in_store=(UPLOADS,),
        settings=tomlkit.dumps(plain.tree),
        secrets=plain.secrets,
    )
