"""Keeps the references of versions in the library, and finds those of versions that have none yet."""

import asyncio
from collections.abc import Sequence

from core.domain.documents import DocumentFields, Edition
from core.domain.ids import VersionId
from core.domain.passages import Passage
from core.library.cross_references import RECOGNISER, cites, cross_references
from core.ports import Library


async def save_recognised(
    library: Library, version: VersionId, passages: Sequence[Passage], fields: DocumentFields
) -> None:
    """Find the references in `passages` (all of a version's) and save them."""
    found = await asyncio.to_thread(cross_references, passages, fields)
    await library.save_references(version, found, recogniser=RECOGNISER)


async def recognise_missing(library: Library, editions: Sequence[Edition]) -> int:
    """Find the references of those `editions` that came in before their references were kept, or whose
    were found by an older recogniser; from their passages, nothing is read or embedded again. Returns
    how many editions that were."""
    citing = {edition.version.id: edition for edition in editions if cites(edition.document.fields)}
    missing = await library.unrecognised(list(citing), recogniser=RECOGNISER)
    for version in missing:
        edition = citing[version]
        passages = await library.passages_at(version, range(edition.version.passages))
        await save_recognised(library, version, passages, edition.document.fields)
    return len(missing)
