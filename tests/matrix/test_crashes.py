"""A process that is killed anywhere loses no question and no key."""

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Self

import pytest

from tests.servers.matrix.homeserver import ROOT, Synapse
from tests.support.chat_harness import eventually
from tests.support.matrix_child import texts
from tests.support.matrix_people import EncryptingPerson

pytestmark = pytest.mark.thorough

SEED = 4


class Process:
    """The bot in a process of its own."""

    def __init__(self, settings: Path) -> None:
        self._command = [sys.executable, "-m", "tests.support.matrix_child", str(settings)]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(self._command, cwd=ROOT, stdout=subprocess.DEVNULL)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def kill(self) -> None:
        """Kill it, and start another one."""
        assert self._process is not None
        assert self._process.poll() is None, "the bot ended by itself"
        self.__exit__()
        self.__enter__()


@pytest.fixture
async def ann(synapse: Synapse) -> AsyncIterator[EncryptingPerson]:
    person = await EncryptingPerson.arrive(synapse, "ann")
    try:
        yield person
    finally:
        await person.leave()


@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])])
async def test_kills_at_any_point_lose_nothing(
    synapse: Synapse, ann: EncryptingPerson, tmp_path: Path, kills: int
) -> None:
    account = synapse.account("bot")
    settings, inbox = tmp_path / "settings.json", tmp_path / "inbox.db"
    login = {"homeserver": synapse.url, "user_id": account.user_id, "password": account.password}
    stated = {"account": login, "folder": str(tmp_path), "invites": [ann.user_id]}
    settings.write_text(json.dumps(stated))
    with Process(settings) as process:
        room = await ann.new_room(account.user_id)

        async def known() -> bool:
            """The bot is in the room, and her client has seen its device: it gives its keys to no other."""
            devices = ann.client.device_store.active_user_devices(account.user_id)
            return account.user_id in await ann.members(room) and bool(list(devices))

        await eventually(known)
        dice = random.Random(SEED)
        asked: list[str] = []

        async def all_there() -> bool:
            return len(texts(inbox)) >= len(asked)

        for kill in range(kills):
            for number in range(dice.randint(1, 3)):
                asked.append(f"question {kill}-{number}?")
                await ann.send(room, {"msgtype": "m.text", "body": asked[-1]})
                if dice.random() < 0.3:
                    ann.client.invalidate_outbound_session(room)  # the next one brings a new key
            await asyncio.sleep(dice.uniform(0, 2.5))
            process.kill()
            if kill % 5 == 4:
                await eventually(all_there)
        await eventually(all_there)
    assert sorted(texts(inbox)) == sorted(asked)
