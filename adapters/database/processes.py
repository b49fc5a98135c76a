"""The processes that serve a database on a server, by the server's clock. What a process has claimed is its
own as long as its row here is valid. One that ends deletes its row, so that others continue its work at once;
the work of one that died is free when its term is over. With a SQLite file only one process serves, without
rows: whatever it finds claimed at its start belonged to a dead one.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import date, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import Database, listening, notify
from adapters.database.mapping import Codec, field_values, in_chat, put, upsert
from adapters.database.migrate import (
    COMPATIBLE,
    VERSION_TABLE,
    current,
    newest,
    refuse_strange,
    said_compatible,
)
from adapters.database.tables import (
    AdmissionRow,
    ChatMemoryRow,
    PlatformCallRow,
    ProcessRow,
    RequestRow,
    SpendingRow,
    table_of,
)
from core.domain.journal import ChatKey, Pseudonym
from core.domain.messages import CallArguments, CallName, CallResult, PlatformCall
from core.domain.models import Spending
from core.ports.processes import AtWork, Memory, Window

PROCESSES = table_of(ProcessRow)
CALLS = table_of(PlatformCallRow)
ADMISSIONS = table_of(AdmissionRow)
REQUESTS = table_of(RequestRow)
MEMORIES = table_of(ChatMemoryRow)
SPENDING = table_of(SpendingRow)

ARGUMENTS, RESULTS = Codec(CallArguments), Codec(CallResult)

ONE_AT_A_TIME = 0x41646D69
"""Key of the advisory lock under which questions are counted."""


UNSAID = "0022"
"""The newest schema known to processes that do not state it."""


def is_left(process: sa.ColumnElement[str | None]) -> sa.ColumnElement[bool]:
    """A condition: the process that made a claim is no longer registered."""
    lives = sa.select(PROCESSES.c.name).where(PROCESSES.c.name == process)
    return ~lives.where(PROCESSES.c.until > sa.func.clock_timestamp()).exists()


class SqlProcesses:
    """The process `name` in an open database on a server, its calls of others, and the counts shared by
    all."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self.name = name

    async def stay(self, role: str, *, term: timedelta) -> bool:
        """Register for another `term`. False if the previous one had expired: others may have taken over what
        this process had claimed."""
        async with self._database.write() as connection:
            await _refuse_newer(connection)
            now = await _now(connection)
            lasted = await connection.scalar(
                sa.select(PROCESSES.c.until > now).where(PROCESSES.c.name == self.name)
            )
            known = {"name": self.name, "role": role, "schema_known": newest()}
            row = upsert(connection, PROCESSES).values(**known, since=now, until=now + term)
            await connection.execute(
                row.on_conflict_do_update(index_elements=["name"], set_={"until": now + term})
            )
            await connection.execute(PROCESSES.delete().where(PROCESSES.c.until < now - timedelta(days=1)))
        return bool(lasted)

    async def leave(self) -> None:
        async with self._database.write() as connection:
            await connection.execute(PROCESSES.delete().where(PROCESSES.c.name == self.name))
            await connection.execute(CALLS.delete().where(CALLS.c.asker == self.name))
            await notify(connection, "inbox", "outbox", "leading")

    async def at_work(self) -> list[AtWork]:
        """Read as JSON: the database may be of an earlier schema, without the column."""
        known = sa.func.to_jsonb(sa.text("processes")).op("->>")("schema_known").label("known")
        query = sa.select(PROCESSES.c.name, PROCESSES.c.role, known)
        query = query.order_by(PROCESSES.c.since, PROCESSES.c.name)
        async with self._database.read() as connection:
            unsaid = min(await connection.run_sync(lambda found: current(found) or UNSAID), UNSAID)
            rows = await connection.execute(query.where(PROCESSES.c.until > await _now(connection)))
            return [AtWork(row.name, row.role, row.known or unsaid) for row in rows]

    async def server_time(self) -> datetime:
        async with self._database.read() as connection:
            return await _now(connection)

    async def tell(self, topic: str) -> None:
        async with self._database.write() as connection:
            await notify(connection, topic)

    def listening(self, heard: Callable[[str], None]) -> AbstractAsyncContextManager[None]:
        return listening(self._database, heard)

    # calls of platforms

    async def ask(self, platform: str, name: CallName, arguments: CallArguments) -> int:
        values = {"platform": platform, "asker": self.name, "name": name, "done": False}
        call = CALLS.insert().values(**values, arguments=ARGUMENTS.pack(arguments)).returning(CALLS.c.row)
        async with self._database.write() as connection:
            row: int = (await connection.execute(call)).scalar_one()
            await notify(connection, "calls")
        return row

    async def result(self, call: int) -> CallResult | None:
        query = sa.select(CALLS.c.result).where(CALLS.c.row == call, CALLS.c.done)
        found = await self._database.scalar(query)
        return None if found is None else RESULTS.unpack(found)

    async def drop(self, call: int) -> None:
        async with self._database.write() as connection:
            await connection.execute(CALLS.delete().where(CALLS.c.row == call))
            await notify(connection, "calls")

    async def take(self, platform: str) -> PlatformCall | None:
        """The oldest call; those whose callers are gone are deleted. A call taken by a process that died is
        done again, except one that people would see twice."""
        left = sa.and_(is_left(CALLS.c.process), CALLS.c.name != CallName.SEND)
        mine = sa.select(CALLS.c.row).where(CALLS.c.platform == platform, ~CALLS.c.done)
        mine = mine.where(CALLS.c.process.is_(None) | left).order_by(CALLS.c.row).limit(1)
        mine = mine.with_for_update(skip_locked=True)
        taken = CALLS.update().where(CALLS.c.row == mine.scalar_subquery()).values(process=self.name)
        async with self._database.write() as connection:
            await connection.execute(
                CALLS.delete().where(CALLS.c.platform == platform, is_left(CALLS.c.asker))
            )
            row = (await connection.execute(taken.returning(*CALLS.c))).one_or_none()
        if row is None:
            return None
        return PlatformCall(id=row.row, name=CallName(row.name), arguments=ARGUMENTS.unpack(row.arguments))

    async def is_wanted(self, call: int) -> bool:
        query = sa.select(CALLS.c.row).where(CALLS.c.row == call, ~is_left(CALLS.c.asker))
        return await self._database.scalar(query) is not None

    async def answer(self, call: int, result: CallResult) -> None:
        done = CALLS.update().where(CALLS.c.row == call).values(done=True, result=RESULTS.pack(result))
        async with self._database.write() as connection:
            await connection.execute(done)
            await notify(connection, "results")

    # limits and budgets

    async def spent(self, day: date) -> Spending:
        async with self._database.read() as connection:
            return await _spent(connection, day)

    async def reserve(self, day: date, amount: Spending, limit: Spending) -> Spending | None:
        """Reserve under a lock on the day's row, which is created first."""
        async with self._database.write() as connection:
            first = upsert(connection, SPENDING).values(day=day, tokens=0, usd=0.0)
            await connection.execute(first.on_conflict_do_nothing(index_elements=["day"]))
            after = (await _spent(connection, day, lock=True)).plus(amount)
            if after.is_over(limit):
                return after
            await connection.execute(_set_spent(day, after))
        return None

    async def settle(self, day: date, reserved: Spending, used: Spending) -> None:
        async with self._database.write() as connection:
            now = await _spent(connection, day, lock=True)
            await connection.execute(_set_spent(day, now.plus(reserved, -1).plus(used)))

    async def count(
        self, whose: Pseudonym, most: int, span: timedelta, *, only_look: bool
    ) -> timedelta | None:
        """Count under a lock of its own, so that two never take the last slot. Expired rows are deleted."""
        rows = REQUESTS.c.whose == whose
        async with self._database.write() as connection:
            await connection.execute(
                sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(whose, 0)))
            )
            now = await _now(connection)
            await connection.execute(REQUESTS.delete().where(rows, REQUESTS.c.at <= now - span))
            last = (
                sa.select(REQUESTS.c.at).where(rows).order_by(REQUESTS.c.at.desc()).offset(most - 1).limit(1)
            )
            oldest: datetime | None = (await connection.execute(last)).scalar()
            if oldest is not None:
                return oldest + span - now
            if not only_look:
                await connection.execute(REQUESTS.insert().values(whose=whose, at=now))
        return None

    # what is remembered about chats

    async def recall(self, chat: ChatKey) -> list[Memory]:
        query = MEMORIES.select().where(in_chat(MEMORIES, chat))
        rows = await self._database.rows(query.where(MEMORIES.c.expires_at > sa.func.clock_timestamp()))
        return [Memory(row.what, row.key, row.content, None, row.person) for row in rows]

    async def remember(self, chat: ChatKey, memories: Sequence[Memory]) -> None:
        async with self._database.write() as connection:
            now = await _now(connection)
            for each in memories:
                if each.lasts is None:
                    statement = MEMORIES.delete().where(in_chat(MEMORIES, chat), MEMORIES.c.what == each.what)
                    await connection.execute(statement.where(MEMORIES.c.key == each.key))
                    continue
                values = {"what": each.what, "key": each.key, "person": each.person, "content": each.content}
                values["expires_at"] = now + each.lasts
                await put(connection, MEMORIES, {**field_values(chat), **values})

    async def admit(
        self, person: Pseudonym, chat: Pseudonym, windows: Sequence[Window]
    ) -> tuple[Window, timedelta] | None:
        """Count one at a time, so that two never take the last slot."""
        async with self._database.write() as connection:
            await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ONE_AT_A_TIME)))
            now = await _now(connection)
            for window in windows:
                times = sa.select(ADMISSIONS.c.at).where(ADMISSIONS.c.at > now - window.span)
                for column, whose in ((ADMISSIONS.c.person, window.person), (ADMISSIONS.c.chat, window.chat)):
                    times = times if whose is None else times.where(column == whose)
                last = times.order_by(ADMISSIONS.c.at.desc()).offset(window.most - 1).limit(1)
                oldest = (await connection.execute(last)).scalar()
                if oldest is not None:
                    return window, oldest + window.span - now
            await connection.execute(ADMISSIONS.insert().values(person=person, chat=chat, at=now))
        return None


async def _spent(connection: AsyncConnection, day: date, *, lock: bool = False) -> Spending:
    query = sa.select(SPENDING.c.tokens, SPENDING.c.usd).where(SPENDING.c.day == day)
    row = (await connection.execute(query.with_for_update() if lock else query)).one_or_none()
    return Spending() if row is None else Spending(tokens=row.tokens, usd=row.usd)


def _set_spent(day: date, spent: Spending) -> sa.Update:
    return SPENDING.update().where(SPENDING.c.day == day).values(tokens=spent.tokens, usd=spent.usd)


async def _refuse_newer(connection: AsyncConnection) -> None:
    """Check the schema: it may have changed since the database was opened."""
    query = sa.text(f"SELECT version_num, {COMPATIBLE} FROM {VERSION_TABLE}")  # noqa: S608 - names of ours
    revision, mark = (await connection.execute(query)).one()
    refuse_strange(revision, said_compatible(revision, mark))


async def _now(connection: AsyncConnection) -> datetime:
    now: datetime = (await connection.execute(sa.select(sa.func.clock_timestamp()))).scalar_one()
    return now
