"""Tokens of the HTTP interface: made on the command line, shown once, kept as hashes, revoked at once."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from adapters.database.access import SqlAccessTokens
from adapters.database.database import Database
from bot.cli.root import app
from bot.delivery.inline import ChatsFirst
from bot.http import tokens
from bot.http.tokens import WRONG_PER_MINUTE, Doorkeeper, Places, Rates, TokenOffice
from bot.library.audit import AuditTrail
from core.domain.access import TokenRole, token_digest
from core.domain.journal import Pseudonyms
from core.errors import Refused, Unavailable
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.fake_journal import KEY, FakeJournal
from tests.support.fake_library import FakeLibrary
from tests.support.world import FixedClock


async def known() -> list[str]:
    return ["public", "internal"]


@pytest.fixture(params=["sqlite", "postgresql"])
async def office(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[TokenOffice]:
    if request.param == "sqlite":
        url = sqlite_url(tmp_path / "tokens.db")
    else:
        url = await postgresql_url(request.getfixturevalue("postgresql"))
    database = await Database.open(url)
    trail = AuditTrail(FakeJournal(), FakeLibrary(), FixedClock())
    yield TokenOffice(SqlAccessTokens(database), trail, known)
    await database.close()


async def issued(office: TokenOffice, name: str = "desk", **changed: Any) -> str:
    stated = {"role": TokenRole.READER, "collections": ["public"], "per_minute": 2, "days": 1} | changed
    return (await office.issue(name, **stated))[1]


def doorkeeper(office: TokenOffice) -> Doorkeeper:
    return Doorkeeper(office.kept, Rates(office.audit.clock, Pseudonyms(KEY)))


async def test_a_token_is_known_by_its_secret_until_it_is_revoked(office: TokenOffice) -> None:
    secret = await issued(office, collections=["public", "internal", "public"], role=TokenRole.PUBLISHER)
    door = doorkeeper(office)
    token = await door.identify(secret, "a")
    assert (token.name, token.role, token.collections) == ("desk", "publisher", ("public", "internal"))
    assert await office.listed() == [token]
    await office.revoke("desk")
    with pytest.raises(Refused) as caught:
        await door.identify(secret, "a")
    assert caught.value.key == "token.invalid"
    assert secret not in caught.value.detail
    with pytest.raises(Refused, match="no token 'desk'"):
        await office.revoke("desk")


async def test_a_token_ends_with_its_term(office: TokenOffice) -> None:
    secret, lasting = await issued(office), await issued(office, "lasting", days=None)
    door, clock = doorkeeper(office), office.audit.clock
    assert isinstance(clock, FixedClock)
    clock.at += timedelta(days=1) - timedelta(seconds=1)
    assert await door.identify(secret, "a")
    clock.at += timedelta(seconds=1)
    with pytest.raises(Refused, match="expired"):
        await door.identify(secret, "a")
    assert await door.identify(lasting, "a")


@pytest.mark.parametrize("name", ["desk", "", " ", "a\nb", "x" * 101, "a\x1b[0m"])
async def test_names_are_unique_and_can_be_printed(office: TokenOffice, name: str) -> None:
    await issued(office)
    with pytest.raises(Refused) as caught:
        await issued(office, name)
    assert caught.value.key == "token.name"


async def test_guessing_is_slow_and_locks_out_nobody_else(office: TokenOffice) -> None:
    good, fresh = await issued(office), await issued(office, "fresh")
    door, clock = doorkeeper(office), office.audit.clock
    assert isinstance(clock, FixedClock)
    await door.identify(good, "proxy")
    for number in range(WRONG_PER_MINUTE):
        with pytest.raises(Refused):
            await door.identify(f"fst_{number}", "proxy")
    for secret in ("fst_more", fresh):
        with pytest.raises(Unavailable) as caught:
            await door.identify(secret, "proxy")
        assert caught.value.retry_after_s == 60
    assert await door.identify(good, "proxy")
    assert await door.identify(fresh, "elsewhere")
    clock.at += timedelta(minutes=1)
    with pytest.raises(Refused):
        await door.identify("fst_more", "proxy")


async def test_requests_of_a_token_are_bounded(office: TokenOffice) -> None:
    door, clock = doorkeeper(office), office.audit.clock
    assert isinstance(clock, FixedClock)
    token = await door.identify(await issued(office), "a")
    other = await door.identify(await issued(office, "other"), "a")
    for _ in range(2):
        await door.count(token)
    with pytest.raises(Unavailable):
        await door.count(token)
    await door.count(other)
    clock.at += timedelta(minutes=1)
    await door.count(token)
    clock.at -= timedelta(days=1)
    await door.count(token)


def run(data: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["token", *arguments, "--data", str(data)])
    return done.exit_code, done.stdout


def test_on_the_command_line_a_secret_is_shown_once_and_kept_nowhere(tmp_path: Path) -> None:
    file = tmp_path / "fundstelle.sqlite3"
    sqlite_url(file)
    chat = {"platform": "console", "id": "x", "audience": "staff", "upload_to": "internal"}
    rows = [f"{name} = {json.dumps(value)}" for name, value in chat.items()]
    (tmp_path / "fundstelle.toml").write_text("\n".join(["[[chat]]", *rows, 'collections = ["internal"]']))
    status, said = run(tmp_path, "new", "desk", "--role", "publisher", "--collection", "internal", "--json")
    made = json.loads(said)
    assert (status, made["role"], made["collections"], made["rate"]) == (0, "publisher", ["internal"], 30)
    assert made["token"].startswith("fst_")
    assert len(made["token"]) > 40
    listed = run(tmp_path, "list", "--json")[1]
    assert json.loads(listed)["tokens"] == [{key: made[key] for key in made if key != "token"}]
    plain = run(tmp_path, "new", "other", "--days", "0")[1].splitlines()[0]
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for secret in (made["token"], plain):
        assert secret.encode() not in kept
        assert secret not in listed + run(tmp_path, "list")[1]
    with sqlite3.connect(file) as read:
        rows = set(read.execute("SELECT name, digest FROM access_tokens"))
    read.close()
    assert rows == {("desk", token_digest(made["token"])), ("other", token_digest(plain))}
    assert run(tmp_path, "revoke", "desk")[0] == 0
    assert [each["name"] for each in json.loads(run(tmp_path, "list", "--json")[1])["tokens"]] == ["other"]
    done = CliRunner().invoke(app, ["audit", "--data", str(tmp_path), "--json"])
    found = [(each["subject"], sorted(each["values"])) for each in json.loads(done.stdout)["entries"]]
    assert ("token desk", ["revoked"]) in found
    assert ("token other", ["collections", "issued", "role"]) in found


@pytest.mark.parametrize(("typed", "meant"), [("interne", "public"), ("pubic", "public")])
def test_a_collection_that_is_not_there_is_named_with_those_that_are(
    tmp_path: Path, typed: str, meant: str
) -> None:
    sqlite_url(tmp_path / "fundstelle.sqlite3")
    status, said = run(tmp_path, "new", "desk", "--collection", typed, "--json")
    error = json.loads(said)["error"]
    assert (status, error["code"]) == (2, "scope.unknown_collection")
    assert meant in error["message"]
    assert json.loads(run(tmp_path, "list", "--json")[1]) == {"tokens": []}


class TestChatsFirst:
    async def test_a_request_begins_once_no_chat_is_being_answered(self) -> None:
        chats, done = ChatsFirst(), asyncio.Event()
        places = Places(2, 10, partial(chats.until, free=True))

        async def request() -> None:
            async with places.place():
                done.set()

        with chats.chat():
            task = asyncio.create_task(request())
            for _ in range(10):
                await asyncio.sleep(0)
            assert not done.is_set()
        await task
        assert done.is_set()

    async def test_a_request_that_waited_long_is_done_beside_the_chats(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tokens, "PATIENCE_S", 0.01)
        chats = ChatsFirst()
        with chats.chat():
            async with Places(2, 10, partial(chats.until, free=True)).place():
                pass
