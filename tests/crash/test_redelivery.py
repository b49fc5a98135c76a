"""A thousand events, five copies of each, shuffled, over a restart: each is answered once."""

import asyncio
import os
import random
from collections import Counter
from pathlib import Path

import pytest

from bot.delivery.delivery import Delivery
from bot.delivery.sender import cancelled
from core.domain.messages import IncomingMessage
from core.ports.journal import Journal
from tests.support.chat_harness import eventually
from tests.support.fake_platform import NO_FILES, FakePlatform, ManualClock
from tests.support.journals import opened_journal
from tests.support.scripted_conversation import ScriptedConversation

pytestmark = pytest.mark.thorough

EVENTS = int(os.environ.get("FUNDSTELLE_TEST_EVENTS", "1000"))
COPIES, CHATS, BATCH = 5, 25, 25


async def test_each_event_is_answered_once(tmp_path: Path) -> None:
    dice = random.Random(5)
    platform, clock = FakePlatform(), ManualClock()
    events = [platform.message(f"q{n}", f"c{n % CHATS}") for n in range(EVENTS)]
    copies = events * COPIES
    dice.shuffle(copies)
    half = len(copies) // 2
    for part in (copies[:half], copies[half:]):
        await _served(tmp_path, platform, clock, part)
    said = Counter(part.text for part in platform.posts if part.text.startswith("re "))
    assert said == Counter({f"re q{n}": 1 for n in range(EVENTS)})


async def _served(
    folder: Path, platform: FakePlatform, clock: ManualClock, copies: list[IncomingMessage]
) -> None:
    """A process that takes `copies` over and ends as soon as it has; the last one ends when all is done."""
    journal = await opened_journal("sqlite", folder)
    platform.inbox = None
    delivery = Delivery(
        journal=journal,
        conversation=ScriptedConversation(),  # type: ignore[arg-type]
        platforms={"telegram": platform},
        clock=clock,
        files=NO_FILES,
        workers=2,
        max_waiting=10 * EVENTS,
    )
    running = asyncio.create_task(delivery.run())
    batches = [copies[start : start + BATCH] for start in range(0, len(copies), BATCH)]
    for first, second in zip(batches[::2], batches[1::2], strict=True):
        await asyncio.gather(platform.deliver(*first), platform.deliver(*second))
    await _until_done(journal)
    await cancelled([running])
    await journal.close()


async def _until_done(journal: Journal) -> None:
    async def done() -> bool:
        found = await journal.backlog()
        await asyncio.sleep(0.1)
        return found.waiting + found.working + found.pending + found.sending == 0

    for _ in range(10):
        try:
            return await eventually(done)
        except TimeoutError:
            continue
    raise AssertionError(await journal.backlog())
