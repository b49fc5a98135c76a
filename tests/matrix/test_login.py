"""The login, what is kept of it, and what never reaches a log."""

import asyncio
import json
import logging
import stat
from pathlib import Path

import pytest

from adapters.matrix.platform import MatrixPlatform
from adapters.matrix.session import SESSION_FILE, Account
from core.domain.messages import Outgoing, ReplyFile
from core.errors import Broken, Refused, Unavailable
from tests.servers.matrix.homeserver import Synapse
from tests.support.chat_harness import RecordingInbox
from tests.support.matrix_child import RealClock
from tests.support.matrix_harness import EncryptedMatrixHarness, MatrixHarness, RunningBot


async def test_the_login_is_kept_for_the_bots_eyes_only(synapse: Synapse) -> None:
    bot = RunningBot(synapse)
    await bot.start()
    kept = bot.store / SESSION_FILE
    first = json.loads(kept.read_text())
    await bot.stop()
    await bot.start()
    assert json.loads(kept.read_text()) == first
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (kept, kept.parent)}
    assert modes == {SESSION_FILE: 0o600, "matrix": 0o700}
    assert stat.S_IMODE((bot.store / "cross_signing.json").stat().st_mode) == 0o600
    await bot.close()


async def test_a_login_that_ended_is_made_anew_by_password(synapse: Synapse) -> None:
    bot = RunningBot(synapse)
    await bot.start()
    first = json.loads((bot.store / SESSION_FILE).read_text())
    link = await bot.platform._linked()
    await link.homeserver.call("POST", "/_matrix/client/v3/logout", {})
    await bot.stop()
    await bot.start()
    second = json.loads((bot.store / SESSION_FILE).read_text())
    assert second["device_id"] != first["device_id"]
    assert [finding.what for finding in await bot.platform.check() if not finding.ok] == []
    await bot.close()


async def test_a_token_that_ends_while_running_is_the_operators_matter(synapse: Synapse) -> None:
    bot = RunningBot(synapse)
    await bot.start()
    link = await bot.platform._linked()
    running = bot.running
    await link.homeserver.call("POST", "/_matrix/client/v3/logout", {})
    with pytest.raises(Broken) as broken:
        await asyncio.wait_for(running, 60)
    assert broken.value.key == "platform.token"
    await bot.close()


async def test_a_token_of_the_settings_needs_no_password(synapse: Synapse, tmp_path: Path) -> None:
    bot = RunningBot(synapse)
    await bot.start()
    await bot.stop()
    kept = json.loads((bot.store / SESSION_FILE).read_text())
    account = Account(homeserver=synapse.url, **kept)
    platform = MatrixPlatform(account, tmp_path / "matrix", clock=RealClock())
    assert (await platform.check())[0].ok
    other = Account(homeserver=synapse.url, **{**kept, "device_id": "OTHER"})
    (finding,) = await MatrixPlatform(other, tmp_path / "other", clock=RealClock()).check()
    assert "device_id" in finding.advice
    await bot.close()


async def test_a_wrong_password_is_the_operators_matter(synapse: Synapse, tmp_path: Path) -> None:
    name = synapse.account("bot").user_id
    account = Account(homeserver=synapse.url, user_id=name, password="wrong")
    platform = MatrixPlatform(account, tmp_path, clock=RealClock())
    with pytest.raises(Broken) as broken:
        await platform.run(RecordingInbox())
    assert broken.value.key == "platform.token"
    (finding,) = await platform.check()
    assert not finding.ok
    assert "password" in finding.advice
    assert "wrong" not in repr(account)


async def test_a_homeserver_that_is_away_is_waited_for(tmp_path: Path) -> None:
    account = Account(homeserver="http://127.0.0.1:9", user_id="@bot:nowhere.test", password="x")
    platform = MatrixPlatform(account, tmp_path, clock=RealClock())
    running = asyncio.create_task(platform.run(RecordingInbox()))
    await asyncio.sleep(0.2)
    assert not running.done()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    (finding,) = await platform.check()
    assert not finding.ok


async def test_a_damaged_store_says_so(synapse: Synapse) -> None:
    bot = RunningBot(synapse)
    await bot.start()
    await bot.stop()
    (store,) = bot.store.glob("*.db")
    store.write_bytes(b"no database" * 1000)
    with pytest.raises(Broken) as broken:
        await bot.platform.run(bot.inbox)
    assert broken.value.key == "platform.store"
    await bot.close()


async def test_a_file_that_the_homeserver_would_not_take_is_refused(synapse: Synapse, tmp_path: Path) -> None:
    chats = MatrixHarness(synapse)
    await chats.start()
    room = await chats.direct()
    await chats.say(room, "What about the toll?")
    message = await chats.inbox.next()
    limit = chats.platform.capabilities.max_file_bytes
    assert limit == 2 * 1024 * 1024
    path = tmp_path / "large.pdf"
    path.write_bytes(bytes(limit + 1))
    file = ReplyFile(name="large.pdf", caption="", path=path)
    with pytest.raises(Refused) as refused:
        await chats.platform.send(Outgoing(key="k", to=message.ref, text="", files=(file,)))
    assert refused.value.key == "chat.too_large"
    await chats.close()


async def test_before_the_first_answer_of_the_homeserver_nothing_is_sent(
    synapse: Synapse, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = RunningBot(synapse)
    await bot.start()
    await bot.stop()
    monkeypatch.setattr("adapters.matrix.platform.READY_S", 0.05)
    chats = MatrixHarness(synapse)
    await chats.start()
    room = await chats.direct()
    await chats.say(room, "What about the toll?")
    to = (await chats.inbox.next()).ref
    with pytest.raises(Unavailable):
        await bot.platform.send(Outgoing(key="k", to=to, text="too early"))
    await chats.close()
    await bot.close()


async def test_no_secret_text_or_person_reaches_the_logs(
    synapse: Synapse, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    with caplog.at_level(logging.INFO):
        chats = EncryptedMatrixHarness(synapse)
        await chats.start()
        room = await chats.group()
        await chats.say(room, chats.asking("the-question?"), files=[("the-file.pdf", b"%PDF")])
        message = await chats.inbox.next()
        await chats.platform.fetch(message.attachments[0], tmp_path, max_bytes=10)
        await chats.platform.send(Outgoing(key="k", to=message.ref, text="the-answer"))
        await chats.shown(room)
        kept = json.loads((chats.bot.store / SESSION_FILE).read_text())
        people = [(await chats.person(name)).user_id for name in ("ann", "bob")]
        await chats.close()
    ours = "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith("tests."))
    secrets = [kept["access_token"], chats.bot.account.password, "the-question", "the-answer", "the-file"]
    assert [word for word in [*secrets, *people, chats.bot.user_id] if word in ours] == []
