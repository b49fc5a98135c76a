"""Checking manifests as one registry against each other, the disk and the library."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.library.sources.jobs import Job, Jobs, unreadable
from core.domain.documents import DocumentStatus
from core.domain.ids import document_id
from core.domain.registry import Jurisdiction, RegisteredDocument, Registry
from core.errors import Refused
from core.library.sources import scheduled
from core.registry.check import check, unite
from core.registry.registry import Places


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What was found: how many documents are listed, what is wrong, what the library does not hold yet,
    and what is due to be fetched."""

    documents: int
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    missing: tuple[str, ...]
    due: tuple[Job, ...]


async def check_registry(
    manifests: Mapping[str, Registry], known: Iterable[Jurisdiction], jobs: Jobs
) -> Checked:
    """Check `manifests` (by path) together. Nothing is saved."""
    try:
        registry = unite(manifests)
    except Refused as error:
        return Checked(
            documents=sum(len(rows.documents) for rows in manifests.values()),
            errors=tuple((error.detail or error.key).splitlines()),
            warnings=(),
            missing=(),
            due=(),
        )
    found = check(registry, Places(registry, known))
    now = jobs.clock.now()
    wrong = unreadable(registry.documents, jobs.plan, now)
    lost = [text for path, rows in manifests.items() for text in _lost_files(Path(path), rows)]
    return Checked(
        documents=len(registry.documents),
        errors=(*found.errors, *wrong, *lost),
        warnings=found.warnings,
        missing=tuple([row.key for row in registry.documents if not await _is_held(row, jobs)]),
        due=tuple(await _due(registry, jobs)),
    )


def _lost_files(manifest: Path, rows: Registry) -> Iterable[str]:
    for row in rows.documents:
        if row.file and not (manifest.parent / row.file).is_file():
            yield f"document {row.key}: there is no such file beside {manifest.name}; correct the path"


async def _is_held(row: RegisteredDocument, jobs: Jobs) -> bool:
    document = await jobs.library.document(document_id(row.collection, row.key))
    return document is not None and document.status is DocumentStatus.ACTIVE


async def _due(registry: Registry, jobs: Jobs) -> list[Job]:
    """Of what these manifests schedule, registered yet or not."""
    ids = {source.id for source in scheduled((), registry.documents)}
    listed = {job.source.id: job for job in await jobs.listed()}
    new = [jobs.job_of(source) for source in scheduled((), registry.documents) if source.id not in listed]
    now = jobs.clock.now()
    return [job for job in (*listed.values(), *new) if job.source.id in ids and job.is_due(now)]
