"""The stand-in for Slack, fresh for every test; ill-formed calls fail the test."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.support.slack_harness import SlackHarness
from tests.support.slack_server import SlackServer


@pytest.fixture
def server(slack_server: SlackServer) -> Iterator[SlackServer]:
    """Whoever provokes violations clears them."""
    slack_server.ask("reset")
    yield slack_server
    assert slack_server.ask("violations", clear=True) == []


@pytest.fixture
async def chats(server: SlackServer) -> AsyncIterator[SlackHarness]:
    """The adapter runs."""
    harness = SlackHarness(server)
    await harness.start()
    try:
        yield harness
    finally:
        await harness.close()
