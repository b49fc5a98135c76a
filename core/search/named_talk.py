"""Lines of talk that are nothing but a name, in a thread in which the bot has answered: "fdp?"."""

import asyncio
from collections.abc import Callable

from core.domain.registry import Registry
from core.ports.reading import TalkReader
from core.recent import LastMade
from core.registry.detection import Detector
from core.search.followups import asks_by_name

SURE = 10.0


class NamesAreAsked(TalkReader):
    """Takes a line that only names parties or places of the `registry` to be for the bot: it is
    asked the same of them. `reader` reads the others."""

    def __init__(self, reader: TalkReader, registry: Callable[[], Registry]) -> None:
        self._reader = reader
        self._registry = registry
        self._detectors = LastMade[Registry, Detector](lambda named: Detector(named, ()))

    async def odds(self, before: str, line: str) -> float:
        """See the port."""
        return (
            SURE if before and asks_by_name(line, self._detector()) else await self._reader.odds(before, line)
        )

    async def warm_up(self) -> None:
        """Load the model, and put the names in order."""
        await asyncio.gather(self._reader.warm_up(), asyncio.to_thread(self._detector))

    def _detector(self) -> Detector:
        return self._detectors.of(self._registry())
