"""Settings to services: the only place that chooses adapters and builds them.
Everything is opened in one stack and closed in reverse order.
"""

from bot.wiring import logs, transfers
from bot.wiring.composition import Choice
from bot.wiring.probes import PROBES
from bot.wiring.services import checked_registry, jobs, opened, records, with_new_key

__all__ = [
    "PROBES",
    "Choice",
    "checked_registry",
    "jobs",
    "logs",
    "opened",
    "records",
    "transfers",
    "with_new_key",
]
