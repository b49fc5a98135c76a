"""Several processes on one server: each has what it has claimed until its term is over, by the server's
clock, or it leaves."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.database.database import Database, listening
from adapters.database.journal import SqlJournal
from adapters.database.migrate import newest
from adapters.database.processes import SqlProcesses
from core.domain.journal import InboxItem, Pseudonym, Pseudonyms, Requeued, Stop, chat_key
from core.domain.messages import CallArguments, CallName, CallResult, Exposure, PlatformCall
from core.domain.models import Spending
from core.errors import Broken
from core.ports.processes import Memory, Window
from tests.support.databases import postgresql_url
from tests.support.fake_journal import KEY
from tests.support.journal_examples import at, key, message, reply

TERM = timedelta(seconds=30)
NO_TERM = timedelta(0)
PEOPLE = Pseudonyms(KEY)


class Process:
    """One of several, with connections of its own."""

    def __init__(self, database: Database, name: str) -> None:
        self.database = database
        self.journal = SqlJournal(database, PEOPLE, name)
        self.here = SqlProcesses(database, name)

    async def claimed(self) -> InboxItem:
        item = await self.journal.claim(at=at())
        assert item is not None
        return item


@pytest.fixture
async def processes(postgresql: str) -> AsyncIterator[list[Process]]:
    url = await postgresql_url(postgresql)
    opened = [Process(await Database.open(url), f"p{n}") for n in range(8)]
    yield opened
    for each in opened:
        await each.database.close()


async def test_what_the_living_have_claimed_stays_theirs(processes: list[Process]) -> None:
    one, other = processes[:2]
    assert not await one.here.stay("answers", term=TERM)
    assert await one.here.stay("answers", term=TERM)
    await one.journal.accept([message("1"), message("2", "c2")], at=at())
    await one.claimed()
    assert await other.journal.requeue_interrupted(at=at(), max_attempts=9) == Requeued(waiting=0, dead=0)
    assert (await other.claimed()).message.event == "2"


@pytest.mark.parametrize("end", ["dies", "leaves"])
async def test_what_one_leaves_is_anybodys(processes: list[Process], end: str) -> None:
    one, other = processes[:2]
    await one.here.stay("answers", term=TERM)
    await other.here.stay("answers", term=TERM)
    await one.journal.accept([message("1")], at=at())
    late = await one.claimed()
    await one.journal.enqueue([reply("r1", chat="c9")], at=at())
    late_part = await one.journal.claim_part("matrix", at=at(1))
    assert late_part is not None
    if end == "dies":
        await one.here.stay("answers", term=NO_TERM)
    else:
        await one.here.leave()
    assert [each.name for each in await other.here.at_work()] == ["p1"]
    assert await other.journal.requeue_interrupted(at=at(), max_attempts=9) == Requeued(waiting=1, dead=0)
    (part,) = await other.journal.interrupted_parts("matrix")
    again = await other.claimed()
    assert (again.message.event, again.attempts) == ("1", 2)
    await one.journal.finish(late, at=at(), replies=[reply("late", chat="c8")])
    await one.journal.sent(late_part, ["m1"], at=at())
    backlog = await other.journal.backlog()
    assert (backlog.working, backlog.sending, backlog.pending) == (1, 1, 0)
    await other.journal.sent(part, ["m2"], at=at())
    await other.journal.finish(again, at=at())
    assert not await one.here.stay("answers", term=TERM)  # it is told that it was away


async def test_eight_claim_at_once_and_each_gets_one(processes: list[Process]) -> None:
    for turn in range(5):
        events = [f"{chat}-{turn}-{n}" for chat in range(8) for n in range(2)]
        first = processes[0].journal
        await first.accept([message(event, f"c{event.split('-')[0]}") for event in events], at=at())
        items = await asyncio.gather(*(each.journal.claim(at=at()) for each in processes))
        chats = [item.message.ref.chat for item in items if item]
        assert sorted(chats) == [f"c{n}" for n in range(8)]
        for process, item in zip(processes, items, strict=True):
            assert item is not None
            await process.journal.finish(
                item, at=at(), replies=[reply(f"r{item.id}", chat=item.message.ref.chat)]
            )
        parts = await asyncio.gather(*(each.journal.claim_part("matrix", at=at(1)) for each in processes))
        assert len({part.id for part in parts if part}) == 8
        for process, part in zip(processes, parts, strict=True):
            assert part is not None
            await process.journal.sent(part, [], at=at())
        rest = await asyncio.gather(*(each.journal.claim(at=at()) for each in processes))
        for process, item in zip(processes, rest, strict=True):
            assert item is not None
            await process.journal.finish(item, at=at())


async def test_who_listens_hears_of_what_there_is(processes: list[Process]) -> None:
    one, other = processes[:2]
    heard: asyncio.Queue[str] = asyncio.Queue()
    async with listening(other.database, heard.put_nowait), asyncio.timeout(20):
        assert await heard.get() == ""
        await one.journal.accept([message("1")], at=at())
        assert await heard.get() == "inbox"
        await one.journal.finish(await one.claimed(), at=at(), replies=[reply("r1")])
        assert await heard.get() == "outbox"
        await one.here.leave()
        assert {await heard.get() for _ in range(3)} == {"inbox", "outbox", "leading"}


async def test_what_is_asked_of_a_platform_elsewhere(processes: list[Process]) -> None:
    front, asker = processes[0].here, processes[1].here
    await asker.stay("answers", term=TERM)
    await front.stay("front", term=TERM)
    call = await asker.ask("matrix", CallName.EXPOSURE, CallArguments(to=message("1").ref))
    assert await asker.result(call) is None
    assert await front.take("slack") is None
    taken = await front.take("matrix")
    assert taken == PlatformCall(
        id=call, name=CallName.EXPOSURE, arguments=CallArguments(to=message("1").ref)
    )
    assert await front.take("matrix") is None
    assert await front.is_wanted(call)
    result = CallResult(exposure=Exposure(closed=True, direct=False))
    await front.answer(call, result)
    assert await asker.result(call) == result
    await asker.drop(call)
    assert not await front.is_wanted(call)
    await asker.ask("matrix", CallName.BUSY, CallArguments(to=message("1").ref))
    await asker.stay("answers", term=NO_TERM)
    assert await front.take("matrix") is None  # nobody waits for it


async def test_what_one_had_taken_that_died_is_done_by_another(processes: list[Process]) -> None:
    front, asker, other = (each.here for each in processes[:3])
    for each in (front, asker, other):
        await each.stay("any", term=TERM)
    fetched = await asker.ask("matrix", CallName.FETCH, CallArguments(max_bytes=1))
    await asker.ask("matrix", CallName.SEND, CallArguments())  # people would see it twice
    for _ in range(2):
        assert await front.take("matrix") is not None
    assert await other.take("matrix") is None
    await front.leave()
    taken = await other.take("matrix")
    assert taken is not None
    assert (taken.id, taken.name) == (fetched, CallName.FETCH)
    assert await other.take("matrix") is None


async def test_limits_count_for_all_processes_at_once(processes: list[Process]) -> None:
    anna, chat = PEOPLE.person("matrix", "w", "@anna"), PEOPLE.chat(key())
    minute = timedelta(minutes=1)
    windows = [Window(name="limit.user_minute", span=minute, most=5, person=anna)]
    found = await asyncio.gather(*(each.here.admit(anna, chat, windows) for each in processes))
    full = [each for each in found if each is not None]
    assert len(full) == 3
    assert all(NO_TERM < wait <= minute for _, wait in full)
    everybody = [Window(name="limit.day", span=timedelta(days=1), most=6)]
    bert = PEOPLE.person("matrix", "w", "@bert")
    assert await processes[0].here.admit(bert, chat, everybody) is None
    assert await processes[1].here.admit(bert, chat, everybody) is not None


async def test_requests_count_for_all_processes_at_once(processes: list[Process]) -> None:
    minute, anna, bert = timedelta(minutes=1), Pseudonym("anna"), Pseudonym("bert")
    for _ in range(2):  # who only looks takes no place
        assert await processes[0].here.count(anna, 5, minute, only_look=True) is None
    found = await asyncio.gather(*(each.here.count(anna, 5, minute, only_look=False) for each in processes))
    full = [wait for wait in found if wait is not None]
    assert len(full) == 3
    assert all(NO_TERM < wait <= minute for wait in full)
    assert await processes[0].here.count(anna, 5, minute, only_look=True) is not None
    assert await processes[1].here.count(bert, 1, minute, only_look=False) is None
    assert await processes[2].here.count(anna, 5, NO_TERM, only_look=False) is None  # that time is over


async def test_what_one_remembers_of_a_chat_another_recalls(processes: list[Process]) -> None:
    one, other = (each.here for each in processes[:2])
    day, chat, elsewhere = timedelta(days=1), key(), key("another")
    kept = Memory("offers", "by:x", {"ü": [1, None]}, day, "somebody")
    await one.remember(chat, [kept, Memory("language", "", "de", day), Memory("over", "", 1, NO_TERM)])
    assert {(each.what, each.key): each.content for each in await other.recall(chat)} == {
        ("offers", "by:x"): {"ü": [1, None]},
        ("language", ""): "de",
    }
    assert await other.recall(elsewhere) == []
    await other.remember(chat, [replace(kept, content="new"), Memory("language", "", None, None)])
    (found,) = await one.recall(chat)
    assert (found.what, found.content, found.person) == ("offers", "new", "somebody")
    await processes[2].journal.forget(Pseudonym("somebody"), private_chat=None, at=at())
    assert await one.recall(chat) == []
    await one.remember(chat, [kept])
    await processes[2].journal.drop_chat(chat)
    assert await one.recall(chat) == []


async def test_one_budget_for_all_processes(processes: list[Process]) -> None:
    day, limit = at().date(), Spending(tokens=100)
    nine = Spending(tokens=9)
    each_twice = [each.here.reserve(day, nine, limit) for each in processes * 2]
    over = [found for found in await asyncio.gather(*each_twice) if found is not None]
    assert over == [Spending(tokens=108)] * 5
    await processes[0].here.settle(day, nine, Spending(tokens=1))
    assert await processes[1].here.spent(day) == Spending(tokens=91)
    assert await processes[2].here.spent(day + timedelta(days=1)) == Spending()


async def test_who_answers_is_told_to_stop(processes: list[Process]) -> None:
    front, one, other = processes[:3]
    await front.journal.accept([message("1"), message("2", "c2")], at=at())
    item, second = await one.claimed(), await other.claimed()
    chat = chat_key(item.message.ref)
    nobody = PEOPLE.person("matrix", "w", "@nobody")
    assert await front.journal.stop(chat, Stop.CANCELLED, person=nobody) == 0
    assert await front.journal.stop(chat, Stop.TAKEN_BACK, message=item.message.ref.message) == 1
    assert await one.journal.stopped() == [(item.message, Stop.TAKEN_BACK)]
    assert await other.journal.stopped() == []
    assert await front.journal.stop(chat_key(second.message.ref), Stop.CANCELLED) == 1
    await one.journal.give_back(item, at=at())
    await one.claimed()
    assert await one.journal.stopped() == []


async def test_who_cannot_work_with_the_schema_that_came_does_not_stay(processes: list[Process]) -> None:
    one, other = processes[:2]
    await one.here.stay("answers", term=TERM)
    assert [each.schema for each in await other.here.at_work()] == [newest()]
    newer = f"{int(newest()) + 1:04}"
    async with other.database.write() as connection:
        await connection.exec_driver_sql(
            f"UPDATE alembic_version SET version_num = '{newer}', compatible = '{newer} from {newest()}'"
        )
    await one.here.stay("answers", term=TERM)
    async with other.database.write() as connection:
        await connection.exec_driver_sql(f"UPDATE alembic_version SET compatible = '{newer} from {newer}'")
    with pytest.raises(Broken) as caught:
        await one.here.stay("answers", term=TERM)
    assert caught.value.key == "database.newer"
