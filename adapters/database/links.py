"""The `PageLinks` port on SQL. One method, one transaction."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime

from adapters.database.database import Database
from adapters.database.rows import Codec, changed, upsert
from adapters.database.tables import AnswerLinkRow, PageLinkRow, table_of
from core.domain.links import AnswerLink, PageLink
from core.domain.records import CitationRecord

LINKS = table_of(PageLinkRow)
ANSWERS = table_of(AnswerLinkRow)
CITATIONS = Codec(CitationRecord)

ID_BYTES = 16
"""Nobody guesses 128 random bits."""


class SqlPageLinks:
    """Links in an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def give(self, citations: Mapping[str, CitationRecord], *, at: datetime) -> dict[str, str]:
        """Ids of links by digest; old ones count as given now."""
        found: dict[str, str] = {}
        async with self._database.write() as connection:
            for digest in sorted(citations):  # in one order, so that no two writers wait for each other
                values = {"id": secrets.token_urlsafe(ID_BYTES), "digest": digest, "given_at": at}
                values["citation"] = CITATIONS.pack(citations[digest])
                given = (
                    upsert(connection, LINKS)
                    .values(values)
                    .on_conflict_do_update(index_elements=["digest"], set_={"given_at": at})
                    .returning(LINKS.c.id)
                )
                found[digest] = (await connection.execute(given)).scalar_one()
        return found

    async def find(self, link: str) -> PageLink | None:
        """The link of that id."""
        async with self._database.read() as connection:
            row = (await connection.execute(LINKS.select().where(LINKS.c.id == link))).one_or_none()
        if row is None:
            return None
        return PageLink(id=row.id, given_at=row.given_at, citation=CITATIONS.unpack(row.citation))

    async def give_answer(self, links: Sequence[str], language: str, *, at: datetime) -> str:
        """The id of these page links together; an old one counts as given now."""
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
                upsert(connection, ANSWERS)
                .values(values)
                .on_conflict_do_update(index_elements=["digest"], set_={"given_at": at})
                .returning(ANSWERS.c.id)
            )
            return str((await connection.execute(given)).scalar_one())

    async def find_answer(self, link: str) -> AnswerLink | None:
        """The answer link of that id."""
        async with self._database.read() as connection:
            row = (await connection.execute(ANSWERS.select().where(ANSWERS.c.id == link))).one_or_none()
        if row is None:
            return None
        return AnswerLink(id=row.id, given_at=row.given_at, links=tuple(row.links), language=row.language)

    async def purge(self, *, before: datetime) -> int:
        """Forget old links."""
        async with self._database.write() as connection:
            each = [table.delete().where(table.c.given_at < before) for table in (LINKS, ANSWERS)]
            return sum([await changed(connection, old) for old in each])
