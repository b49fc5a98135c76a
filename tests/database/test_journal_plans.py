"""No step of receiving and sending looks through what was done long ago: it grows with every answer."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.mapping import INBOX, OUTBOX, POSTED
from core.domain.ids import TraceId
from core.domain.journal import Mailbox, Pseudonyms
from core.domain.messages import MessageRef
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.fake_journal import KEY
from tests.support.journal_examples import at, key, message, reply

OLD = 20_000
"""Rows of messages and of replies that are done."""

SCANS = {
    "sqlite": re.compile(r"SCAN (?!anon_|CONSTANT|\()|\(platform=\?( AND workspace=\?)?\)$"),
    "postgresql": re.compile(r"Seq Scan on (inbox|outbox|posted)"),
}
"""Looking through a table, or through all rows of a platform, which here are all rows."""


@pytest.fixture(params=["sqlite", "postgresql"])
async def database(request: pytest.FixtureRequest, tmp_path: Any) -> AsyncIterator[Database]:
    """A database with much that was done, and little to do."""
    if request.param == "sqlite":
        url = sqlite_url(tmp_path / "journal.db")
    else:
        url = await postgresql_url(request.getfixturevalue("postgresql"))
    opened = await Database.open(url)
    await _filled(opened)
    yield opened
    await opened.close()


async def _filled(database: Database) -> None:
    then = at() - timedelta(days=2)
    place = {"platform": "matrix", "workspace": "w", "payload": {}}
    inbox = [
        {
            **place,
            "event": f"old{n}",
            "chat": f"chat{n % 50}",
            "person": f"p{n % 99}",
            "received_at": then,
            "state": "done",
            "changed_at": then,
            "turn": n,
            "attempts": 1,
            "forgotten": False,
        }
        for n in range(OLD)
    ]
    outbox = [
        {
            **place,
            "key": f"old{n}",
            "reply": f"old{n}",
            "chat": f"chat{n % 50}",
            "person": f"p{n % 99}",
            "state": "sent",
            "changed_at": then,
            "due_at": then,
            "attempts": 1,
            "message_ids": [str(n)],
            "forgotten": False,
        }
        for n in range(OLD)
    ]
    posted = [
        {
            "platform": "matrix",
            "workspace": "w",
            "chat": f"chat{n % 50}",
            "trace": f"t{n}",
            "message": str(n),
            "posted_at": then,
        }
        for n in range(OLD)
    ]
    async with database.write() as connection:
        for table, rows in ((INBOX, inbox), (OUTBOX, outbox), (POSTED, posted)):
            await connection.execute(table.insert(), rows)
        if connection.dialect.name == "postgresql":
            await connection.execute(sa.text("ANALYZE"))


class Plans:
    """Of the statements that are run meanwhile."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.seen: dict[str, Any] = {}

    def __enter__(self) -> "Plans":
        sa.event.listen(self.database._engine.sync_engine, "before_cursor_execute", self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sa.event.remove(self.database._engine.sync_engine, "before_cursor_execute", self._note)

    def _note(self, *given: Any) -> None:
        _, _, statement, parameters, _, _ = given
        if re.match(r"(SELECT|UPDATE|DELETE|INSERT)", statement):
            self.seen.setdefault(statement, parameters)

    async def scans(self) -> list[str]:
        """What looks through a whole table, with the statement."""
        async with self.database.write() as connection:
            kind = connection.dialect.name
            word = "EXPLAIN" if kind == "postgresql" else "EXPLAIN QUERY PLAN"
            found = []
            for statement, parameters in self.seen.items():
                given = parameters[0] if isinstance(parameters, list) else parameters
                rows = await connection.exec_driver_sql(f"{word} {statement}", given)
                said = [str(row[-1]) for row in rows]
                found += [f"{line}: {statement}" for line in said if SCANS[kind].search(line)]
        return found


async def test_nothing_looks_through_what_is_done(database: Database) -> None:
    journal = SqlJournal(database, Pseudonyms(KEY))
    ref = MessageRef(platform="matrix", workspace="w", chat="chat1", thread=None, message="7")
    with Plans(database) as plans:
        await journal.accept([message("1", "chat1"), message("2", "chat2")], at=at())
        await journal.accept([message("3", "chat3")], at=at())
        item = await journal.claim(at=at())
        assert item is not None
        await journal.finish(item, at=at(), replies=[reply("k-1", "k-2", chat="chat1")])
        second = await journal.claim(at=at())
        assert second is not None
        await journal.give_back(second, at=at())
        await journal.decline([message("3", "chat3")], at=at())
        await journal.requeue_interrupted(at=at(), max_attempts=3)
        await journal.waiting_before(key("chat2"))
        await journal.interrupted_parts("matrix")
        for _ in range(2):
            part = await journal.claim_part("matrix", at=at(1))
            assert part is not None
            await journal.sent(part, ["m1"], at=at())
        await journal.last_reply("k-")
        await journal.delivered("k-")
        await journal.unqueue("k-")
        await journal.enqueue([reply("l-1", "l-2", chat="chat1")], at=at())
        part = await journal.claim_part("matrix", at=at(1))
        assert part is not None
        await journal.postpone(part, until=at(), error="platform.busy", at=at())
        part = await journal.claim_part("matrix", at=at(1))
        assert part is not None
        await journal.fail(part, "platform.broken", at=at(), rest=True)
        await journal.give_up_others(["matrix"], "delivery.no_platform", at=at())
        await journal.posted(TraceId("t7"))
        await journal.trace_of(ref)
        await journal.buttons_of(ref)
        await journal.withdrawn([ref])
        await journal.dead_letters()
        await journal.revive(Mailbox.OUTBOX, part.id, at=at())
        await journal.unsent_files()
        await journal.backlog()
    assert len(plans.seen) > 25
    assert await plans.scans() == []
