"""`fundstelle init`: tokens tried with the real libraries, written for one pair of eyes, a chat listed."""

import asyncio
import contextlib
import json
import sqlite3
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from bot.chat.command_table import COMMANDS, SPECS
from bot.cli.root import app
from bot.presentation.i18n import languages
from bot.settings.settings_file import table
from bot.settings.tree import FILE, load
from bot.wiring.platforms import platforms
from tests.servers.matrix.homeserver import Synapse
from tests.support.chat_harness import eventually
from tests.support.matrix_people import Person
from tests.support.repository import ROOT
from tests.support.slack_server import SlackServer
from tests.support.stand_in import CLOCK
from tests.support.telegram_server import TelegramServer

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
QUESTION = "What does the programme say on rents?"


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUNDSTELLE_LANGUAGE", "en")


def init(folder: Path, *arguments: str) -> tuple[int, str]:
    """Exit status and everything that was shown."""
    done = CliRunner().invoke(app, ["init", *arguments, "--data", str(folder)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def telegram(server: TelegramServer) -> list[str]:
    server.ask("reset")
    return [
        "telegram",
        "--token",
        server.token,
        "--api-base",
        server.api_base,
        "--file-base",
        server.file_base,
    ]


def secret_modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(file.stat().st_mode) for file in (folder / FILE, *folder.glob("secrets/*"))}


def test_the_first_chat_is_listed_and_its_question_waits(
    telegram_server: TelegramServer, tmp_path: Path
) -> None:
    arguments = telegram(telegram_server)
    chat = telegram_server.ask("chat", kind="private")
    telegram_server.ask("say", chat=chat, text=QUESTION)
    status, shown = init(tmp_path, *arguments, "--first", "--wait", "60")
    assert status == 0, shown
    assert telegram_server.token not in shown
    settings = load(data=tmp_path).settings
    assert settings.telegram.token.get_secret_value() == telegram_server.token
    assert [(each.platform, each.id, each.audience) for each in settings.chat] == [
        ("telegram", str(chat), "public")
    ]
    assert secret_modes(tmp_path) == {0o600}
    assert "Here I am" in str(telegram_server.ask("shown", chat=chat))
    assert QUESTION in waiting(tmp_path)
    assert "fundstelle serve --data" in shown
    assert telegram_server.ask("violations", clear=True) == []


def waiting(folder: Path) -> str:
    """All that the database holds."""
    with contextlib.closing(sqlite3.connect(folder / "fundstelle.sqlite3")) as database:
        return "\n".join(database.iterdump())


def test_nothing_is_overwritten(telegram_server: TelegramServer, tmp_path: Path) -> None:
    before = b'# mine\n[telegram]\ntoken = "1:a"\n'
    (tmp_path / FILE).write_bytes(before)
    status, shown = init(tmp_path, *telegram(telegram_server))
    assert (status, (tmp_path / FILE).read_bytes()) == (1, before)
    assert "nothing is overwritten" in shown


def test_another_platform_is_added_behind_what_stands_there(
    telegram_server: TelegramServer, tmp_path: Path
) -> None:
    before = '# mine\nopen = true\n\n[[chat]]\nplatform = "console"\nid = "console"   # no line break'
    (tmp_path / FILE).write_text(before)
    status, shown = init(tmp_path, *telegram(telegram_server), "--chat", "-1001", "--audience", "staff")
    assert status == 0, shown
    assert (tmp_path / FILE).read_text().startswith(before)
    settings = load(data=tmp_path).settings
    assert [each.id for each in settings.chat] == ["console", "-1001"]
    assert (settings.chat[1].collections, settings.chat[1].upload_to) == (("public", "internal"), "internal")


@pytest.mark.parametrize("place", ["files", "elsewhere"])
def test_secrets_may_stand_in_files_or_elsewhere(
    telegram_server: TelegramServer, tmp_path: Path, place: str
) -> None:
    status, shown = init(tmp_path, *telegram(telegram_server), "--secrets", place)
    assert status == 0, shown
    assert telegram_server.token not in (tmp_path / FILE).read_text()
    expected = {"files": telegram_server.token, "elsewhere": ""}[place]
    assert load(data=tmp_path).settings.telegram.token.get_secret_value() == expected
    assert secret_modes(tmp_path) == {0o600}


def test_a_token_of_the_environment_stays_there(
    telegram_server: TelegramServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUNDSTELLE_TELEGRAM__TOKEN", telegram_server.token)
    bases = telegram(telegram_server)[3:]
    status, shown = init(tmp_path, "telegram", *bases)
    assert status == 0, shown
    assert "token" not in tomllib.loads((tmp_path / FILE).read_text())["telegram"]


@pytest.mark.parametrize("token", ["garbage", "123:AA", "12 34:ü"])
def test_a_wrong_token_is_not_written(telegram_server: TelegramServer, tmp_path: Path, token: str) -> None:
    arguments = [token if word == telegram_server.token else word for word in telegram(telegram_server)]
    status, shown = init(tmp_path, *arguments)
    telegram_server.ask("violations", clear=True)
    assert status == 3, shown
    assert "Telegram" in shown
    assert token not in shown
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        ([], "telegram, slack, matrix"),
        (["telegram"], "--token"),
        (["slack", "--bot-token", "xoxb-1"], "--app-token"),
        (["matrix", "--homeserver", "http://127.0.0.1:9"], "--user-id"),
        (["telegram", "--token", "1:a", "--homeserver", "x"], "--homeserver"),
    ],
)
def test_without_a_terminal_the_missing_option_is_named(
    tmp_path: Path, arguments: list[str], missing: str
) -> None:
    status, shown = init(tmp_path, *arguments)
    assert status == 2
    assert missing in shown
    assert not (tmp_path / FILE).exists()


