"""The `AccessTokens` and `PageLinks` ports on SQL. One method, one transaction."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from adapters.database.database import Database
from adapters.database.mapping import Codec, changed, field_values, insert_new, upsert
from adapters.database.tables import ANSWER_LINKS, PAGE_LINKS, TOKENS
from core.domain.access import AccessToken
from core.domain.records import AnswerLink, CitationRecord, PageLink

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
