"""Settings of the chat platforms, of chats and of people."""

import ipaddress
import re
from collections import Counter
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, model_validator

from bot.settings.sections import Address, SettingsSection
from core.language.languages import tags

OUR_PLATFORMS = ("telegram", "slack", "matrix", "console")
"""Built-in platforms; plug-ins may add others."""

_USER_ID = re.compile(r"@[^:\s]+:\S+")


def _spoken(language: str) -> str:
    if language and language not in tags():
        raise ValueError(f"{language} is not spoken; there are {', '.join(tags())}")
    return language


SpokenLanguage = Annotated[str, AfterValidator(_spoken)]
"""A supported language; empty for none in particular."""


class TelegramSettings(SettingsSection):
    """The bot on Telegram; disabled without a token."""

    token: SecretStr = Field(default=SecretStr(""), description="token from BotFather; empty: no Telegram")
    api_base: Address = Field(
        default="", description="another Bot API server, e.g. http://127.0.0.1:8081/bot"
    )
    file_base: Address = Field(
        default="", description="its address of files, e.g. http://127.0.0.1:8081/file/bot"
    )
    inline: bool = Field(
        default=False,
        description="answer @bot TOPIC in any chat, whoever asks, with quotes of the public collection",
    )
    inline_jurisdiction: str = Field(
        default="", description="the place of inline queries that name none, as in chats"
    )


class SlackSettings(SettingsSection):
    """The app on Slack: Socket Mode by `app_token`, or signed events to [http] by `signing_secret`."""

    bot_token: SecretStr = Field(default=SecretStr(""), description="xoxb-…; empty: no Slack")
    app_token: SecretStr = Field(default=SecretStr(""), description="xapp-…, for Socket Mode")
    signing_secret: SecretStr = Field(default=SecretStr(""), description="for signed events over [http]")
    api_base: Address = Field(default="", description="another Web API, e.g. http://127.0.0.1:8082/api/")
    command_prefix: str = Field(
        default="",
        pattern=r"^[a-z0-9_-]{0,20}$",
        description="before slash commands that another app has: library- makes /library-fundstelle",
    )

    @model_validator(mode="after")
    def _each_token_in_its_place(self) -> "SlackSettings":
        if self.bot_token.get_secret_value().startswith(("xapp-", "xoxp-")):
            raise ValueError("bot_token is another kind of token: take the one that begins with xoxb-")
        if self.app_token.get_secret_value().startswith("xox"):
            raise ValueError("app_token is another kind of token: take the one that begins with xapp-")
        return self

    @model_validator(mode="after")
    def _one_way_in(self) -> "SlackSettings":
        if self.bot_token.get_secret_value() and not (
            self.app_token.get_secret_value() or self.signing_secret.get_secret_value()
        ):
            raise ValueError("set app_token (Socket Mode) or signing_secret (signed events over [http])")
        return self


class MatrixSettings(SettingsSection):
    """The bot's account on a Matrix homeserver."""

    homeserver: Address = Field(default="", description="e.g. https://matrix.example.org; empty: no Matrix")
    user_id: str = Field(default="", description="e.g. @fundstelle:example.org")
    password: SecretStr = Field(default=SecretStr(""), description="for the first login, whose token is kept")
    access_token: SecretStr = Field(
        default=SecretStr(""), description="with device_id, instead of a password"
    )
    device_id: str = Field(default="", description="the device that access_token belongs to")
    invites: tuple[str, ...] = Field(
        default=(), description='who may invite the bot; "*:example.org" for a server'
    )
    servers: tuple[str, ...] = Field(
        default=(), description="homeservers of the own organisation, besides that of user_id"
    )
    trust: Literal["all", "verified"] = Field(
        default="all", description="which devices of the members get the keys of encrypted answers"
    )

    @model_validator(mode="after")
    def _complete(self) -> "MatrixSettings":
        if not self.homeserver:
            return self
        if not self.user_id:
            raise ValueError("user_id is missing")
        if not _USER_ID.fullmatch(self.user_id):
            raise ValueError(f"user_id {self.user_id} is none: write @name:server")
        token = self.access_token.get_secret_value()
        if bool(token) != bool(self.device_id):
            raise ValueError("access_token and device_id belong together")
        return self


