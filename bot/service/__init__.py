"""`serve` and what keeps it running: platforms, periodic work, HTTP, metrics, health, `doctor`.

It works on what wiring has built, and watches over the index, the disk, the clock and the event loop.
"""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.service import checks, diagnosis, setting_up
    from bot.service.console import at_keyboard
    from bot.service.due_corrections import Correction, Told
    from bot.service.serving import Server
else:
    __getattr__ = late(__name__, __file__)

__all__ = ["Correction", "Server", "Told", "at_keyboard", "checks", "diagnosis", "setting_up"]