def test_json_says_what_was_done(telegram_server: TelegramServer, tmp_path: Path) -> None:
    arguments = telegram(telegram_server)
    group = telegram_server.ask("chat", kind="supergroup", status="administrator")
    telegram_server.ask("say", chat=group, text="/id")
    status, shown = init(tmp_path, *arguments, "--wait", "5", "--chat", "77", "--json")
    said: dict[str, Any] = json.loads(shown)
    assert status == 0
    assert (said["platform"], said["listed"]) == ("telegram", ["77"])
    assert [chat["id"] for chat in said["chats"]] == [str(group)]
    assert said["checks"][0]["state"] == "ok"


async def test_slack_in_socket_mode(slack_server: SlackServer, tmp_path: Path) -> None:
    await slack_server.do("reset")
    chat = await slack_server.do("chat", kind="im")
    tokens = ["--bot-token", slack_server.bot_token, "--app-token", slack_server.app_token]
    arguments = ["slack", *tokens, "--api-base", slack_server.api_base, "--first", "--wait", "60"]
    running = asyncio.create_task(asyncio.to_thread(init, tmp_path, *arguments))

    async def connected() -> bool:
        return bool(running.done() or await slack_server.do("connections") > 0)

    await eventually(connected)
    await slack_server.do("say", chat=chat, text=QUESTION)
    status, shown = await running
    assert status == 0, shown
    assert not {slack_server.bot_token, slack_server.app_token} & set(shown.split())
    (listed,) = load(data=tmp_path).settings.chat
    assert listed.id.endswith(f"/{chat}")
    assert "Here I am" in str(await slack_server.do("shown", chat=chat))
    assert await slack_server.do("violations", clear=True) == []


@pytest.mark.parametrize("prefix", ["", "library-"])
@pytest.mark.parametrize("origin", ["option", "environment", "file"])
def test_the_manifest_is_printed_with_the_prefix_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prefix: str, origin: str
) -> None:
    if origin == "environment":
        monkeypatch.setenv("FUNDSTELLE_SLACK__COMMAND_PREFIX", prefix)
    if origin == "file":
        (tmp_path / FILE).write_text(table("[slack]", {"command_prefix": prefix}))
    before = list(tmp_path.iterdir())
    option = ["--command-prefix", prefix] if origin == "option" else []
    status, shown = init(tmp_path, "slack", "--manifest", *option)
    kept = (ROOT / "docs" / "platforms" / "slack-manifest.json").read_text(encoding="utf-8")
    assert (status, shown) == (0, kept.replace('"command": "/', f'"command": "/{prefix}'))
    assert list(tmp_path.iterdir()) == before


