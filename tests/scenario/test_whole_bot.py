"""What people live through: the real client libraries, delivery and conversation, on every platform."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.answers.questions import Questions
from bot.chat.pictures import PictureReader
from core.domain.journal import OutgoingReply
from core.domain.messages import MessageKind, Outgoing
from core.library.formats import FileReader
from tests.support.chat_harness import ChatHarness, Shown, eventually
from tests.support.fake_pdf import text_reading
from tests.support.matrix_harness import EncryptedMatrixHarness, MatrixHarness
from tests.support.one_page_papers import PAPERS
from tests.support.slack_harness import SlackHarness
from tests.support.telegram_harness import TelegramHarness
from tests.support.whole_bot import WholeBot, text_of
from tests.support.world import populated

HARNESSES: dict[str, Callable[[pytest.FixtureRequest], ChatHarness]] = {
    "matrix": lambda request: MatrixHarness(request.getfixturevalue("synapse")),
    "matrix-encrypted": lambda request: EncryptedMatrixHarness(request.getfixturevalue("synapse")),
    "slack": lambda request: SlackHarness(request.getfixturevalue("slack_server")),
    "telegram": lambda request: TelegramHarness(request.getfixturevalue("telegram_server")),
}
SLOW = {"matrix-encrypted"}
QUESTION = "Was sagt die Uferpartei zum Mindestlohn?"
QUOTE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
PLAN = "Strategie 2026\nBrunnen bauen wir in jedem Dorf bis zum Jahr 2030."
WELLS = "Wie viele Brunnen bauen wir in jedem Dorf?"


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in HARNESSES]
)
async def bot(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[WholeBot]:
    world = await populated()
    world.pdf.documents["plan.pdf"] = text_reading(PLAN)
    harness = HARNESSES[request.param](request)
    whole = WholeBot(harness, world, tmp_path)
    await harness.start()
    try:
        yield whole
    finally:
        await whole.stop()
        await harness.close()


async def test_a_question_in_a_group_is_answered_with_its_page(bot: WholeBot) -> None:
    chats = bot.harness
    group = await chats.group()
    await bot.serve(public=[group])
    question = await chats.say(group, chats.asking(QUESTION))
    shown = await bot.shown(group, QUOTE, files=1)
    said = text_of(shown)
    assert "Uferpartei · Mindestlohn" in said
    assert "Gesucht " in said
    assert shown[0].reply_to == question or shown[0].thread is not None
    assert all(
        file.content.startswith(b"%PDF") for item in shown for file in item.files if ".pdf" in file.name
    )
    assert not any(item.mentions or item.previews for item in shown)


async def test_a_question_is_asked_on_in_private(bot: WholeBot) -> None:
    chats = bot.harness
    private = await chats.direct()
    await bot.serve(public=[private])
    await chats.say(private, QUESTION)
    first = await bot.shown(private, QUOTE, files=1)
    await chats.say(private, "Und die Windmüller?")
    await bot.shown(private, "lehnen wir ab", after=len(first))


async def tap(chats: ChatHarness, chat: str, shown: Shown, label: str, command: str, by: str) -> None:
    """Somebody presses the button `label` of an answer, or reacts with the number that stands before it."""
    if chats.platform.capabilities.buttons:
        await chats.press(chat, shown.ids[0], command, by=by)
    else:
        number = shown.text.partition(label)[0].split()[-1]
        await chats.react(chat, shown.ids[0], number, by=by)


async def test_what_may_be_asked_next_is_asked_by_a_tap_of_anybody_once(bot: WholeBot) -> None:
    chats = bot.harness
    group = await chats.group()
    await bot.serve(public=[group])
    await chats.say(group, "Hallo!", by="bob")
    await chats.say(group, chats.asking(QUESTION))
    first = await bot.shown(group, QUOTE, files=1)
    label = "Und die Windmüller?"
    (offering,) = [item for item in first if QUOTE in item.text]
    for by in ("bob", "ann"):
        await tap(chats, group, offering, label, f"/ask {label}", by)
    answer = await bot.shown(group, "lehnen wir ab", files=1, after=len(first))
    assert any(item.thread == offering.thread for item in answer)
    await chats.say(group, chats.asking("Was sagt die Uferpartei zum Hausboot?"))
    await bot.shown(group, "", after=len(first) + len(answer))
    assert text_of(await chats.shown(group)).count("lehnen wir ab") == 1


@pytest.mark.parametrize(("said", "answer"), [("ja", "Windmüller"), ("nein", "Gut, dann nicht.")])
async def test_who_is_asked_back_answers_in_a_word(bot: WholeBot, said: str, answer: str) -> None:
    """In the thread, or as a reply, without naming the bot once more."""
    chats = bot.harness
    group = await chats.group()
    await bot.serve(public=[group])
    asked, telegram = "compare Mindestlohn, Uferpartei, Windmühle", chats.platform.name == "telegram"
    question = await chats.say(group, f"/{asked}" if telegram else chats.asking(asked))
    (back,) = await bot.shown(group, "Meinten Sie Windmüller?")
    where = {"reply_to": back.ids[0]} if telegram else {"thread": question}
    await chats.say(group, said, **where)
    await bot.shown(group, answer, after=1)


async def test_a_number_takes_one_of_several_that_were_offered(bot: WholeBot) -> None:
    chats = bot.harness
    private = await chats.direct()
    await bot.serve(public=[private])
    await chats.say(private, f"{chats.platform.capabilities.command_prefix}ort xv-hoo")
    (back,) = await bot.shown(private, "Hochau (xv-ho), Seemoor (xv-se)")
    if chats.platform.capabilities.buttons:
        assert ("/ort xv-ho", "/ort xv-se") in back.buttons
    await chats.say(private, "2")
    await bot.shown(private, "Fragen drehen sich jetzt um Seemoor", after=1)


async def test_a_chat_that_nobody_has_listed_gets_help_and_its_id_only(bot: WholeBot) -> None:
    chats = bot.harness
    private = await chats.direct()
    await bot.serve()
    await chats.say(private, QUESTION)
    shown = await bot.shown(private, private)
    assert QUOTE not in text_of(shown)


@pytest.mark.parametrize("place", ["group", "direct"])
async def test_distress_is_met_with_help_lines_and_never_with_quotes(bot: WholeBot, place: str) -> None:
    """In a group, in private, and where nobody has listed the chat."""
    chats = bot.harness
    chat = await (chats.group() if place == "group" else chats.direct())
    await bot.serve(public=[chat] if place == "group" else [])
    said = "mir gehts schlecht ich will nicht mehr leben"
    await chats.say(chat, chats.asking(said) if place == "group" else said)
    shown = await bot.shown(chat, "TelefonSeelsorge")
    assert "0800 111 0 111" in text_of(shown)
    assert len(shown) == 1
    assert not any(item.files or item.buttons for item in shown)


@pytest.mark.parametrize(("said", "sign"), [("danke dir", "👍"), ("das hätte ich nicht gedacht", "👀")])
async def test_thanks_and_remarks_to_the_bot_get_a_reaction(bot: WholeBot, said: str, sign: str) -> None:
    chats = bot.harness
    group = await chats.group()
    await bot.serve(public=[group])
    await chats.say(group, chats.asking(QUESTION))
    first = await bot.shown(group, QUOTE, files=1)
    reply = {"reply_to": first[0].ids[0]} if chats.platform.name == "telegram" else {}
    message = await chats.say(group, said if reply else chats.asking(said), **reply)

    async def reacted() -> bool:
        return await chats.reacted(group, message) == [sign]

    await eventually(reacted)
    assert len(await chats.shown(group)) == len(first)


@pytest.mark.parametrize(("alleged", "verdict"), [(QUOTE, "✅"), (QUOTE.replace("15", "18"), "❌")])
async def test_words_of_others_are_checked_for_who_replies_to_them(
    bot: WholeBot, alleged: str, verdict: str
) -> None:
    chats = bot.harness
    group = await chats.group()
    await bot.serve(public=[group])
    said = await chats.say(group, f"Uferpartei: {alleged}", by="bob")
    await chats.say(group, chats.asking("stimmt das?"), reply_to=said)
    shown = text_of(await bot.shown(group, verdict))
    assert "15 Taler" in shown


async def test_a_picture_that_is_shown_to_the_bot_is_read_and_checked(
    bot: WholeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It arrives whole; only how it is read is replaced."""
    fetched = []

    async def words(self: PictureReader, path: Path) -> str:
        fetched.append(path.read_bytes())  # noqa: ASYNC240
        return f"UFERPARTEI\n{QUOTE}"

    monkeypatch.setattr(PictureReader, "words", words)
    world, chats = bot.world, bot.harness
    world.app = replace(world.app, files=FileReader(world.pdf, world.originals))
    private = await chats.direct()
    await bot.serve(public=[private])
    await chats.say(private, "stimmt das?", files=[("poster.jpg", b"a picture")])
    shown = text_of(await bot.shown(private, "✅"))
    assert fetched == [b"a picture"]
    assert "UFERPARTEI" in shown