def _network(stated: str) -> str:
    try:
        ipaddress.ip_network(stated)
    except ValueError as error:
        detail = f"{stated} is no address or network: write 192.0.2.7 or 192.0.2.0/24 ({error})"
        raise ValueError(detail) from error
    return stated


class HttpSettings(SettingsSection):
    """Where `serve` listens: the interface for programs, pages by link, health, metrics, Slack's events."""

    host: str = Field(default="127.0.0.1", description="address to listen on")
    port: int = Field(default=8471, ge=0, le=65535, description="port; 0: any free one")
    proxies: tuple[Annotated[str, AfterValidator(_network)], ...] = Field(
        default=("127.0.0.1", "::1"),
        description="addresses and networks of proxies before it: of these, X-Forwarded-For says who asks",
    )
    public_url: Address = Field(
        default="", description="where the public reaches it; then public citations have links to their pages"
    )
    link_days: int = Field(
        default=365, ge=0, description="days a link holds after it was last given; 0: as long as its document"
    )


class LimitSettings(SettingsSection):
    """Limits on questions per person, per chat and in total."""

    user_per_minute: int = Field(default=6, ge=1, description="questions of a person in a minute")
    user_per_day: int = Field(default=200, ge=1, description="questions of a person in a day")
    chat_per_minute: int = Field(default=20, ge=1, description="questions of a chat in a minute")
    day: int = Field(default=5000, ge=1, description="questions of all chats in a day")
    queue: int = Field(default=200, ge=1, description="questions that may wait; further ones are declined")
    workers: int = Field(default=2, ge=1, le=16, description="answers made at the same time")
    corrections_per_hour: int = Field(
        default=6, ge=1, description="messages in an hour that tell a chat of changed quotes"
    )
    chat_subscriptions: int = Field(default=20, ge=0, description="subscriptions of a chat at most")
    user_subscriptions: int = Field(
        default=10, ge=0, description="subscriptions of a person in a chat at most"
    )


_BARE_CHANNEL = re.compile("[CDG][A-Z0-9]{7,}")
"""Matches a channel link from Slack's own pages, which would never be found as an id
(docs.slack.dev/reference/objects)."""


class ChatSettings(SettingsSection):
    """A chat and what it may see."""

    platform: str = "console"
    id: str = Field(coerce_numbers_to_str=True)
    audience: Literal["public", "staff"] = "public"
    collections: Annotated[tuple[str, ...], Field(min_length=1)] = ("public",)
    upload_to: str = ""
    jurisdiction: str = ""
    party: str = Field(default="", description='Whom "we" and "our" mean in questions of a staff chat')
    language: SpokenLanguage = ""
    files: Literal["pdf", "picture", "both", "request"] = Field(
        default="pdf",
        description="What comes with an answer: the cited pages, pictures of the quotes, both, or on request",
    )

    @model_validator(mode="after")
    def _has_its_workspace(self) -> "ChatSettings":
        if self.platform == "slack" and _BARE_CHANNEL.fullmatch(self.id):
            raise ValueError(f"chat {self.id}: on Slack write TEAM/CHANNEL, as /fundstelle id says it there")
        return self

    @model_validator(mode="after")
    def _speaks_for_itself(self) -> "ChatSettings":
        if self.party and self.audience != "staff":
            raise ValueError(f'chat {self.id}: only a chat with audience = "staff" has a party')
        return self

    @model_validator(mode="after")
    def _uploads_stay_inside(self) -> "ChatSettings":
        if not self.upload_to:
            return self
        if self.audience != "staff":
            raise ValueError(f'chat {self.id}: only a chat with audience = "staff" can take uploads')
        if self.upload_to not in self.collections:
            raise ValueError(f"chat {self.id}: upload_to must be one of its collections")
        return self


def _once(chats: tuple[ChatSettings, ...]) -> tuple[ChatSettings, ...]:
    twice = [chat for chat, count in Counter((each.platform, each.id) for each in chats).items() if count > 1]
    if twice:
        raise ValueError(f"{' '.join(twice[0])} is listed twice: keep one table of it")
    return chats


ListedChats = Annotated[tuple[ChatSettings, ...], AfterValidator(_once)]
"""All listed chats, each once: it would be unclear which of two tables applies."""


class RoleSettings(SettingsSection):
    """What a person may do, by the platform's stable id (never by a display name)."""

    platform: str
    user: str = Field(min_length=1, coerce_numbers_to_str=True)
    role: Literal["staff", "publisher", "admin"]
