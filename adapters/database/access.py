"""The `AccessTokens` port on SQL. One method, one transaction."""

import sqlalchemy as sa

from adapters.database.database import Database
from adapters.database.rows import Codec, changed, field_values, insert_new
from adapters.database.tables import AccessTokenRow, table_of
from core.domain.access import AccessToken

TOKENS = table_of(AccessTokenRow)

_FIELDS = [column for column in TOKENS.columns if column.name != "digest"]
_CODEC = Codec(AccessToken)


class SqlAccessTokens:
    """Tokens in an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, token: AccessToken, digest: str) -> bool:
        """Keep a token under its name."""
        async with self._database.write() as connection:
            return await insert_new(connection, TOKENS, field_values(token) | {"digest": digest}, ["name"])

    async def find(self, digest: str) -> AccessToken | None:
        """The token with that digest."""
        found = await self._read(sa.select(*_FIELDS).where(TOKENS.c.digest == digest))
        return found[0] if found else None

    async def all(self) -> list[AccessToken]:
        """Every token, by name."""
        return await self._read(sa.select(*_FIELDS).order_by(TOKENS.c.name))

    async def remove(self, name: str) -> bool:
        """Forget a token."""
        async with self._database.write() as connection:
            return bool(await changed(connection, TOKENS.delete().where(TOKENS.c.name == name)))

    async def _read(self, query: sa.Select[tuple[object, ...]]) -> list[AccessToken]:
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [_CODEC.unpack(dict(row)) for row in rows]
