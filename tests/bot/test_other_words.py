"""A claim in somebody's own words, and a bare name that few documents have, in a chat."""

from pathlib import Path

import pytest

from core.domain.messages import Reply
from tests.support.chats import conversation_over, say
from tests.support.world import populated


def text(reply: Reply) -> str:
    return "\n".join(map(str, reply.blocks))


@pytest.fixture(autouse=True)
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a real encoder and reader a quote that names what is said is as sure as can be."""
    monkeypatch.setattr("bot.chat.questions._ON_A_CLAIM", 0.5)


CLAIM = "angeblich will die Uferpartei 15 Taler Mindestlohn"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (f"/verify {CLAIM}", True),
        (f"/verify „{CLAIM}“", False),  # a quotation is somebody's words, or it is not
        ("/verify der mond ist aus grünem käse gemacht worden", False),
    ],
)
async def test_what_the_documents_say_on_a_claim_follows_that_these_words_stand_nowhere(
    message: str, told: bool, tmp_path: Path
) -> None:
    conversation = conversation_over((await populated()).app, tmp_path)
    reply = await say(conversation, message)
    assert ("Mit diesen Worten steht das nirgends" in text(reply)) is told
    assert bool(reply.files) is told
    assert ("15 Taler" in text(reply)) is told


async def test_its_sources_can_be_asked_for(tmp_path: Path) -> None:
    conversation = conversation_over((await populated()).app, tmp_path)
    await say(conversation, f"/verify {CLAIM}", direct=True)
    assert "S. " in text(await say(conversation, "welche quelle ist das?", number="2", direct=True))


async def test_a_bare_name_that_one_party_writes_is_quoted_and_not_compared(tmp_path: Path) -> None:
    world = await populated()
    page = "Das Kornhaus am Hafen wird ein Museum. Die Stadt bleibt Eigentümerin."
    await world.add("haus.pdf", page, title="Hafenplan", jurisdiction="xv", parties=("Uferpartei",))
    conversation = conversation_over(world.app, tmp_path)
    reply = await say(conversation, "kornhaus")
    assert "Das Kornhaus am Hafen wird ein Museum." in text(reply)
    assert "Windmüller" not in text(reply)
