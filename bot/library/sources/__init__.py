"""Where documents come from again: addresses on a schedule, watched folders, and held changes."""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.library.sources.jobs import LEASE, Job, Jobs, choice, held_text
    from bot.library.sources.refreshing import Refresher
    from bot.library.sources.registry_check import Checked, check_registry
    from bot.library.sources.watched_folders import Watcher
else:
    __getattr__ = late(__name__, __file__)

__all__ = ["LEASE", "Checked", "Job", "Jobs", "Refresher", "Watcher", "check_registry", "choice", "held_text"]
