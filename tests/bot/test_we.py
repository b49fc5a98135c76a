""" "We" in a staff chat is its party, and its own files come first; public chats stay as they are."""

from pathlib import Path

import pytest

from bot.settings.platforms import ChatSettings
from core.domain.messages import Reply
from tests.support.chats import CHATS, conversation_over, say
from tests.support.world import populated

SPOTS = "Radio\nDie Radiospots kosten 40.000 Taler im Monat."
STAFF = ("public", "internal")


def text(reply: Reply) -> str:
    return "\n".join(map(str, reply.blocks)).replace("\u00a0", " ")


async def asked(folder: Path, question: str, chat: str = "staff-room", party: str = "Uferpartei") -> str:
    world = await populated()
    await world.add("spots.pdf", SPOTS, collection="internal")
    conversation = conversation_over(world.app, folder)
    staff = ChatSettings(id="staff-room", audience="staff", collections=STAFF, party=party)
    conversation.guard = type(conversation.guard)((CHATS[0], staff), (), open_to_all=False)
    return text(await say(conversation, question, chat))


@pytest.mark.parametrize(
    "question",
    [
        "Wie viele Wohnungen bauen wir?",
        "Wie hoch ist unser Mindestlohn?",
        "How high is our minimum wage?",
        "Quel est notre salaire minimum ?",
    ],
)
async def test_we_are_the_party_of_the_chat(tmp_path: Path, question: str) -> None:
    assert "Uferpartei" in await asked(tmp_path, question)
    said = await asked(tmp_path, question, party="Windmüller")
    assert "ufer25" not in said


async def test_nobody_is_we_in_public(tmp_path: Path) -> None:
    said = await asked(tmp_path, "Wie hoch ist unser Mindestlohn?", "public-room")
    assert "Gesucht in allen Orten" in said


async def test_own_files_come_first(tmp_path: Path) -> None:
    said = await asked(tmp_path, "Was kosten die Radiospots?")
    assert "40.000 Taler" in said
    assert "spots" in said


async def test_a_named_party_is_asked_for_itself(tmp_path: Path) -> None:
    said = await asked(tmp_path, "Was sagen die Windmüller zu unserem Mindestlohn?")
    assert "lehnen wir ab" in said


async def test_a_row_answers_as_prose_does(tmp_path: Path) -> None:
    world = await populated()
    await world.add("kosten.pdf", "Kosten\n\nPlakate 2.000 Stück 9.000 Taler", collection="internal")
    said = text(await say(conversation_over(world.app, tmp_path), "Was kosten unsere Plakate?", "staff-room"))
    assert "9.000 Taler" in said


def test_only_staff_have_a_party() -> None:
    with pytest.raises(ValueError, match="has a party"):
        ChatSettings(id="public-room", party="Uferpartei")
