"""Pictures and voices that people show to the bot."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat.conversation import Conversation
from bot.chat.pictures import PictureReader, sentences_on
from core.domain.messages import Attachment, Reply
from core.library.formats import FileReader
from tests.support.chats import conversation_over, message, say
from tests.support.fake_stage import FakeStage
from tests.support.world import populated

POSTER = "UFERPARTEI\n\nDer Mindestlohn steigt\n\nauf {} Taler in der Stunde.\n\nwww.ufer.example\nWählen!"
PHOTO = (Attachment(id="p1", name="photo.jpg"),)
VOICE = (Attachment(id="v1", name="Voice message.ogg"),)

Shows = Callable[[str], None]


@pytest.fixture
async def conversation(tmp_path: Path) -> Conversation:
    world = await populated()
    world.app = replace(world.app, files=FileReader(world.pdf, world.originals))
    return conversation_over(world.app, tmp_path)


@pytest.fixture
def shows(monkeypatch: pytest.MonkeyPatch) -> Shows:
    def show(text: str) -> None:
        async def words(self: PictureReader, path: Path) -> str:
            assert path.read_bytes() == b"a picture"  # noqa: ASYNC240
            return text

        monkeypatch.setattr(PictureReader, "words", words)

    return show


def text_of(reply: Reply) -> str:
    return "\n".join(str(block) for block in reply.blocks)


async def shown(conversation: Conversation, said: str, **fields: object) -> Reply:
    stage = FakeStage(files={"p1": b"a picture"})
    return await say(conversation, said, stage=stage, attachments=PHOTO, **fields)


@pytest.mark.parametrize("said", ["stimmt das?", "ist das echt?", "is this real?", "", "/verify"])
async def test_what_stands_on_a_poster_is_shown_and_checked(
    said: str, conversation: Conversation, shows: Shows
) -> None:
    shows(POSTER.format(15))
    reply = await shown(conversation, said)
    assert "UFERPARTEI" in text_of(reply)
    assert "✅" in text_of(reply)
    assert reply.files


@pytest.mark.parametrize(
    "said", ["stimmt das?", "is this true?", "c'est vrai ?", "/ask stimmt das?", "", "/verify"]
)
async def test_a_picture_that_is_replied_to_is_checked_like_one_that_is_sent(
    said: str, conversation: Conversation, shows: Shows
) -> None:
    shows(POSTER.format(18))
    stage = FakeStage(files={"p1": b"a picture"})
    told = text_of(await say(conversation, said, stage=stage, shown_files=PHOTO, reply_to="m0"))
    assert "UFERPARTEI" in told
    assert "❌" in told


async def test_the_words_below_a_picture_without_any_are_checked(
    conversation: Conversation, shows: Shows
) -> None:
    shows("")
    words = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
    stage = FakeStage(files={"p1": b"a picture"})
    told = await say(conversation, "stimmt das?", stage=stage, shown=words, shown_files=PHOTO, reply_to="m0")
    assert "✅" in text_of(told)


async def test_another_question_in_reply_to_a_picture_is_a_question(
    conversation: Conversation, shows: Shows
) -> None:
    shows(POSTER.format(15))
    asked = "Was sagen die Windmüller zum Mindestlohn?"
    assert "lehnen wir ab" in text_of(await say(conversation, asked, shown_files=PHOTO, reply_to="m0"))


async def test_another_number_is_found_out(conversation: Conversation, shows: Shows) -> None:
    shows(POSTER.format(18))
    told = text_of(await shown(conversation, "stimmt das?"))
    assert "❌" in told
    assert "✅" not in told
    assert "15 Taler" in told


async def test_the_party_on_the_poster_must_have_said_it(conversation: Conversation, shows: Shows) -> None:
    shows("WINDMÜLLER\n\nDer Mindestlohn steigt auf 15 Taler in der Stunde.")
    assert "✅" not in text_of(await shown(conversation, "stimmt das?"))


async def test_that_one_sentence_is_real_says_nothing_of_the_next(
    conversation: Conversation, shows: Shows
) -> None:
    shows(POSTER.format(15) + "\nJeder Hund bekommt einen Reisepass aus Blech.")
    told = text_of(await shown(conversation, "stimmt das?"))
    assert "✅" in told
    assert "Nicht gefunden" in told


async def test_a_picture_without_words_gets_one_line(conversation: Conversation, shows: Shows) -> None:
    shows("")
    reply = await shown(conversation, "stimmt das?")
    assert "schärferes Foto" in text_of(reply)


async def test_a_question_beside_a_picture_is_a_question(conversation: Conversation, shows: Shows) -> None:
    shows(POSTER.format(15))
    told = text_of(await shown(conversation, "Was sagen die Windmüller zum Mindestlohn?"))
    assert "lehnen wir ab" in told


async def test_in_groups_a_picture_is_looked_at_only_for_who_calls_the_bot(
    conversation: Conversation, shows: Shows
) -> None:
    shows(POSTER.format(15))
    seen = message("", attachments=PHOTO, addressed=False)
    assert await conversation.handle(seen, FakeStage()) is None


async def test_a_voice_gets_one_friendly_line(conversation: Conversation) -> None:
    reply = await say(conversation, "", attachments=VOICE, direct=True)
    assert "voice messages" in text_of(reply)
    assert await conversation.handle(message("", attachments=VOICE, addressed=False), FakeStage()) is None


def test_a_sentence_may_begin_below_a_title_and_goes_on_over_lines() -> None:
    first, *_ = sentences_on("UFERPARTEI\nDer Mindestlohn steigt auf\n15 Taler in der Stun-\nde.\nWählen!")
    assert "Der Mindestlohn steigt auf 15 Taler in der Stunde." in first
    assert sentences_on("Wählen!") == []
