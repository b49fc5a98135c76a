"""A question that its author takes back keeps no answer, whatever has become of it by then."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.delivery.staging import PlatformStage
from core.domain.ids import TraceId
from core.domain.journal import OutgoingReply
from core.domain.messages import IncomingMessage, MessageKind, Outgoing, Reply
from core.errors import Unavailable
from tests.bot.test_delivery import Bot, settled
from tests.support.chat_harness import eventually
from tests.support.journals import KINDS, opened_journal

POSTPONED = Unavailable("platform.busy", "wait", retry_after_s=3600.0)


@pytest.fixture(params=KINDS)
async def bot(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Bot]:
    journal = await opened_journal(request.param, tmp_path)
    found = Bot(journal, tmp_path)
    yield found
    for event in (*found.conversation.held.values(), *found.platform.held.values()):
        event.set()
    await found.stop()
    await journal.close()


def said(bot: Bot) -> list[str]:
    """What was ever shown."""
    return [part.text for part in bot.platform.posts]


async def taken_back(bot: Bot, question: IncomingMessage) -> None:
    await bot.platform.edit(question, "")


async def sending(bot: Bot, state: str = "sending", count: int = 1) -> None:
    async def there() -> bool:
        return getattr(await bot.journal.backlog(), state) == count

    await eventually(there)


async def test_while_it_waits(bot: Bot) -> None:
    gate = bot.hold("c1")
    bot.start()
    await bot.platform.say("1")
    question = await bot.platform.say("2")
    await bot.handling("1")
    await taken_back(bot, question)
    gate.set()
    await bot.shows("re 1")
    await settled(bot)
    assert (said(bot), bot.conversation.handled) == (["re 1"], ["1"])


async def test_while_it_is_answered(bot: Bot) -> None:
    gate = bot.hold("c1")
    bot.start()
    question = await bot.platform.say("1")
    await bot.handling("1")
    await taken_back(bot, question)
    gate.set()
    await settled(bot)
    assert said(bot) == []


async def test_while_its_answer_waits_to_be_sent(bot: Bot) -> None:
    gate = bot.platform.held["c1"] = asyncio.Event()
    bot.start()
    await bot.platform.say("0")
    await sending(bot)
    question = await bot.platform.say("1")
    await sending(bot, "pending")
    await taken_back(bot, question)
    gate.set()
    await settled(bot)
    assert said(bot) == ["re 0"]


async def test_while_its_answer_is_sent(bot: Bot) -> None:
    gate = bot.platform.held["c1"] = asyncio.Event()
    bot.start()
    question = await bot.platform.say("1")
    await sending(bot)
    await taken_back(bot, question)
    gate.set()
    await settled(bot)
    assert (said(bot), bot.platform.texts()) == (["re 1"], [])


async def test_while_sending_it_fails(bot: Bot) -> None:
    """What would be tried again later is not."""
    gate = bot.platform.held["c1"] = asyncio.Event()
    bot.platform.fault = lambda part: POSTPONED if part.text else None
    bot.start()
    question = await bot.platform.say("1")
    await sending(bot)
    await taken_back(bot, question)
    gate.set()
    await settled(bot)
    bot.platform.fault = lambda part: None
    bot.clock.advance(hours=2)
    await bot.platform.say("2")
    await bot.shows("re 2")
    assert said(bot) == ["re 2"]


async def test_while_its_answer_was_put_off(bot: Bot) -> None:
    faults = [POSTPONED]
    bot.platform.fault = lambda part: faults.pop() if faults else None
    bot.start()
    question = await bot.platform.say("1")

    async def put_off() -> bool:
        return not faults and (await bot.journal.backlog()).pending == 1

    await eventually(put_off)
    await taken_back(bot, question)
    await settled(bot)
    assert said(bot) == []


async def test_after_it_was_answered(bot: Bot) -> None:
    bot.start()
    question = await bot.platform.say("1")
    await bot.shows("re 1")
    await settled(bot)
    await taken_back(bot, question)
    await bot.shows()
    await settled(bot)
    await taken_back(bot, question)  # told twice: there is nothing left
    await settled(bot)
    assert len({ref.message for ref in bot.platform.deleted}) == 1
    assert await bot.letters() == []


@pytest.mark.parametrize("number", range(4))
async def test_in_the_middle_of_an_answer_of_several_parts(bot: Bot, number: int) -> None:
    """Whichever part is just being sent."""
    reached, gate = asyncio.Event(), asyncio.Event()
    send = bot.platform.send

    async def answers(message: IncomingMessage) -> Reply:
        return Reply(blocks=tuple(f"{n}" + "x" * 3000 for n in range(4)))

    async def slow(part: Outgoing) -> tuple[str, ...]:
        if part.text.startswith(str(number)):
            reached.set()
            await gate.wait()
        return await send(part)

    bot.conversation.answers = answers
    bot.platform.send = slow  # type: ignore[method-assign]
    bot.start()
    question = await bot.platform.say("1")
    await reached.wait()
    await taken_back(bot, question)
    gate.set()
    await settled(bot)
    assert (len(said(bot)), bot.platform.texts()) == (number + 1, [])


async def test_a_stop_in_between_changes_nothing(bot: Bot) -> None:
    question = bot.platform.message("1")
    gone = replace(question, text="", kind=MessageKind.EDIT, event="e-gone")
    await bot.journal.accept([question, gone], at=bot.clock.now())
    assert await bot.journal.claim(at=bot.clock.now()) is not None  # the process ended while it was answered
    bot.start()
    await bot.platform.say("2")
    await bot.shows("re 2")
    await settled(bot)
    assert bot.conversation.handled == ["2"]


async def test_what_was_queued_before_a_stop_is_not_sent_after_it(bot: Bot) -> None:
    question = bot.platform.message("1")
    gone = replace(question, text="", kind=MessageKind.EDIT, event="e-gone")
    await bot.journal.accept([gone], at=bot.clock.now())
    part = Outgoing(key="k-0", to=question.ref, text="re 1")
    await bot.journal.enqueue([OutgoingReply(parts=(part,))], at=bot.clock.now())
    bot.start()
    await settled(bot)
    assert said(bot) == []


async def test_what_comes_together_with_its_question(bot: Bot) -> None:
    bot.start()
    question = bot.platform.message("1")
    gone = replace(question, text="", kind=MessageKind.EDIT, event="e-gone")
    await bot.platform.deliver(question, gone)
    await settled(bot)
    assert said(bot) == []


async def test_who_asks_again_is_answered(bot: Bot) -> None:
    bot.start()
    question = await bot.platform.say("1")
    await taken_back(bot, question)
    await settled(bot)
    await bot.platform.edit(question, "1 again")
    await bot.shows("re 1 again")


async def test_what_overtakes_its_question(bot: Bot) -> None:
    """A platform tries an event again that was not taken over, and the next one may come before it."""
    bot.start()
    question = bot.platform.message("1")
    await taken_back(bot, question)
    await bot.platform.deliver(question)
    await bot.platform.say("2")
    await bot.shows("re 2")
    await settled(bot)
    assert said(bot) == ["re 2"]


async def test_what_comes_late_takes_nothing_back_that_was_asked_again(bot: Bot) -> None:
    bot.start()
    question = await bot.platform.say("1")
    again = replace(question, text="1!", kind=MessageKind.EDIT, event="e-2")
    await bot.platform.deliver(replace(again, received_at=question.received_at + timedelta(seconds=9)))
    await bot.platform.deliver(replace(again, text="", event="e-1"))
    await bot.platform.say("2")
    await settled(bot)
    assert "re 1!" in bot.platform.texts()


async def test_what_people_take_back_among_themselves_is_not_written_down(bot: Bot) -> None:
    bot.start()
    await taken_back(bot, bot.platform.message("lunch?"))
    await bot.platform.say("1")
    await bot.shows("re 1")
    assert await bot.journal.edits() == []


async def test_what_was_shown_of_an_unfinished_answer_goes(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where that was just being sent."""
    handle = bot.conversation.handle
    gate = bot.platform.held["c1"] = asyncio.Event()

    async def slowly(message: IncomingMessage, stage: PlatformStage) -> Reply | None:
        if not message.taken_back:
            showing = asyncio.create_task(stage.show("Looking ..."))
            await asyncio.sleep(0)
            showing.cancel()  # as an answer that is cancelled while it says how far it is
            await asyncio.gather(showing, return_exceptions=True)
        return await handle(message, stage)

    monkeypatch.setattr(bot.conversation, "handle", slowly)
    answering = bot.hold("c1")
    bot.start()
    question = await bot.platform.say("1")
    await bot.handling("1")
    await taken_back(bot, question)
    gate.set()
    answering.set()
    await settled(bot)
    assert (said(bot), bot.platform.texts()) == (["Looking ..."], [])


