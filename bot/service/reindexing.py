"""A new pipeline (reading, cutting, encoders): documents are built anew beside what answers questions.

The pipeline's version is part of a version's id, so that the new points stand beside the old ones, and one
transaction switches; until then, and if it fails, questions are answered from the old ones.
"""

import logging
from collections.abc import AsyncIterator

from bot.answers.app import App
from core.domain.documents import Document, Edition, VersionStatus
from core.domain.ids import VersionId
from core.domain.ingestion import IngestReceipt

EVERY_S = 3600.0

_LOG = logging.getLogger(__name__)


async def outdated(app: App) -> list[Edition]:
    """Documents whose active version was made by another pipeline."""
    found = []
    for document in await app.library.documents():
        for version in await app.library.versions(document.id):
            edition = Edition(document=document, version=version)
            if version.status is VersionStatus.ACTIVE and not app.ingester.is_current(edition):
                found.append(edition)
    return found


async def rebuilt(app: App) -> AsyncIterator[tuple[Document, IngestReceipt]]:
    """Build outdated documents anew from the kept files, one after the other; each is switched at once."""
    for edition in await outdated(app):
        yield edition.document, await app.publishing.rebuild(edition.document)


async def run(app: App) -> None:
    """Look once an hour, until cancelled. What cannot be built anew stays as it is, and is not tried again
    before the next start."""
    failed: set[VersionId] = set()

    async def look() -> None:
        for edition in await outdated(app):
            if edition.version.id not in failed and not await _rebuild(app, edition.document):
                failed.add(edition.version.id)

    await app.supervisor.every("reindexing", EVERY_S, look)


async def _rebuild(app: App, document: Document) -> bool:
    try:
        receipt = await app.publishing.rebuild(document)
    except Exception as error:  # of one document: the others are built anew
        _LOG.error("%s could not be built anew", document.id)
        app.supervisor.failed("reindexing", error)
        return False
    if receipt.error:
        _LOG.error("%s could not be built anew: %s", document.id, receipt.error[0])
    return receipt.error is None
