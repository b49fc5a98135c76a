"""Keys that go over plain http to another machine are warned of; nobody is on the way to this one."""

import pytest

from bot.presentation.i18n import ENGLISH
from bot.service.diagnosis import bare_keys
from bot.settings.platforms import MatrixSettings, SlackSettings, TelegramSettings
from bot.settings.sections import LlmSettings, QdrantSettings
from bot.settings.tree import Settings

PLAIN = "http://10.0.0.7:8080"


def warned(settings: Settings) -> list[str]:
    checks = bare_keys(settings, ENGLISH)
    assert all("https" in check.advice for check in checks)
    return [check.name for check in checks]


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (Settings(qdrant=QdrantSettings(url=PLAIN, api_key="k")), "qdrant"),
        (Settings(telegram=TelegramSettings(api_base=PLAIN, token="1:k")), "telegram"),
        (Settings(slack=SlackSettings(api_base=PLAIN, bot_token="xoxb-k", signing_secret="s")), "slack"),
        (Settings(matrix=MatrixSettings(homeserver=PLAIN, user_id="@bot:x", password="p")), "matrix"),
        (Settings(llm=LlmSettings(model="m", api_base=PLAIN, api_key="k")), "language model"),
    ],
)
def test_a_key_on_a_plain_way_to_another_machine(settings: Settings, name: str) -> None:
    assert warned(settings) == [name]


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:6333",
        "http://127.0.0.1:6333",
        "http://127.8.9.1",
        "http://[::1]:6333",
        "https://db.org",
    ],
)
def test_nothing_is_said_of_ways_that_nobody_can_listen_to(url: str) -> None:
    assert warned(Settings(qdrant=QdrantSettings(url=url, api_key="k"))) == []


@pytest.mark.parametrize("url", ["http://127.example.org", "http://localhost.example.org"])
def test_names_that_look_like_this_machine_are_another(url: str) -> None:
    assert warned(Settings(qdrant=QdrantSettings(url=url, api_key="k"))) == ["qdrant"]


def test_without_a_key_nothing_can_be_read() -> None:
    assert warned(Settings(qdrant=QdrantSettings(url=PLAIN))) == []
