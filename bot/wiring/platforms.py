"""From settings to chat platforms. Their libraries are imported only if the platform is configured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TextIO
from urllib.parse import urlsplit

from bot.answers.links import is_for_the_public
from bot.settings.tree import Settings
from bot.wiring import plugins

if TYPE_CHECKING:
    from bot.http.endpoint import Events
    from bot.presentation.i18n import Texts
    from core.ports.chat import ChatPlatform, InlineLane, Surfaces
    from core.ports.clock import Clock
    from core.ports.models import TalkReader


def platforms(
    settings: Settings,
    clock: Clock,
    talk_reader: TalkReader | None = None,
    lane: InlineLane | None = None,
    surfaces: Callable[[], Surfaces] | None = None,
) -> dict[str, ChatPlatform]:
    """Every platform that is configured, by name. Nothing is sent yet; the caller must close them.
    `talk_reader` estimates whom lines in threads are meant for; inline queries go to `lane`; `surfaces` makes
    what is shown beside messages."""
    found: dict[str, ChatPlatform] = {}
    if settings.telegram.token.get_secret_value():
        found["telegram"] = _telegram(settings, clock, lane)
    if settings.slack.bot_token.get_secret_value():
        found["slack"] = _slack(settings, clock, talk_reader, surfaces)
    if settings.matrix.homeserver:
        found["matrix"] = _matrix(settings, clock, talk_reader)
    return found | {name: plugins.platform(settings, name) for name in settings.plugins.platforms}


def _telegram(settings: Settings, clock: Clock, lane: InlineLane | None) -> ChatPlatform:
    from adapters.telegram.platform import TelegramPlatform
    from bot.chat.command_table import offered
    from bot.presentation.i18n import languages

    telegram = settings.telegram
    return TelegramPlatform(
        token=telegram.token.get_secret_value(),
        commands={language: offered(language) for language in languages()},
        clock=clock,
        api_base=telegram.api_base,
        file_base=telegram.file_base,
        lane=lane if telegram.inline else None,
    )


def _slack(
    settings: Settings, clock: Clock, talk_reader: TalkReader | None, surfaces: Callable[[], Surfaces] | None
) -> ChatPlatform:
    from adapters.slack.platform import SlackPlatform
    from bot.presentation.i18n import Texts, languages

    stated = settings.slack
    words = [Texts(language) for language in languages()]  # nobody's language is known yet
    return SlackPlatform(
        bot_token=stated.bot_token.get_secret_value(),
        app_token=stated.app_token.get_secret_value(),
        signing_secret=stated.signing_secret.get_secret_value(),
        clock=clock,
        invite="\n".join(texts("slack.invite") for texts in words),
        working=" · ".join(texts("slack.working") for texts in words),
        api_base=stated.api_base,
        command_prefix=stated.command_prefix,
        talk_reader=talk_reader,
        surfaces=surfaces() if surfaces else None,
        links=bool(_link_host(settings)),
    )


def _link_host(settings: Settings) -> str:
    """The host name of public pages; empty if there are no links, or if Slack cannot reach it."""
    address = settings.http.public_url
    host = urlsplit(address).hostname or ""
    return host if is_for_the_public(address) and not host[-1:].isdigit() else ""


def slack_manifest(settings: Settings, texts: Texts) -> Mapping[str, object]:
    """The manifest of Slack's app, its commands with the prefix in the settings."""
    from adapters.slack.manifest import CommandWords, ShortcutWords, manifest
    from bot.chat.command_table import SPECS, hinted

    place = texts("menu.jurisdiction")
    words = {
        "/fundstelle": CommandWords(texts("slack.commands"), hinted(texts.language)),
        "/jurisdiction": CommandWords(
            place[:1].upper() + place[1:], SPECS["jurisdiction"].usage(texts.language)
        ),
    }
    shortcut = ShortcutWords(texts("slack.shortcut"), texts("slack.shortcut_does"))
    return manifest(
        texts("slack.about"),
        words,
        shortcut,
        settings.slack.command_prefix,
        link_host=_link_host(settings),
    )


def signed_events(settings: Settings, served: dict[str, ChatPlatform]) -> Events | None:
    """The receiver of Slack's signed events; None if they do not come over HTTP."""
    slack = served.get("slack")
    if slack is None or settings.slack.app_token.get_secret_value():
        return None
    from adapters.slack.platform import SlackPlatform

    return slack.receive if isinstance(slack, SlackPlatform) else None


def _matrix(settings: Settings, clock: Clock, talk_reader: TalkReader | None) -> ChatPlatform:
    from adapters.matrix.platform import MatrixPlatform
    from adapters.matrix.session import Account

    stated = settings.matrix
    account = Account(
        homeserver=stated.homeserver,
        user_id=stated.user_id,
        password=stated.password.get_secret_value(),
        access_token=stated.access_token.get_secret_value(),
        device_id=stated.device_id,
    )
    return MatrixPlatform(
        account,
        settings.data / "matrix",
        clock=clock,
        invites=stated.invites,
        servers=stated.servers,
        trust=stated.trust,
        talk_reader=talk_reader,
    )


def console(
    clock: Clock, chat: str, lines: TextIO, write: Callable[[str], None], *, bold: bool
) -> ChatPlatform:
    """The console as a chat platform; `bold`: whether it supports bold type."""
    from adapters.console import ConsolePlatform

    return ConsolePlatform(lines=lines, write=write, clock=clock, chat=chat, bold=bold)
