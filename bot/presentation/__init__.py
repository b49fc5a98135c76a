"""Results as text, JSON, tables and attached pages, in the language of whoever asked.

Texts stand in `locales/`; nothing that others wrote comes alive in a chat.
"""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.presentation import attachments, help_lines, i18n, results, views, wording
    from bot.presentation.attachments import Attacher
    from bot.presentation.i18n import Texts
    from bot.presentation.presenter import Presenter
else:
    __getattr__ = late(__name__, __file__)

__all__ = [
    "Attacher",
    "Presenter",
    "Texts",
    "attachments",
    "help_lines",
    "i18n",
    "results",
    "views",
    "wording",
]
