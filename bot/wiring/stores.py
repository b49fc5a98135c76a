"""Where the stores of an installation are."""

from pathlib import Path

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
    """No file, or an empty one, is a database that is still to be made, unless a library's files are there
    already. Raises Broken("database.lost")."""
    file, originals = settings.data / DATABASE_FILE, settings.data / ORIGINALS
    state = _without_content(file)
    if state and _keeps_files(originals) and not settings.database_url.get_secret_value():
        detail = (
            f"{file} is {state}, but {originals} keeps the files of a library: restore a backup (`fundstelle"
            " backup restore FILE`); to begin anew, move both away"
        )
        raise Broken("database.lost", detail)


def _without_content(file: Path) -> str:
    """ "missing" or "empty"; nothing where something is in it, or it cannot be looked at."""
    try:
        return "" if file.stat().st_size else "empty"
    except FileNotFoundError:
        return "missing"
    except OSError:
        return ""


def _keeps_files(originals: Path) -> bool:
    """Whether whole files are there, apart from what an ingestion that ended has left."""
    try:
        return any(not path.name.startswith(".") for path in originals.iterdir())
    except OSError:
        return False
