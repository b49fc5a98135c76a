"""The settings: one frozen tree, loaded once; unknown keys are refused, secrets are hidden.
Services get the slice that they need, never the whole tree.
"""

from bot.settings import settings_file
from bot.settings.platforms import ChatSettings, HttpSettings, LimitSettings, RoleSettings
from bot.settings.tree import Loaded, Settings, load

__all__ = [
    "ChatSettings",
    "HttpSettings",
    "LimitSettings",
    "Loaded",
    "RoleSettings",
    "Settings",
    "load",
    "settings_file",
]
