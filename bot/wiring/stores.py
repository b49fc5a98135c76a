"""Where the stores of an installation are."""

from bot.settings.tree import Settings

ORIGINALS = "originals"
"""Folder of the kept files, in the data folder."""

MODELS = "models"
"""Folder of what the encoders prepare on first use, in the data folder."""


def database_url(settings: Settings) -> str:
    """Where the database is: as set, or a file in the data folder."""
    stated = settings.database_url.get_secret_value()
    return stated or f"sqlite:///{settings.data / 'fundstelle.sqlite3'}"
