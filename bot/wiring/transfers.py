"""Settings to what is done with an installation as a whole: moved to a store, put back from a backup."""

from functools import partial
from pathlib import Path

from adapters.database.moving import OnTable, copy_database
from adapters.database.snapshots import SqlStore, copied, settle
from adapters.files.backup_archive import ZipBackups
from bot.service.backups.restoring import BackupCheck, Restoration
from bot.settings.tree import Settings
from bot.wiring.index import alone, index_of_copy
from bot.wiring.models import dimensions
from bot.wiring.services import SystemClock
from bot.wiring.stores import database_url, remember
from core.domain.backups import CheckedBackup, RestoredBackup
from core.domain.ids import LibraryId
from core.library.formats import Report
from core.ports.index import PassageIndex


async def move_database(settings: Settings, target_url: str, report: OnTable) -> dict[str, int]:
    """Rows by table of what now stands at `target_url`; the database it was moved from refuses whoever
    opens it from then on. Raises Broken("index.in_use") while another
    process works with the data folder; further as `copy_database` does."""
    with alone(settings):
        return await copy_database(database_url(settings), target_url, report, leaving=True)


async def check_backup(settings: Settings, file: Path) -> CheckedBackup:
    """See `BackupCheck.check`."""
    return await _check(settings).check(file)


async def restore_backup(settings: Settings, file: Path, report: Report | None = None) -> RestoredBackup:
    """See `Restoration.restore`."""
    primary, secondary = dimensions(settings)

    async def index_of(library: LibraryId) -> PassageIndex:
        return await index_of_copy(settings, library, primary, secondary)

    restoration = Restoration(
        check=_check(settings),
        target=SqlStore(database_url(settings)),
        data=settings.data,
        index_of=index_of,
        settled=settle,
        remember=partial(remember, settings),
        clock=SystemClock(),
    )
    return await restoration.restore(file, report)


def _check(settings: Settings) -> BackupCheck:
    return BackupCheck(files=ZipBackups(settings.data), copied=copied)