@pytest.mark.parametrize("language", languages())
def test_the_manifest_speaks_the_language_of_the_terminal_within_the_lengths_of_slack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("FUNDSTELLE_LANGUAGE", language)
    status, shown = init(tmp_path, "slack", "--manifest", "--json")
    made: dict[str, Any] = json.loads(shown)
    assert status == 0
    assert len(made["display_information"]["description"]) <= 140
    general, place = made["features"]["slash_commands"]
    assert [each.split()[0] for each in general["usage_hint"].split(" · ")] == [
        spec.word(language) for spec in COMMANDS if spec.running or spec.name == "help"
    ]
    assert place["usage_hint"] in SPECS["jurisdiction"].help_line(language, "/")
    assert all(len(each["usage_hint"]) <= 1000 for each in (general, place))


@pytest.mark.parametrize(
    ("arguments", "expected", "said"),
    [
        (["telegram", "--manifest"], 2, "--manifest"),
        (["slack", "--manifest", "--command-prefix", "A B"], 3, "command_prefix"),
    ],
)
def test_a_manifest_that_cannot_be_is_refused(
    tmp_path: Path, arguments: list[str], expected: int, said: str
) -> None:
    status, shown = init(tmp_path, *arguments)
    assert status == expected
    assert said in shown


@pytest.mark.parametrize(
    ("platform", "typed"), [("telegram", "answers /id"), ("slack", "answers /fundstelle id")]
)
async def test_how_the_ids_are_asked_for_is_said_as_it_is_typed_there(
    telegram_server: TelegramServer, slack_server: SlackServer, tmp_path: Path, platform: str, typed: str
) -> None:
    tokens = ["--bot-token", slack_server.bot_token, "--app-token", slack_server.app_token]
    slack = ["slack", *tokens, "--api-base", slack_server.api_base]
    await slack_server.do("reset")
    arguments = telegram(telegram_server) if platform == "telegram" else slack
    status, shown = await asyncio.to_thread(init, tmp_path, *arguments)
    assert status == 0, shown
    assert typed in " ".join(shown.split())


async def test_on_matrix_it_is_said_with_its_own_prefix(synapse: Synapse, tmp_path: Path) -> None:
    bot = synapse.account("bot")
    account = ["--homeserver", synapse.url, "--user-id", bot.user_id, "--password", bot.password]
    status, shown = await asyncio.to_thread(init, tmp_path, "matrix", *account)
    assert status == 0, shown
    assert "answers !id" in " ".join(shown.split())


def holding(folder: Path, secret: str) -> list[Path]:
    """The files that hold a secret."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file for file in files if secret.encode() in file.read_bytes()]


async def test_of_a_matrix_password_only_the_token_is_kept(synapse: Synapse, tmp_path: Path) -> None:
    bot, ann = synapse.account("bot"), await Person.arrive(synapse, "ann")
    account = ["--homeserver", synapse.url, "--user-id", bot.user_id, "--password", bot.password]
    arguments = ["matrix", *account, "--first", "--wait", "90"]
    running = asyncio.create_task(asyncio.to_thread(init, tmp_path, *arguments))
    await ann.new_room(bot.user_id)
    status, shown = await running
    await ann.leave()
    assert status == 0, shown
    assert (holding(tmp_path, bot.password), bot.password in shown) == ([], False)
    assert (tmp_path / "matrix" / "cross_signing.json").exists()
    settings = load(data=tmp_path).settings
    assert settings.matrix.invites == (f"*:{synapse.server_name}",)
    assert len(settings.chat) == 1
    bot_again = platforms(settings, CLOCK)["matrix"]
    assert [finding for finding in await bot_again.check() if not finding.ok] == []


@given(TEXTS, st.lists(TEXTS))
def test_whatever_is_written_is_read_again(text: str, invites: list[str]) -> None:
    written = table("[matrix]", {"user_id": text, "invites": invites})
    assert tomllib.loads(written) == {"matrix": {"user_id": text, "invites": invites}}
