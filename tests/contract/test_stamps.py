"""A clock that was in the future once: what it wrote neither stays for good nor holds anything up."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.chat.guard import RateLimits
from bot.settings.platforms import LimitSettings
from core.domain.ingestion import SourceState
from core.domain.journal import (
    AuditAction,
    AuditEntry,
    ChatKey,
    Feedback,
    FeedbackVerdict,
    OutgoingReply,
    Pseudonym,
    Retention,
    ThreadKey,
    chat_key,
)
from core.domain.messages import Outgoing
from core.domain.scope import ThreadContext
from core.errors import LONGEST_WAIT_S, Refused, Unavailable
from core.library.lifecycle import Lifecycle
from core.ports.clock import SKEW
from core.ports.journal import Journal
from tests.support.fake_platform import FakePlatform
from tests.support.journal_examples import cited
from tests.support.journals import KINDS, opened_journal
from tests.support.refreshing import Refreshed, id_of, listed
from tests.support.world import populated

NOW = datetime(2026, 11, 22, tzinfo=UTC)
LATER = (timedelta(days=3), timedelta(days=365), timedelta(days=365 * 70))


CONTEXT = ThreadContext(questions=("x",), language="de")


def entry(at: datetime) -> AuditEntry:
    return AuditEntry(at=at, actor=Pseudonym("p"), action=AuditAction.SETTING, subject="s", values={})


@pytest.fixture(params=KINDS)
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Journal]:
    found = await opened_journal(request.param, tmp_path)
    yield found
    await found.close()


@pytest.mark.parametrize("ahead", LATER, ids=str)
async def test_nothing_is_kept_for_good(journal: Journal, ahead: timedelta) -> None:
    wrong, message = NOW + ahead, FakePlatform().message("x")
    person, thread = (
        Pseudonym("p"),
        ThreadKey(chat=chat_key(message.ref), thread="t", collections=("public",)),
    )
    for at in (wrong, NOW):
        record = cited(f"t{at.year}-{at.day}", "v", at=at)
        await journal.record(record)
        await journal.audit(entry(at))
    await journal.give_feedback(
        Feedback(trace=record.trace, person=person, verdict=FeedbackVerdict.USEFUL, at=wrong)
    )
    await journal.first_notice(person, at=wrong)
    await journal.save_context(thread, CONTEXT, person=person, expires_at=wrong)
    await journal.accept([message], at=wrong)
    item = await journal.claim(at=wrong)
    assert item is not None
    await journal.finish(item, at=wrong)
    purged = await journal.purge(Retention(), at=NOW)
    assert (purged.dead_letters, purged.answers, purged.feedback, purged.contexts) == (1, 1, 1, 1)
    assert purged.audit == 2
    assert await journal.context(thread, at=NOW) is None
    assert [entry.at for entry in await journal.audit_entries()] == [NOW]


async def test_clocks_may_differ_a_little(journal: Journal) -> None:
    soon = NOW + SKEW / 2
    await journal.audit(entry(soon))
    assert (await journal.purge(Retention(), at=NOW)).audit == 0


@pytest.mark.parametrize("ahead", LATER, ids=str)
async def test_a_part_that_was_put_off_is_sent(journal: Journal, ahead: timedelta) -> None:
    part = Outgoing(key="k", to=FakePlatform().message("x").ref, text="")
    await journal.enqueue([OutgoingReply(parts=(part,))], at=NOW)
    item = await journal.claim_part("telegram", at=NOW)
    assert item is not None
    await journal.postpone(item, until=NOW + ahead, error="platform.busy", at=NOW)
    assert await journal.claim_part("telegram", at=NOW) is not None


async def test_a_part_waits_for_as_long_as_a_platform_may_ask(journal: Journal) -> None:
    part = Outgoing(key="k", to=FakePlatform().message("x").ref, text="")
    await journal.enqueue([OutgoingReply(parts=(part,))], at=NOW)
    item = await journal.claim_part("telegram", at=NOW)
    assert item is not None
    until = NOW + timedelta(seconds=Unavailable("platform.busy", retry_after_s=float("inf")).retry_after_s)
    await journal.postpone(item, until=until, error="platform.busy", at=NOW)
    assert await journal.claim_part("telegram", at=NOW) is None
    assert await journal.claim_part("telegram", at=until) is not None


@pytest.mark.parametrize("ahead", LATER, ids=str)
async def test_a_source_is_looked_at(tmp_path: Path, ahead: timedelta) -> None:
    world = await Refreshed(tmp_path).listing(listed())
    now = world.clock.now()
    await world.journal.save_source(SourceState(document=id_of(), next_run=now + ahead))
    (job,) = await world.jobs.listed()
    assert job.is_due(now)
    soon = now + timedelta(minutes=5)
    await world.journal.save_source(SourceState(document=id_of(), next_run=soon))
    (job,) = await world.jobs.listed()
    assert job.next_run == soon


@pytest.mark.parametrize("ahead", LATER, ids=str)
async def test_limits_forget_it(ahead: timedelta) -> None:
    limits = RateLimits(LimitSettings(user_per_minute=1))
    limits.admit("p", "c", NOW + ahead)
    limits.admit("p", "c", NOW)
    with pytest.raises(Refused) as caught:
        limits.admit("p", "c", NOW)
    who, where = Pseudonym("p"), ChatKey(platform="telegram", workspace="", chat="c")
    assert limits.is_news(caught.value, who, where, NOW + ahead)
    assert limits.is_news(caught.value, who, where, NOW)
    assert not limits.is_news(caught.value, who, where, NOW)


@pytest.mark.parametrize("asked", [1e300, float("inf"), float("nan"), -5.0, 86_400.5])
def test_nobody_waits_for_longer_than_a_day(asked: float) -> None:
    assert 0.0 <= Unavailable("platform.busy", retry_after_s=asked).retry_after_s <= LONGEST_WAIT_S


@pytest.mark.parametrize("ahead", LATER, ids=str)
async def test_a_document_and_its_old_versions_go(ahead: timedelta) -> None:
    world = await populated()
    (document, *_) = await world.library.documents()
    await world.library.withdraw(document.id, at=world.clock.now() + ahead)
    lifecycle = Lifecycle(
        library=world.library, index=world.index, originals=world.originals, clock=world.clock
    )
    assert [each.id for each in (await lifecycle.collect()).documents] == [document.id]
