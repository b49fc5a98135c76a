"""The stand-in for Telegram's server, fresh for every test; ill-formed calls fail the test."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.support.telegram_harness import TelegramHarness
from tests.support.telegram_server import TelegramServer


@pytest.fixture
def server(telegram_server: TelegramServer) -> Iterator[TelegramServer]:
    """Whoever provokes violations clears them."""
    telegram_server.ask("reset")
    yield telegram_server
    assert telegram_server.ask("violations", clear=True) == []


@pytest.fixture
async def chats(server: TelegramServer) -> AsyncIterator[TelegramHarness]:
    """The adapter runs."""
    harness = TelegramHarness(server)
    await harness.start()
    try:
        yield harness
    finally:
        await harness.close()
