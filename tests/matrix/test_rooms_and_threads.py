"""Rooms, threads and people against a real homeserver."""

from collections.abc import AsyncIterator

import pytest

from core.domain.messages import Outgoing
from tests.servers.matrix.homeserver import Synapse
from tests.support.matrix_harness import MatrixHarness


@pytest.fixture
async def chats(synapse: Synapse) -> AsyncIterator[MatrixHarness]:
    harness = MatrixHarness(synapse)
    await harness.start()
    try:
        yield harness
    finally:
        await harness.close()


async def test_a_question_in_a_room_is_answered_in_its_thread(chats: MatrixHarness) -> None:
    room = await chats.group()
    asked = await chats.say(room, chats.asking("What about the ferry toll?"))
    message = await chats.inbox.next()
    assert message.text == "What about the ferry toll?"
    await chats.platform.send(Outgoing(key="k-0", to=message.ref, text="It falls."))
    (shown,) = await chats.shown(room)
    assert (shown.text, shown.thread, shown.reply_to) == ("It falls.", asked, asked)
