"""What keeps documents as they should be: a whole index, the newest pipeline, their copies."""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.library.upkeep.index import IndexUpkeep, in_words
    from bot.library.upkeep.publishing import Publishing, copy_key
    from bot.library.upkeep.reindexing import Reindexing
else:
    __getattr__ = late(__name__, __file__)

__all__ = ["IndexUpkeep", "Publishing", "Reindexing", "copy_key", "in_words"]
