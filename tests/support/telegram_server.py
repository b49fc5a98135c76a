"""The stand-in for Telegram's Bot API server in its own process, and the strings that tests pull."""

import asyncio
import base64
import json
import subprocess
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import httpx

from tests.support.repository import ROOT

PYTHON = ROOT / "build" / "venvs" / "telegram" / "bin" / "python"


class TelegramServer:
    """One server process. `do` calls a verb of tests/servers/telegram/control.py."""

    def __enter__(self) -> Self:
        assert PYTHON.exists(), "the test server of Telegram is not installed: run `make test-servers`"
        command = [str(PYTHON), "-m", "tests.servers.telegram"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        begun = json.loads(self._process.stdout.readline())
        self.address: str = begun["address"]
        self.token: str = begun["token"]
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
        return f"{self.address}/bot"

    @property
    def file_base(self) -> str:
        return f"{self.address}/file/bot"

    def ask(self, verb: str, **arguments: Any) -> Any:
        answer = self._client.post(f"/control/{verb}", json=arguments)
        answer.raise_for_status()
        return answer.json()

    async def do(self, verb: str, **arguments: Any) -> Any:
        return await asyncio.to_thread(self.ask, verb, **arguments)

    def call(self, method: str, **parameters: Any) -> httpx.Response:
        """A call of the Bot API, as a careless client might make it."""
        return self._client.post(f"/bot{self.token}/{method}", json=parameters)


def as_files(files: Sequence[tuple[str, bytes]]) -> list[dict[str, Any]]:
    """Files by name and content, as the control interface takes them."""
    return [{"name": name, "content": base64.b64encode(content).decode()} for name, content in files]
