"""The stand-in for Slack in its own process."""

import sys
from pathlib import Path
from typing import Any, Self

import httpx

from tests.support.stand_in import StandIn


class SlackServer(StandIn):
    """`do` calls a verb of tests/servers/slack/control.py."""

    module = "tests.servers.slack"
    python = Path(sys.executable)

    def __enter__(self) -> Self:
        super().__enter__()
        self.bot_token = self.begun["bot_token"]
        self.app_token = self.begun["app_token"]
        self.signing_secret = self.begun["signing_secret"]
        return self

    @property
    def api_base(self) -> str:
        return f"{self.address}/api/"

    def call(self, method: str, token: str = "", **parameters: Any) -> httpx.Response:
        """A call of the Web API, as a careless client might make it."""
        headers = {"Authorization": f"Bearer {token or self.bot_token}"}
        return self.client.post(f"/api/{method}", json=parameters, headers=headers)
