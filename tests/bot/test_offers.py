"""What a reply has offered is taken by "yes", a name or a number, and nothing else is."""

from pathlib import Path

import pytest

from bot.chat.conversation import Conversation
from core.domain.messages import Button, MessageKind, Reply
from tests.support.chats import conversation_over, message, say
from tests.support.fake_stage import FakeStage
from tests.support.world import populated


@pytest.fixture
async def conversation(tmp_path: Path) -> Conversation:
    return conversation_over((await populated()).app, tmp_path)


def text(reply: Reply) -> str:
    return "\n".join(reply.blocks).replace("\u00a0", " ").replace("\u2060", "")


@pytest.mark.parametrize(
    ("line", "asks", "said", "answers"),
    [
        ("/partei Uverpartei", "Meinten Sie Uferpartei?", "ja", "um die Uferpartei"),
        ("/partei Uverpartei", "Meinten Sie Uferpartei?", "Genau!", "um die Uferpartei"),
        ("/partei Uverpartei", "Meinten Sie Uferpartei?", "ja bitte", "um die Uferpartei"),
        ("/partei Uverpartei", "Meinten Sie Uferpartei?", "Uferpartei", "um die Uferpartei"),
        ("/partei Uverpartei", "Meinten Sie Uferpartei?", "nein", "Gut, dann nicht."),
        ("/party Uverpartei", "Did you mean Uferpartei?", "yes", "about Uferpartei"),
        ("/party Uverpartei", "Did you mean Uferpartei?", "no, thanks", "All right."),
        ("/parti Uverpartei", "Vouliez-vous dire Uferpartei ?", "oui", "Uferpartei"),
        ("/parti Uverpartei", "Vouliez-vous dire Uferpartei ?", "non merci", "D'accord."),
        ("/ort Hochauh", "Meinten Sie Hochau (xv-ho)?", "ja", "um Hochau (xv-ho)"),
        ("/ort xv-hoo", "Hochau (xv-ho), Seemoor (xv-se)", "2", "um Seemoor (xv-se)"),
        ("/ort xv-hoo", "Hochau (xv-ho), Seemoor (xv-se)", "nr. 1", "um Hochau (xv-ho)"),
        ("/ort xv-hoo", "Hochau (xv-ho), Seemoor (xv-se)", "die zweite", "um Seemoor (xv-se)"),
        ("/ort xv-hoo", "Hochau (xv-ho), Seemoor (xv-se)", "seemoor", "um Seemoor (xv-se)"),
        ("/ort xv-hoo", "Hochau (xv-ho), Seemoor (xv-se)", "ja", "Welches davon?"),
        ("/sprahce de", "Meinten Sie /sprache?", "ja", "Ich antworte auf Deutsch."),
        ("/page uffer25.pdf 1", "Did you mean ufer25, ufer21?", "1", "ufer25"),
        (
            "/vergleich Mindestlohn, Uferpartei, Windmühle",
            "Meinten Sie Windmüller?",
            "ja",
            "Windmüller",
        ),
    ],
)
async def test_who_is_asked_back_may_answer_in_a_word(conversation, line, asks, said, answers):
    assert asks in text(await say(conversation, line, direct=True, number="m1"))
    assert answers in text(await say(conversation, said, direct=True, number="m2"))


async def test_what_is_taken_is_asked(conversation):
    """The whole command, with the name in place of the one that was not known."""
    await say(conversation, "/vergleich Mindestlohn, Uferpartei, Windmühle", direct=True)
    taken = await say(conversation, "ja", direct=True, number="m2")
    assert "lehnen wir ab" in text(taken)
    assert "15 Taler" in text(taken)


async def test_to_which_of_several_yes_was_said_can_be_told_afterwards(conversation):
    await say(conversation, "/ort xv-hoo", direct=True)
    await say(conversation, "ja", direct=True, number="m2")
    assert "Seemoor" in text(await say(conversation, "2", direct=True, number="m3"))


async def test_only_the_last_reply_offers_something(conversation):
    await say(conversation, "/partei Uverpartei", direct=True)
    await say(conversation, "/sprache", direct=True, number="m2")
    assert "Uferpartei" not in text(await say(conversation, "ja", direct=True, number="m3"))
    assert "Keine Partei" in text(await say(conversation, "/partei", direct=True, number="m4"))


async def test_a_new_question_is_no_answer_to_what_was_offered(conversation):
    await say(conversation, "/ort xv-hoo", direct=True)
    answer = await say(conversation, "Wie hoch ist der Mindestlohn?", direct=True, number="m2")
    assert "Windmüller · Mindestlohn" in text(answer)


async def test_who_meant_something_else_has_not_just_said_no(conversation):
    await say(conversation, "/partei Uverpartei", direct=True)
    answer = await say(conversation, "nein, ich meinte Windmüller", direct=True, number="m2")
    assert "Gut, dann nicht." not in text(answer)


async def test_a_number_that_nothing_has_is_none(conversation):
    await say(conversation, "/ort xv-hoo", direct=True)
    await say(conversation, "7", direct=True, number="m2")
    assert "Kein Ort" in text(await say(conversation, "/ort", direct=True, number="m3"))


async def test_somebody_elses_word_takes_nothing_outside_of_threads(conversation):
    await say(conversation, "/partei Uverpartei")
    await conversation.handle(message("ja", sender="ben", number="m2"), FakeStage())
    assert "Keine Partei" in text(await say(conversation, "/partei", number="m3"))
    await say(conversation, "/partei Uverpartei", number="m4")
    assert "um die Uferpartei" in text(await say(conversation, "ja", number="m5"))


async def test_a_follow_up_is_taken_by_its_number_only(conversation):
    first = await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?", direct=True)
    assert first.follow_ups[0].label == "Und die Windmüller?"
    assert "lehnen wir ab" not in text(await say(conversation, "ja", direct=True, number="m2"))
    await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?", direct=True, number="m3")
    assert "lehnen wir ab" in text(await say(conversation, "1", direct=True, number="m4"))


async def test_a_yes_to_a_receipt_confirms_that(conversation, monkeypatch):
    """What is replied to has its own button, which is not what was offered last."""
    said = Button(label="Übernehmen", command="/yes d1")

    async def buttons_of(_: object) -> tuple[Button, ...]:
        return (said,)

    await say(conversation, "/ort xv-hoo", "staff-room", sender="pia")
    monkeypatch.setattr(conversation.journal, "buttons_of", buttons_of)
    await conversation.handle(
        message("2", "staff-room", sender="pia", number="m2", reply_to="receipt"), FakeStage()
    )
    assert "Kein Ort" in text(await say(conversation, "/ort", "staff-room", sender="pia", number="m3"))


async def test_an_edit_takes_nothing(conversation):
    await say(conversation, "/ort xv-hoo", direct=True)
    await conversation.handle(message("2", number="m2", direct=True, kind=MessageKind.EDIT), FakeStage())
    assert "Kein Ort" in text(await say(conversation, "/ort", direct=True, number="m3"))
