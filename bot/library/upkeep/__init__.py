"""What keeps documents as they should be: a whole index, the newest pipeline, their copies."""

from bot.library.upkeep.index import IndexUpkeep, in_words
from bot.library.upkeep.publishing import Publishing, copy_key
from bot.library.upkeep.reindexing import Reindexing

__all__ = ["IndexUpkeep", "Publishing", "Reindexing", "copy_key", "in_words"]
