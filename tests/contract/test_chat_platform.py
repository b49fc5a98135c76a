"""What every chat platform must do, with the same outcome on each."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.messages import NOTED, SEEN, Button, MessageKind, MessageRef, Recovery
from core.errors import Refused
from tests.support.chat_harness import ChatHarness, eventually
from tests.support.chat_scenes import PDF, QUESTION, asked, needs, page, part, place

NASTY = (
    "<b>bold</b> & <script>x</script> *stars* _lines_ `code` [text](https://example.org) \\ "
    "<!channel> <@U123> @channel @room @here @everyone @some_body #topic !cmd /ask $CASH "
    "@user:example.org <https://matrix.to/#/@user:example.org> tg://user?id=1 &lt;!here&gt;"
)


# What people say


async def test_a_question_to_the_bot_arrives(chats: ChatHarness) -> None:
    chat = await place(chats)
    message = await asked(chats, chat)
    assert (message.kind, message.ref.chat, message.addressed) == (MessageKind.MESSAGE, chat, True)
    assert message.ref.platform == chats.platform.name
    assert QUESTION in message.text
    assert message.sender
    assert message.ref.message
    assert message.received_at.tzinfo is not None
    assert message.direct is not chats.groups
    assert chats.platform.contact.error == ""
    assert chats.platform.contact.at is not None


async def test_a_question_in_private_is_for_the_bot(chats: ChatHarness) -> None:
    chat = await chats.direct()
    await chats.say(chat, QUESTION)
    message = await chats.inbox.next()
    assert (message.text, message.addressed, message.direct) == (QUESTION, True, True)


async def test_a_command_arrives_as_it_was_typed(chats: ChatHarness) -> None:
    chat = await chats.direct()
    prefix = chats.platform.capabilities.command_prefix
    await chats.say(chat, f"{prefix}sources all of them")
    behind_a_word = prefix.endswith(" ")  # there the platform takes the word away
    expected = f"{'/' if behind_a_word else prefix}sources all of them"
    assert (await chats.inbox.next()).text == expected


async def test_what_people_say_can_be_reacted_to(chats: ChatHarness) -> None:
    needs(chats.platform.capabilities.reactions, "reactions")
    chat = await place(chats)
    message = await asked(chats, chat)
    for emoji in (NOTED, SEEN):
        await chats.platform.react(message.ref, emoji)
        assert emoji in await chats.reacted(chat, message.ref.message)


async def test_talk_among_people_is_not_handed_over(chats: ChatHarness) -> None:
    needs(chats.groups, "groups")
    chat = await chats.group()
    await chats.say(chat, "Shall we have lunch?")
    message = await asked(chats, chat)
    assert [m.text for m in chats.inbox.messages if m.kind is MessageKind.MESSAGE] == [message.text]


async def test_a_reply_to_the_bot_is_for_the_bot(chats: ChatHarness) -> None:
    needs(chats.groups, "groups")
    chat = await chats.group()
    first = await asked(chats, chat)
    ids = await chats.platform.send(part(first.ref, "An answer."))
    before = len(chats.inbox.messages)
    await chats.say(chat, "And for islanders?", reply_to=ids[0], thread=first.ref.thread)
    message = await chats.inbox.next(after=before)
    assert message.text == "And for islanders?"
    assert message.addressed
    assert message.ref.thread == first.ref.thread


async def test_a_question_without_words_of_its_own_is_for_who_spoke_last(chats: ChatHarness) -> None:
    """In the bot's thread people who talk with each other are left alone, and who asked it goes on asking.
    Where groups have no threads, its name tells."""
    needs(chats.groups, "groups")
    chat = await chats.group()
    first = await asked(chats, chat)
    await chats.platform.send(part(first.ref, "An answer."))
    thread = first.ref.thread
    if thread is not None:
        before = len(chats.inbox.messages)
        await chats.say(chat, "Until when?", thread=thread)
        assert (await chats.inbox.next(after=before)).text == "Until when?"
    before = len(chats.inbox.messages)
    await chats.say(chat, "Mine took four months last time.", by="bob", thread=thread)
    await chats.say(chat, "Until when?", thread=thread)
    await chats.say(chat, chats.asking("And the Greens?"), thread=thread)
    await chats.inbox.next(after=before)
    assert [message.text.removeprefix("/ask ") for message in chats.inbox.messages[before:]] == [
        "And the Greens?"
    ]


async def test_the_bot_does_not_hear_itself(chats: ChatHarness) -> None:
    chat = await place(chats)
    first = await asked(chats, chat)
    await chats.platform.send(part(first.ref, "An answer."))
    await asked(chats, chat, "Another question?")
    heard = [message.text for message in chats.inbox.messages]
    assert not [text for text in heard if "An answer." in text]


async def test_an_edited_question_arrives_as_an_edit(chats: ChatHarness) -> None:
    needs(chats.editable, "edits")
    chat = await chats.direct()
    said = await chats.say(chat, QUESTION)
    await chats.inbox.next()
    await chats.edit(chat, said, "What about the bridge toll?")
    edit = await chats.inbox.next(MessageKind.EDIT)
    assert (edit.text, edit.ref.message, edit.addressed) == ("What about the bridge toll?", said, True)


async def test_files_arrive_and_can_be_fetched(chats: ChatHarness, tmp_path: Path) -> None:
    chat = await chats.direct()
    await chats.say(chat, "party=SPD", files=[("programme.pdf", PDF)])
    message = await chats.inbox.next()
    (attachment,) = message.attachments
    assert message.text == "party=SPD"
    assert attachment.name == "programme.pdf"
    fetched = await chats.platform.fetch(attachment, tmp_path, max_bytes=len(PDF))
    assert fetched.parent == tmp_path
    assert fetched.read_bytes() == PDF


async def test_a_file_that_is_too_large_is_refused(chats: ChatHarness, tmp_path: Path) -> None:
    chat = await chats.direct()
    await chats.say(chat, "party=SPD", files=[("programme.pdf", PDF)])
    (attachment,) = (await chats.inbox.next()).attachments
    with pytest.raises(Refused) as refused:
        await chats.platform.fetch(attachment, tmp_path, max_bytes=len(PDF) - 1)
    assert refused.value.key == "upload.too_large"
    assert not any(tmp_path.iterdir())  # noqa: ASYNC240 - a look into an empty folder


async def test_a_button_comes_back_as_its_command(chats: ChatHarness) -> None:
    needs(chats.platform.capabilities.buttons, "buttons")
    chat = await place(chats)
    first = await asked(chats, chat)
    command = "feedback " + "x" * 51
    rows = ((Button(label="Useful", command=command), Button(label="Wrong", command="wrong")),)
    (shown,) = await chats.platform.send(part(first.ref, "An answer.", buttons=rows))
    assert (await chats.shown(chat))[-1].buttons == ((command, "wrong"),)
    await chats.press(chat, shown, command)
    pressed = await chats.inbox.next(MessageKind.BUTTON)
    assert (pressed.text, pressed.reply_to, pressed.ref.chat) == (command, shown, chat)
    assert pressed.sender == first.sender


async def test_a_reaction_to_an_answer_arrives(chats: ChatHarness) -> None:
    needs(chats.reactions, "reactions")
    chat = await place(chats)
    first = await asked(chats, chat)
    (shown,) = await chats.platform.send(part(first.ref, "An answer."))
    await chats.react(chat, shown, "👎")
    reaction = await chats.inbox.next(MessageKind.REACTION)
    assert (reaction.text, reaction.reply_to, reaction.sender) == ("👎", shown, first.sender)


# What the bot says


async def test_an_answer_stands_where_it_was_asked_for(chats: ChatHarness) -> None:
    chat = await place(chats)
    message = await asked(chats, chat)
    ids = await chats.platform.send(part(message.ref, "The toll falls to 3 crowns. [S1]"))
    assert ids
    shown = (await chats.shown(chat))[-1]
    assert shown.text == "The toll falls to 3 crowns. [S1]"
    assert shown.thread == message.ref.thread
    if chats.groups:
        assert shown.ids == ids
        assert shown.reply_to == message.ref.message or shown.thread is not None


async def test_the_longest_text_arrives_whole(chats: ChatHarness) -> None:
    limit = chats.platform.capabilities.max_text
    needs(limit is not None, "limit")
    assert limit is not None
    message = await asked(chats, await place(chats))
    text = longest(chats, limit)
    await chats.platform.send(part(message.ref, text))
    assert (await chats.shown(message.ref.chat))[-1].text == text


def longest(chats: ChatHarness, limit: int) -> str:
    """As much text as fits, with signs that take more room than one character on some platform."""
    unit = "Fähre < & > 🚢 @you. "
    low, high = 1, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if chats.platform.length(unit * middle) <= limit else (low, middle - 1)
    text = unit * low
    while chats.platform.length(text + ".") <= limit:
        text += "."
    return text


async def test_files_arrive_as_one_message(chats: ChatHarness, tmp_path: Path) -> None:
    chat = await place(chats)
    message = await asked(chats, chat)
    before = len(await chats.shown(chat))
    files = tuple(page(tmp_path, number) for number in (1, 2, 3))
    await chats.platform.send(part(message.ref, files=files))
    (shown,) = (await chats.shown(chat))[before:]
    assert [(file.name, file.content) for file in shown.files] == [
        (file.name, file.path.read_bytes()) for file in files
    ]
    said = shown.text + "".join(file.caption for file in shown.files)
    assert all(file.caption in said for file in files)


async def test_one_file_arrives(chats: ChatHarness, tmp_path: Path) -> None:
    message = await asked(chats, await place(chats))
    file = page(tmp_path, 1)
    await chats.platform.send(part(message.ref, files=(file,)))
    shown = (await chats.shown(message.ref.chat))[-1]
    assert [(f.name, f.content) for f in shown.files] == [(file.name, file.path.read_bytes())]


async def test_a_message_can_be_replaced(chats: ChatHarness) -> None:
    needs(chats.platform.capabilities.edits, "edits")
    message = await asked(chats, await place(chats))
    (first,) = await chats.platform.send(part(message.ref, "Reading: 10 of 40 pages"))
    again = part(message.ref, "Reading: 20 of 40 pages", "k-1", replaces=first)
    assert await chats.platform.send(again) == (first,)
    assert await chats.platform.send(again) == (first,)  # the same once more is no error
    assert [shown.text for shown in await chats.shown(message.ref.chat)] == ["Reading: 20 of 40 pages"]


async def test_what_only_amends_says_nothing_where_its_message_is_gone(chats: ChatHarness) -> None:
    needs(chats.platform.capabilities.edits, "edits")
    needs(chats.platform.capabilities.deletes, "deletion")
    message = await asked(chats, await place(chats))
    kept, gone = [
        (await chats.platform.send(part(message.ref, f"Answer {number}.", f"k-{number}")))[0]
        for number in (1, 2)
    ]
    await chats.platform.delete(replace(message.ref, message=gone))
    for number, (name, shown) in enumerate([(kept, (kept,)), (gone, ()), (gone, ())]):
        said = part(message.ref, "Corrected.", f"k-a{number}", replaces=name)
        assert await chats.platform.send(replace(said, amends=True)) == shown
    assert [shown.text for shown in await chats.shown(message.ref.chat)] == ["Corrected."]


async def test_a_message_can_be_taken_back(chats: ChatHarness) -> None:
    needs(chats.platform.capabilities.deletes, "deletion")
    message = await asked(chats, await place(chats))
    (first,) = await chats.platform.send(part(message.ref, "An answer."))
    gone = MessageRef(
        platform=message.ref.platform,
        workspace=message.ref.workspace,
        chat=message.ref.chat,
        thread=message.ref.thread,
        message=first,
    )
    await chats.platform.delete(gone)
    assert await chats.shown(message.ref.chat) == []
    await chats.platform.delete(gone)  # it is gone already: no error


async def test_nothing_in_a_text_comes_alive(chats: ChatHarness) -> None:
    message = await asked(chats, await place(chats))
    await chats.platform.send(part(message.ref, NASTY))
    shown = (await chats.shown(message.ref.chat))[-1]
    assert shown.mentions == ()
    assert not shown.previews
    assert visible(shown.text) == visible(NASTY)


def visible(text: str) -> str:
    """Without the signs of no width that keep a mention from coming alive."""
    return text.translate(dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF)))


async def test_work_in_progress_shows(chats: ChatHarness) -> None:
    needs(chats.platform.capabilities.typing, "busy sign")
    message = await asked(chats, await place(chats))

    async def signs() -> bool:
        return await chats.busy_signs(message.ref.chat) > 0

    async with chats.platform.busy(message.ref):
        await eventually(signs)


async def test_work_in_progress_never_fails(chats: ChatHarness) -> None:
    message = await asked(chats, await place(chats))
    nowhere = MessageRef(platform=message.ref.platform, workspace="", chat="-1", thread=None, message="1")
    async with chats.platform.busy(nowhere):
        await asyncio.sleep(0.05)


# Who reads along


async def test_a_private_chat_is_closed(chats: ChatHarness) -> None:
    chat = await chats.direct()
    await chats.say(chat, QUESTION)
    exposure = await chats.platform.exposure((await chats.inbox.next()).ref)
    assert (exposure.closed, exposure.direct, exposure.why_open) == (True, True, None)


async def test_a_closed_group_that_becomes_public_is_open(chats: ChatHarness) -> None:
    needs(chats.groups, "groups")
    message = await asked(chats, await chats.group())
    before = await chats.platform.exposure(message.ref)
    assert (before.closed, before.direct) == (True, False)
    await chats.make_public(message.ref.chat)
    after = await chats.platform.exposure(message.ref)
    assert not after.closed
    assert after.why_open is not None
    assert after.why_open.startswith("chat.")


async def test_removed_from_a_chat(chats: ChatHarness) -> None:
    needs(chats.groups, "groups")
    message = await asked(chats, await chats.group())
    await chats.remove_bot(message.ref.chat)
    left = await chats.inbox.next(MessageKind.LEFT)
    assert left.ref.chat == message.ref.chat
    with pytest.raises(Refused) as refused:
        await chats.platform.send(part(message.ref, "Too late."))
    assert refused.value.key == "chat.left"
    with pytest.raises(Refused):
        await chats.platform.exposure(message.ref)


# Nothing is lost, nothing comes twice


async def test_the_same_event_keeps_its_id(chats: ChatHarness) -> None:
    message = await asked(chats, await place(chats))
    await chats.redeliver()
    other = await asked(chats, await place(chats), "Something else?")
    assert message.event != other.event
    questions = [m.text for m in chats.inbox.messages if m.kind is MessageKind.MESSAGE]
    assert questions == [message.text, other.text]


async def test_what_was_said_meanwhile_arrives_after_a_restart(chats: ChatHarness) -> None:
    needs(chats.groups, "life beside the process")
    chat = await chats.group()
    await asked(chats, chat)
    await chats.stop()
    before = len(chats.inbox.messages)
    await chats.say(chat, chats.asking("Said while nobody listened?"))
    await chats.start()
    assert "Said while nobody listened?" in (await chats.inbox.next(after=before)).text
    assert len([m for m in chats.inbox.messages if m.kind is MessageKind.MESSAGE]) == 2


async def test_what_could_not_be_taken_over_comes_again(chats: ChatHarness) -> None:
    needs(chats.groups, "second delivery")
    chat = await chats.group()
    chats.inbox.broken = True
    await chats.say(chat, chats.asking(QUESTION))
    await asyncio.sleep(0.3)
    assert chats.inbox.messages == []
    chats.inbox.broken = False
    assert QUESTION in (await chats.inbox.next()).text


# What it says of itself


async def test_the_self_check_finds_everything_in_order(chats: ChatHarness) -> None:
    findings = await chats.platform.check()
    assert findings
    assert [finding.what for finding in findings if not finding.ok] == []


def test_what_can_be_sent_twice_is_said(chats: ChatHarness) -> None:
    assert chats.platform.capabilities.recovery in Recovery
    assert chats.platform.capabilities.command_prefix
