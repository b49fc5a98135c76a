"""The stand-in for Telegram's Bot API server in its own process."""

from typing import Any, Self

import httpx

from tests.support.repository import ROOT
from tests.support.stand_in import StandIn


class TelegramServer(StandIn):
    """`do` calls a verb of tests/servers/telegram/control.py."""

    module = "tests.servers.telegram"
    python = ROOT / "build" / "venvs" / "telegram" / "bin" / "python"

    def __enter__(self) -> Self:
        super().__enter__()
        self.token = self.begun["token"]
        return self

    @property
    def api_base(self) -> str:
        return f"{self.address}/bot"

    @property
    def file_base(self) -> str:
        return f"{self.address}/file/bot"

    def call(self, method: str, **parameters: Any) -> httpx.Response:
        """A call of the Bot API, as a careless client might make it."""
        return self.client.post(f"/bot{self.token}/{method}", json=parameters)
