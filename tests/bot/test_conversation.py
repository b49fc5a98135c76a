from pathlib import Path

import pytest

from bot.conversation import Conversation
from bot.platform_settings import ChatSettings
from core.domain.messages import IncomingMessage, MessageRef, Reply
from tests.support.world import NOW, populated

PUBLIC = ChatSettings(id="public-room")
STAFF = ChatSettings(id="staff-room", audience="staff", collections=("public", "internal"))


@pytest.fixture
async def conversation(tmp_path: Path) -> Conversation:
    world = await populated()
    return Conversation(world.app, (PUBLIC, STAFF), tmp_path, "https://example.org/source")


async def say(conversation: Conversation, text: str, chat: str = "public-room") -> Reply:
    ref = MessageRef(platform="console", workspace="", chat=chat, thread=None, message="m1")
    message = IncomingMessage(ref=ref, sender="anna", text=text, addressed=True, received_at=NOW)
    return await conversation.handle(message)


def text(reply: Reply) -> str:
    return "\n".join(reply.blocks)


async def test_a_question_gets_quotes_and_pages(conversation):
    reply = await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?")
    assert "Der Mindestlohn steigt auf 15 Taler in der Stunde." in text(reply)
    assert "[S1]" in text(reply)
    assert 1 <= len(reply.files) <= 3
    assert all(file.path.exists() for file in reply.files)
    assert "ufer25" in reply.files[0].caption


async def test_the_newest_edition_answers_unless_a_year_is_named(conversation):
    now = await say(conversation, "Wie viele Wohnungen will die Uferpartei bauen?")
    then = await say(conversation, "Wie viele Wohnungen wollte die Uferpartei 2021 bauen?")
    assert "6.000" in text(now)
    assert "4.000" not in text(now)
    assert "4.000" in text(then)
    assert "6.000" not in text(then)


async def test_a_party_without_documents_is_named(conversation):
    reply = await say(conversation, "Was sagen die Drachenflieger zum Mindestlohn?")
    assert "Keine Quelle in der Bibliothek für Drachenflieger" in text(reply)
    assert reply.files == ()


async def test_the_jurisdiction_of_a_chat_decides(conversation):
    question = "Was kostet die Anmeldung eines Hausboots?"
    assert "Hochau (xv-ho)" in text(await say(conversation, "/jurisdiction xv-ho"))
    reply = await say(conversation, question)
    assert "90 Taler" in text(reply)
    assert "40 Taler" not in text(reply)
    await say(conversation, "/ort Seemoor")
    reply = await say(conversation, question)
    assert "40 Taler" in text(reply)
    assert "90 Taler" not in text(reply)


async def test_a_place_in_the_question_wins_over_the_chat(conversation):
    await say(conversation, "/jurisdiction xv-ho")
    reply = await say(conversation, "Was kostet die Anmeldung eines Hausboots in Seemoor?")
    assert "40 Taler" in text(reply)
    assert "90 Taler" not in text(reply)


async def test_chats_do_not_share_what_they_set(conversation):
    await say(conversation, "/jurisdiction xv-ho", chat="staff-room")
    assert "Kein Ort ist gesetzt" in text(await say(conversation, "/ort"))


async def test_an_internal_paper_is_for_its_chat_only(conversation):
    question = "Was steht im Plan KANARIENVOGEL zum Mindestlohn?"
    public = await say(conversation, question)
    assert "KANARIENVOGEL" not in text(public)
    assert not any("intern" in file.caption for file in public.files)
    assert "KANARIENVOGEL" in text(await say(conversation, question, chat="staff-room"))
    assert "intern" not in text(await say(conversation, "/sources"))
    assert "intern" in text(await say(conversation, "/sources", chat="staff-room"))


async def test_an_internal_page_cannot_be_fetched_by_name(conversation):
    reply = await say(conversation, "/page intern.pdf 1")
    assert reply.files == ()
    assert "gibt es nicht" in text(reply) or "no document" in text(reply)


async def test_an_unknown_chat_sees_public_documents_only(conversation):
    reply = await say(conversation, "Was steht im Plan KANARIENVOGEL?", chat="somewhere")
    assert "KANARIENVOGEL" not in text(reply)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("/kaffee", "kaffee"),
        ("/jurisdiction xv-hoo", "xv-ho"),
        ("/party Uverpartei", "Uferpartei"),
        ("/verify", "/verify"),
        ("/ask", "/ask"),
        ("/page", "/page"),
        ("/page ufer25.pdf 9", "9"),
        ("/page uffer25.pdf 1", "ufer25"),
        ("/language fr", "/language"),
        ("/about", "https://example.org/source"),
        ("/help", "/jurisdiction"),
        ("/ort list", "xv-se"),
    ],
)
async def test_every_command_says_what_to_do(conversation, line, says):
    assert says in text(await say(conversation, line))


async def test_a_party_can_be_set_and_cleared(conversation):
    await say(conversation, "/party Windmillers")
    reply = await say(conversation, "Was ist mit dem Mindestlohn?")
    assert "lehnen wir ab" in text(reply)
    assert "15 Taler" not in text(reply)
    await say(conversation, "/party clear")
    assert "15 Taler" in text(await say(conversation, "Was ist mit dem Mindestlohn?"))


async def test_our_words_follow_the_language_of_the_question_or_of_the_chat(conversation):
    english = await say(conversation, "What do the Windmillers say about the minimum wage?")
    assert "Quotes are taken word for word" in text(english)
    await say(conversation, "/language de")
    german = await say(conversation, "What do the Windmillers say about the minimum wage?")
    assert "Zitate stehen wörtlich" in text(german)


async def test_a_quote_can_be_verified(conversation):
    real = await say(conversation, "/verify Der Mindestlohn steigt auf 15 Taler in der Stunde.")
    assert "Wörtlich" in text(real)
    assert len(real.files) == 1
    false = await say(conversation, "/verify Der Mindestlohn steigt auf 19 Taler in der Stunde.")
    assert "Wörtlich" not in text(false)
    assert "19" in text(false)
    assert "15" in text(false)


async def test_greetings_get_help_not_quotes(conversation):
    reply = await say(conversation, "Hallo!")
    assert reply.files == ()
    assert "Hallo" in text(reply)


async def test_an_empty_or_endless_question_gets_a_word(conversation):
    assert "2000" in text(await say(conversation, "Warum? " * 400))


async def test_a_fault_becomes_a_message_and_goes_to_the_log(conversation, monkeypatch, caplog):
    async def breaks(*_, **__):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(type(conversation.app.asker), "ask", breaks)
    reply = await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?")
    assert "schiefgegangen" in text(reply)
    assert "secret" not in text(reply)
    assert "secret detail" in caplog.text
