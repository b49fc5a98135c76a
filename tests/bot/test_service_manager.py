"""systemd is told when `serve` is ready, that it lives, and that it stops: over a real datagram socket."""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.service.serving import ServiceManager
from bot.settings.tree import load
from tests.support.chat_harness import eventually
from tests.support.fake_platform import FakePlatform
from tests.support.repository import ROOT
from tests.support.world import populated

UNIT = ROOT / "deploy" / "fundstelle.service"


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as found:
        found.bind(str(tmp_path / "notify"))
        found.setblocking(False)
        yield found


def _heard(listener: socket.socket) -> list[str]:
    found = []
    while True:
        try:
            found.append(listener.recv(4096).decode())
        except BlockingIOError:
            return found


async def test_serve_tells_when_it_is_ready_that_it_lives_and_that_it_stops(
    listener: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", listener.getsockname())
    monkeypatch.setenv("WATCHDOG_USEC", "20000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    monkeypatch.setattr("bot.wiring.platforms.platforms", lambda *_: {"telegram": FakePlatform()})
    (tmp_path / "fundstelle.toml").write_text("open = true\n[http]\nport = 0\n")
    world = await populated()
    task = asyncio.create_task(world.use(load(data=tmp_path).settings).server.run(lambda _: None))
    heard: list[str] = []

    async def alive() -> bool:
        heard.extend(_heard(listener))
        return heard.count("WATCHDOG=1") > 1

    await eventually(alive)
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(task, 60)
    heard += _heard(listener)
    assert heard[0] == "READY=1"
    assert heard.count("STOPPING=1") == 1


@pytest.mark.parametrize(
    ("environment", "every"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "60000000"}, 30.0),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "7"}, 30.0),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_is_told_twice_in_its_time(environment: dict[str, str], every: float | None) -> None:
    assert ServiceManager.of(environment, 7).alive_every_s == every


def test_an_abstract_address_is_understood() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as found:
        found.bind("")
        address = found.getsockname()
        ServiceManager("@" + address[1:].decode()).ready()
        assert found.recv(100) == b"READY=1"


def test_a_manager_that_does_not_listen_is_only_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ServiceManager(str(tmp_path / "nobody")).ready()
    assert "was not told READY=1" in caplog.text


def test_the_documents_name_the_unit_that_is_here() -> None:
    text = (ROOT / "docs" / "operators" / "run.md").read_text(encoding="utf-8")
    assert "deploy/fundstelle.service" in text
    assert not re.search(r"^ExecStart=", text, flags=re.M)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_the_unit_is_valid_and_gives_the_bot_few_rights() -> None:
    """`Exposure level` from 0 (none) to 10; a warning would stand on standard error."""
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=30", str(UNIT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0, done.stdout[-300:]
