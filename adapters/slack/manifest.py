"""The app's manifest, which is pasted on api.slack.com/apps (docs.slack.dev/reference/app-manifest)."""

from collections.abc import Mapping
from dataclasses import dataclass

from adapters.slack.scopes import COMMANDS, EVENTS, SCOPES, commands


@dataclass(frozen=True, slots=True)
class CommandWords:
    """What Slack shows while people type a slash command: what it does, and what may stand behind it."""

    description: str
    usage_hint: str


def manifest(about: str, words: Mapping[str, CommandWords], prefix: str) -> dict[str, object]:
    """Just what the bot uses, for Socket Mode. `about`: what the app is; `words`: by name in `COMMANDS`;
    `prefix`: what the workspace puts before both."""
    return {
        "display_information": {"name": "Fundstelle", "description": about, "background_color": "#1a3a5c"},
        "features": {
            "app_home": {
                "home_tab_enabled": False,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": "fundstelle", "always_online": True},
            "slash_commands": [
                {
                    "command": registered,
                    "description": words[name].description,
                    "usage_hint": words[name].usage_hint,
                    "should_escape": False,
                }
                for name, registered in zip(COMMANDS, commands(prefix), strict=True)
            ],
        },
        "oauth_config": {"scopes": {"bot": sorted(SCOPES)}},
        "settings": {
            "event_subscriptions": {"bot_events": sorted(EVENTS)},
            "interactivity": {"is_enabled": True},
            "org_deploy_enabled": False,
            "socket_mode_enabled": True,
            "token_rotation_enabled": False,
        },
    }
