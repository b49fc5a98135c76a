"""`serve` is killed anywhere, again and again: no question is lost, and none is answered twice unnoticed.

`FUNDSTELLE_TEST_KILLS` is how often in the long run (200).
"""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from tests.servers.matrix.homeserver import Synapse
from tests.support.chat_harness import eventually
from tests.support.killing import KILLS, QUOTE, Outcome, survived
from tests.support.matrix_people import Person
from tests.support.telegram_server import TelegramServer

pytestmark = pytest.mark.thorough

FEW = 4
"""Points of each platform in the short run: all points are passed on one of the two."""

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
"""


class OnTelegram:
    """People in private chats with the bot."""

    def __init__(self, server: TelegramServer, chats: dict[str, str]) -> None:
        self._server = server
        self._chats = chats
        self._asked = 0

    async def ask(self, text: str) -> str:
        person, chat = list(self._chats.items())[self._asked % len(self._chats)]
        self._asked += 1
        (message,) = await self._server.do("say", chat=int(chat), text=text, by=person)
        return f"{chat}/{message}"

    async def answers(self) -> dict[str, tuple[int, int]]:
        found: Counter[str] = Counter()
        files: Counter[str] = Counter()
        for chat in self._chats.values():
            for message in await self._server.do("shown", chat=int(chat)):
                replied = message.get("reply_to_message", {}).get("message_id")
                found[f"{chat}/{replied}"] += QUOTE in message.get("text", "").replace("\u2060", "")
                files[f"{chat}/{replied}"] += "document" in message
        return {question: (count, files[question]) for question, count in found.items()}


class OnMatrix:
    """One person in rooms with the bot."""

    def __init__(self, person: Person, rooms: list[str]) -> None:
        self._person = person
        self._rooms = rooms
        self._asked = 0

    async def ask(self, text: str) -> str:
        room = self._rooms[self._asked % len(self._rooms)]
        self._asked += 1
        return await self._person.send(room, {"msgtype": "m.text", "body": text})

    async def answers(self) -> dict[str, tuple[int, int]]:
        found: Counter[str] = Counter()
        files: Counter[str] = Counter()
        for room in self._rooms:
            for event in await self._person.history(room):
                content = event.get("content", {})
                relation = content.get("m.relates_to", {})
                replied = relation.get("m.in_reply_to", {}).get("event_id") or relation.get("event_id")
                if replied and event["sender"] != self._person.user_id:
                    found[replied] += QUOTE in content.get("body", "").replace("\u2060", "")
                    files[replied] += content.get("msgtype") == "m.file"
        return {question: (count, files[question]) for question, count in found.items()}


async def on_telegram(server: TelegramServer, folder: Path, kills: int) -> Outcome:
    server.ask("reset")
    names = ("ann", "bob", "cal")
    chats = {name: str(await server.do("chat", kind="private", user=name)) for name in names}
    account = f'token = "{server.token}"\napi_base = "{server.api_base}"\nfile_base = "{server.file_base}"\n'
    (folder / "fundstelle.toml").write_text(f"{SETTINGS}[telegram]\n{account}")

    async def begun() -> None:
        pass

    people = OnTelegram(server, chats)
    found = await survived(folder, people, kills=kills, first=0, begun=begun)
    assert server.ask("violations", clear=True) == []
    return found


async def on_matrix(server: Synapse, folder: Path, kills: int) -> Outcome:
    account, person = server.account("bot"), await Person.arrive(server, "ann")
    login = f'homeserver = "{server.url}"\nuser_id = "{account.user_id}"\npassword = "{account.password}"\n'
    invites = f'invites = ["{person.user_id}"]\n'
    (folder / "fundstelle.toml").write_text(f"{SETTINGS}[matrix]\n{login}{invites}")
    rooms = [await person.new_room(account.user_id, is_direct=True) for _ in range(3)]

    async def begun() -> None:
        async def joined() -> bool:
            return all([account.user_id in await person.members(room) for room in rooms])

        await eventually(joined)
        await asyncio.sleep(1.0)  # until it has noticed that itself

    try:
        return await survived(folder, OnMatrix(person, rooms), kills=kills, first=FEW, begun=begun)
    finally:
        await person.leave()


def check(found: Outcome, platform: str, *, flags: bool) -> None:
    print(found.table(platform))  # noqa: T201 - with -s, the figures
    assert set(found.lost) <= found.unsure, found.letters
    assert found.doubled == []
    assert flags or found.flagged == 0
    assert {letter.state for letter in found.letters} <= {"unknown"}, found.letters
    assert found.stop_s <= 10


@pytest.mark.timeout(180)
async def test_telegram_a_few_times(telegram_server: TelegramServer, tmp_path: Path) -> None:
    check(await on_telegram(telegram_server, tmp_path, FEW), "telegram", flags=True)


@pytest.mark.timeout(180)
async def test_matrix_a_few_times(synapse: Synapse, tmp_path: Path) -> None:
    check(await on_matrix(synapse, tmp_path, FEW), "matrix", flags=False)


@pytest.mark.slow
@pytest.mark.timeout(120 + 20 * KILLS)
async def test_telegram_many_times(telegram_server: TelegramServer, tmp_path: Path) -> None:
    check(await on_telegram(telegram_server, tmp_path, KILLS), "telegram", flags=True)


@pytest.mark.slow
@pytest.mark.timeout(120 + 20 * KILLS)
async def test_matrix_many_times(synapse: Synapse, tmp_path: Path) -> None:
    check(await on_matrix(synapse, tmp_path, KILLS), "matrix", flags=False)
