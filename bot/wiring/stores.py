"""Locations of an installation's stores."""

from pathlib import Path

from adapters.database.database import address_of
from adapters.durable import write
from bot.settings.tree import Settings
from core.errors import Broken

ORIGINALS = "originals"
"""Folder of the kept files, in the data folder."""

MODELS = "models"
"""Folder of what the encoders prepare on first use, in the data folder."""


DATABASE_FILE = "fundstelle.sqlite3"


LIBRARY_FILE = ".library-id"
"""In the data folder: the id of the library whose originals and index are there."""


def remembered(settings: Settings) -> str | None:
    """The id of the library that the data folder belongs to; None for a new one."""
    try:
        return (settings.data / LIBRARY_FILE).read_bytes().decode().removesuffix("\n") or None
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        detail = f"{settings.data / LIBRARY_FILE} cannot be read: {error}; mend it, or remove it"
        raise Broken("settings.data", detail) from error


def keeps_nothing(settings: Settings) -> bool:
    """Whether no document's file is in the data folder: no other library could miss any."""
    return not _keeps_files(settings.data / ORIGINALS)


def remember(settings: Settings, library: str | None) -> None:
    """Have the data folder know whose library its files are."""
    file = settings.data / LIBRARY_FILE
    if library is None:
        file.unlink(missing_ok=True)
    else:
        write(file, f"{library}\n".encode())


def other_library(settings: Settings, found: str) -> Broken:
    """The error of a database that holds `found` ("no library's", "another library's" rows) where the data
    folder is a library's."""
    data = settings.data
    detail = (
        f"{data} keeps the original files of one library, and the database at"
        f" {address_of(database_url(settings))} is {found}: what one of them removes the other would miss."
        " Look at --data (FUNDSTELLE_DATA) and database_url (FUNDSTELLE_DATABASE_URL; under systemd from"
        " /etc/fundstelle/secrets.env); to put a backup into an empty database, `fundstelle backup restore`;"
        f" to give the folder to another library, move {LIBRARY_FILE}, {ORIGINALS} and index out of it first"
    )
    return Broken("database.other_library", detail)


def database_url(settings: Settings) -> str:
    """The database URL: as set, or a file in the data folder."""
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
