"""An index that lacks passages: found by its counts, rebuilt beside the answers, which say so meanwhile."""

import logging
from collections.abc import Sequence
from functools import partial

from bot.answers.app import App
from core.domain.ids import VersionId
from core.library.completeness import Lack

EVERY_S = 60.0
"""How often the counts are compared."""

JOB = "rebuilding"

_LOG = logging.getLogger(__name__)


async def run(app: App) -> None:
    """Compare and rebuild, until cancelled. Passages are embedded at low priority, behind every question.
    What cannot be rebuilt is not tried again before the next start."""
    await app.supervisor.every(JOB, EVERY_S, partial(_round, app, set()))


async def _round(app: App, failed: set[VersionId]) -> None:
    lacking = [lack for lack in await app.completeness.lacking() if lack.holding.version not in failed]
    if not lacking:
        return
    _LOG.warning("the index is being rebuilt: %s", in_words(lacking))
    async for version, made in app.rebuilder.rebuild(apart_from=frozenset(failed)):
        if made.error:
            failed.add(version)
            _LOG.error("%s could not be rebuilt: %s (%s)", made.document.id, *made.error)
    _LOG.warning("the index was rebuilt: %s", in_words(app.completeness.seen))


async def standing(app: App) -> str:
    """That the index lacks something, in a line; "" where it is whole. Raises FundstelleError where a store
    does not answer."""
    lacking = await app.completeness.lacking()
    return f"the library is being rebuilt: {in_words(lacking)}" if lacking else ""


def in_words(lacking: Sequence[Lack]) -> str:
    """How much is lacking."""
    if not lacking:
        return "nothing is missing"
    documents = len({lack.holding.document for lack in lacking})
    passages = sum(max(0, lack.holding.passages - lack.points) for lack in lacking)
    return f"{documents} documents are not wholly in the index: {passages} passages are missing"
