"""The app's manifest, which is pasted on api.slack.com/apps (docs.slack.dev/reference/app-manifest)."""

from collections.abc import Mapping
from dataclasses import dataclass

SCOPES = {
    "app_mentions:read": "to be told when it is named",
    "channels:history": "to read messages in public channels it is in",
    "channels:read": "to ask whether a channel is public or shared",
    "chat:write": "to answer",
    "commands": "for /fundstelle, /jurisdiction and the shortcut of messages",
    "files:read": "to get uploaded documents",
    "files:write": "to attach pages, and to take them back",
    "groups:history": "to read messages in private channels it is in",
    "groups:read": "to ask who can read a private channel",
    "im:history": "to read direct messages",
    "im:read": "to ask who a direct chat is with",
    "im:write": "to send files that only one person may see",
    "mpim:history": "to read messages in group chats",
    "mpim:read": "to ask who can read a group chat",
    "reactions:read": "for feedback by reaction",
    "reactions:write": "to show that an answer is being made",
    "users:read": "to tell guests from members",
}
"""Scopes of the bot token, and what each is for."""

LINK_SCOPES = {
    "links:read": "to be told of links to its own pages",
    "links:write": "to show the quote below them",
}
"""Further ones where public pages have links."""

APP_SCOPE = "connections:write"
"""Scope of the app-level token, for Socket Mode."""

EVENTS = (
    *(
        "app_home_opened",
        "app_mention",
        "channel_archive",
        "channel_deleted",
        "channel_id_changed",
        "channel_left",
    ),
    *("group_archive", "group_deleted", "group_left", "member_joined_channel", "member_left_channel"),
    *("message.channels", "message.groups", "message.im", "message.mpim", "reaction_added"),
)
"""Events of the bot user."""

LINK_EVENT = "link_shared"
"""A further one where public pages have links."""

COMMANDS = ("/fundstelle", "/jurisdiction")
"""Slash commands in the manifest. Their names are shared with every other app in the workspace."""


SHORTCUT = "check_quote"
"""Callback id of the message shortcut, by which Slack tells that it was chosen."""


def commands(prefix: str) -> tuple[str, ...]:
    """The slash commands with the workspace's prefix."""
    return tuple(f"/{prefix}{command.removeprefix('/')}" for command in COMMANDS)


@dataclass(frozen=True, slots=True)
class CommandWords:
    """What Slack shows while people type a slash command: its description and arguments."""

    description: str
    usage_hint: str


@dataclass(frozen=True, slots=True)
class ShortcutWords:
    """What Slack shows in the menu of a message: at most 24 and 150 characters."""

    name: str
    description: str


def manifest(
    about: str,
    words: Mapping[str, CommandWords],
    shortcut: ShortcutWords,
    prefix: str,
    *,
    link_host: str = "",
) -> dict[str, object]:
    """The app manifest with only what the bot uses, for Socket Mode. `about` describes the app; `words` are
    by name in `COMMANDS`; `prefix` is put before both commands; `shortcut` checks a message; `link_host` is
    the name of the host of public pages, empty where they have no links."""
    domains: dict[str, object] = {"unfurl_domains": [link_host]} if link_host else {}
    scopes = [*SCOPES, *(LINK_SCOPES if link_host else ())]
    events = [*EVENTS, *([LINK_EVENT] if link_host else ())]
    return {
        "display_information": {"name": "Fundstelle", "description": about, "background_color": "#1a3a5c"},
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": "fundstelle", "always_online": True},
            "shortcuts": [
                {
                    "name": shortcut.name,
                    "type": "message",
                    "callback_id": SHORTCUT,
                    "description": shortcut.description,
                }
            ],
            "slash_commands": [
                {
                    "command": registered,
                    "description": words[name].description,
                    "usage_hint": words[name].usage_hint,
                    "should_escape": False,
                }
                for name, registered in zip(COMMANDS, commands(prefix), strict=True)
            ],
            **domains,
        },
        "oauth_config": {"scopes": {"bot": sorted(scopes)}},
        "settings": {
            "event_subscriptions": {"bot_events": sorted(events)},
            "interactivity": {"is_enabled": True},
            "org_deploy_enabled": False,
            "socket_mode_enabled": True,
            "token_rotation_enabled": False,
        },
    }
