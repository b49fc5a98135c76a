"""What somebody in between says is not taken for the homeserver's word, and its silence holds nobody up."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from adapters.matrix.session import SESSION_FILE
from core.domain.messages import MessageKind, Outgoing
from core.errors import Broken, Unavailable
from tests.servers.matrix.homeserver import Synapse
from tests.support.between import PAGES, Between
from tests.support.chat_harness import eventually
from tests.support.matrix_harness import EncryptedMatrixHarness, MatrixHarness, RunningBot


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits as long as people would."""
    monkeypatch.setattr("core.retrying.LONGEST_PAUSE_S", 0.1)
    monkeypatch.setattr("adapters.matrix.homeserver.RETRY_AFTER_S", 0.02)
    monkeypatch.setattr("adapters.matrix.session.RETRY_AFTER_S", 0.02)


@pytest.fixture
async def between(synapse: Synapse) -> AsyncIterator[Between]:
    async with Between(synapse.url) as found:
        yield found


@pytest.fixture
async def chats(synapse: Synapse, between: Between) -> AsyncIterator[MatrixHarness]:
    """The bot has somebody between itself and the homeserver, its people do not."""
    harness = MatrixHarness(synapse)
    harness.bot.server = replace(synapse, url=between.url)
    await harness.start()
    try:
        yield harness
    finally:
        between.page = None
        harness.bot.server = synapse
        await harness.close()


async def test_pages_of_proxies_pass(chats: MatrixHarness, between: Between, synapse: Synapse) -> None:
    """Receiving goes on by itself after each of them, and nothing that was to be sent is given up."""
    chats.bot.server = synapse  # people log in there
    room = await chats.direct()
    contact = chats.platform.contact
    to = None
    for number, page in enumerate(PAGES):
        between.page = page

        async def noticed() -> bool:
            return contact.error == "platform.unreachable"

        await chats.say(room, "wake up")  # the answer to the poll that was open before
        await eventually(noticed)
        if to is not None:
            with pytest.raises(Unavailable):
                await chats.platform.send(Outgoing(key=f"k-{number}", to=to, text="An answer."))
        between.page = None
        await chats.say(room, "Question?")
        await chats.inbox.next(after=2 * number + 1)
        to = (await chats.inbox.next()).ref
        await chats.platform.send(Outgoing(key=f"k-{number}", to=to, text="An answer."))
        assert not chats.bot.running.done()


@pytest.mark.parametrize("page", PAGES)
async def test_pages_of_proxies_pass_at_the_start(
    synapse: Synapse, between: Between, page: tuple[int, str, str]
) -> None:
    """The login is as good as before: no other device is made."""
    bot = RunningBot(synapse)
    await bot.start()
    await bot.stop()
    kept = json.loads((bot.store / SESSION_FILE).read_text())
    bot.server, between.page, bot.inbox.saved = replace(synapse, url=between.url), page, None
    starting = asyncio.create_task(bot.start())

    async def noticed() -> bool:
        return bot.platform.contact.error == "platform.unreachable"

    await eventually(noticed)
    between.page = None
    await starting
    assert json.loads((bot.store / SESSION_FILE).read_text()) == kept
    await bot.close()


async def test_a_token_that_ran_out_is_replaced_and_the_device_stays(
    synapse: Synapse, between: Between
) -> None:
    """A soft logout: what was encrypted for the device can still be read."""
    chats = EncryptedMatrixHarness(synapse)
    await chats.start()
    room = await chats.direct()
    await chats.say(room, "Before?")
    await chats.inbox.next()
    kept = json.loads((chats.bot.store / SESSION_FILE).read_text())
    await chats.stop()
    said = {"errcode": "M_UNKNOWN_TOKEN", "error": "the token has run out", "soft_logout": True}
    between.page, between.only = (401, "application/json", json.dumps(said)), "whoami"
    chats.bot.server = replace(synapse, url=between.url)
    starting = asyncio.create_task(chats.start())

    async def logged_in() -> bool:
        return any(re.search(r"v3/login$", path) for path in between.asked)

    await eventually(logged_in)
    between.page = None
    await asyncio.gather(starting, return_exceptions=True)
    chats.bot.server = synapse
    await chats.stop()
    await chats.start()
    now = json.loads((chats.bot.store / SESSION_FILE).read_text())
    assert now["device_id"] == kept["device_id"]
    assert now["access_token"] != kept["access_token"]
    await chats.say(room, "After?")
    await chats.inbox.next(after=1)
    await chats.close()


async def test_who_was_logged_out_while_running_signs_in_anew(synapse: Synapse) -> None:
    """Without a new start of the process."""
    chats = MatrixHarness(synapse)
    await chats.start()
    room = await chats.direct()
    link = await chats.platform._linked()
    await link.homeserver.call("POST", "/_matrix/client/v3/logout", {})
    with pytest.raises(Broken):
        await asyncio.wait_for(chats.bot.running, 20)
    again = asyncio.create_task(chats.platform.run(chats.inbox))
    await chats.say(room, "Do you hear me?")
    assert (await chats.inbox.next(MessageKind.MESSAGE)).text == "Do you hear me?"
    again.cancel()
    await asyncio.gather(again, return_exceptions=True)
    await chats.close()


async def test_the_end_of_typing_holds_nobody_up(
    chats: MatrixHarness, between: Between, synapse: Synapse
) -> None:
    chats.bot.server = synapse
    room = await chats.direct()
    await chats.say(room, "Question?")
    question = (await chats.inbox.next()).ref

    async def types() -> bool:
        return await chats.busy_signs(room) > 0

    async with asyncio.timeout(10):
        async with chats.platform.busy(question):
            await eventually(types)
            between.silent = {"/typing/"}
        await chats.platform.send(Outgoing(key="k-0", to=question, text="An answer."))
        await chats.platform.close()
