"""`serve` on Slack is killed anywhere, again and again: nothing is lost, nothing answered twice unnoticed.

Slack gives events up that nobody takes; what was asked meanwhile is read from the channels' history.
"""

from collections import Counter
from pathlib import Path

import pytest

from tests.support.chat_harness import eventually
from tests.support.killing import KILLS, QUOTE, Outcome, survived
from tests.support.slack_harness import BOT
from tests.support.slack_server import SlackServer

pytestmark = pytest.mark.thorough

FEW = 3
SETTINGS = """
open = true
[http]
port = 0
[limits]
user_per_minute = 100000
user_per_day = 100000
chat_per_minute = 100000
day = 1000000
queue = 100000
[slack]
"""


class OnSlack:
    """People in channels with the app, who name it; the answers stand in threads."""

    def __init__(self, server: SlackServer, chats: list[str]) -> None:
        self._server = server
        self._chats = chats
        self._asked = 0

    async def ask(self, text: str) -> str:
        chat = self._chats[self._asked % len(self._chats)]
        self._asked += 1
        return str(await self._server.do("say", chat=chat, text=f"<@{BOT}> {text}"))

    async def answers(self) -> dict[str, tuple[int, int]]:
        found: Counter[str] = Counter()
        files: Counter[str] = Counter()
        for chat in self._chats:
            for message in await self._server.do("shown", chat=chat):
                question = message["thread_ts"]
                found[question] += QUOTE in message["seen"].replace("\u2060", "")
                files[question] += len(message.get("files", []))
        return {question: (count, files[question]) for question, count in found.items()}


async def on_slack(server: SlackServer, folder: Path, kills: int) -> Outcome:
    await server.do("delivery", tries=1)
    chats = [str(await server.do("chat", kind="group")) for _ in range(3)]
    account = f'bot_token = "{server.bot_token}"\napp_token = "{server.app_token}"\n'
    settings = f'{SETTINGS}{account}api_base = "{server.api_base}"\n'
    (folder / "fundstelle.toml").write_text(settings)

    async def begun() -> None:
        async def connected() -> bool:
            return await server.do("connections") > 0

        await eventually(connected)

    return await survived(folder, OnSlack(server, chats), kills=kills, first=3, begun=begun)


@pytest.mark.timeout(180)
async def test_a_few_kills_lose_and_double_nothing(server: SlackServer, tmp_path: Path) -> None:
    found = await on_slack(server, tmp_path, FEW)
    assert (found.lost, found.doubled, found.flagged, found.letters) == ([], [], 0, [])


@pytest.mark.slow
@pytest.mark.timeout(120 + 20 * KILLS)
async def test_many_kills_lose_and_double_nothing(server: SlackServer, tmp_path: Path) -> None:
    found = await on_slack(server, tmp_path, KILLS)
    print(found.table("slack"))  # noqa: T201
    assert (found.lost, found.doubled, found.flagged, found.letters) == ([], [], 0, [])
