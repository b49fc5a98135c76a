"""The process that executes a command: this one for the user, or the running bot for a caller."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from core.ports.models import LanguageModel

if TYPE_CHECKING:
    from bot.presentation.i18n import Texts
    from bot.service.checks import Check
    from bot.settings.tree import Loaded, Settings
    from bot.wiring.composition import Choice

Chosen = TypeVar("Chosen")
Metered = Callable[[LanguageModel], LanguageModel]
Body = Coroutine[Any, Any, int]


class Process(Protocol):
    """What differs between the two."""

    def loaded(self, data: Path | None, config: Path | None) -> Loaded:
        """The settings of a command. Raises Refused or Broken for those that cannot be."""

    def opened(
        self, settings: Settings, chosen: Choice[Chosen], *, metered: Metered | None = None
    ) -> AbstractAsyncContextManager[Chosen]:
        """The services that are `chosen`, with these settings. `metered` puts a meter on the model."""

    async def require_library(self, settings: Settings) -> None:
        """Raises Refused("library.none") where these settings lead to no library."""

    def path(self, path: Path) -> Path:
        """A path that the command line names. Raises Refused where this process does not see it."""

    async def diagnosed(self, data: Path | None, config: Path | None, texts: Texts) -> list[Check]:
        """What `doctor` finds."""

    def finish(self, body: Body, json_output: bool) -> object:
        """Execute the command, and report how it ended."""


class ThisProcess:
    """Executes the command in this process."""

    def loaded(self, data: Path | None, config: Path | None) -> Loaded:
        """The settings from the folder, the file and the environment."""
        from bot.settings.tree import load

        return load(data=data, config=config)

    @asynccontextmanager
    async def opened(
        self, settings: Settings, chosen: Choice[Chosen], *, metered: Metered | None = None
    ) -> AsyncIterator[Chosen]:
        """Services of its own, closed in the end."""
        from bot.wiring.services import opened

        async with opened(settings, metered=metered) as wired:
            yield chosen(wired)

    async def require_library(self, settings: Settings) -> None:
        """Nothing is made in a folder that was merely named wrongly."""
        from bot.wiring.services import require_library

        await require_library(settings)

    def path(self, path: Path) -> Path:
        """As it is."""
        return path

    async def diagnosed(self, data: Path | None, config: Path | None, texts: Texts) -> list[Check]:
        """Run all checks from this process."""
        from bot.service.diagnosis import diagnose
        from bot.wiring.probes import PROBES

        return await diagnose(lambda: self.loaded(data, config), PROBES, texts)

    def finish(self, body: Body, json_output: bool) -> object:
        """Ends the process."""
        from bot.cli.running import finish

        finish(body, json_output)


HERE = ThisProcess()
