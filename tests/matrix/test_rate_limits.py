"""Against a homeserver with the limits it comes with."""

import asyncio

import pytest

from core.domain.messages import MessageRef, Outgoing
from core.errors import Unavailable
from tests.servers.matrix.homeserver import synapse_server
from tests.support.matrix_harness import MatrixHarness

PARTS = 14
"""Synapse takes ten messages at once, then one in five seconds."""


async def delivered(chats: MatrixHarness, part: Outgoing) -> list[Unavailable]:
    """As the outbox does: come back when the homeserver says."""
    refusals: list[Unavailable] = []
    while len(refusals) < 20:
        try:
            await chats.platform.send(part)
        except Unavailable as unavailable:
            refusals.append(unavailable)
            await asyncio.sleep(unavailable.retry_after_s)
        else:
            return refusals
    raise AssertionError("never delivered")


@pytest.mark.slow
async def test_limits_are_told_at_once_and_obeyed() -> None:
    with synapse_server(rate_limits=True) as server:
        chats = MatrixHarness(server)
        await chats.start()
        try:
            room = await chats.direct()
            place = MessageRef(platform="matrix", workspace="", chat=room, thread=None, message="")
            parts = [Outgoing(key=f"p-{n}", to=place, text=f"part {n}") for n in range(PARTS)]
            refusals = [refusal for part in parts for refusal in await delivered(chats, part)]
            assert 1 <= len(refusals) < PARTS  # waiting as long as told is enough
            assert {refusal.key for refusal in refusals} == {"platform.busy"}
            assert all(0 < refusal.retry_after_s <= 30 for refusal in refusals)
            assert [shown.text for shown in await chats.shown(room)] == [part.text for part in parts]
        finally:
            await chats.close()