async def test_a_picture_of_somebody_else_is_checked_for_who_replies_to_it(
    bot: WholeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def words(self: PictureReader, path: Path) -> str:
        return QUOTE if path.read_bytes() == b"a picture" else ""  # noqa: ASYNC240

    monkeypatch.setattr(PictureReader, "words", words)
    world, chats = bot.world, bot.harness
    world.app = replace(world.app, files=FileReader(world.pdf, world.originals))
    group = await chats.group()
    await bot.serve(public=[group])
    poster = await chats.say(group, "", files=[("poster.jpg", b"a picture")], by="bob")
    await chats.say(group, chats.asking("stimmt das?"), reply_to=poster)
    assert QUOTE in text_of(await bot.shown(group, "✅", files=1))


async def test_an_edited_question_is_answered_anew(bot: WholeBot) -> None:
    chats = bot.harness
    private = await chats.direct()
    await bot.serve(public=[private])
    message = await chats.say(private, QUESTION)
    before = await bot.shown(private, QUOTE, files=1)
    edits = not chats.platform.capabilities.text_with_files  # pages would stay below another answer
    await chats.edit(private, message, "Was sagen die Windmüller zum Mindestlohn?")

    async def replaced() -> bool:
        now = text_of(await chats.shown(private))
        return "lehnen wir ab" in now and QUOTE not in now

    await eventually(replaced)
    assert edits is (before[0].ids[0] in {item.ids[0] for item in await chats.shown(private)})


async def test_a_question_taken_back_in_a_group_keeps_no_answer(
    bot: WholeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is answered, and after that."""
    chats: Any = bot.harness
    group = await chats.group()
    await bot.serve(public=[group])
    asked, gate, ask = asyncio.Event(), asyncio.Event(), Questions.ask

    async def held(*given: Any, **more: Any) -> Any:
        asked.set()
        await gate.wait()
        return await ask(*given, **more)

    monkeypatch.setattr(Questions, "ask", held)
    first = await chats.say(group, chats.asking(QUESTION))
    await asked.wait()
    await chats.take_back(group, first)
    await chats.inbox.next(MessageKind.EDIT)
    gate.set()
    second = await chats.say(group, chats.asking(QUESTION), by="bob")
    shown = await bot.shown(group, QUOTE, files=1)
    assert text_of(shown).count(QUOTE) == 1
    assert second in (shown[0].reply_to, shown[0].thread)
    third = await chats.say(group, chats.asking(QUESTION))
    await bot.shown(group, QUOTE, files=1, after=len(shown))
    await chats.take_back(group, third)

    async def gone() -> bool:
        return len(await chats.shown(group)) == len(shown)

    await eventually(gone)


@pytest.mark.parametrize(
    ("wanted", "endings"),
    [("pdf", {"pdf"}), ("picture", {"jpg"}), ("both", {"jpg", "pdf"}), ("request", set())],
)
async def test_a_chat_chooses_what_comes_with_an_answer(
    bot: WholeBot, wanted: str, endings: set[str]
) -> None:
    chats = bot.harness
    private = await chats.direct()
    can = chats.platform.capabilities
    await bot.serve(public=[private])
    await chats.say(private, f"{can.command_prefix}files {wanted}")
    said = await bot.shown(private, "")
    await chats.say(private, QUESTION)
    expected = endings | ({"jpg"} if wanted == "pdf" and can.previews else set())
    shown = await bot.shown(private, QUOTE, files=len(expected), after=len(said))
    names = [file.name for item in shown for file in item.files]
    assert {name.rpartition(".")[2] for name in names} == expected
    if wanted == "request":
        await chats.say(private, f"{can.command_prefix}more")
        (page,) = [item for item in await bot.shown(private, "", files=1 + can.previews) if item.files]
        assert [file.name.rpartition(".")[2] for file in page.files][-1] == "pdf"


async def test_an_upload_of_staff_is_found_by_staff_and_by_nobody_else(bot: WholeBot) -> None:
    chats = bot.harness
    staff, public = await chats.group(), await chats.group()
    who = await sender(bot, staff)
    await bot.serve(public=[public], staff=[staff], people=[who])
    await chats.say(staff, "title=Strategie", files=[("plan.pdf", b"%PDF-1.4\n%%EOF\n")])
    shown = await bot.shown(staff, "Strategie (plan.pdf)")
    (receipt,) = [item for item in shown if "Strategie (plan" in item.text]
    slack = chats.platform.name == "slack"
    where = {"thread": receipt.thread} if slack else {"reply_to": receipt.ids[0]}
    await chats.say(staff, "jurisdiction=xv-se", **where)
    await bot.shown(staff, "Eingetragen für Strategie: Seemoor")
    await chats.say(staff, chats.asking(WELLS))
    await bot.shown(staff, "Brunnen bauen wir", files=1)
    await chats.say(public, chats.asking(WELLS))
    await bot.shown(public, "Gesucht ")
    assert "Brunnen bauen wir" not in text_of(await chats.shown(public))


async def test_several_files_become_one_receipt_whose_guess_is_confirmed(bot: WholeBot) -> None:
    chats, paper = bot.harness, b"%PDF-1.4\n%%EOF\n"
    texts = {
        "plan.pdf": f"Wahlprogramm der Uferpartei in Hochau\n{PLAN}",
        "bridges.pdf": "Brücken bauen wir.",
    }
    bot.world.pdf.documents.update({name: text_reading(text) for name, text in texts.items()})
    staff = await chats.group()
    await bot.serve(staff=[staff], people=[await sender(bot, staff)])
    for name in texts:
        await chats.say(staff, "", files=[(name, paper)])
    (receipt,) = await bot.shown(staff, "2 Dateien:")
    said = text_of([receipt])
    assert "plan (plan.pdf) ist aufgenommen" in said
    assert "bridges (bridges.pdf) ist aufgenommen" in said
    assert "ich lese sie jetzt" not in said
    if chats.platform.capabilities.buttons:
        await chats.press(staff, receipt.ids[0], receipt.buttons[0][0])
    else:
        assert "!ja" in said
        await chats.say(staff, "!ja")
    await bot.shown(staff, "Eingetragen für plan: Wahlprogramm · Uferpartei · Hochau")


async def test_a_page_that_staff_uploads_is_quoted_first_to_a_question_about_it(bot: WholeBot) -> None:
    chats, paper = bot.harness, PAPERS[0]
    bot.world.pdf.documents["paper.pdf"] = text_reading(paper.text)
    staff = await chats.group()
    await bot.serve(staff=[staff], people=[await sender(bot, staff)])
    await chats.say(staff, f"title={paper.title!r}", files=[("paper.pdf", b"%PDF-1.4\n%%EOF\n")])
    receipt = await bot.shown(staff, f"{paper.title} (paper.pdf)")
    await chats.say(staff, chats.asking(paper.question))
    await bot.shown(staff, paper.title, files=1, after=len(receipt))


async def test_a_staff_chat_that_opens_is_refused_and_gets_nothing_that_waited(bot: WholeBot) -> None:
    chats = bot.harness
    staff = await chats.group()
    await bot.serve(public=[], staff=[staff])
    await chats.make_public(staff)
    await chats.say(staff, chats.asking("Was steht im Plan KANARIENVOGEL?"))
    shown = await bot.shown(staff, "mitlesen")
    journal, now = bot.world.app.journal, bot.world.app.clock.now()
    ref = (await chats.inbox.next()).ref
    waited = Outgoing(key="waited", to=ref, text=PLAN, collections=("internal",))
    await journal.enqueue([OutgoingReply(parts=(waited,))], at=now)

    async def given_up() -> bool:
        return [item.error for item in await journal.dead_letters()] == ["delivery.chat_open"]

    await eventually(given_up)
    said = text_of(await chats.shown(staff))
    assert said == text_of(shown)
    assert "KANARIENVOGEL" not in said


async def test_an_answer_can_be_judged_by_a_reaction_and_taken_back(bot: WholeBot) -> None:
    chats = bot.harness
    staff = await chats.group()
    who = await sender(bot, staff)
    await bot.serve(public=[], staff=[staff], people=[who])
    await chats.say(staff, chats.asking(QUESTION))
    shown = await bot.shown(staff, QUOTE, files=1)
    await chats.react(staff, shown[0].ids[0], "👎")

    async def judged() -> bool:
        return bool(await bot.world.app.journal.feedback())

    await eventually(judged)
    if chats.platform.name == "slack":  # no commands in threads, no replies: a mention in the thread
        await chats.say(staff, chats.asking("retract"), thread=shown[0].thread)
    else:
        prefix = chats.platform.capabilities.command_prefix
        await chats.say(staff, f"{prefix}retract", reply_to=shown[0].ids[0])

    async def gone() -> bool:
        return QUOTE not in text_of(await chats.shown(staff))

    await eventually(gone)


async def sender(bot: WholeBot, chat: str) -> str:
    """The id of who speaks in a chat, before the bot serves it."""
    before = len(bot.harness.inbox.messages)
    await bot.harness.say(chat, bot.harness.asking("id"))
    message = await bot.harness.inbox.next(after=before)
    return message.sender
