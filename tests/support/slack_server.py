"""The stand-in for Slack in its own process, and the strings that tests pull."""

import asyncio
import base64
import json
import subprocess
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import httpx

from tests.support.repository import ROOT


class SlackServer:
    """One server process. `do` calls a verb of tests/servers/slack/control.py."""

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.servers.slack"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        begun = json.loads(self._process.stdout.readline())
        self.address: str = begun["address"]
        self.bot_token: str = begun["bot_token"]
        self.app_token: str = begun["app_token"]
        self.signing_secret: str = begun["signing_secret"]
        self._client = httpx.Client(base_url=self.address, timeout=20, trust_env=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        finally:
            self._process.kill()
            self._process.stdout.close()

    @property
    def api_base(self) -> str:
        return f"{self.address}/api/"

    def ask(self, verb: str, **arguments: Any) -> Any:
        answer = self._client.post(f"/control/{verb}", json=arguments)
        answer.raise_for_status()
        return answer.json()

    async def do(self, verb: str, **arguments: Any) -> Any:
        return await asyncio.to_thread(self.ask, verb, **arguments)

    def call(self, method: str, token: str = "", **parameters: Any) -> httpx.Response:
        """A call of the Web API, as a careless client might make it."""
        headers = {"Authorization": f"Bearer {token or self.bot_token}"}
        return self._client.post(f"/api/{method}", json=parameters, headers=headers)


def as_files(files: Sequence[tuple[str, bytes]]) -> list[dict[str, Any]]:
    """Files by name and content, as the control interface takes them."""
    return [{"name": name, "content": base64.b64encode(content).decode()} for name, content in files]
