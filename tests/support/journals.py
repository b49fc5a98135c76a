"""Journals of either kind, for tests of what works on them."""

from pathlib import Path

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from core.domain.journal import Pseudonyms
from core.ports.journal import Journal
from tests.support.databases import sqlite_url
from tests.support.fake_journal import KEY, FakeJournal

KINDS = ("fake", "sqlite")


async def opened_journal(kind: str, folder: Path) -> Journal:
    """A journal; the SQL one has what stood in the folder before."""
    if kind == "fake":
        return FakeJournal()
    return SqlJournal(await Database.open(sqlite_url(folder / "journal.sqlite3")), Pseudonyms(KEY))
