"""Results as text, JSON, tables and attached pages, in the language of whoever asked.

Texts stand in `locales/`; nothing that others wrote comes alive in a chat.
"""

from bot.presentation import attachments, help_lines, i18n, results, views, wording
from bot.presentation.attachments import Attacher
from bot.presentation.i18n import Texts
from bot.presentation.presenter import Presenter

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
