"""The `AccessTokens` and `PageLinks` ports on SQL, one method, one transaction; and the key of a library's
pseudonyms, identified by its fingerprint. With another key nobody would be recognised: data about people
could be neither shown to them nor erased, while both would be reported as done. So a process has the right
key or does nothing."""

import asyncio
import hashlib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from adapters.database.database import Database
from adapters.database.mapping import (
    ANSWERS,
    AUDIT,
    FEEDBACK,
    NOTICES,
    Codec,
    changed,
    field_values,
    insert_new,
    upsert,
)
from adapters.database.tables import AccessTokenRow, AnswerLinkRow, PageLinkRow, PseudonymKeyRow, table_of
from core.domain.access import AccessToken
from core.domain.journal import Pseudonyms
from core.domain.records import AnswerLink, CitationRecord, PageLink
from core.errors import Broken

TOKENS = table_of(AccessTokenRow)

_FIELDS = [column for column in TOKENS.columns if column.name != "digest"]
_CODEC = Codec(AccessToken)


class SqlAccessTokens:
    """Tokens in an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, token: AccessToken, digest: str) -> bool:
        async with self._database.write() as connection:
            return await insert_new(connection, TOKENS, field_values(token) | {"digest": digest}, ["name"])

    async def find(self, digest: str) -> AccessToken | None:
        found = await self._read(sa.select(*_FIELDS).where(TOKENS.c.digest == digest))
        return found[0] if found else None

    async def all(self) -> list[AccessToken]:
        return await self._read(sa.select(*_FIELDS).order_by(TOKENS.c.name))

    async def remove(self, name: str) -> bool:
        return bool(await self._database.run(TOKENS.delete().where(TOKENS.c.name == name)))

    async def _read(self, query: sa.Select[tuple[object, ...]]) -> list[AccessToken]:
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [_CODEC.unpack(dict(row)) for row in rows]


PAGE_LINKS = table_of(PageLinkRow)
ANSWER_LINKS = table_of(AnswerLinkRow)
CITATIONS = Codec(CitationRecord)

ID_BYTES = 16
"""A random id of 128 bits, which nobody can guess."""


class SqlPageLinks:
    """Links in an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def give(self, citations: Mapping[str, CitationRecord], *, at: datetime) -> dict[str, str]:
        found: dict[str, str] = {}
        async with self._database.write() as connection:
            for digest in sorted(citations):  # in one order, so that no two writers wait for each other
                values = {"id": secrets.token_urlsafe(ID_BYTES), "digest": digest, "given_at": at}
                values["citation"] = CITATIONS.pack(citations[digest])
                given = (
                    upsert(connection, PAGE_LINKS)
                    .values(values)
                    .on_conflict_do_update(index_elements=["digest"], set_={"given_at": at})
                    .returning(PAGE_LINKS.c.id)
                )
                found[digest] = (await connection.execute(given)).scalar_one()
        return found

    async def find(self, link: str) -> PageLink | None:
        row = await self._database.row(PAGE_LINKS.select().where(PAGE_LINKS.c.id == link))
        if row is None:
            return None
        return PageLink(id=row.id, given_at=row.given_at, citation=CITATIONS.unpack(row.citation))

    async def give_answer(self, links: Sequence[str], language: str, *, at: datetime) -> str:
        stated = json.dumps([language, *links]).encode()
        values = {
            "id": secrets.token_urlsafe(ID_BYTES),
            "digest": hashlib.sha256(stated).hexdigest(),
            "given_at": at,
            "links": list(links),
            "language": language,
        }
        async with self._database.write() as connection:
            given = (
                upsert(connection, ANSWER_LINKS)
                .values(values)
                .on_conflict_do_update(index_elements=["digest"], set_={"given_at": at})
                .returning(ANSWER_LINKS.c.id)
            )
            return str((await connection.execute(given)).scalar_one())

    async def find_answer(self, link: str) -> AnswerLink | None:
        row = await self._database.row(ANSWER_LINKS.select().where(ANSWER_LINKS.c.id == link))
        if row is None:
            return None
        return AnswerLink(id=row.id, given_at=row.given_at, links=tuple(row.links), language=row.language)

    async def purge(self, *, before: datetime) -> int:
        async with self._database.write() as connection:
            each = [table.delete().where(table.c.given_at < before) for table in (PAGE_LINKS, ANSWER_LINKS)]
            return sum([await changed(connection, old) for old in each])


ReadKey = Callable[[Path], bytes]
"""The key in a file, which is created if there is none."""


KEYS = table_of(PseudonymKeyRow)

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
