"""How long claims of messages take among many old rows, and how many of several claimers get one at once.

    python -m benchmarks.claims_at_once [--rows 500000] [--deep 200] [--claimers 8] [--rounds 20]

PostgreSQL of the tests (on a socket, fsync off), old rows in inbox and outbox each, 40 chats with open
messages, one of them with `--deep` of them. "before" is the statement without row locks, under which a
claimer that another one anticipates has to look again; both in one run, on one database.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from adapters.database import journal_inbox
from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.journal_inbox import InboxState
from adapters.database.mapping import INBOX
from core.domain.journal import InboxItem, Pseudonyms
from tests.support.databases import postgresql_server, postgresql_url
from tests.support.fake_journal import KEY
from tests.support.journal_examples import message

NOW = datetime.now(UTC)
CHATS = 40


async def main(server: str, rows: int, deep: int, claimers: int, rounds: int) -> None:
    """Print a row for each way."""
    url = await postgresql_url(server)
    databases = [await Database.open(url) for _ in range(claimers)]
    journals = [SqlJournal(each, Pseudonyms(KEY), f"p{n}") for n, each in enumerate(databases)]
    await _old(databases[0], rows)
    await journals[0].accept([message(f"deep{n}", "c0") for n in range(deep)], at=NOW)
    await journals[0].accept(
        [message(f"{chat}-{n}", f"c{chat}") for n in range(rounds) for chat in range(1, CHATS)], at=NOW
    )
    async with databases[0].write() as connection:
        await connection.execute(sa.text("ANALYZE"))
    print(f"{rows:,} old rows, {deep:,} waiting in one chat, {claimers} claimers")
    print("way      alone ms p50 / most   at once: got one at first try   ms until all have one p50 / most")
    for name, way in (("before", _before), ("now", _now)):
        await _timed(journals, way)  # connections and plans
        alone = [await _timed(journals[:1], way) for _ in range(rounds)]
        at_once = [await _timed(journals, way) for _ in range(rounds)]
        single, several = [each[0] for each in alone], [each[0] for each in at_once]
        first = min(each[1] for each in at_once), statistics.mean(each[1] for each in at_once)
        print(
            f"{name:8} {statistics.median(single):6.1f} / {max(single):.1f}"
            f"         {first[0]} at least, {first[1]:.1f} on average"
            f"             {statistics.median(several):.1f} / {max(several):.1f}"
        )
    for each in databases:
        await each.close()


Way = Callable[[SqlJournal], Awaitable[tuple[InboxItem | None, int]]]


async def _now(journal: SqlJournal) -> tuple[InboxItem | None, int]:
    return await journal.claim(at=NOW), 1


async def _before(journal: SqlJournal) -> tuple[InboxItem | None, int]:
    """The query without its locks, and the condition that tells whether another one was quicker."""
    tries = 0
    async with journal._database.write() as connection:
        while True:
            tries += 1
            query = journal_inbox.next_row(NOW)
            query._for_update_arg = None
            row = (await connection.execute(query)).scalar()
            if row is None:
                return None, tries
            turn = sa.select(sa.func.max(INBOX.c.turn) + 1).scalar_subquery()
            claimed = INBOX.update().where(INBOX.c.row == row, INBOX.c.state == InboxState.WAITING)
            claimed = claimed.values(
                state=InboxState.WORKING, turn=turn, attempts=INBOX.c.attempts + 1, claims=INBOX.c.claims + 1
            )
            found = (await connection.execute(claimed.returning(*INBOX.c))).one_or_none()
            if found is not None:
                return journal_inbox._item(found), tries


async def _timed(journals: list[SqlJournal], way: Way) -> tuple[float, int]:
    """Milliseconds until each has one, and how many had it at the first try; then they are finished."""
    began = time.perf_counter()
    found = await asyncio.gather(*(way(journal) for journal in journals))
    took_ms = (time.perf_counter() - began) * 1000
    for journal, (item, _) in zip(journals, found, strict=True):
        assert item is not None
        await journal.finish(item, at=NOW)
    return took_ms, sum(tries == 1 for _, tries in found)


async def _old(database: Database, rows: int) -> None:
    """What was done long ago."""
    then = NOW - timedelta(days=2)
    columns = (
        "platform, workspace, {name}, chat, person, state, changed_at, attempts, claims, forgotten, {more}"
    )
    values = (
        "'matrix', 'w', 'old' || n, 'c' || n % 5000, 'p' || n % 99, '{state}', :then, 1, 1, false, {more}"
    )
    inbox = (
        columns.format(name="event", more="received_at, turn"),
        values.format(state="done", more=":then, n"),
    )
    outbox = (
        columns.format(name="key", more="reply, due_at, message_ids"),
        values.format(state="sent", more="'old' || n, :then, '[]'"),
    )
    async with database.write() as connection:
        for table, (names, selected) in (("inbox", inbox), ("outbox", outbox)):
            series = f"FROM generate_series(1, {rows}) AS n"
            statement = sa.text(f"INSERT INTO {table} ({names}) SELECT {selected} {series}")
            await connection.execute(statement, {"then": then})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--deep", type=int, default=200)
    parser.add_argument("--claimers", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    with postgresql_server() as running:
        asyncio.run(main(running, given.rows, given.deep, given.claimers, given.rounds))
