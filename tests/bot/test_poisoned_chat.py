"""A chat over a poisoned library: whatever is asked, and however, nothing foreign is live, and replies go
where the message came from."""

import re
from pathlib import Path

import pytest

from bot.chat.command_table import COMMANDS
from bot.chat.conversation import Conversation
from core.domain.messages import Reply
from tests.support.chats import conversation_over, message
from tests.support.fake_stage import FakeStage
from tests.support.live_text import live
from tests.support.poisoning import ORDERS, poison
from tests.support.world import populated

WORDS = sorted(
    {word for spec in COMMANDS for words in spec.words.values() for word in words}, key=len, reverse=True
)
OWN = re.compile(rf"(?<!\S)/(?:{'|'.join(WORDS)})\b(?!\S*@|\S*\.\w)")
"""Our own commands, as replies name them."""

BAIT = ("https://evil.example/?q=1", "@everyone", "<!channel>", "#raum:evil.example", "/forget@evil")
LINES = [
    *ORDERS,
    *(f"Wie hoch ist der Mindestlohn in Hafen {number}?" for number in range(len(ORDERS))),
    "Welche Dokumente hast du?",
    "/sources",
    "/references Section 4",
    "/page gift0.pdf 1",
    *(f"/{name} {' '.join(BAIT)}" for name in sorted(spec.name for spec in COMMANDS if spec.words)),
    *(f"{bait} Mindestlohn {bait}" for bait in BAIT),
    *(f"/{bait}" for bait in BAIT),
    f"/compare Mindestlohn Uferpartei Windmüller {BAIT[0]} {BAIT[1]}",
    f"/verify {ORDERS[0]}",
    f"/verify Der Mindestlohn steigt auf 77 Taler, {ORDERS[0]}",
    f"/motion Der Mindestlohn soll steigen. {ORDERS[0]} --jurisdiction xv --mover Uferpartei",
]


@pytest.fixture
async def conversation(tmp_path: Path) -> Conversation:
    world = await populated()
    await poison(world, ORDERS)
    return conversation_over(world.app, tmp_path)


def shown(reply: Reply, stage: FakeStage) -> list[str]:
    """Every text that a chat gets to see."""
    labels = [button.label for row in reply.buttons for button in row]
    return [*reply.blocks, *(file.caption for file in reply.files), *labels, *stage.said]


def foreign(text: str) -> list[str]:
    """What is live in a text but for cited documents' own addresses and our own commands."""
    own = re.findall(r"https://valdorien\.example/\d+\.pdf", text)
    return live(OWN.sub(" ", text), [*own, "https://example.org/source"])


@pytest.mark.parametrize("line", LINES)
async def test_nothing_foreign_is_live(conversation: Conversation, line: str) -> None:
    for text in (line, "/why", "/feedback wrong", "/more"):
        stage, said = FakeStage(), message(text)
        reply = await conversation.handle(said, stage)
        if reply is None:
            continue
        assert [found for block in shown(reply, stage) for found in foreign(block)] == []
