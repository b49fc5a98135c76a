"""A chat hears of what it has subscribed to: through changes of documents, on every platform."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.answers.subscriptions import quotes_of
from bot.chat.guard import Guard
from bot.chat.subscriptions import USUAL, _with_rhythm
from bot.presentation.i18n import Texts, languages
from bot.service.subscriptions import Notifying
from bot.settings.platforms import ChatSettings, LimitSettings
from core.domain.documents import DocumentType, VersionStatus
from core.domain.ids import PassageId, VersionId
from core.domain.journal import ChatKey, Pseudonym
from core.domain.subscriptions import Rhythm, Seen, SubjectKind, SubscriptionDraft
from tests.support.chat_harness import ChatHarness, Shown, eventually
from tests.support.console_harness import ConsoleHarness
from tests.support.matrix_harness import MatrixHarness
from tests.support.slack_harness import SlackHarness
from tests.support.telegram_harness import TelegramHarness
from tests.support.whole_bot import WholeBot, text_of
from tests.support.world import UFER_2025, World, populated

HARNESSES: dict[str, Callable[[pytest.FixtureRequest], ChatHarness]] = {
    "console": lambda request: ConsoleHarness(),
    "matrix": lambda request: MatrixHarness(request.getfixturevalue("synapse")),
    "slack": lambda request: SlackHarness(request.getfixturevalue("slack_server")),
    "telegram": lambda request: TelegramHarness(request.getfixturevalue("telegram_server")),
}
QUESTION = "Was sagt die Uferpartei zum Mindestlohn?"
QUOTE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
RAISED = QUOTE.replace("15", "17")
MANIFESTO = {"jurisdiction": "xv", "doc_type": DocumentType.MANIFESTO, "parties": ("Uferpartei",)}
CANARY = "KANARIENVOGEL"


async def _served(harness: ChatHarness, folder: Path) -> AsyncIterator[WholeBot]:
    world = await populated()
    world.clock.at += timedelta(days=1)
    whole = WholeBot(harness, world, folder)
    await harness.start()
    try:
        yield whole
    finally:
        await whole.stop()
        await harness.close()


@pytest.fixture(params=list(HARNESSES))
async def everywhere(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[WholeBot]:
    async for each in _served(HARNESSES[request.param](request), tmp_path):
        yield each


@pytest.fixture
async def bot(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[WholeBot]:
    """On the platform whose messages are quickest to read."""
    async for each in _served(TelegramHarness(request.getfixturevalue("telegram_server")), tmp_path):
        yield each


def notifying(bot: WholeBot, guard: Guard | None = None) -> Notifying:
    app = bot.world.app
    platforms: Any = {bot.harness.platform.name: bot.attached}
    made = app.notifying_on(platforms, bot._folder / "outgoing", app.shared_files)
    return replace(made, guard=guard or app.guard)


async def said(
    bot: WholeBot, chat: str, command: str, words: str, *, reply_to: str | None = None
) -> list[Shown]:
    """What the bot answers to a command."""
    before = len(await bot.harness.shown(chat))
    prefix = bot.harness.platform.capabilities.command_prefix
    await bot.harness.say(chat, f"{prefix}{command}", reply_to=reply_to)

    async def answered() -> bool:
        return len(await bot.harness.shown(chat)) > before

    await eventually(answered)
    return await bot.shown(chat, words, after=before)


async def rewritten(world: World, text: str, *, file: str = "ufer25.pdf") -> None:
    """The programme has a new version, a day later."""
    world.clock.at += timedelta(days=1)
    world.originals.contents[file] = text
    receipt = await world.add(file, text, valid_from=date(2025, 5, 1), **MANIFESTO)
    assert receipt.error is None


def later(world: World, **more: int) -> None:
    world.clock.at += timedelta(**more)


async def test_a_changed_quote_is_told_once_with_its_page(everywhere: WholeBot) -> None:
    bot = everywhere
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await said(bot, chat, f"subscribe {QUESTION}", "einmal am Tag")
    later(bot.world, days=2)
    assert await notifying(bot).round() == 0
    await rewritten(bot.world, UFER_2025.replace(QUOTE, RAISED))
    before = len(await bot.harness.shown(chat))
    later(bot.world, days=2)
    assert await notifying(bot).round() == 1
    shown = await bot.shown(chat, "17", files=1, after=before)
    assert "Mindestlohn" in text_of(shown)
    later(bot.world, days=2)
    assert await notifying(bot).round() == 0


async def test_it_is_listed_and_ended_in_one_tap(everywhere: WholeBot) -> None:
    bot = everywhere
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await said(bot, chat, "subscribe Mindestlohn", "Mindestlohn")
    shown = await said(bot, chat, "subscriptions", "1. Mindestlohn")
    if bot.harness.platform.capabilities.buttons:
        assert ("/subscriptions end 1",) in shown[-1].buttons
        before = len(await bot.harness.shown(chat))
        await bot.harness.press(chat, shown[-1].ids[0], "/subscriptions end 1")
        await bot.shown(chat, "", after=before)
    else:
        await said(bot, chat, "subscriptions end 1", "")

    async def ended() -> bool:
        return not bot.world.journal.subscriptions

    await eventually(ended)


async def test_a_reply_to_an_answer_subscribes_to_its_topic(bot: WholeBot) -> None:
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await bot.harness.say(chat, QUESTION)
    answer = await bot.shown(chat, QUOTE, files=1)
    await said(bot, chat, "subscribe weekly", "einmal in der Woche", reply_to=answer[0].ids[0])
    (made,) = bot.world.journal.subscriptions.values()
    assert made.subject == QUESTION
    assert [each.quote for each in made.seen.quotes]
    (button,) = [each for each in answer[0].buttons if each[0].startswith("/subscribe ")]
    before = len(await bot.harness.shown(chat))
    await bot.harness.press(chat, answer[0].ids[0], button[0])
    await bot.shown(chat, "Mindestlohn", after=before)
    assert len(bot.world.journal.subscriptions) == 1


async def test_a_new_document_that_answers_is_told(bot: WholeBot) -> None:
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await said(bot, chat, "subscribe Was ist zum Fährverkehr geplant?", "")
    later(bot.world, days=1, hours=1)
    text = "Fähren\n\nDer Fährverkehr wird verdoppelt, jede Stunde fährt eine Fähre."
    await bot.world.add("faehre.pdf", text, valid_from=date(2025, 5, 2), **MANIFESTO)
    before = len(await bot.harness.shown(chat))
    later(bot.world, minutes=1)
    assert await notifying(bot).round() == 1
    await bot.shown(chat, "Fährverkehr wird verdoppelt", after=before)


async def test_an_edition_that_comes_into_force_is_told_that_day(bot: WholeBot) -> None:
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    start = bot.world.clock.today() + timedelta(days=3)
    statute = {"jurisdiction": "xv", "doc_type": DocumentType.ACT, "valid_from": start}
    text = "§ 1 Fähren\n\nDer Fährverkehr wird verdoppelt, jede Stunde fährt eine Fähre."
    assert (await bot.world.add("faehrgesetz.pdf", text, **statute)).error is None
    later(bot.world, hours=1)
    await said(bot, chat, "subscribe now Wie oft fährt die Fähre jede Stunde?", "")
    (made,) = bot.world.journal.subscriptions.values()
    assert not any("Fährverkehr" in each.quote for each in made.seen.quotes)
    later(bot.world, days=1)
    assert await notifying(bot).round() == 0
    later(bot.world, days=2)
    before = len(await bot.harness.shown(chat))
    assert await notifying(bot).round() == 1
    await bot.shown(chat, "Fährverkehr wird verdoppelt", after=before)
    later(bot.world, days=1)
    assert await notifying(bot).round() == 0


@pytest.mark.parametrize("subject", ["Uferpartei", "ufer25.pdf"])
async def test_a_party_and_a_document_are_watched(bot: WholeBot, subject: str) -> None:
    """New versions, new editions, and what is withdrawn."""
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await said(bot, chat, f"subscribe now {subject}", "at once")
    await rewritten(bot.world, UFER_2025.replace(QUOTE, RAISED))
    before = len(await bot.harness.shown(chat))
    assert await notifying(bot).round() == 1
    first = await bot.shown(chat, "New version: ufer25", after=before)
    later(bot.world, minutes=20)
    await bot.world.add("ufer29.pdf", "Alles anders.", valid_from=date(2025, 5, 30), **MANIFESTO)
    later(bot.world, minutes=20)
    assert await notifying(bot).round() == 1
    second = await bot.shown(chat, "New: ufer29", after=before + len(first))
    assert "New version" not in text_of(second)
    (document,) = [each for each in await bot.world.library.documents() if each.file == "ufer29.pdf"]
    await bot.world.library.withdraw(document.id, at=bot.world.clock.now())
    later(bot.world, minutes=20)
    assert await notifying(bot).round() == 1
    third = await bot.shown(chat, "Withdrawn: ufer29", after=before + len(first) + len(second))
    assert await bot.world.library.restore(document.id)
    later(bot.world, minutes=20)
    assert await notifying(bot).round() == 1
    told = before + len(first) + len(second) + len(third)
    await bot.shown(chat, "Available again: ufer29", after=told)
    later(bot.world, minutes=20)
    assert await notifying(bot).round() == 0


async def test_what_answers_a_topic_is_told_withdrawn_and_back_and_watched_on(bot: WholeBot) -> None:
    """Once each, and a change after that is told as one."""
    chat, library = await bot.harness.direct(), bot.world.library
    await bot.serve(public=[chat])
    before = len(await bot.harness.shown(chat)) + len(await said(bot, chat, f"subscribe now {QUESTION}", ""))
    (document,) = [each for each in await library.documents() if each.file == "ufer25.pdf"]

    async def told(words: str) -> None:
        nonlocal before
        later(bot.world, minutes=20)
        assert await notifying(bot).round() == 1
        before += len(await bot.shown(chat, words, after=before))
        later(bot.world, minutes=20)
        assert await notifying(bot).round() == 0

    for _ in range(2):
        await library.withdraw(document.id, at=bot.world.clock.now())
        await told("Zurückgezogen: ufer25")
        await bot.world.add("fremd.pdf", f"Von niemandem {before}.", jurisdiction="xv")
        later(bot.world, minutes=20)
        assert await notifying(bot).round() == 0  # what is gone is not told again
        assert await library.restore(document.id)
        await told("Wieder da: ufer25")
    await rewritten(bot.world, UFER_2025.replace(QUOTE, RAISED))
    await told("17")


@pytest.mark.parametrize(
    ("typed", "rhythm"),
    [
        ("immediately Uferpartei", Rhythm.AT_ONCE),
        ("at once Uferpartei", Rhythm.AT_ONCE),
        ("right away: Uferpartei", Rhythm.AT_ONCE),
        ("Umgehend Uferpartei", Rhythm.AT_ONCE),
        ("tout de suite Uferpartei", Rhythm.AT_ONCE),
        ("once a day Uferpartei", Rhythm.DAILY),
        ("einmal in der Woche Uferpartei", Rhythm.WEEKLY),
        ("une fois par semaine, Uferpartei", Rhythm.WEEKLY),
        ("Uferpartei", USUAL),
    ],
)
async def test_how_often_is_said_as_people_say_it(bot: WholeBot, typed: str, rhythm: Rhythm) -> None:
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await said(bot, chat, f"subscribe {typed}", "Uferpartei")
    (made,) = bot.world.journal.subscriptions.values()
    assert (made.rhythm, made.kind, made.subject) == (rhythm, SubjectKind.PARTY, "Uferpartei")


@pytest.mark.parametrize("language", languages())
def test_how_often_is_understood_in_the_words_it_is_shown_in(language: str) -> None:
    for rhythm in Rhythm:
        shown = Texts(language)(f"subscription.{rhythm.value}")
        assert _with_rhythm(f"{shown} Uferpartei") == (rhythm, "Uferpartei")


async def test_reading_the_same_bytes_again_is_no_news(bot: WholeBot) -> None:
    chat, library = await bot.harness.direct(), bot.world.library
    await bot.serve(public=[chat])
    await said(bot, chat, "subscribe now Uferpartei", "")
    await said(bot, chat, f"subscribe now {QUESTION}", "")
    later(bot.world, days=1)
    (known,) = [each for each in await library.documents() if each.file == "ufer25.pdf"]
    (was,) = await library.versions(known.id)
    again = replace(
        was,
        id=VersionId("again"),
        pipeline="newer",
        status=VersionStatus.PENDING,
        seen_from=bot.world.clock.now(),
        indexed_at=None,
    )
    passages = await library.passages_at(was.id, range(was.passages))
    moved = [replace(each, version=again.id, id=PassageId(f"again{n}")) for n, each in enumerate(passages)]
    await library.add_version(again, [each async for each in library.pages(was.id)], moved)
    await library.activate(again.id, at=bot.world.clock.now())
    assert [each.status for each in await library.versions(known.id)].count(VersionStatus.ACTIVE) == 1
    later(bot.world, minutes=20)
    assert await notifying(bot).round() == 0
    await bot.world.add("fremd.pdf", "Ein Dokument von niemandem.", jurisdiction="xv")
    later(bot.world, minutes=20)
    assert await notifying(bot).round() == 0


async def test_two_processes_tell_once(bot: WholeBot) -> None:
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await said(bot, chat, "subscribe now Uferpartei", "")
    await rewritten(bot.world, UFER_2025.replace(QUOTE, RAISED))
    one, other = notifying(bot), notifying(bot)
    (subscription,) = await one.kept.due(at=bot.world.clock.now(), limit=9)
    one.watching.begin()
    looked = await one.watching.look(subscription, ("public",))
    assert looked is not None
    told = [await each._settled([(subscription, looked)]) for each in (one, other)]
    assert sorted(told) == [0, 1]


async def test_a_chat_that_loses_access_hears_nothing(bot: WholeBot) -> None:
    staff = await bot.harness.group()
    await bot.serve(staff=[staff], people=[])
    before = len(await bot.harness.shown(staff))
    await said(bot, staff, "subscribe now intern.pdf", "intern")
    await said(bot, staff, f"subscribe now plan {CANARY}", "")
    demoted = Guard([ChatSettings(platform="telegram", id=staff)], ())
    gone = Guard([], ())
    text = f"Strategie\n\nDer neue Plan {CANARY} zum Mindestlohn ist noch viel geheimer als der alte Plan."
    bot.world.clock.at += timedelta(days=1)
    bot.world.originals.contents["intern.pdf"] = text
    await bot.world.add("intern.pdf", text, jurisdiction="xv", collection="internal")
    for guard in (demoted, gone):
        later(bot.world, minutes=20)
        assert await notifying(bot, guard).round() == 0
    later(bot.world, minutes=20)
    assert await notifying(bot).round() == 1
    await bot.shown(staff, "New version: intern", after=before)


async def test_a_chat_that_became_public_hears_nothing_internal(bot: WholeBot) -> None:
    staff = await bot.harness.group()
    await bot.serve(staff=[staff], people=[])
    await said(bot, staff, "subscribe now intern.pdf", "intern")
    bot.world.originals.contents["intern.pdf"] = "Neu."
    later(bot.world, days=1)
    await bot.world.add("intern.pdf", "Ganz neuer Plan für alle.", jurisdiction="xv", collection="internal")
    await bot.harness.make_public(staff)
    later(bot.world, minutes=20)
    assert await notifying(bot).round() == 0


async def _made_when_it_saw_all(bot: WholeBot, chat: str) -> None:
    """Subscriptions to an internal document, to what it answers, and to what is public; now a public chat."""
    app = bot.world.app
    (intern,) = [each for each in await app.library.documents() if each.file == "intern.pdf"]
    plain = SubscriptionDraft(
        chat=ChatKey(platform=bot.harness.platform.name, workspace="", chat=chat),
        thread=None,
        person=Pseudonym("ann"),
        kind=SubjectKind.DOCUMENT,
        subject=intern.id,
        name="Strategiepapier",
        collections=("public", "internal"),
        jurisdiction="xv",
        language="en",
        rhythm=Rhythm.AT_ONCE,
        created_at=app.clock.now(),
        due_at=app.clock.now(),
        seen=Seen(at=app.clock.now()),
    )
    await app.subscriptions.add(await app.watching.first(plain))
    for topic in (CANARY, "Windräder"):
        draft = replace(plain, kind=SubjectKind.TOPIC, subject=topic, name=topic)
        answer = await app.watching.answer(topic, draft.collections, "xv")
        assert answer.citations
        seen = Seen(at=app.clock.now(), quotes=quotes_of(answer.citations))
        await app.subscriptions.add(await app.watching.first(replace(draft, seen=seen)))


async def test_what_a_chat_sees_no_more_is_not_named_and_can_be_ended(bot: WholeBot) -> None:
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await _made_when_it_saw_all(bot, chat)
    shown = await said(bot, chat, "subscriptions", "1. a document this chat no longer sees")
    everything = repr(shown)
    assert CANARY not in everything
    assert "Strategiepapier" not in everything
    assert "3. Windräder" in text_of(shown)
    before = len(await bot.harness.shown(chat))
    await bot.harness.press(chat, shown[-1].ids[0], "/subscriptions end 1")
    await bot.shown(chat, "Ended", after=before)
    assert [each.id for each in bot.world.journal.subscriptions.values()] == [2, 3]


async def test_a_chat_that_sees_all_of_it_has_it_named(bot: WholeBot) -> None:
    staff = await bot.harness.group()
    await bot.serve(staff=[staff], people=[])
    await _made_when_it_saw_all(bot, staff)
    shown = await said(bot, staff, "subscriptions", "1. Strategiepapier")
    assert CANARY in text_of(shown)


async def test_a_public_chat_does_not_reach_internal_documents(bot: WholeBot) -> None:
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await said(bot, chat, "subscribe now intern.pdf", "")
    await said(bot, chat, f"subscribe now plan {CANARY}", "")
    kept = repr([(each.kind, each.seen) for each in bot.world.journal.subscriptions.values()])
    assert CANARY not in kept
    assert "document" not in {each.kind for each in bot.world.journal.subscriptions.values()}
    bot.world.originals.contents["intern.pdf"] = "Neu."
    later(bot.world, days=1)
    await bot.world.add("intern.pdf", f"Plan {CANARY} intern", jurisdiction="xv", collection="internal")
    later(bot.world, minutes=20)
    assert await notifying(bot).round() == 0


async def test_whoever_opens_the_terminal_reads_what_is_new_once(bot: WholeBot) -> None:
    """Due or not: there it is read at once."""
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await said(bot, chat, f"subscribe weekly {QUESTION}", "")
    await rewritten(bot.world, UFER_2025.replace(QUOTE, RAISED))
    key = ChatKey(platform=bot.harness.platform.name, workspace="", chat=chat)
    (reply,) = await notifying(bot).news(key)
    assert any("17" in block for block in reply.blocks)
    assert await notifying(bot).news(key) == []


@pytest.mark.parametrize("typed", ["end 99999999999999999999", "99999999999999999999 weekly", "end one"])
async def test_a_number_that_none_has_is_said_to_be_none(bot: WholeBot, typed: str) -> None:
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await said(bot, chat, f"subscriptions {typed}", "no such subscription")


async def test_there_is_a_limit(bot: WholeBot) -> None:
    chat = await bot.harness.direct()
    named = bot.named(public=[chat])
    named["limits"] = LimitSettings(user_per_minute=1000, chat_per_minute=1000, user_subscriptions=1)
    await bot.begin(bot.world.use(bot.world.app.settings.model_copy(update=named)))
    await said(bot, chat, "subscribe Uferpartei", "Uferpartei")
    await said(bot, chat, "subscribe Windmüller", "You have 1 subscription here already")
    await said(bot, chat, "subscribe weekly Uferpartei", "once a week")
    (kept,) = bot.world.journal.subscriptions.values()
    assert kept.rhythm is Rhythm.WEEKLY


async def test_the_limit_of_a_chat_is_said_to_be_the_chats(bot: WholeBot) -> None:
    chat = await bot.harness.direct()
    named = bot.named(public=[chat])
    named["limits"] = LimitSettings(user_per_minute=1000, chat_per_minute=1000, chat_subscriptions=1)
    await bot.begin(bot.world.use(bot.world.app.settings.model_copy(update=named)))
    await said(bot, chat, "subscribe Uferpartei", "Uferpartei")
    await said(bot, chat, "subscribe Windmüller", "This chat has 1 subscription already")


async def test_forget_ends_them(bot: WholeBot) -> None:
    chat = await bot.harness.direct()
    await bot.serve(public=[chat])
    await said(bot, chat, "subscribe Uferpartei", "Uferpartei")
    await said(bot, chat, "forget", "")

    async def ended() -> bool:
        return not bot.world.journal.subscriptions

    await eventually(ended)
