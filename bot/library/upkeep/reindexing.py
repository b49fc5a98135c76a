"""A new pipeline (reading, cutting, encoders): documents are rebuilt beside what answers questions.

The pipeline's version is part of a version's id, so that the new points stand beside the old ones, and one
transaction switches; until then, and if it fails, questions are answered from the old ones.
"""

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from bot.library.upkeep.publishing import Publishing
from bot.periodic import Supervisor
from core.domain.documents import Document, Edition, VersionStatus
from core.domain.ids import VersionId
from core.domain.ingestion import IngestReceipt
from core.library.ingestion import Ingester
from core.ports.library import Library

EVERY_S = 3600.0

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reindexing:
    """Finds documents that another pipeline has made, and rebuilds them. What cannot be built stays as it
    is, and is not tried again by `once` before the next start."""

    library: Library
    ingester: Ingester
    publishing: Publishing
    supervisor: Supervisor
    _failed: set[VersionId] = field(default_factory=set, init=False)

    async def outdated(self) -> list[Edition]:
        """Documents whose active version was made by another pipeline."""
        found = []
        for document in await self.library.documents():
            for version in await self.library.versions(document.id):
                edition = Edition(document=document, version=version)
                if version.status is VersionStatus.ACTIVE and not self.ingester.is_current(edition):
                    found.append(edition)
        return found

    async def rebuilt(self) -> AsyncIterator[tuple[Document, IngestReceipt]]:
        """Rebuild outdated documents from the kept files, one after the other; each is switched at
        once."""
        for edition in await self.outdated():
            yield edition.document, await self.publishing.rebuild(edition.document)

    async def once(self) -> None:
        """Build what is outdated; what fails with one document does not keep the others from it."""
        for edition in await self.outdated():
            if edition.version.id not in self._failed and not await self._rebuild(edition.document):
                self._failed.add(edition.version.id)

    async def _rebuild(self, document: Document) -> bool:
        try:
            receipt = await self.publishing.rebuild(document)
        except Exception as error:  # of one document: the others are rebuilt
            _LOG.error("%s could not be rebuilt", document.id)
            self.supervisor.failed("reindexing", error)
            return False
        if receipt.error:
            _LOG.error("%s could not be rebuilt: %s", document.id, receipt.error[0])
        return receipt.error is None