async def test_pages_that_were_asked_for_go_as_well(bot: Bot) -> None:
    async def answers(message: IncomingMessage) -> Reply:
        return Reply(blocks=(f"re {message.text}",), trace="t1")

    bot.conversation.answers = answers
    bot.start()
    question = await bot.platform.say("1")
    await bot.shows("re 1")
    page = Outgoing(key="page-0", to=question.ref, text="page 7")
    await bot.journal.enqueue([OutgoingReply(parts=(page,), trace=TraceId("t1"))], at=bot.clock.now())
    await bot.shows("re 1", "page 7")
    await settled(bot)
    await taken_back(bot, question)
    await bot.shows()


async def test_an_edit_waits_until_the_answer_before_is_sent(bot: Bot) -> None:
    """Else that would stand beside its successor for ever."""
    gate = bot.platform.held["c1"] = asyncio.Event()
    bot.start()
    await bot.platform.say("0")
    question = await bot.platform.say("1")
    await sending(bot)  # the first one, held
    await sending(bot, "pending")
    edit = replace(question, kind=MessageKind.EDIT, text="1!")
    found = asyncio.create_task(PlatformStage(bot.platform, edit, bot.journal).earlier())
    await asyncio.sleep(0.05)
    assert not found.done()
    gate.set()
    assert [each.message for each in await found] == ["a2"]
