"""Builds what checks sources: alongside the other services, or on the database alone."""

from collections.abc import Sequence
from pathlib import Path

from adapters.database.database import Database
from adapters.database.jobs import SqlSources
from adapters.database.library import SqlLibrary
from adapters.files.manifest import read_manifest
from adapters.files.originals import StoredOriginals
from adapters.web.addresses import Intranet, Rules
from adapters.web.source import WebSource
from bot.library.sources.jobs import Jobs, planner
from bot.settings.tree import Settings
from core.domain.registry import Registry
from core.errors import Broken
from core.ports.clock import Clock
from core.ports.storage import FileStore


def jobs_on(store: FileStore, database: Database, clock: Clock) -> Jobs:
    """The scheduled sources of an open database."""
    return Jobs(
        library=SqlLibrary(database, clock.zone),
        journal=SqlSources(database),
        originals=StoredOriginals(store),
        clock=clock,
        plan=planner(zone=clock.zone),
    )


def web_source(settings: Settings) -> WebSource:
    """What fetches documents from the web on a schedule."""
    return WebSource(
        max_bytes=settings.pdf.max_megabytes * 1_000_000,
        interval_s=settings.library.host_interval_s,
        robots=settings.library.robots,
        rules=web_rules(settings),
    )


def web_rules(settings: Settings) -> Rules:
    """Where documents are fetched from. Raises Broken("settings.invalid")."""
    try:
        return Rules(intranet=Intranet.of(settings.library.intranet))
    except ValueError as error:
        detail = f"library.intranet: {error}; write HOST, HOST:PORT or a network such as 10.1.0.0/16"
        raise Broken("settings.invalid", detail) from error


def manifests(paths: Sequence[Path]) -> dict[str, Registry]:
    """The rows of manifests, by path. Raises Refused for one that cannot be read."""
    return {str(path): read_manifest(path) for path in paths}
