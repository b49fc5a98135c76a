"""A reader of talk for tests of platforms: whatever ends with a question mark is for the bot."""

from core.ports.models import TalkReader


class AsksByItsMark(TalkReader):
    """Takes a line that ends with a question mark for a question to the bot, unless somebody else has just
    spoken to people."""

    async def odds(self, before: str, line: str) -> float:
        """See the port."""
        last = before.rpartition(" | ")[2]
        to_people = last != "" and not last.startswith(("me:", "me > bot:")) and " > bot:" not in last
        return 9.0 if line.rstrip().endswith("?") and not to_people else -9.0

    async def warm_up(self) -> None:
        """There is nothing to load."""
