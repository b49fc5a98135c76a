"""What somebody in between says is not taken for Slack's word."""

import asyncio

import pytest

from core.domain.messages import MessageKind, MessageRef, Outgoing
from core.errors import Unavailable
from tests.servers.slack.world import TEAM
from tests.support.between import PAGES, Between
from tests.support.chat_harness import RecordingInbox, eventually
from tests.support.slack_harness import platform
from tests.support.slack_server import SlackServer


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits as long as people would."""
    monkeypatch.setattr("core.retrying.LONGEST_PAUSE_S", 0.1)
    monkeypatch.setattr("adapters.slack.api.RETRY_S", 0.02)


@pytest.mark.parametrize("page", PAGES)
async def test_pages_of_proxies_pass(server: SlackServer, page: tuple[int, str, str]) -> None:
    """Receiving begins by itself after each of them, and nothing that was to be sent is given up."""
    chat = str(await server.do("chat", kind="im"))
    inbox = RecordingInbox()
    async with Between(server.address) as between:
        bot = platform(server, api_base=f"{between.url}/api/")
        between.page = page
        running = asyncio.create_task(bot.run(inbox))

        async def noticed() -> bool:
            return bot.contact.error == "platform.unreachable"

        await eventually(noticed)
        to = MessageRef(platform="slack", workspace=TEAM, chat=chat, thread=None, message="")
        with pytest.raises(Unavailable):
            await bot.send(Outgoing(key="k-0", to=to, text="An answer."))
        between.only = "apps.connections.open"
        await eventually(noticed)
        between.page = None

        async def connected() -> bool:
            return await server.do("connections") > 0

        await eventually(connected)
        await server.do("say", chat=chat, text="Question?")
        await inbox.next(MessageKind.MESSAGE)
        await bot.send(Outgoing(key="k-1", to=to, text="An answer."))
        assert not running.done()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await bot.close()


async def test_a_sign_of_being_busy_holds_nobody_up(server: SlackServer) -> None:
    chat = str(await server.do("chat", kind="group"))
    asked = await server.do("say", chat=chat, text="Question?")
    async with Between(server.address) as between:
        bot = platform(server, api_base=f"{between.url}/api/")
        to = MessageRef(platform="slack", workspace=TEAM, chat=chat, thread=asked, message=asked)
        between.silent = {"reactions."}

        async def tried() -> bool:
            return any("reactions." in path for path in between.asked)

        async with asyncio.timeout(10):
            async with bot.busy(to):
                await eventually(tried)
            await bot.close()
