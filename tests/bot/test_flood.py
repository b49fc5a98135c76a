"""Hostile messages hold up nobody: what they make the bot compute is done beside the event loop.

Measured is what the loop's own thread computes between two looks of its watch: on a busy machine it may be
late without that. `benchmarks/loop_holds` measures the whole, on every platform.
"""

import asyncio
from pathlib import Path

import pytest

from bot.service.loop_watch import HELD_S, LoopWatch
from tests.support.chats import conversation_over, say
from tests.support.hostile_messages import messages
from tests.support.world import populated

LONG = 40_000
PARTS = 4
EVERY = 5
"""Of all messages so many are not sent: their number has no part in common with that of their kinds."""


@pytest.mark.parametrize("part", range(PARTS))
async def test_no_message_keeps_the_loop(part: int, tmp_path: Path) -> None:
    world = await populated()
    await world.app.questions.warm_up()
    many = {"user_per_minute": 10_000, "chat_per_minute": 10_000}
    conversation, watch = conversation_over(world.app, tmp_path, **many), LoopWatch()
    watching = asyncio.create_task(watch.run())
    for text in [*messages(LONG)][part :: EVERY * PARTS]:
        reply = await say(conversation, text)
        assert reply is None or all(reply.blocks)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    assert watch.busiest.cpu_s < HELD_S, watch.busiest
