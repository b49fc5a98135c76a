"""Settings to services: the only place that chooses adapters and builds them.
Everything is opened in one stack and closed in reverse order.
"""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.wiring import logs, transfers
    from bot.wiring.composition import Choice
    from bot.wiring.probes import PROBES
    from bot.wiring.services import checked_registry, jobs, opened, records, require_library, with_new_key
else:
    __getattr__ = late(__name__, __file__)

__all__ = [
    "PROBES",
    "Choice",
    "checked_registry",
    "jobs",
    "logs",
    "opened",
    "records",
    "require_library",
    "transfers",
    "with_new_key",
]
