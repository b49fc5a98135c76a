"""A document's copies and its second reading: published, taken back, described again, read again."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from bot.library.intake import IngestOptions, Intake, document_request
from core.domain.documents import Document, DocumentFields, DocumentStatus, VersionStatus
from core.domain.ids import document_id
from core.domain.ingestion import IngestReceipt, IngestRequest, IngestStatus
from core.errors import Refused
from core.library.ingestion import Ingester
from core.library.outcomes import error_of
from core.library.repairs import whole_original
from core.ports.library import Library
from core.ports.originals import Originals

OF_SOURCES = frozenset({"mirrors", "schedule"})
"""Fields of where a document comes from, which its copy does not come from."""

ALL_FIELDS = frozenset(each.name for each in fields(DocumentFields)) - OF_SOURCES


def copy_key(document: Document) -> str:
    """The key of a document's copy in another collection: its own, whatever files of the same name that
    collection holds. They would be taken for versions of each other, and taking back the one would remove
    the other."""
    return f"copy:{document.id}"


@dataclass(frozen=True, slots=True)
class Publishing:
    """Ingests kept files again. A published document is a copy under the other collection's own ids, so
    that nothing of the first can be reached through the second, and taking it back is removing the copy."""

    library: Library
    ingester: Ingester
    intake: Intake
    originals: Originals

    async def publish(self, document: Document, collection: str) -> Document:
        """Copy a document into `collection`; the copy. Raises Refused where it is there already."""
        if document.collection == collection:
            detail = f"{document.fields.title} is in {collection} already"
            raise Refused("publish.already", detail, title=document.fields.title, collection=collection)
        request = document_request(document, await self._kept(document), ALL_FIELDS)
        receipt = await self._ingested(replace(request, key=copy_key(document), collection=collection))
        copy = await self.library.document(receipt.document) if receipt.document else None
        if copy is None:
            raise error_of(receipt, "publish.failed", title=document.fields.title)
        await self.intake.carry(copy.fields, collection)
        return copy

    async def unpublish(self, document: Document, collection: str) -> Document:
        """Remove the copy that `publish` made of a document, or the copy itself. Raises Refused where
        there is none."""
        own = document.collection == collection
        copy = document if own else await self.copy_of(document, collection)
        if copy is None or not await self.ingester.remove(copy.id):
            detail = f"{document.fields.title} has no copy in {collection}"
            raise Refused("publish.none", detail, title=document.fields.title, collection=collection)
        return copy

    async def copy_of(self, document: Document, collection: str) -> Document | None:
        """The copy of a document that `publish` made in `collection`, as long as it is there."""
        copy = await self.library.document(document_id(collection, copy_key(document)))
        return copy if copy is not None and copy.status is DocumentStatus.ACTIVE else None

    async def describe(self, document: Document, options: IngestOptions) -> IngestReceipt:
        """Give a document other fields; it is only read again where they change how it is cut."""
        fields, stated = await self.intake.fields(options)
        await self.intake.carry(fields, document.collection)
        return await self._again(replace(document, fields=fields), stated)

    async def reingest(self, document: Document) -> IngestReceipt:
        """Read a document again: from its address where it has one, else from the kept file."""
        if document.fields.source_uri and document.key == document.fields.source_uri:
            found = [
                item
                async for item in self.intake.ingest(
                    [document.key], IngestOptions(collection=document.collection), None
                )
            ]
            return found[0]
        return await self._again(document, frozenset())

    async def rebuild(self, document: Document) -> IngestReceipt:
        """Read the kept file of a document again, which changes something where the pipeline has changed."""
        return await self._ingested(document_request(document, await self._kept(document)))

    async def _again(self, document: Document, stated: frozenset[str]) -> IngestReceipt:
        receipt = await self._ingested(document_request(document, await self._kept(document), stated))
        if receipt.status is IngestStatus.REFUSED:
            raise error_of(receipt, "upload.refused", file=document.file)
        return receipt

    async def _ingested(self, request: IngestRequest) -> IngestReceipt:
        found: Sequence[IngestReceipt] = [item async for item in self.ingester.ingest([request])]
        return found[0]

    async def _kept(self, document: Document) -> Path:
        for version in await self.library.versions(document.id):
            if version.status is VersionStatus.ACTIVE:
                return await whole_original(self.originals, version.original, document.file)
        raise Refused("document.unknown", f"{document.fields.title} holds nothing", name=document.file)
