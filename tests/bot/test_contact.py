"""A platform that nobody answers at is not reachable, and `serve` with no other is not ready."""

import asyncio
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from bot.settings.tree import load
from core.domain.messages import Contact
from core.errors import Refused, Unavailable
from tests.support.chat_harness import eventually
from tests.support.world import NOW, populated

SETTINGS = {
    "telegram": 'token = "1:abcdefghijklmnopqrstuvwxyz0123456789"\napi_base = "{base}/bot"',
    "slack": 'bot_token = "xoxb-1"\napp_token = "xapp-1"\napi_base = "{base}/api/"',
    "slack by HTTP": 'bot_token = "xoxb-1"\nsigning_secret = "s"\napi_base = "{base}/api/"',
    "matrix": 'homeserver = "{base}"\nuser_id = "@bot:localhost"\npassword = "p"',
}


@pytest.fixture
def refusing() -> Iterator[str]:
    """An address where connections are refused: the port is taken, and nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.parametrize("kind", SETTINGS)
async def test_serve_says_which_platform_is_not_reachable(kind: str, refusing: str, tmp_path: Path) -> None:
    name = kind.partition(" ")[0]
    text = f"[http]\nport = 0\n[{name}]\n{SETTINGS[kind].format(base=refusing)}\n"
    (tmp_path / "fundstelle.toml").write_text(text)
    world, said = await populated(), list[str]()
    app = world.use(load(data=tmp_path).settings)
    serving = asyncio.create_task(app.server.run(said.append))
    contact = app.platforms[name].contact

    async def tried() -> bool:
        return bool(said) and contact.error != "platform.starting"

    await eventually(tried)
    async with aiohttp.ClientSession() as session:
        async with session.get(said[0].split()[-1]) as response:
            status, lines = response.status, (await response.text()).splitlines()
        async with session.get(said[0].split()[-1].replace("readyz", "metrics")) as response:
            metrics = await response.text()
    assert status == 503
    assert lines == [
        "not ready",
        "no platform is reachable",
        f"{name} is not reachable: platform.unreachable, not reached so far",
    ]
    assert f'fundstelle_platform_reachable{{platform="{name}"}} 0.0' in metrics
    assert f'fundstelle_platform_served{{platform="{name}"}} 1.0' in metrics
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(serving, 60)


def test_an_exchange_says_how_it_ended() -> None:
    contact = Contact()
    with contact.tried(lambda: NOW):
        pass
    assert (contact.at, contact.error) == (NOW, "")
    with pytest.raises(Unavailable), contact.tried(lambda: NOW):
        raise Unavailable("platform.unreachable")
    assert (contact.at, contact.error) == (NOW, "platform.unreachable")
    with pytest.raises(Refused), contact.tried(lambda: NOW):
        raise Refused("chat.gone")
    assert contact.error == "platform.unreachable"
