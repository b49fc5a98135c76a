"""Settings to a move of the database: from where the library is to where it shall be."""

from adapters.database.moving import OnTable, copy_database
from adapters.qdrant.lock import OwnerLock
from bot.settings.tree import Settings
from bot.wiring.index import INDEX
from bot.wiring.services import database_url


async def move_database(settings: Settings, target_url: str, report: OnTable) -> dict[str, int]:
    """Rows by table of what now stands at `target_url`, too. Raises Broken("index.in_use") while another
    process works with the data folder; further as `copy_database` does."""
    folder = settings.data / INDEX
    lock = OwnerLock(folder)
    if folder.exists():
        lock.acquire()
    try:
        return await copy_database(database_url(settings), target_url, report)
    finally:
        lock.release()
