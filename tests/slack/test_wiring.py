"""From settings to the platform that is served."""

from typing import Any

import pytest
from pydantic import ValidationError

from adapters.slack.manifest import LINK_SCOPES, SCOPES
from bot.presentation.i18n import Texts, languages
from bot.settings.platforms import HttpSettings
from bot.settings.tree import Settings
from bot.wiring.platforms import platforms, signed_events, slack_manifest
from tests.servers.slack import blocks
from tests.support.stand_in import CLOCK

TOKEN = {"bot_token": "xoxb-1"}


def settings(**slack: Any) -> Settings:
    return Settings(slack=slack)  # type: ignore[arg-type]


async def test_socket_mode_takes_no_events_over_http() -> None:
    stated = settings(**TOKEN, app_token="xapp-1", signing_secret="s")
    served = platforms(stated, CLOCK)
    assert list(served) == ["slack"]
    assert signed_events(stated, served) is None
    await served["slack"].close()


async def test_with_a_signing_secret_alone_events_come_over_http() -> None:
    stated = settings(**TOKEN, signing_secret="s")
    served = platforms(stated, CLOCK)
    events = signed_events(stated, served)
    assert events is not None
    assert (await events({}, b"{}"))[0] == 401
    await served["slack"].close()


def test_without_a_token_there_is_no_slack() -> None:
    assert platforms(settings(), CLOCK) == {}
    assert signed_events(settings(), {}) is None


def test_a_token_without_a_way_in_is_refused() -> None:
    with pytest.raises(ValidationError, match="app_token"):
        settings(**TOKEN)


@pytest.mark.parametrize("language", languages())
def test_what_people_read_of_the_adapter_has_words(language: str) -> None:
    texts = Texts(language)
    assert "/invite" in texts("slack.invite")
    assert texts("slack.working") != "slack.working"
    assert blocks.alerted({"text": texts("slack.invite")}) == []


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("", None),
        ("http://127.0.0.1:8471", None),
        ("https://[2001:4860:4860::8888]", None),
        ("https://bot.internal", None),
        ("https://bot.example.org/library", "bot.example.org"),
    ],
)
async def test_slack_tells_of_links_to_a_host_that_the_public_reaches(address: str, host: str | None) -> None:
    http = HttpSettings.model_validate({"public_url": address})
    stated = settings(**TOKEN, signing_secret="s").model_copy(update={"http": http})
    made: Any = slack_manifest(stated, Texts("en"))
    assert made["features"].get("unfurl_domains") == (None if host is None else [host])
    assert ("link_shared" in made["settings"]["event_subscriptions"]["bot_events"]) is (host is not None)
    granted = set(made["oauth_config"]["scopes"]["bot"])
    assert granted == {*SCOPES, *(LINK_SCOPES if host else ())}
