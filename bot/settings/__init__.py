"""The settings: one frozen tree, loaded once; unknown keys are refused, secrets are hidden.
Services get the slice that they need, never the whole tree.
"""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.settings import settings_file
    from bot.settings.platforms import ChatSettings, HttpSettings, LimitSettings, RoleSettings
    from bot.settings.tree import Loaded, Settings, load
else:
    __getattr__ = late(__name__, __file__)

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
