"""Where the stores of an installation are."""

from bot.settings.tree import Settings
from core.errors import Broken

ORIGINALS = "originals"
"""Folder of the kept files, in the data folder."""

MODELS = "models"
"""Folder of what the encoders prepare on first use, in the data folder."""


DATABASE_FILE = "fundstelle.sqlite3"


def database_url(settings: Settings) -> str:
    """Where the database is: as set, or a file in the data folder."""
    stated = settings.database_url.get_secret_value()
    return stated or f"sqlite:///{settings.data / DATABASE_FILE}"


def check_not_lost(settings: Settings) -> None:
    """An empty file is a database that is still to be made, unless a library's files are there already.
    Raises Broken("database.lost")."""
    file, originals = settings.data / DATABASE_FILE, settings.data / ORIGINALS
    try:
        lost = file.stat().st_size == 0 and any(originals.iterdir())
    except OSError:
        return
    if lost and not settings.database_url.get_secret_value():
        detail = (
            f"{file} is empty, but {originals} keeps the files of a library: restore a backup (`fundstelle"
            " backup restore FILE`); to begin anew, move both away"
        )
        raise Broken("database.lost", detail)
