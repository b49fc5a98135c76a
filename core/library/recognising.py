"""Finds the references of versions in the library that have none yet."""

import asyncio
from collections.abc import Sequence

from core.domain.documents import Edition
from core.library.cross_references import RECOGNISER, cites, cross_references
from core.ports.library import Library


async def recognise_missing(library: Library, editions: Sequence[Edition]) -> int:
    """Find the references of those `editions` that came in before their references were kept, or whose
    were found by an older recogniser; from their passages, nothing is read or embedded again. Returns
    how many editions that were."""
    citing = {edition.version.id: edition for edition in editions if cites(edition.document.fields)}
    missing = await library.unrecognised(list(citing), recogniser=RECOGNISER)
    for version in missing:
        edition = citing[version]
        passages = await library.passages_at(version, range(edition.version.passages))
        found = await asyncio.to_thread(cross_references, passages, edition.document.fields)
        await library.save_references(version, found, recogniser=RECOGNISER)
    return len(missing)
