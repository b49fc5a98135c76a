"""The chat platforms that the shared suites run on."""

from collections.abc import AsyncIterator, Callable

import pytest

from tests.support.chat_harness import ChatHarness
from tests.support.console_harness import ConsoleHarness
from tests.support.matrix_harness import EncryptedMatrixHarness, MatrixHarness
from tests.support.slack_harness import SlackHarness
from tests.support.telegram_harness import TelegramHarness

HARNESSES: dict[str, Callable[[pytest.FixtureRequest], ChatHarness]] = {
    "console": lambda request: ConsoleHarness(),
    "matrix": lambda request: MatrixHarness(request.getfixturevalue("synapse")),
    "matrix-encrypted": lambda request: EncryptedMatrixHarness(request.getfixturevalue("synapse")),
    "slack": lambda request: SlackHarness(request.getfixturevalue("slack_server")),
    "telegram": lambda request: TelegramHarness(request.getfixturevalue("telegram_server")),
}
SLOW = {"matrix-encrypted"}


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in HARNESSES]
)
async def chats(request: pytest.FixtureRequest) -> AsyncIterator[ChatHarness]:
    harness = HARNESSES[request.param](request)
    await harness.start()
    try:
        yield harness
    finally:
        await harness.close()
