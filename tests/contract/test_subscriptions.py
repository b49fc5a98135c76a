"""What every `Subscriptions` does: the fake, SQLite and PostgreSQL."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.subscriptions import SqlSubscriptions
from core.domain.ids import DocumentId
from core.domain.journal import ChatKey, OutgoingReply, Pseudonym, Pseudonyms
from core.domain.messages import MessageRef, Outgoing
from core.domain.records import CitationRecord
from core.domain.subscriptions import Heard, Rhythm, Seen, SubjectKind, SubscriptionDraft
from core.ports.journal import Journal, Subscriptions
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.fake_journal import KEY, FakeJournal
from tests.support.fake_subscriptions import FakeSubscriptions
from tests.support.journal_examples import record

NOW = datetime(2026, 11, 22, tzinfo=UTC)
CHAT = ChatKey(platform="slack", workspace="T1", chat="C1")
OTHER = ChatKey(platform="slack", workspace="T1", chat="C2")
ANN, BOB = Pseudonym("ann"), Pseudonym("bob")
Stores = tuple[Journal, Subscriptions]


@pytest.fixture(params=["fake", "sqlite", "postgresql"])
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    if request.param == "fake":
        journal = FakeJournal()
        yield journal, FakeSubscriptions(journal)
        return
    sqlite = request.param == "sqlite"
    server = "" if sqlite else request.getfixturevalue("postgresql")
    url = sqlite_url(tmp_path / "journal.db") if sqlite else await postgresql_url(server)
    database = await Database.open(url)
    kept = SqlJournal(database, Pseudonyms(KEY))
    yield kept, SqlSubscriptions(database)
    await kept.close()


def draft(subject: str = "Mindestlohn", **changes: object) -> SubscriptionDraft:
    plain = SubscriptionDraft(
        chat=CHAT,
        thread=None,
        person=ANN,
        kind=SubjectKind.TOPIC,
        subject=subject,
        name=subject,
        collections=("public", "internal"),
        jurisdiction="xv",
        language="de",
        rhythm=Rhythm.DAILY,
        created_at=NOW,
        due_at=NOW + timedelta(days=1),
        seen=Seen(at=NOW, library="x", documents={DocumentId("d1"): "aa"}, quotes=(quote(),)),
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def quote() -> CitationRecord:
    return record().citations[0]


def reply(key: str) -> OutgoingReply:
    to = MessageRef(platform="slack", workspace="T1", chat="C1", thread=None, message="")
    return OutgoingReply(parts=(Outgoing(key=f"{key}-0", to=to, text="news"),))


async def test_a_subscription_is_kept_as_it_was_made(stores: Stores) -> None:
    _, kept = stores
    made = await kept.add(draft())
    assert await kept.of_chat(CHAT) == [made]
    assert replace(made.seen) == draft().seen
    assert (made.subject, made.person, made.collections) == ("Mindestlohn", ANN, ("public", "internal"))
    assert await kept.of_chat(OTHER) == []


async def test_the_same_subject_stays_one_with_the_new_rhythm(stores: Stores) -> None:
    _, kept = stores
    first = await kept.add(draft())
    again = await kept.add(draft(rhythm=Rhythm.WEEKLY, person=BOB))
    assert again.id == first.id
    assert [each.rhythm for each in await kept.of_chat(CHAT)] == [Rhythm.WEEKLY]
    elsewhere = await kept.add(draft(thread="t1"))
    assert elsewhere.id != first.id


async def test_the_same_subject_is_watched_in_what_the_chat_sees_now(stores: Stores) -> None:
    _, kept = stores
    first = await kept.add(draft(collections=("public",)))
    again = await kept.add(draft(collections=("public", "internal")))
    assert (again.id, again.seen) == (first.id, first.seen)
    assert again.collections == ("public", "internal")
    assert await kept.of_chat(CHAT) == [again]


async def test_a_chat_reaches_its_own_only(stores: Stores) -> None:
    _, kept = stores
    made = await kept.add(draft())
    assert not await kept.end(made.id, OTHER)
    assert not await kept.set_rhythm(made.id, OTHER, Rhythm.AT_ONCE, due_at=NOW)
    assert await kept.set_rhythm(made.id, CHAT, Rhythm.AT_ONCE, due_at=NOW)
    assert await kept.end(made.id, CHAT)
    assert not await kept.end(made.id, CHAT)
    assert await kept.of_chat(CHAT) == []


async def test_due_are_those_whose_time_has_come_longest_first(stores: Stores) -> None:
    _, kept = stores
    late = await kept.add(draft("a", due_at=NOW))
    later = await kept.add(draft("b", due_at=NOW - timedelta(hours=1)))
    await kept.add(draft("c", due_at=NOW + timedelta(hours=1)))
    assert [each.id for each in await kept.due(at=NOW, limit=9)] == [later.id, late.id]
    assert [each.id for each in await kept.due(at=NOW, limit=1)] == [later.id]
    await kept.wait([later.id, late.id], until=NOW + timedelta(hours=2))
    assert await kept.due(at=NOW, limit=9) == []


async def test_what_is_heard_is_settled_with_its_message_once(stores: Stores) -> None:
    journal, kept = stores
    made, other = await kept.add(draft()), await kept.add(draft("Rente"))
    seen = Seen(at=NOW, library="y")
    heard = [Heard(subscription=each, seen=seen, due_at=NOW) for each in (made, other)]
    assert await kept.heard(heard, [reply("s1")], at=NOW)
    assert not await kept.heard(heard, [reply("s2")], at=NOW)
    assert not await kept.heard(heard[:1], [reply("s3")], at=NOW)
    assert [each.seen for each in await kept.of_chat(CHAT)] == [seen, seen]
    assert (await journal.backlog()).pending == 1


async def test_what_was_ended_or_changed_meanwhile_is_not_told(stores: Stores) -> None:
    journal, kept = stores
    made, other = await kept.add(draft()), await kept.add(draft("Rente"))
    heard = [Heard(subscription=each, seen=Seen(at=NOW), due_at=NOW) for each in (other, made)]
    await kept.end(made.id, CHAT)
    assert not await kept.heard(heard, [reply("s1")], at=NOW)
    (left,) = await kept.of_chat(CHAT)
    assert left == other
    await kept.set_rhythm(other.id, CHAT, Rhythm.WEEKLY, due_at=NOW)
    assert not await kept.heard(heard[:1], [reply("s1")], at=NOW)
    assert (await journal.backlog()).pending == 0


async def test_forgetting_a_person_ends_theirs_and_leaves_those_of_others(stores: Stores) -> None:
    journal, kept = stores
    await kept.add(draft())
    others = await kept.add(draft("Rente", person=BOB))
    await journal.forget(ANN, private_chat=None, at=NOW)
    assert await kept.of_chat(CHAT) == [others]


async def test_forgetting_a_private_chat_and_leaving_a_chat_end_all_of_it(stores: Stores) -> None:
    journal, kept = stores
    await kept.add(draft(person=BOB))
    elsewhere = await kept.add(draft(chat=OTHER))
    await journal.forget(Pseudonym("nobody"), private_chat=CHAT, at=NOW)
    assert await kept.of_chat(CHAT) == []
    assert await kept.of_chat(OTHER) == [elsewhere]
    await journal.drop_chat(OTHER)
    assert await kept.of_chat(OTHER) == []
