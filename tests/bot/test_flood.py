"""Hostile messages hold up nobody: what they make the bot compute is done beside the event loop.

Measured is what the loop's own thread computes between two looks of its watch: on a busy machine it may be
late without that. A slow processor computes longer, and so do two threads that share a core: holds are
compared with work of a known length. `benchmarks/loop_holds` measures the whole, on every platform.
"""

import asyncio
import time
from pathlib import Path

import pytest

from bot.chat.conversation import Conversation
from bot.service.watches import EVERY_S, HELD_S, LoopHold, LoopWatch
from tests.support.chats import conversation_over, message
from tests.support.fake_stage import FakeStage
from tests.support.hostile_messages import messages
from tests.support.world import populated

pytestmark = pytest.mark.thorough

LONG = 40_000
PARTS = 4
TRIES = 3
"""What a message makes the loop compute it computes every time; a busy machine or a collection of garbage
comes once. What is built on first use comes once as well: `benchmarks/loop_holds` sees that."""

STEPS, STEPS_S = 400_000, 0.016
"""Steps of a loop, and the seconds that they take on an EPYC with a core to itself."""


@pytest.mark.parametrize("part", range(PARTS))
async def test_no_message_keeps_the_loop(part: int, tmp_path: Path) -> None:
    world = await populated()
    await world.app.questions.warm_up()
    many = {"user_per_minute": 10_000, "chat_per_minute": 10_000}
    conversation = conversation_over(world.app, tmp_path, **many)
    for text in [*messages(LONG)][part::PARTS]:
        holds: list[LoopHold] = []
        for _ in range(TRIES):
            holds.append(await held_by(conversation, text))
            if holds[-1].cpu_s < HELD_S or holds[-1].cpu_s < HELD_S * slowness():
                break
        else:
            pytest.fail(f"{text[:40]!r}, {len(text)} characters: {holds}")


def slowness() -> float:
    """How many times as long as on the processor that `HELD_S` was chosen on Python takes here and now."""
    began, number = time.thread_time(), 0
    for each in range(STEPS):
        number = (number * 31 + each) % 1_000_003
    return max(1.0, (time.thread_time() - began) / STEPS_S)


async def held_by(conversation: Conversation, text: str) -> LoopHold:
    """The piece of work that kept the loop longest while `text` was answered."""
    watch = LoopWatch()
    watching = asyncio.create_task(watch.run())
    await asyncio.sleep(0)
    reply = await conversation.handle(message(text), FakeStage())
    assert reply is None or all(reply.blocks)
    await asyncio.sleep(2 * EVERY_S)  # it looks once more
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    return watch.busiest
