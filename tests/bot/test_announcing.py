"""Staff hears of sources in trouble, where it may see the document and nobody else reads along."""

from collections.abc import Sequence

import pytest

from bot.presentation.escaping import WORD_JOINER
from bot.service.announcements import Announcer, place_of
from bot.settings.platforms import ChatSettings
from core.domain.messages import Exposure
from tests.support.fake_platform import FakePlatform
from tests.support.world import World, populated

VALUES = {"title": "Plan", "status": 404, "url": "https://example.org/plan.pdf"}
CHATS = (
    ChatSettings(platform="console", id="public-room"),
    ChatSettings(platform="console", id="staff-room", audience="staff", collections=("public", "internal")),
    ChatSettings(platform="console", id="press-room", audience="staff", collections=("public",)),
)


SEEN = {chat.id: chat.collections for chat in CHATS}


def announcer_of(world: World, platform: FakePlatform) -> Announcer:
    world.app.settings = world.app.settings.model_copy(update={"chat": CHATS})
    world.app.platforms = {"console": platform}
    return world.app.announcer


async def told(file: str, exposure: Exposure) -> Sequence[str]:
    """The chats that hear of `file`."""
    world = await populated()
    platform = FakePlatform("console")
    platform.exposure_now = exposure
    announcer = announcer_of(world, platform)
    (document,) = [item for item in await world.library.documents() if item.file == file]
    await announcer.tell("source.vanished", {**VALUES, "document": document.id})
    heard = []
    while (item := await world.journal.claim_part("console", at=world.app.clock.now())) is not None:
        assert "404" in item.part.text
        assert f"/library approve {document.id}" in item.part.text
        commands = [button.command for row in item.part.buttons for button in row]
        assert commands == [f"/library {word} {document.id}" for word in ("approve", "reject")]
        assert item.part.collections == SEEN[item.part.to.chat]
        heard.append(item.part.to.chat)
        await world.journal.sent(item, ["m"], at=world.app.clock.now())
    return heard


CLOSED = Exposure(closed=True, direct=False)
OPEN = Exposure(closed=False, direct=False, why_open="chat.public")


@pytest.mark.parametrize(
    ("file", "exposure", "chats"),
    [
        ("intern.pdf", CLOSED, ["staff-room"]),
        ("ufer25.pdf", CLOSED, ["staff-room", "press-room"]),
        ("ufer25.pdf", OPEN, []),
    ],
)
async def test_only_those_hear_who_may_see_the_document(file, exposure, chats):
    assert await told(file, exposure) == chats


@pytest.mark.parametrize(
    ("collection", "chats"),
    [("internal", ["staff-room"]), ("public", ["staff-room", "press-room"]), ("", [])],
)
async def test_what_is_about_a_file_goes_where_its_collection_is_seen(collection, chats):
    world = await populated()
    announcer = announcer_of(world, FakePlatform("console"))
    for file in ("a.pdf", "b.pdf"):
        values = {"file": file, "folder": "/srv/incoming", "collection": collection}
        await announcer.tell("source.file_vanished", values)
    heard = []
    while (item := await world.journal.claim_part("console", at=world.app.clock.now())) is not None:
        said = item.part.text.replace(WORD_JOINER, "")
        heard.append((item.part.to.chat, "b.pdf" in said))
        await world.journal.sent(item, ["m"], at=world.app.clock.now())
    assert heard == [(chat, second) for second in (False, True) for chat in chats]


def test_a_slack_chat_is_a_channel_of_a_team():
    place = place_of(ChatSettings(platform="slack", id="T1/C2"))
    assert (place.workspace, place.chat) == ("T1", "C2")
    assert place_of(ChatSettings(platform="matrix", id="!a/b:example.org")).chat == "!a/b:example.org"
