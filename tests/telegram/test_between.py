"""What somebody in between says is not taken for Telegram's word."""

import asyncio

import pytest

from core.domain.messages import MessageKind, MessageRef, Outgoing
from core.errors import Unavailable
from tests.support.between import PAGES, Between
from tests.support.chat_harness import RecordingInbox, eventually
from tests.support.telegram_harness import platform
from tests.support.telegram_server import TelegramServer


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits as long as people would."""
    monkeypatch.setattr("core.retrying.LONGEST_PAUSE_S", 0.1)
    monkeypatch.setattr("adapters.telegram.errors.RETRY_S", 0.02)


async def test_pages_of_proxies_pass(server: TelegramServer) -> None:
    """Receiving goes on by itself after each of them, and nothing that was to be sent is given up."""
    chat = await server.do("chat", kind="private")
    inbox = RecordingInbox()
    async with Between(server.address) as between:
        bot = platform(server, api_base=f"{between.url}/bot", file_base=f"{between.url}/file/bot")
        between.page = PAGES[0]
        running = asyncio.create_task(bot.run(inbox))
        to = MessageRef(platform="telegram", workspace="", chat=str(chat), thread=None, message="")
        for number, page in enumerate(PAGES):
            between.page = page

            async def noticed() -> bool:
                return bot.contact.error == "platform.unreachable"

            if number:  # the poll that is still open
                await server.do("say", chat=chat, text="wake up", by="ann")
            await eventually(noticed)
            with pytest.raises(Unavailable):
                await bot.send(Outgoing(key=f"k-{number}", to=to, text="An answer."))
            between.page = None
            await server.do("say", chat=chat, text=f"Question {number}?", by="ann")
            await inbox.next(MessageKind.MESSAGE, after=2 * number)
            await bot.send(Outgoing(key=f"k-{number}", to=to, text="An answer."))
            assert not running.done()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await bot.close()


async def test_a_sign_of_being_busy_holds_nobody_up(server: TelegramServer) -> None:
    chat = await server.do("chat", kind="private")
    async with Between(server.address) as between:
        bot = platform(server, api_base=f"{between.url}/bot", file_base=f"{between.url}/file/bot")
        to = MessageRef(platform="telegram", workspace="", chat=str(chat), thread=None, message="")
        await bot.send(Outgoing(key="k-0", to=to, text="An answer."))
        between.silent = {"sendChatAction"}

        async def tried() -> bool:
            return any("sendChatAction" in path for path in between.asked)

        async with asyncio.timeout(10):
            async with bot.busy(to):
                await eventually(tried)
            await bot.close()
