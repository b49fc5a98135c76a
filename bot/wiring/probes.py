"""`doctor`'s checks through the adapters."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bot.service.diagnosis import Probes
from bot.settings.tree import Settings
from bot.wiring.clocks import clocks
from bot.wiring.index import damaged_indexes
from bot.wiring.models import try_models
from bot.wiring.platforms import platforms, slack_manifest
from bot.wiring.services import (
    SystemClock,
    containment,
    office,
    recognition,
    require_library,
    set_aside,
    virus_scanner,
)

if TYPE_CHECKING:
    from bot.service.diagnosis import LibraryChecks
    from core.ports.journal import Journal


@asynccontextmanager
async def _library(settings: Settings) -> AsyncIterator[LibraryChecks]:
    from bot.wiring.services import opened

    async with opened(settings) as wired:
        yield wired.library_checks


@asynccontextmanager
async def _journal(settings: Settings) -> AsyncIterator[Journal]:
    from bot.wiring.services import records

    async with records(settings) as kept:
        yield kept.journal


PROBES = Probes(
    containment=containment,
    recognition=recognition,
    office=office,
    virus_scanner=virus_scanner,
    set_aside=set_aside,
    damaged_indexes=damaged_indexes,
    try_models=try_models,
    platforms=lambda settings: platforms(settings, SystemClock()),
    slack_manifest=slack_manifest,
    journal=_journal,
    library=_library,
    require_library=require_library,
    clocks=clocks,
)
