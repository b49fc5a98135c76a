"""The key that a library's pseudonyms are made with, identified by its fingerprint. With another key nobody
would be recognised: data about people could be neither shown to them nor erased, while both would be reported
as done. So a process has the right key or does nothing.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from adapters.database.database import Database
from adapters.database.tables import ANSWERS, AUDIT, FEEDBACK, KEYS, NOTICES
from core.domain.journal import Pseudonyms
from core.errors import Broken

ReadKey = Callable[[Path], bytes]
"""The key in a file, which is created if there is none."""


_NAMED = (
    ANSWERS,
    FEEDBACK,
    AUDIT,
    NOTICES,
)
"""The tables with the longest-lived pseudonyms."""


async def pseudonyms_of(
    database: Database, file: Path, read_key: ReadKey, *, at: datetime, anew: bool = False
) -> Pseudonyms:
    """The pseudonyms of the key in `file`, which is created for a library without any pseudonyms yet. Raises
    Broken("key.missing") if there should be a key but is none, Broken("key.other") if it is not the
    library's, and like `read_key`. `anew`: it becomes the library's key, whatever was before."""
    last = await _last(database)
    if last is None or anew:
        if not anew and not await asyncio.to_thread(file.exists) and await _keeps_people(database):
            raise _missing(file)
        pseudonyms = Pseudonyms(read_key(file))
        if last is None or last.fingerprint != pseudonyms.fingerprint:
            await _enter(database, 1 if last is None else last.number + 1, pseudonyms.fingerprint, at)
        return await pseudonyms_of(database, file, read_key, at=at)
    if not await asyncio.to_thread(file.exists):
        raise _missing(file)
    pseudonyms = Pseudonyms(read_key(file))
    if pseudonyms.fingerprint != last.fingerprint:
        detail = (
            f"the key in {file} is not the one that this library's pseudonyms are made with: nobody would be"
            f" recognised, and nothing of anybody erased. {_ADVICE}"
        )
        raise Broken("key.other", detail)
    return pseudonyms


async def changed_at(database: Database) -> datetime | None:
    """Since when the current key is used; None if there was never another."""
    last = await _last(database)
    if last is None or last.number == 1:
        return None
    since: datetime = last.since
    return since


async def _last(database: Database) -> Any:
    """The row of the key that is in use."""
    query = sa.select(KEYS.c.number, KEYS.c.fingerprint, KEYS.c.since).order_by(KEYS.c.number.desc()).limit(1)
    return await database.row(query)


async def _enter(database: Database, number: int, fingerprint: str, at: datetime) -> None:
    try:
        await database.run(KEYS.insert().values(number=number, fingerprint=fingerprint, since=at))
    except Broken as error:
        if error.key != "database.conflict":  # another process was quicker; whose key it is, is asked then
            raise


async def _keeps_people(database: Database) -> bool:
    async with database.read() as connection:
        for table in _NAMED:
            if (await connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1))).first():
                return True
    return False


_ADVICE = (
    "Copy the key file of the installation that the library is from (keys/pseudonyms.key in its data folder,"
    " or what [retention] key_file names there) to this place, readable by its owner alone (chmod 600), or"
    " name it in [retention] key_file. Only where it is lost for good: `fundstelle person new-key`"
)


def _missing(file: Path) -> Broken:
    detail = f"there is no key file {file}, and this library's pseudonyms are made with one. {_ADVICE}"
    return Broken("key.missing", detail)
